#!/usr/bin/env bash
# fleet.sh PROGRAM [EVENTS...]: what a fleet costs, beside psql on the same server in the same run (docs/fleet.md).
#
# PROGRAM: the release, with plankeep-fleet beside it. EVENTS: how many events of 1,000 replicas the server holds while
# it is asked (default: 100000 1000000). 10000000 takes about a quarter of an hour and 5 GB below $TMPDIR.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/support/install.sh
use_system_tools
(($# > 0)) || {
  sed -n '2,/^set -/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | sed '$d'
  exit 2
}
program="$1"
shift
exec python3 -B tests/bench/fleet.py "$program" "$@"
