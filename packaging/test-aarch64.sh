#!/usr/bin/env bash
# test-aarch64.sh [CTEST OPTION]...: builds the program and its tests for aarch64 and runs them here under qemu-user: the tests
# of every room, and the program from end to end (cases, sessions, schemas, MCP, examples). Without options it then packs the
# program, and installs and uses each package. Left out: tests that trace system calls, which the emulator hides; three tests of
# programs that do not exist, because its posix_spawn reports success; and tests of scripts, documents and the sources, which
# are the same on every architecture.
#
# Needs root: the kernel is told once to start aarch64 programs with qemu, so that plankeep can start itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/support/install.sh
use_system_tools
install_missing "${plankeep_build_packages[@]}" python3 python3-jsonschema git g++-aarch64-linux-gnu qemu-user-static

formats=/proc/sys/fs/binfmt_misc
if [[ ! -e "$formats/qemu-aarch64" ]]; then
  [[ -e "$formats/register" ]] || mount -t binfmt_misc binfmt_misc "$formats"
  # The head of an ELF file for aarch64, 64 bits, little-endian; F: qemu is opened now, so a chroot does not matter.
  printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' \
    >"$formats/register"
fi

libraries=()
for package in "${plankeep_build_packages[@]}" catch2 librapidcheck-dev; do
  case "$package" in *-dev | catch2) libraries+=("$package") ;; esac
done
packaging/sysroot.sh build/sysroot-aarch64-tests "${libraries[@]}"
folder=build/test-aarch64
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPLANKEEP_STATIC=ON -DPLANKEEP_UNITY=ON -DPLANKEEP_BENCH=OFF \
  -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_TOOLCHAIN_FILE="$PWD/packaging/aarch64.cmake" \
  -DPLANKEEP_SYSROOT="$PWD/build/sysroot-aarch64-tests" >"$folder-configure.log" 2>&1 ||
  { cat "$folder-configure.log" >&2 && exit 1; }
cmake --build "$folder" -j "$(nproc)"
status=0
ctest --test-dir "$folder" -j "$(nproc)" --output-on-failure --no-tests=error --timeout 3000 \
  -E '^(faults|style|docs|packaging|report_page|install|interop|architecture|hooks|base|mingw): |^system:a (folder that is not there is|program that is not there) ' "$@" || status=1

(($# == 0)) || exit "$status"
export PLANKEEP_PACKAGE_ARCH=aarch64
for part in packed archive deb npm; do
  result=0
  python3 -B tests/packaging/packages_test.py "$folder" "$part" || result=$?
  case "$result" in
    0) echo "packaging: $part: passed" ;;
    77) ;; # skipped, with a message
    *) echo "packaging: $part: FAILED" && status=1 ;;
  esac
done
exit "$status"
