#!/bin/sh
# Runs a command in the environment and with its compiler: tools/within.sh VENV COMMAND...
set -eu
venv=$(cd "$1" && pwd)
shift
PATH=$venv/bin:$venv/compiler:$PATH
# Said outright, since the build backend else takes the compiler that Python itself was built with.
if [ -z "${CXX:-}" ] && [ -f "$venv/compiler/name" ]; then
  CXX=$(cat "$venv/compiler/name")
  export CXX
fi
unset PYTHONHOME PYTHONPATH
export PATH
exec "$@"
