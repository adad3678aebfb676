#!/usr/bin/env bash
# Builds plankeep and shows its main job on a plan copied to a temporary folder. Asks nothing, changes nothing outside
# build/ and that folder (and installs Debian packages that are missing, as root or through sudo).
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
source "$root/tests/support/install.sh"

say() { printf '\n== %s\n' "$*"; }
run() {
  printf '\n$ plankeep %s\n' "$*"
  "$plankeep" "$@"
}

use_system_tools
install_missing "${plankeep_build_packages[@]}" "${plankeep_tour_packages[@]}"

say "Build (one static program, not optimised; a few minutes)"
build="$root/build/quickstart"
# Not optimised, because short compile times matter more here than fast hooks. -w: warnings of other compiler versions must
# not stop the build.
cmake --preset release -S "$root" -B "$build" -DPLANKEEP_TESTS=OFF -DPLANKEEP_BENCH=OFF -DPLANKEEP_PRECOMPILE=ON \
  -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG -w" >/dev/null
# Progress for people; in a log only what goes wrong.
quiet=()
[ -t 1 ] || quiet=(-- --quiet)
# Not plankeep-fleet, which the tour does not need.
cmake --build "$build" -j "$(nproc)" --target plankeep plankeep_completions "${quiet[@]}"
plankeep="$build/bin/plankeep"

home="$(mktemp -d)"
# A choice of plan made elsewhere must not lead the tour astray.
unset PLANKEEP_PLAN PLANKEEP_DISABLE
export HOME="$home/home" XDG_STATE_HOME="$home/state" XDG_CONFIG_HOME="$home/config"
mkdir -p "$HOME" "$home/plans/saved-searches"
cp "$root/examples/plans/marked-feature/plan.md" "$home/plans/saved-searches/"
cd "$home/plans/saved-searches"

say "Track the plan"
run init

say "Tick a box as an editor would, then let plankeep see it"
printf '\n$ sed -i "s/\\[~\\]\\(.*TASK: new-since\\)/[x]\\1/" plan.md\n'
sed -i 's/\[~\]\(.*TASK: new-since\)/[x]\1/' plan.md
run sync --by subagent:builder

say "Or let plankeep tick it, byte-exactly"
run done slow-search

say "Who did what, and when"
run log

say "Break its memory: overwrite state.json"
printf '\n$ echo "{ not json" > .checkpoint/state.json\n'
echo '{ not json' >.checkpoint/state.json
run sync
run status
printf '\nWho finished new-since is still known: '
"$plankeep" log --json --event task_completed --task new-since
# The tour must not end well if the promise did not hold.
grep -q '"completedBy": "subagent:builder"' .checkpoint/state.json

say "Ask it how it is"
run doctor

say "What the next session is told"
run resume

say "A client's session through the hooks, played from what Claude Code really sent"
payloads="$root/tests/fixtures/hooks/claude-code"
# The recorded paths become those of the copied plan; and they are one session. `$3` changes more.
hook() {
  printf '\n$ plankeep hook claude-code %s   # %s\n' "$1" "$2"
  sed -e "s|/home/dev/project|$PWD|g" -e 's/"session_id":"[^"]*"/"session_id":"tour"/' ${3:+-e "$3"} "$payloads/$2.json" | "$plankeep" hook claude-code "$1" >"$home/reply"
  if [ -s "$home/reply" ]; then cat "$home/reply" && printf '\n'; else printf '(silent)\n'; fi
}
hook SessionStart SessionStart-startup
hook SubagentStart SubagentStart
printf '\nThe subagent says that a task is done, but has not ticked it:\n'
claim='s|"last_assistant_message":"[^"]*"|"last_assistant_message":"## Tasks Completed\\n- spread-runs"|'
hook SubagentStop SubagentStop "$claim"
grep -q '"decision": *"block"' "$home/reply"
printf '\nNow it ticks the box with its edit tool, and stops again:\n'
sed -i 's/\[ \]\(.*TASK: spread-runs\)/[x]\1/' plan.md
# The payload says which line was written, so the tick is the subagent's.
line="$(sed -n 's/^- \[x\] \(.*TASK: spread-runs.*\)$/\1/p' plan.md)"
hook PostToolUse PostToolUse-Edit-subagent "s#T1 First task#$line#g"
hook SubagentStop SubagentStop "$claim"
hook SessionEnd SessionEnd-other
run log -n 4 --event task_completed
# It must not be taken for somebody else's work either.
"$plankeep" log --json --event task_completed --task spread-runs |
  grep '"by": *"subagent:general-purpose"' >/dev/null
run log -n 1 --event subagent_stopped

say "Next"
cat <<END
The plan and its history are in $home/plans/saved-searches
Try there:   $plankeep next
             $plankeep decide "Mail at the full hour" --reason "people read it then"
             $plankeep lint plan.md
To install the optimised program (three times as long to compile):
             cd $root && cmake --preset release -DPLANKEEP_TESTS=OFF
             cmake --build build/release && cmake --install build/release
All commands: $plankeep --help, or docs/commands.md
END
