#!/usr/bin/env bash
# Compares plankeep with other people's programs, built from their published sources outside of the project. Needs Go
# and the network; without them it says what it skipped. Ordinary tests need neither.
#
#   bash tests/interop/run.sh
#   PLANKEEP_ENTIRE_SOURCE=/path/to/clone bash tests/interop/run.sh    also Entire (entire.sh)
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
status=0
bash "$here/secrets.sh" || status=1
bash "$here/entire.sh" || status=1
exit "$status"
