#!/bin/sh
# Builds the wheel in build/wheel and installs it with what it needs; arguments go to `pip wheel`.
# The build reuses build/{wheel_tag}: only what changed is compiled again.
set -eu
cd "$(dirname "$0")/.."
rm -rf build/wheel
echo "building cocarde: its C++ core takes a minute or two"
pip wheel -q --no-deps --no-build-isolation -w build/wheel "$@" .
echo "installing it with what it needs"
pip install -q --force-reinstall --no-deps build/wheel/*.whl
pip install -q build/wheel/*.whl
