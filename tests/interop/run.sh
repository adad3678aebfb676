#!/usr/bin/env bash
# Holds plankeep against programs of other people, built from their published sources outside of the project. Needs
# Go and the network; says what it skipped where they are missing. Ordinary tests need neither.
#
#   bash tests/interop/run.sh
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bash "$here/secrets.sh"
