#!/usr/bin/env bash
# The native tests under AddressSanitizer and UndefinedBehaviorSanitizer; the first report ends the run.
# Usage: tools/sanitize.sh [pytest arguments]     without any: the tests that are made for them
#        tools/sanitize.sh --python arguments…   another program under them: make fuzz
set -eu
cd "$(dirname "$0")/.."
package=$PWD/build/sanitize/package

rm -rf "$package"
mkdir -p "$package"
cp -R src/cocarde "$package/"
rm -f "$package"/cocarde/_native*.so
BUILD_DIR=build/sanitize/native PREFIX_DIR=$package tools/native.sh -DCOCARDE_SANITIZE=address,undefined

# Python itself is not instrumented, so the runtimes have to be there before it; libstdc++ too,
# since the sanitizer looks for the real `throw` when it starts.
compiler=${CXX:-c++}
preload=
for library in libasan.so libubsan.so libstdc++.so; do
  path=$("$compiler" -print-file-name=$library)
  if [ "$path" = "$library" ]; then
    echo "$compiler has no $library: make sanitize needs GCC with its sanitizer libraries" >&2
    exit 1
  fi
  preload=$preload:$path
done

if [ $# = 0 ]; then
  # Hostile input, random text of every size, and the rules that each metric keeps: they reach every kernel.
  set -- -m "not slow and not torch" tests/native tests/properties tests/unit/test_own_metrics.py
fi

# Leaks are Python's own, at its exit. Output is captured in Python only: the report comes from below it.
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1:exitcode=99
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99
export PYTHONMALLOC=malloc PYTHONPATH=$package COCARDE_SANITIZED=$package
if [ "$1" = --python ]; then
  shift
  LD_PRELOAD=${preload#:} exec python3 "$@"
fi
LD_PRELOAD=${preload#:} python3 -m pytest -q -n "${SANITIZE_WORKERS:-2}" --capture=sys -p no:cacheprovider -p tests.sanitized_plugin "$@"
