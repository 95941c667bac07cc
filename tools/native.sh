#!/usr/bin/env bash
# Builds the extension in place (src/cocarde/_native*.so) for the python3 on PATH; extra arguments go to cmake.
# Usage: tools/native.sh [-DCOCARDE_SANITIZE=address,undefined ...]
# BUILD_DIR and PREFIX_DIR change where it is built and installed (build/native, src).
set -eu
cd "$(dirname "$0")/.."
# Ninja uses all processors; make has to be told.
export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}"
build=${BUILD_DIR:-build/native}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { "$@" >"$log" 2>&1 || { head -n 60 "$log" >&2; return 1; }; }

generator=()
if command -v ninja >/dev/null; then generator=(-G Ninja); fi
quietly cmake -S . -B "$build" "${generator[@]}" -DPython_EXECUTABLE="$(command -v python3)" \
  -DCOCARDE_WARNINGS_AS_ERRORS=ON "$@"
quietly cmake --build "$build"
quietly cmake --install "$build" --prefix "${PREFIX_DIR:-src}"
