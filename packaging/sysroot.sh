#!/usr/bin/env bash
# sysroot.sh FOLDER PACKAGE...: unpacks Debian packages for aarch64 into FOLDER, with the libraries to link in
# usr/lib/aarch64-linux-gnu, the headers in usr/include, the licences in usr/share/doc. Downloads through apt with the
# sources of this machine, as any user; nothing of this machine is changed. FOLDER/packages lists what is in it.
# What was unpacked once is kept while the list of packages is the same.
set -euo pipefail
folder="$(mkdir -p "$1" && cd "$1" && pwd)"
shift
wanted="$(printf '%s\n' "$@" | sort -u)"
if [[ -f "$folder/wanted" && "$(cat "$folder/wanted")" == "$wanted" ]]; then exit 0; fi

apt="$folder/apt"
rm -rf "$folder/usr" "$folder/lib" "$folder/wanted" "$folder/packages" "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages"
# A list of packages of its own: the machine's apt need not know the other architecture.
options=(
  -o "APT::Architecture=arm64" -o "APT::Architectures=arm64" -o "APT::Sandbox::User="
  -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=/dev/null" -o "Dir::Cache=$apt/cache"
)
apt-get "${options[@]}" update -qq
(cd "$apt/packages" && apt-get "${options[@]}" -qq download $wanted >/dev/null)
for package in "$apt"/packages/*.deb; do
  dpkg-deb --extract "$package" "$folder"
  dpkg-deb --show --showformat='${Package} ${Version}\n' "$package" >>"$folder/packages"
done
sort -o "$folder/packages" "$folder/packages"
rm -rf "$apt"
printf '%s\n' "$wanted" >"$folder/wanted"
