#!/usr/bin/env bash
# Prints what `session list -n 20` costs in a repository with many session checkpoints, in units of one
# `git --version` of the same run (g), the budgets beside it. It measures and does not judge.
#
#   bash tests/bench/sessions.sh PROGRAM [COUNT]      25,000 checkpoints by default; an optimised PROGRAM
set -euo pipefail
program="$(realpath "${1:?usage: sessions.sh PROGRAM [COUNT]}")"
count="${2:-25000}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export HOME="$work" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null

# Microseconds of one run.
once() {
  local from
  from="$(date +%s%N)"
  "$@" >/dev/null
  echo $((($(date +%s%N) - from) / 1000))
}
# The median of 25.
median() { for _ in $(seq 25); do once "$@"; done | sort -n | sed -n 13p; }

for layout in refs branch; do
  git init -q -b main "$work/$layout"
  cd "$work/$layout"
  /usr/bin/python3 -B "$here/fill_sessions.py" "$count" "$layout" | git fast-import --quiet --done
  git pack-refs --all
  cold="$(once "$program" session list -n 20)"
  warm="$(median "$program" session list -n 20)"
  g="$(median git --version)"
  awk -v layout="$layout" -v count="$count" -v cold="$cold" -v warm="$warm" -v g="$g" 'BEGIN {
    printf "%-6s %d checkpoints: cold %.1f s (<= 6 s), warm %.1f ms = %.1f g (<= 40 g), g = %.2f ms\n",
      layout, count, cold / 1e6, warm / 1e3, warm / g, g / 1e3 }'
done
