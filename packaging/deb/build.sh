#!/usr/bin/env bash
# deb/build.sh STAGE ORIGIN VERSION DEBARCH FILE: the Debian package of what was installed into STAGE (bin and share).
# Called by packaging/build.sh with SOURCE_DATE_EPOCH set. The program is static, so the package depends on nothing.
set -euo pipefail
stage="$1" origin="$2" version="$3" arch="$4" file="$5"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
doc="$root/usr/share/doc/plankeep"

mkdir -p "$root/usr" "$root/DEBIAN"
cp -a "$stage/bin" "$stage/share" "$root/usr/"
cp "$origin" "$root/usr/share/plankeep/origin.json"
# Where Debian's zsh looks for what packages bring.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_plankeep" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
gzip -9n "$root/usr/share/man/man1/plankeep.1"

# Debian wants its own names and forms for licence and changes.
{
  cat "$here/copyright"
  echo
  sed -e 's/^$/./' -e 's/^/ /' "$stage/share/doc/plankeep/LICENSE" | sed '1,4d'
} >"$doc/copyright"
rm "$doc/LICENSE"
gzip -9nc "$doc/CHANGELOG.md" >"$doc/changelog.gz"
rm "$doc/CHANGELOG.md"
maintainer="${PLANKEEP_MAINTAINER:-plankeep maintainers <maintainers@plankeep.example>}"
cat >"$doc/changelog.Debian" <<END
plankeep ($version-1) unstable; urgency=medium

  * Version $version. What is new stands in changelog.gz.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9n "$doc/changelog.Debian"
mkdir -p "$root/usr/share/lintian/overrides"
cp "$here/lintian-overrides" "$root/usr/share/lintian/overrides/plankeep"

find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -perm /111 -exec chmod 755 {} +
find "$root" -type f ! -perm /111 -exec chmod 644 {} +
# Links in the documents lead to files that bear other names here.
sed -i -e 's/(CHANGELOG\.md)/(changelog.gz)/g' -e 's/(LICENSE)/(copyright)/g' "$doc"/*.md
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
sed -e "s/@VERSION@/$version-1/" -e "s/@ARCH@/$arch/" -e "s/@MAINTAINER@/$maintainer/" \
  -e "s/@SIZE@/$(du -k -s --apparent-size "$root/usr" | cut -f 1)/" "$here/control" >"$root/DEBIAN/control"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$file" >/dev/null
