#!/usr/bin/env bash
# secrets.sh: compares what we find with what gitleaks and betterleaks find, and counts our false positives.
#
# Prints figures, and fails if recall on gitleaks' own test vectors is below 0.95 or a plan of the fixtures is
# changed. What cannot be downloaded is skipped, with a message. GITLEAKS and BETTERLEAKS may name installed
# programs. Nothing of theirs is kept: everything is in a temporary folder.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
gitleaks_module=github.com/zricethezav/gitleaks/v8@v8.30.0
betterleaks_module=github.com/betterleaks/betterleaks@v1.1.1
build="${PLANKEEP_BUILD:-$root/build/release}"
gitleaks="${GITLEAKS:-}"
betterleaks="${BETTERLEAKS:-}"

work="$(mktemp -d)"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

cmake --build "$build" --target interop_redact_lines >"$work/build.log" 2>&1 || {
  tail -n 20 "$work/build.log"
  exit 1
}
ours="$build/tests/interop/interop_redact_lines"

# fetch NAME MODULE: prints the program's path, or says on standard error why there is none.
fetch() {
  if ! command -v go >/dev/null; then
    echo "skipped: $1 (Go is not installed)" >&2
    return 0
  fi
  if GOBIN="$work/bin" go install "$2" >"$work/$1.log" 2>&1; then
    echo "$work/bin/$1"
  else
    echo "skipped: $1 (go install $2: $(grep -v '^go: downloading' "$work/$1.log" | tail -n 1))" >&2
  fi
}
[[ -n "$gitleaks" ]] || gitleaks="$(fetch gitleaks "$gitleaks_module")"
[[ -n "$betterleaks" ]] || betterleaks="$(fetch betterleaks "$betterleaks_module")"

# The texts that gitleaks' own rules are tested with. Its generator passes them to a function, which we replace by
# one that records them. Only what cannot be downloaded is skipped: a generator that no longer builds or runs is a
# failure.
vectors="$work/vectors.jsonl"
record_vectors() {
  local source_folder="$work/gitleaks-source"
  cp -r "$1" "$source_folder"
  chmod -R u+w "$source_folder"
  cp "$root/tests/interop/record_vectors.go.txt" "$source_folder/cmd/generate/config/utils/validate.go"
  if ! (cd "$source_folder" && go mod download) >"$work/vectors.log" 2>&1; then
    echo "skipped: gitleaks' test vectors (go mod download: $(tail -n 1 "$work/vectors.log"))"
    return 0
  fi
  # It reads its template from the working directory.
  if ! (cd "$source_folder/cmd/generate/config" && VECTORS="$vectors" go run . "$work/rules.toml") \
    >"$work/vectors.log" 2>&1 || [[ ! -s "$vectors" ]]; then
    echo "FAILED: gitleaks' generator did not record its test vectors"
    tail -n 20 "$work/vectors.log"
    return 1
  fi
}
if command -v go >/dev/null && module="$(go mod download -json "$gitleaks_module" 2>/dev/null)"; then
  record_vectors "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])' <<<"$module")"
else
  echo "skipped: gitleaks' test vectors (no Go, or the module cannot be fetched)"
fi

python3 "$root/tests/interop/compare_secrets.py" "$root" "$ours" "$work" "$vectors" "$gitleaks" "$betterleaks"
