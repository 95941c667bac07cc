#!/bin/sh
# Builds, installs and tries the wheel on the oldest and the newest of the other Pythons that are here.
# tools/other_pythons.sh VENV: the environment whose own Python needs no further test.
set -eu
unset PYTHONHOME PYTHONPATH
cd "$(dirname "$0")/.."
own=$("$1/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

oldest=''
newest=''
for version in 3.10 3.11 3.12 3.13 3.14; do
  [ "$version" != "$own" ] || continue
  # A name alone says little: some only tell that the version is not chosen.
  if ! "python$version" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
    echo "skipped: there is no python$version with its headers here"
    continue
  fi
  oldest=${oldest:-$version}
  newest=$version
done
[ "$oldest" != "$newest" ] || newest=''

for version in $oldest $newest; do
  folder=build/other-pythons/$version
  tools/venv.sh "python$version" "$folder"
  echo "python$version: building and trying the wheel"
  # With the compiler of the environment, away from the sources.
  tools/within.sh "$1" "$PWD/$folder/bin/python" -m pip wheel -q --no-deps -w "$folder/wheel" .
  "$folder/bin/python" -m pip install -q "$folder"/wheel/*.whl
  (cd "$folder" && bin/python "$OLDPWD/tests/packaging/smoke.py")
  "$folder/bin/cocarde" score examples/en/system1.txt -r examples/en/reference.txt --score-only
done
