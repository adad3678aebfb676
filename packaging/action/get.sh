#!/usr/bin/env bash
# Puts plankeep into PATH for the steps that follow: the one that is there, else the archive of a release, checked
# against its SHA256SUMS. Called by action.yml.
#
#   PLANKEEP_VERSION     the release; empty: that of this checkout
#   PLANKEEP_RELEASES    where releases are: URL/vVERSION/FILE
#   RUNNER_TEMP, GITHUB_PATH   as GitHub sets them
set -euo pipefail
if command -v plankeep >/dev/null; then
  echo "using $(command -v plankeep): $(plankeep version)"
  exit 0
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
version="${PLANKEEP_VERSION:-$(sed -n 's/^project(plankeep VERSION \([0-9.]*\).*/\1/p' "$here/CMakeLists.txt")}"
version="${version#v}"
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]*$ ]] || { echo "::error::'$version' is no version"; exit 1; }
machine="$(uname -s)-$(uname -m)"
case "$machine" in
  Linux-x86_64 | Linux-aarch64) ;;
  *)
    echo "::error::there is no plankeep for $machine yet: use a Linux runner"
    exit 1
    ;;
esac
name="plankeep-$version-linux-$(uname -m)"
folder="$(mktemp -d "$RUNNER_TEMP/plankeep.XXXXXX")"
for file in SHA256SUMS "$name.tar.xz"; do
  curl --fail --silent --show-error --location --retry 3 --output "$folder/$file" \
    "$PLANKEEP_RELEASES/v$version/$file" || { echo "::error::cannot download $file of release v$version"; exit 1; }
done
# Exactly one line may speak of the file.
(cd "$folder" && grep -E "^[0-9a-f]{64}  $name\.tar\.xz\$" SHA256SUMS >expected && [[ "$(wc -l <expected)" == 1 ]] &&
  sha256sum --check --quiet expected) || { echo "::error::$name.tar.xz is not what SHA256SUMS says"; exit 1; }
tar -C "$folder" -xf "$folder/$name.tar.xz"
echo "$folder/$name/bin" >>"$GITHUB_PATH"
echo "using plankeep $version"
