#!/bin/sh
# Makes a virtual environment with pip: tools/venv.sh PYTHON FOLDER
set -eu
python=$1
folder=$2

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo "cocarde needs Python 3.10 or later, and '$python' is not: name one, as in PYTHON=python3.12 make ..." >&2
  exit 1
fi

# Another interpreter's environment must not stay behind.
rm -rf "$folder"
if "$python" -m venv "$folder" >/dev/null 2>&1; then exit 0; fi

# Debian leaves ensurepip out of python3; a pip outside can still fill the environment.
rm -rf "$folder"
if "$python" -m venv --without-pip "$folder" &&
  "$python" -m pip --python "$folder/bin/python" install -q pip >/dev/null 2>&1; then exit 0; fi
rm -rf "$folder"
echo "'$python' cannot make a virtual environment: install its venv module (Debian, Ubuntu: apt install python3-venv)" >&2
exit 1
