#!/usr/bin/env bash
# tidy_test.sh SOURCE BUILD: clang-tidy (.clang-tidy) over every file of src/ that BUILD compiles.
set -euo pipefail
source="$1" build="$2"
output="$(mktemp)"
trap 'rm -f "$output"' EXIT
status=0
# Debian's own interpreter: run-clang-tidy needs its yaml module.
/usr/bin/python3 "$(command -v run-clang-tidy-14 || command -v run-clang-tidy)" -quiet -j "$(nproc)" -p "$build" \
  "^$source/src/.*\.cpp$" >"$output" 2>&1 || status=1
files="$(grep -c '^clang-tidy' "$output" || true)"
if ((status != 0)); then
  grep -vE '^clang-tidy|warnings generated|^$|Use -header-filter|Suppressed' "$output" || true
fi
echo "$files files"
# Nothing found because nothing was looked at is no success.
((files > 20)) || { echo "clang-tidy saw too few files"; exit 1; }
exit "$status"
