#!/usr/bin/env bash
# Everything that has to hold, on a bare Debian 12 machine: installs what is missing, builds the release (GCC, static)
# and the sanitized build (Clang), runs the tests of both, the format check and clang-tidy in one ctest run.
# The last lines are ctest's summary; the exit status is 0 only when everything was built and passed.
#
#   tests/run.sh          what every change has to pass: large tests run a sample that moves on with each commit
#   tests/run.sh --all    every case of every test, all checks for undefined behaviour, ten minutes of each fuzz
#                         target. Takes hours.
set -euo pipefail
case "${1-}" in
  "") all=0 ;;
  --all) all=1 ;;
  *)
    echo "usage: tests/run.sh [--all]" >&2
    exit 2
    ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/support/install.sh

use_system_tools
install_missing "${plankeep_build_packages[@]}" "${plankeep_fleet_packages[@]}" "${plankeep_test_packages[@]}"

jobs="$(nproc)"
status=0

# build PRESET TARGET OPTIONS...
build() {
  local preset="$1" target="$2"
  shift 2
  echo "== build $preset"
  # -k 0: the tests of what did build still say what works.
  { cmake --preset "$preset" "$@" >"build/$preset-configure.log" 2>&1 || { cat "build/$preset-configure.log"; false; }; } &&
    cmake --build --preset "$preset" --target "$target" -j "$jobs" -- -k 0 || status=1
}

mkdir -p build/all
# The program is tested as people run it where faults, races and memory are looked at; all the rest with sanitizers.
whole=OFF
scripts=OFF
patience=1200
checks=()
if ((all)); then
  export PLANKEEP_WHOLE=1
  whole=ON
  scripts=ON
  patience=14400
  checks=(-DPLANKEEP_CHECKS_LEFT_OUT=)
fi
build release all -DPLANKEEP_UNIT_TESTS=OFF -DPLANKEEP_SCRIPT_TESTS="$scripts" -DPLANKEEP_WHOLE="$whole"
build asan all -DPLANKEEP_STYLE_TESTS=ON -DPLANKEEP_BENCH=OFF -DPLANKEEP_WHOLE="$whole" "${checks[@]}"
if ((all)); then
  build fuzz fuzzers
  echo "== fuzz"
  # What is found stays in build/found with the input that shows it.
  fuzz() {
    local name
    name="$(basename "$1" _fuzzer)"
    mkdir -p "build/found/$name"
    if "$1" -max_total_time="${PLANKEEP_FUZZ_SECONDS:-600}" -fork=1 -print_final_stats=1 \
      -artifact_prefix="build/found/" "build/found/$name" "tests/fuzz/corpus/$name" >"build/found/$name.log" 2>&1; then
      echo "fuzz: $name found nothing"
    else
      echo "fuzz: $name found something:"
      tail -n 40 "build/found/$name.log"
      return 1
    fi
  }
  export -f fuzz
  # As many targets at once as there are cores.
  printf '%s\0' build/fuzz/tests/fuzz/*_fuzzer | xargs -0 -n 1 -P "$jobs" bash -c 'fuzz "$1"' fuzz || status=1
fi

# One run over both build folders, so that there is one summary and the tests of both share the cores.
{
  for preset in release asan; do
    echo "subdirs(\"$PWD/build/$preset\")"
  done
} >build/all/CTestTestfile.cmake

echo "== test"
ctest --test-dir build/all -j "$jobs" --output-on-failure --no-tests=error --timeout "$patience" || status=1
exit "$status"
