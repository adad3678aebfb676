#!/usr/bin/env bash
# reproduce.sh [ARCH]...: builds the commit that is checked out twice, in two clones with different names, and says whether
# the packages are the same, byte for byte. Takes two builds for each architecture (default: x86_64).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
architectures=()
for arch in "${@:-x86_64}"; do architectures+=(--arch "$arch"); done
commit="$(git rev-parse HEAD)" # both clones build this one, even if the branch moves on
top="$(mktemp -d)"
trap 'rm -rf "$top"' EXIT
for clone in a "b with another name"; do
  git clone -q . "$top/$clone"
  git -C "$top/$clone" checkout -q "$commit"
  (cd "$top/$clone" && bash packaging/build.sh "${architectures[@]}" --out "$top/out-${clone:0:1}")
  # Half the disk space: what counts is in out-*.
  rm -rf "${top:?}/$clone"
done
diff "$top/out-a/SHA256SUMS" "$top/out-b/SHA256SUMS" || { echo "the two builds differ" >&2 && exit 1; }
cat "$top/out-a/SHA256SUMS"
echo "two builds, the same bytes"
