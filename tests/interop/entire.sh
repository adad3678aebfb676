#!/usr/bin/env bash
# entire.sh [VERSION...]: builds Entire from its published sources, outside of the project, and runs the round trips of
# entire_round_trips.py with each version. VERSION: a tag, or a commit of the clone.
#
# The sources come from the clone of Entire's repository that PLANKEEP_ENTIRE_SOURCE names, else from Go's module proxy.
# Without arguments: 0.5.1, 0.8.1 and the newest tag. With a clone, the session checkpoints on its branch are read, too.
# If PLANKEEP_ENTIRE names a program, nothing is built, and only that one is compared. Versions that cannot be built are
# skipped, with a message. Exit status 1: something differs.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
build="${PLANKEEP_BUILD:-$here/../../build/release}"
module=github.com/entireio/cli/cmd/entire
source="${PLANKEEP_ENTIRE_SOURCE:-}"
status=0

round_trips() {
  echo "== Entire $1"
  local result=0
  PLANKEEP_ENTIRE="$2" python3 -B "$here/entire_round_trips.py" "$build/bin/plankeep" || result=$?
  ((result == 0 || result == 77)) || status=1 # 77: skipped, with a message
}

if [[ -n "${PLANKEEP_ENTIRE:-}" ]]; then
  round_trips "$PLANKEEP_ENTIRE" "$PLANKEEP_ENTIRE"
  exit "$status"
fi
if ! command -v go >/dev/null; then
  echo "skipped: round trips with Entire (Go is not installed)"
  exit 0
fi

work="$(mktemp -d)"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# built VERSION: prints the path of the program. If it cannot be built, says why on standard error and prints nothing.
built() {
  local log="$work/$1.log" folder="$work/source-$1"
  if [[ -z "$source" ]]; then
    if GOBIN="$work/bin-$1" go install "$module@$1" >"$log" 2>&1; then
      echo "$work/bin-$1/entire"
    else
      echo "skipped: Entire $1 (go install: $(grep -v '^go: downloading' "$log" | tail -n 1))" >&2
    fi
    return 0
  fi
  mkdir -p "$folder"
  if ! git -C "$source" cat-file -e "$1^{commit}" 2>/dev/null; then
    echo "skipped: Entire $1 (the clone does not have it)" >&2
  elif git -C "$source" archive "$1" | tar -x -C "$folder" &&
    (cd "$folder" && go build -buildvcs=false -o "$work/entire-$1" ./cmd/entire) >"$log" 2>&1; then
    echo "$work/entire-$1"
  else
    echo "skipped: Entire $1 (go build: $(tail -n 1 "$log"))" >&2
  fi
}

versions=("$@")
if (($# == 0)); then
  versions=(v0.5.1 v0.8.1)
  if [[ -n "$source" ]]; then
    versions+=("$(git -C "$source" tag --sort=-v:refname --list 'v*' | head -n 1)")
  else
    versions+=(latest)
  fi
fi
for version in "${versions[@]}"; do
  program="$(built "$version")"
  [[ -z "$program" ]] || round_trips "$version" "$program"
done

echo "== The session checkpoints in Entire's own repository"
tests=""
for folder in "$build" "$here/../../build/asan"; do
  [[ -n "$tests" || ! -x "$folder/tests/session_store/session_store_tests" ]] ||
    tests="$folder/tests/session_store/session_store_tests"
done
if [[ -z "$source" ]] || ! git -C "$source" rev-parse -q --verify refs/heads/entire/checkpoints/v1 >/dev/null; then
  echo "skipped: PLANKEEP_ENTIRE_SOURCE does not name a clone with the branch entire/checkpoints/v1"
elif [[ -z "$tests" ]]; then
  echo "skipped: the tests are not built (cmake --build --preset asan)"
else
  PLANKEEP_ENTIRE_REPOSITORY="$(git -C "$source" rev-parse --absolute-git-dir)" "$tests" "every real checkpoint*" || status=1
fi
exit "$status"
