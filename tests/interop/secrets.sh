#!/usr/bin/env bash
# secrets.sh: how much of what gitleaks and betterleaks find we find too, and how much we find where nothing is.
#
# Prints figures, and fails when recall on gitleaks' own test vectors is below 0.95 or a plan of the fixtures is
# touched. What cannot be had is skipped and said. GITLEAKS and BETTERLEAKS may name programs that are there
# already. Nothing of theirs is kept: everything lies in a temporary folder.
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

# The texts that gitleaks' own rules are tested with. Its generator hands them to a function that we put in the
# place of its own.
vectors="$work/vectors.jsonl"
if command -v go >/dev/null && module="$(go mod download -json "$gitleaks_module" 2>/dev/null)"; then
  source_folder="$(python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])' <<<"$module")"
  cp -r "$source_folder" "$work/gitleaks-source"
  chmod -R u+w "$work/gitleaks-source"
  cp "$root/tests/interop/record_vectors.go.txt" "$work/gitleaks-source/cmd/generate/config/utils/validate.go"
  # It stops where it would write its configuration: the vectors are there by then.
  (cd "$work/gitleaks-source" && VECTORS="$vectors" go run ./cmd/generate/config "$work/rules.toml") \
    >"$work/vectors.log" 2>&1 || true
  [[ -s "$vectors" ]] || echo "skipped: gitleaks' test vectors ($(tail -n 1 "$work/vectors.log"))"
else
  echo "skipped: gitleaks' test vectors (no Go, or the module cannot be fetched)"
fi

python3 "$root/tests/interop/compare_secrets.py" "$root" "$ours" "$work" "$vectors" "$gitleaks" "$betterleaks"
