#!/usr/bin/env bash
# format_test.sh CLANG_FORMAT SOURCE: says which files `clang-format -i` would change.
set -euo pipefail
clang_format="$1"
cd "$2"
mapfile -d '' files < <(find src tests -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.c' \) -print0)
((${#files[@]} > 0)) || { echo "no sources below $2"; exit 1; }
"$clang_format" --dry-run --Werror "${files[@]}"
