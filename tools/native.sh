#!/usr/bin/env bash
# Builds the extension in place (src/cocarde/_native*.so) for the python3 on PATH; extra arguments go to cmake.
# Usage: tools/native.sh [-DCOCARDE_SANITIZE=address,undefined ...]
set -eu
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build/native}
cmake -S . -B "$build" -G Ninja -DPython_EXECUTABLE="$(command -v python3)" -DCOCARDE_WARNINGS_AS_ERRORS=ON "$@" >/dev/null
cmake --build "$build" >/dev/null || cmake --build "$build" | head -60
cmake --install "$build" --prefix "${PREFIX_DIR:-src}" >/dev/null
