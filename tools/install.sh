#!/bin/sh
# Builds the wheel in build/wheel and installs it with what it needs; arguments go to `pip wheel`.
# The build reuses build/{wheel_tag}: only what changed is compiled again.
set -eu
cd "$(dirname "$0")/.."
# Ninja uses all processors; make has to be told.
export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}"
rm -rf build/wheel
echo "building cocarde: its C++ core takes a minute or two"
pip wheel -q --no-deps --no-build-isolation -w build/wheel "$@" .
echo "installing it with what it needs"
pip install -q --force-reinstall --no-deps build/wheel/*.whl
pip install -q build/wheel/*.whl
