#!/usr/bin/env bash
# Lints plans and checks their proof. Called by action.yml in the workspace, with plankeep in PATH.
#
#   PLANKEEP_PLANS    plans, one a line; empty: every plan of the checkout
#   PLANKEEP_STRICT   true: warnings count as errors
#   PLANKEEP_PROOF    off, check or run
#   PLANKEEP_SARIF    where the SARIF file goes
#   GITHUB_OUTPUT, GITHUB_STEP_SUMMARY   as GitHub sets them
#
# Exit status 1 if a plan has errors or is not proven, or nothing could be checked.
set -euo pipefail
stop() {
  echo "::error::$1"
  exit 1
}
case "${PLANKEEP_PROOF:=off}" in off | check | run) ;; *) stop "proof is off, check or run" ;; esac
case "${PLANKEEP_STRICT:=false}" in true | false) ;; *) stop "strict is true or false" ;; esac
sarif="${PLANKEEP_SARIF:-plankeep.sarif}"

plans=()
if [[ -n "${PLANKEEP_PLANS-}" ]]; then
  while IFS= read -r plan; do
    plan="${plan#"${plan%%[![:space:]]*}"}"
    plan="${plan%"${plan##*[![:space:]]}"}"
    [[ -z "$plan" ]] || plans+=("$plan")
  done <<<"$PLANKEEP_PLANS"
else
  found="$(plankeep plans --json)" || stop "cannot list the plans of this checkout"
  # A path may hold anything but a zero byte.
  while IFS= read -r -d '' plan; do plans+=("$plan"); done < <(
    python3 -c 'import json, os, sys
said = json.load(sys.stdin)
for path in [*(tracked["plan"]["path"] for tracked in said["plans"]), *(other["path"] for other in said["untracked"])]:
    sys.stdout.write(os.path.relpath(path) + "\0")' <<<"$found"
  )
fi
((${#plans[@]} > 0)) || stop "no plan in this checkout"
for plan in "${plans[@]}"; do
  [[ -f "$plan" ]] || stop "no such plan: $plan"
  # Records that came with a clone are set aside, since others may have written them. Who asks for them to be checked
  # believes them.
  if [[ "$PLANKEEP_PROOF" == check ]]; then
    plankeep "--plan=$plan" status >/dev/null 2>&1 </dev/null || true
    plankeep init --adopt -- "$plan" >/dev/null 2>&1 </dev/null || true
  fi
done

# The file is written last: one that is there while criteria are looked at makes their evidence stale.
rm -f -- "$sarif"

result=passed
options=()
[[ "$PLANKEEP_STRICT" == false ]] || options+=(--strict)
status=0
results="$(plankeep lint "${options[@]}" --format sarif -- "${plans[@]}")" || status=$?
((status <= 1)) || stop "plankeep lint ended with status $status"
((status == 0)) || result=failed
# The same for people; GitHub must not take a line of it for a command.
token="plankeep-$RANDOM$RANDOM"
echo "::stop-commands::$token"
plankeep lint "${options[@]}" -- "${plans[@]}" || true
if [[ "$PLANKEEP_PROOF" != off ]]; then
  for plan in "${plans[@]}"; do
    how=(--check)
    [[ "$PLANKEEP_PROOF" == check ]] || how=(--yes)
    echo "== proof of $plan"
    plankeep "--plan=$plan" verify "${how[@]}" </dev/null || result=failed
  done
fi
echo "::$token::"

if [[ -n "${GITHUB_STEP_SUMMARY-}" ]]; then
  {
    echo "## Plans: $result"
    for plan in "${plans[@]}"; do
      # Indented text is code, whatever it says.
      printf '\n    %s\n\n' "$plan"
      plankeep "--plan=$plan" status 2>&1 </dev/null | sed 's/^/    /' || true
    done
  } >>"$GITHUB_STEP_SUMMARY"
fi
printf "%s\n" "$results" >"$sarif"
if [[ -n "${GITHUB_OUTPUT-}" ]]; then
  printf 'sarif=%s\nresult=%s\n' "${sarif//$'\n'/}" "$result" >>"$GITHUB_OUTPUT"
fi
[[ "$result" == passed ]] || stop "a plan has errors, or is not proven"
