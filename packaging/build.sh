#!/usr/bin/env bash
# build.sh: makes everything that people install, from this checkout, on Debian 12.
#
#   packaging/build.sh [--out DIR] [--arch x86_64|aarch64]... [--built ARCH=DIR]...
#
#   --out DIR          where the files go (default: build/packages); what is there is replaced
#   --arch ARCH        only this one; may be given twice (default: both)
#   --built ARCH=DIR   takes the program of this build folder (preset `release`) instead of compiling
#
# Made are, for each architecture, plankeep-VERSION-linux-ARCH.tar.xz, plankeep_VERSION-1_DEBARCH.deb, the npm package
# plankeep-linux-CPU-VERSION.tgz and an SPDX list of what is linked in; once, the npm package plankeep-VERSION.tgz, the
# plugin for Claude Code, and SHA256SUMS over all of them.
#
# The same commit gives the same bytes on any machine with the same versions of Debian's packages: every time in the
# files is SOURCE_DATE_EPOCH (default: the time of the commit), every path is relative, every list sorted.
# What is missing is installed (as root, or with sudo), except the libraries for aarch64: they are unpacked below build/.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
umask 022
started_in="$PWD"
source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$source_dir"
source tests/support/install.sh
use_system_tools

usage() {
  sed -n '2,/^set -/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | sed '$d'
}
die() {
  echo "build.sh: $*" >&2
  exit 1
}
absolute() { case "$1" in /*) echo "$1" ;; *) echo "$started_in/$1" ;; esac; }

out="$source_dir/build/packages"
architectures=()
declare -A built=()
while (($# > 0)); do
  case "$1" in
    --out | --arch | --built)
      (($# > 1)) || die "$1 needs a value"
      case "$1" in
        --out) out="$(absolute "$2")" ;;
        --arch) architectures+=("$2") ;;
        --built)
          [[ "$2" == *=* ]] || die "--built is ARCH=DIR, not $2"
          built["${2%%=*}"]="$(absolute "${2#*=}")"
          ;;
      esac
      shift 2
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) die "unknown argument $1 (see --help)" ;;
  esac
done
((${#architectures[@]} > 0)) || architectures=(x86_64 aarch64)
for arch in "${architectures[@]}" "${!built[@]}"; do
  [[ "$arch" == x86_64 || "$arch" == aarch64 ]] || die "unknown architecture $arch: x86_64 or aarch64"
done

version="$(sed -n 's/^project(plankeep VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
[[ -n "$version" ]] || die "CMakeLists.txt names no version"
commit="" dirty=""
if git rev-parse --verify -q HEAD >/dev/null 2>&1; then
  commit="$(git rev-parse HEAD)"
  [[ -z "$(git status --porcelain 2>/dev/null)" ]] || dirty=-dirty
  : "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
fi
[[ "${SOURCE_DATE_EPOCH-}" =~ ^[0-9]+$ ]] || die "no git commit to take the time from: set SOURCE_DATE_EPOCH"
export SOURCE_DATE_EPOCH
[[ -z "$dirty" ]] || echo "build.sh: the checkout has changes; the packages say so (commit $commit-dirty)" >&2

deb_arch() { case "$1" in x86_64) echo amd64 ;; aarch64) echo arm64 ;; esac; }
npm_cpu() { case "$1" in x86_64) echo x64 ;; aarch64) echo arm64 ;; esac; }

# The libraries that end up in the program, by the Debian package that brings them.
linked=(libcmark-gfm-dev libcmark-gfm-extensions-dev libre2-dev libssl-dev libsqlite3-dev libncurses-dev libexpected-dev
  zlib1g-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev)

# build ARCH FOLDER
build() {
  local arch="$1" folder="$2"
  # No path of this machine in the program: asserts of libraries name their files.
  # Quoted, because CMake passes the flags to a shell and the folders' names may contain spaces.
  local maps="\"-ffile-prefix-map=$source_dir=.\" \"-ffile-prefix-map=$folder=build\""
  local options=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DPLANKEEP_STATIC=ON -DPLANKEEP_UNITY=ON -DPLANKEEP_TESTS=OFF
    -DPLANKEEP_BENCH=OFF "-DCMAKE_C_FLAGS=$maps" "-DCMAKE_CXX_FLAGS=$maps")
  if [[ "$arch" == aarch64 ]]; then
    packaging/sysroot.sh "$source_dir/build/sysroot-aarch64" "${linked[@]}"
    options+=("-DCMAKE_TOOLCHAIN_FILE=$source_dir/packaging/aarch64.cmake"
      "-DPLANKEEP_SYSROOT=$source_dir/build/sysroot-aarch64")
  else
    options+=(-DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++)
  fi
  echo "== build $arch"
  cmake -S "$source_dir" -B "$folder" "${options[@]}" >"$folder-configure.log" 2>&1 ||
    { cat "$folder-configure.log" >&2 && die "cannot configure the build for $arch"; }
  cmake --build "$folder" -j "$(nproc)"
}

# settle FOLDER: the modes and times that every package has, whatever this machine's umask and clock are.
settle() {
  find "$1" -type d -exec chmod 755 {} +
  find "$1" -type f -perm /111 -exec chmod 755 {} +
  find "$1" -type f ! -perm /111 -exec chmod 644 {} +
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# archive FILE PARENT NAME: the folder PARENT/NAME as a tar file, compressed as the name says.
archive() {
  local file="$1" parent="$2" name="$3"
  settle "$parent/$name"
  local compress=(gzip -9n)
  # xz --x86 writes the targets of calls in a form that packs better: a tenth less. Every xz unpacks it.
  local machine_code=()
  [[ "${arch-}" != x86_64 ]] || machine_code=(--x86)
  [[ "$file" != *.xz ]] || compress=(xz "${machine_code[@]}" --lzma2=preset=9e -T1)
  tar -C "$parent" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    -cf - "$name" | "${compress[@]}" >"$file"
}

# origin PACKAGE FILE: what `plankeep version --json` says of where the program came from.
origin() {
  mkdir -p "$(dirname "$2")"
  printf '{"package": "%s", "version": "%s", "commit": "%s"}\n' "$1" "$version" "${commit:+$commit$dirty}" >"$2"
}

licences() {
  local package
  mkdir -p "$1"
  for package in "${linked[@]}" libc6-dev libstdc++-12-dev; do
    cp -L "/usr/share/doc/$package/copyright" "$1/$package.txt"
  done
}

install_missing "${plankeep_build_packages[@]}" "${plankeep_fleet_packages[@]}" xz-utils dpkg python3
compiles() { [[ -z "${built[$1]-}" ]]; }
for arch in "${architectures[@]}"; do
  if [[ "$arch" == aarch64 ]] && compiles "$arch"; then
    install_missing g++-aarch64-linux-gnu qemu-user-static
  fi
done

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
files="$work/files"
mkdir -p "$files" build

for arch in "${architectures[@]}"; do
  folder="${built[$arch]-}"
  if compiles "$arch"; then
    folder="$source_dir/build/package-$arch"
    build "$arch" "$folder"
  fi
  echo "== pack $arch"
  stage="$work/stage-$arch"
  cmake --install "$folder" --prefix "$stage" >/dev/null
  strip=strip
  [[ "$arch" == x86_64 ]] || strip=aarch64-linux-gnu-strip
  for program in "$stage"/bin/*; do
    machine="$(readelf -h "$program" | sed -n 's/^ *Machine: *//p')"
    case "$arch:$machine" in
      x86_64:*X86-64 | aarch64:AArch64) ;;
      *) die "$program is for $machine, not for $arch" ;;
    esac
    ! readelf -d "$program" | grep -q NEEDED || die "$program is not static: build it with the preset release"
    "$strip" --strip-all --remove-section=.comment "$program"
  done
  licences "$stage/share/doc/plankeep/licences"
  program_sum="$(sha256sum "$stage/bin/plankeep" | cut -d ' ' -f 1)"

  # The list of what is linked in goes beside the packages, and into the archive.
  spdx="$files/plankeep-$version-linux-$arch.spdx.json"
  packages="$source_dir/build/sysroot-aarch64/packages"
  [[ "$arch" == aarch64 && -f "$packages" ]] || packages=""
  python3 -B packaging/sbom.py --version "$version" --arch "$arch" --commit "$commit$dirty" --sha256 "$program_sum" \
    --packages "$packages" -- "${linked[@]}" >"$spdx"
  cp "$spdx" "$stage/share/doc/plankeep/plankeep.spdx.json"

  # Archive: bin and share, to be unpacked over a prefix. The manifest says what to delete again.
  name="plankeep-$version-linux-$arch"
  cp -a "$stage" "$work/$name"
  origin tarball "$work/$name/share/plankeep/origin.json"
  (cd "$work/$name" && find . -type f -printf '%P\n' | { cat && echo share/plankeep/manifest; } | sort -u \
    >"$work/manifest" && mv "$work/manifest" share/plankeep/manifest)
  archive "$files/$name.tar.xz" "$work" "$name"

  origin deb "$work/deb-origin.json"
  packaging/deb/build.sh "$stage" "$work/deb-origin.json" "$version" "$(deb_arch "$arch")" \
    "$files/plankeep_$version-1_$(deb_arch "$arch").deb"
  # Where libpq was found: not among the libraries that are unpacked for aarch64.
  if [[ -x "$folder/bin/plankeep-fleet" ]]; then
    packaging/deb/fleet.sh "$folder" "$stage/share/doc/plankeep/licences" "$version" "$(deb_arch "$arch")" \
      "$files/plankeep-fleet_$version-1_$(deb_arch "$arch").deb"
  fi

  package="$work/npm-$arch/package"
  mkdir -p "$package/bin" "$package/share"
  cp "$stage/bin/plankeep" "$package/bin/"
  cp -a "$stage/share/plankeep" "$package/share/plankeep"
  mkdir -p "$package/share/doc/plankeep"
  cp -a "$stage/share/doc/plankeep/docs" "$package/share/doc/plankeep/docs"
  cp -a "$stage/share/doc/plankeep/licences" "$package/licences"
  cp LICENSE "$package/"
  origin npm "$package/share/plankeep/origin.json"
  sed -e "s/@VERSION@/$version/g" -e "s/@CPU@/$(npm_cpu "$arch")/g" packaging/npm/platform.json >"$package/package.json"
  sed -e "s/@CPU@/$(npm_cpu "$arch")/g" packaging/npm/platform.md >"$package/README.md"
  archive "$files/plankeep-linux-$(npm_cpu "$arch")-$version.tgz" "$work/npm-$arch" package
done

echo "== pack npm and plugin"
package="$work/npm/package"
mkdir -p "$package/bin"
install -m 755 packaging/npm/plankeep.js "$package/bin/plankeep.js"
sed "s/@VERSION@/$version/g" packaging/npm/package.json >"$package/package.json"
cp packaging/npm/README.md LICENSE "$package/"
archive "$files/plankeep-$version.tgz" "$work/npm" package

plugin="plankeep-claude-code-$version"
cp -a hooks/claude-code "$work/$plugin"
cp LICENSE "$work/$plugin/"
archive "$files/$plugin.tar.gz" "$work" "$plugin"

(cd "$files" && sha256sum -- * >SHA256SUMS)
rm -rf "$out"
mkdir -p "$out"
cp "$files"/* "$out/"
(cd "$out" && ls -l | awk 'NR > 1 { printf "%9d  %s\n", $5, $9 }')
