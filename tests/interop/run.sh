#!/usr/bin/env bash
# Compares plankeep with other people's programs, built from their published sources outside of the project. Needs Go
# and the network; without them it says what it skipped. Ordinary tests need neither. PLANKEEP_ENTIRE names Entire's
# program, if there is one.
#
#   bash tests/interop/run.sh
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bash "$here/secrets.sh"

program="${PLANKEEP_BUILD:-$here/../../build/release}/bin/plankeep"
python3 -B "$here/entire_round_trips.py" "$program" || {
  status=$?
  ((status == 77)) || exit "$status" # 77: skipped, and it has said why
}
