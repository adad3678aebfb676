# Sourced by tests/run.sh, tests/bench/run.sh and examples/quickstart.sh. Needs bash, changes nothing by itself.
#
#   use_system_tools            the compilers and interpreters of the distribution, whatever else stands on PATH
#   install_missing PACKAGE...  installs the Debian packages that are not there yet; as root, else through sudo

# What the program needs to be built; all of it is in Debian 12.
plankeep_build_packages=(
  g++ cmake ninja-build
  libcmark-gfm-dev libcmark-gfm-extensions-dev libre2-dev libssl-dev libsqlite3-dev libexpected-dev libcli11-dev
  libtomlplusplus-dev nlohmann-json3-dev libncurses-dev zlib1g-dev
)
# What examples/quickstart.sh needs on top. Without optimisation, Clang takes two thirds of the time of GCC.
plankeep_tour_packages=(clang)
# What plankeep-fleet needs on top; without it that program is left out.
plankeep_fleet_packages=(libpq-dev)
# What its tests need on top.
plankeep_test_packages=(
  catch2 librapidcheck-dev python3 python3-jsonschema strace git tmux zsh fish chromium vim neovim
  emacs-nox elpa-eglot elpa-markdown-mode
  clang clang-tidy clang-format libclang-rt-14-dev lld
  xz-utils lintian curl g++-mingw-w64-x86-64-posix postgresql
)
plankeep_bench_packages=(cmark-gfm)

use_system_tools() {
  export PATH=/usr/sbin:/usr/bin:/sbin:/bin
  # A choice made for another project must not change what is built here.
  unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CMAKE_PREFIX_PATH CMAKE_TOOLCHAIN_FILE CMAKE_GENERATOR
  unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH PYTHONPATH PYTHONHOME
}

install_missing() {
  local missing=() package as_root=()
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system: please install what these packages hold, if you have not: $*" >&2
    return 0
  fi
  for package in "$@"; do
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages, and neither root nor sudo to install them. As root, please run:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
