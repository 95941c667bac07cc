#!/usr/bin/env bash
# The typed stub of the native module, src/cocarde/_native.pyi, made from the module itself.
# Usage: tools/stub.sh           builds in place and renews the stub
#        tools/stub.sh --check   fails, with the differences, if the stub is not that of the installed module
set -eu
cd "$(dirname "$0")/.."
committed=src/cocarde/_native.pyi
generate() { python3 -m nanobind.stubgen -q -m cocarde._native -o "$1"; }

if [ "${1:-}" = --check ]; then
  fresh=$(mktemp -d)
  trap 'rm -r "$fresh"' EXIT
  generate "$fresh/_native.pyi"
  if ! diff -u "$committed" "$fresh/_native.pyi"; then
    echo "$committed is not the stub of the module that was built: run tools/stub.sh and commit it" >&2
    exit 1
  fi
else
  tools/native.sh
  PYTHONPATH=src generate "$committed"
fi
