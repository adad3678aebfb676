#!/usr/bin/env bash
# deb/fleet.sh BUILD LICENCES VERSION DEBARCH FILE: the Debian package plankeep-fleet of what was built in the folder BUILD.
# Called by packaging/build.sh with SOURCE_DATE_EPOCH set. Its only program is linked with libpq dynamically.
set -euo pipefail
build="$1" licences="$2" version="$3" arch="$4" file="$5"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
cmake --install "$build" --component fleet --strip --prefix "$root/usr" >/dev/null
strip --strip-all --remove-section=.comment "$root/usr/bin/plankeep-fleet"
doc="$root/usr/share/doc/plankeep-fleet"
mkdir -p "$doc/licences" "$root/usr/share/man/man1" "$root/usr/share/lintian/overrides" "$root/DEBIAN"
{
  cat "$here/copyright"
  echo
  sed -e 's/^$/./' -e 's/^/ /' "$here/../../LICENSE" | sed '1,4d'
} >"$doc/copyright"
gzip -9nc "$here/../../CHANGELOG.md" >"$doc/changelog.gz"
# Of the libraries that are linked in.
cp "$licences"/* "$doc/licences/"
maintainer="${PLANKEEP_MAINTAINER:-plankeep maintainers <maintainers@plankeep.example>}"
cat >"$doc/changelog.Debian" <<END
plankeep-fleet ($version-1) unstable; urgency=medium

  * Version $version. What is new stands in changelog.gz.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9n "$doc/changelog.Debian"
# One page explains both.
printf '.so man1/plankeep.1\n' | gzip -9n >"$root/usr/share/man/man1/plankeep-fleet.1.gz"
cat >"$root/usr/share/lintian/overrides/plankeep-fleet" <<'END'
plankeep-fleet: embedded-library *
plankeep-fleet: initial-upload-closes-no-bugs *
END
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -perm /111 -exec chmod 755 {} +
find "$root" -type f ! -perm /111 -exec chmod 644 {} +
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: plankeep-fleet
Version: $version-1
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: libc6 (>= 2.36), libpq5 (>= 15~)
Recommends: plankeep (>= $version)
Section: devel
Priority: optional
Description: plankeep's plans shared between machines through PostgreSQL
 plankeep keeps the Markdown plans that AI coding agents work from. With this
 package its command "plankeep fleet" pushes what one machine recorded to a
 PostgreSQL database, shows what all machines of a team did, and claims tasks
 so that no two machines work on the same one.
END
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$file" >/dev/null
