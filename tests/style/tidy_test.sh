#!/usr/bin/env bash
# tidy_test.sh SOURCE BUILD: clang-tidy (.clang-tidy) over files of src/, compiled one by one and without precompiled
# headers, so that a missing #include shows as well.
#
# All of them with PLANKEEP_WHOLE=1. Else those that changed since the commit in tests/style/tidied, which was clean
# as a whole, and one in 36 of the other files, different ones for each commit.
set -euo pipefail
source="$1" build="$2/tidy"
output="$(mktemp)"
trap 'rm -f "$output"' EXIT
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPLANKEEP_TESTS=OFF -DPLANKEEP_BENCH=OFF >"$output" 2>&1 ||
  { cat "$output"; exit 1; }

files() {
  if [[ "${PLANKEEP_WHOLE:-}" == 1 ]] || ! head="$(git -C "$source" rev-parse --short=8 HEAD 2>/dev/null)" ||
    ! git -C "$source" cat-file -e "$(cat "$source/tests/style/tidied")^{commit}" 2>/dev/null; then
    (cd "$source" && find src -name '*.cpp')
    return
  fi
  {
    git -C "$source" diff --name-only --diff-filter=d "$(cat "$source/tests/style/tidied")" -- 'src/*.cpp'
    (cd "$source" && find src -name '*.cpp' | sort) | awk -v at="$((16#$head % 36))" 'NR % 36 == at'
  } | sort -u
}
mapfile -t chosen < <(files)

status=0
pattern="$(IFS='|'; echo "${chosen[*]}")"
# Debian's own interpreter: run-clang-tidy needs its yaml module.
/usr/bin/python3 "$(command -v run-clang-tidy-14 || command -v run-clang-tidy)" -quiet -j "$(nproc)" -p "$build" \
  "^$source/(${pattern//./\\.})\$" >"$output" 2>&1 || status=1
seen="$(grep -c '^clang-tidy' "$output" || true)"
if ((status != 0)); then
  grep -vE '^clang-tidy|warnings generated|^$|Use -header-filter|Suppressed' "$output" || true
fi
echo "$seen files"
# Nothing found because nothing was looked at is no success.
((seen == ${#chosen[@]} && seen > 10)) || { echo "clang-tidy was to see ${#chosen[@]} files"; exit 1; }
exit "$status"
