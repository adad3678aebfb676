#!/usr/bin/env bash
# Compares plankeep with other people's programs, built from their published sources outside of the project. Needs Go
# and the network; without them it says what it skipped. Ordinary tests need neither.
#
#   bash tests/interop/run.sh
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bash "$here/secrets.sh"
