#!/usr/bin/env bash
# scripts_test.sh SOURCE: every script parses, and stops at the first error.
set -euo pipefail
cd "$1"
mapfile -d '' scripts < <(find .ci docs examples packaging tests -type f \( -name '*.sh' -o -path '.ci/run' \) -print0)
((${#scripts[@]} >= 5)) || { echo "only ${#scripts[@]} scripts found"; exit 1; }
status=0
for script in "${scripts[@]}"; do
  bash -n "$script" || status=1
  # A file that is sourced leaves the choice to the script that sources it.
  if [[ "$(head -c 2 "$script")" == "#!" ]] && ! grep -q '^set -euo pipefail$' "$script"; then
    echo "$script: does not say set -euo pipefail"
    status=1
  fi
done
exit "$status"
