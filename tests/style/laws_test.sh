#!/usr/bin/env bash
# laws_test.sh SOURCE: rapidcheck's check() only returns whether a law holds. A call whose result nobody uses cannot fail.
set -euo pipefail
cd "$1"
if grep -rnE '^[[:space:]]*(\(void\)[[:space:]]*)?rc::check\(' tests --include='*.cpp'; then
  echo "these laws cannot fail: write CHECK(rc::check(...))"
  exit 1
fi
found="$(grep -rhoE 'rc::check\(' tests --include='*.cpp' | wc -l)"
((found >= 50)) || { echo "only $found laws found"; exit 1; }
