#!/usr/bin/env bash
# Makes each target in turn, whatever became of those before it, and tells at the end which one took how long
# and how it ended. Usage: tools/parts.sh TARGET...   exit code 1 if any of them failed; MAKE names the program.
set -u
rows=()
failed=()
for part in "$@"; do
  printf '\n== %s ==\n' "$part"
  start=$SECONDS
  if "${MAKE:-make}" --no-print-directory "$part"; then result=passed; else
    result=FAILED
    failed+=("$part")
  fi
  rows+=("$(printf '%-12s %4d s  %s' "$part" $((SECONDS - start)) "$result")")
done

printf '\n== summary ==\n'
printf '%s\n' "${rows[@]}"
printf '%-12s %4d s  ' total "$SECONDS"
if [ ${#failed[@]} = 0 ]; then echo "all passed"; else
  echo "FAILED: ${failed[*]}"
  exit 1
fi
