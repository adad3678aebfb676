#!/usr/bin/env bash
# Everything that has to hold, on a bare Debian 12 machine: installs what is missing, builds the release (GCC, static)
# and the sanitized build (Clang), runs the tests of both, the format check and clang-tidy in one ctest run.
# The last lines are ctest's summary; the exit status is 0 only when everything was built and passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/support/install.sh

use_system_tools
install_missing "${plankeep_build_packages[@]}" "${plankeep_test_packages[@]}"

jobs="$(nproc)"
status=0

build() {
  local preset="$1"
  shift
  echo "== build $preset"
  # -k 0: the tests of what did build still say what works.
  { cmake --preset "$preset" "$@" >"build/$preset-configure.log" 2>&1 || { cat "build/$preset-configure.log"; false; }; } &&
    cmake --build --preset "$preset" -j "$jobs" -- -k 0 || status=1
}

mkdir -p build/all
# The program is tested as people run it and with sanitizers, its rooms with sanitizers.
build release -DPLANKEEP_UNIT_TESTS=OFF
build asan -DPLANKEEP_STYLE_TESTS=ON -DPLANKEEP_PRECOMPILE=ON

# One run over both build folders, so that there is one summary and the tests of both share the cores.
{
  for preset in release asan; do
    echo "subdirs(\"$PWD/build/$preset\")"
  done
} >build/all/CTestTestfile.cmake

echo "== test"
ctest --test-dir build/all -j "$jobs" --output-on-failure --no-tests=error --timeout 1200 || status=1
exit "$status"
