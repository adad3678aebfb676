#!/usr/bin/env bash
# Prints what plankeep costs as ratios, all from this one run on this one machine, the budgets beside them.
# It measures and does not judge: no exit status depends on a time.
#
#   bash tests/bench/run.sh [RUNS]      RUNS of the small jobs, 200 by default
#
# Works in a folder below build/, so on the disk that the project is on: a sync to memory would prove nothing.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/tests/support/install.sh"
runs="${1:-200}"

use_system_tools
install_missing "${plankeep_build_packages[@]}" "${plankeep_bench_packages[@]}"

build="$root/build/bench"
cmake --preset release -S "$root" -B "$build" -DPLANKEEP_TESTS=OFF -DPLANKEEP_BENCH=ON >/dev/null
cmake --build "$build" -j "$(nproc)" >/dev/null

work="$build/work"
rm -rf "$work"
mkdir -p "$work"/{bin,home,small,long,node,none,big,big-sync,hooks,session,next,mcp,board,report,big-report}
# Installed, as people run it: a file fresh from the linker lies in memory in other pieces than a copy of it, and to
# start it was measured to take 45 us longer.
for program in bin/plankeep tests/bench/bench_{empty,fdatasync,measure,redact,session_writes,board_redraw}; do
  install -m 755 "$build/$program" "$work/bin/"
done
plankeep="$work/bin/plankeep"
helpers="$work/bin"
unset PLANKEEP_PLAN PLANKEEP_DISABLE
# What hooks leave to a process of their own would run beside whatever is measured next; it has rows of its own.
export PLANKEEP_CHECKPOINTS=off
# What clients set for their hooks, and would set for these if one of them started this script.
unset CLAUDECODE CLAUDE_PID CLAUDE_PROJECT_DIR CLAUDE_CODE_SESSION_ID COPILOT_CLI CURSOR_VERSION
export HOME="$work/home" XDG_STATE_HOME="$work/home/state" XDG_CONFIG_HOME="$work/home/config"

source "$root/tests/bench/worlds.sh"

plan 40 "$work/small/plan.md"
cp "$work/small/plan.md" "$work/long/"
cp "$work/small/plan.md" "$work/node/"
cp "$work/small/plan.md" "$work/hooks/"
cp "$work/small/plan.md" "$work/mcp/"
plan 2000 "$work/session/plan.md"
cp "$work/session/plan.md" "$work/next/"
cp "$work/session/plan.md" "$work/board/"
plan 100000 "$work/big/plan.md"
cp "$work/big/plan.md" "$work/big-sync/"
cp "$work/small/plan.md" "$work/report/"
cp "$work/big/plan.md" "$work/big-report/"
# track FOLDER: as a repository of its own. In the one that holds this script all folders would be one project.
track() { git -C "$1" init -q && (cd "$1" && "$plankeep" init >/dev/null); }
for folder in none node big; do git -C "$work/$folder" init -q; done
for folder in small long big-sync hooks session next mcp board report big-report; do track "$work/$folder"; done

events 1000000 10 "$work/long"
events 100000 100 "$work/session"
spread 400 40 "$work/report"
spread 1000000 100000 "$work/big-report"

# An edit of 2 MB to a file that is no plan, in the recorded order: the path first, then the whole file from before.
payload PostToolUse-Edit "$work/hooks" "$work/edit-plan.json"
# It says of the box that is turned below that it was ticked, so that the tick is the actor's.
sed -i 's|T1 First task|Task number 000007|g' "$work/edit-plan.json"
payload PostToolUse-Edit "$work/none" "$work/edit.json"
awk 'BEGIN { for (i = 0; i < 55000; i++) printf "  total += item[%06d].price;  // line\\n", i }' >"$work/source"
sed -i -e 's|/plan\.md"|/source.cpp"|g' -e 's|"originalFile":"[^"]*"|"originalFile":"SOURCE"|' "$work/edit.json"
awk -v file="$work/source" '{ getline text <file; at = index($0, "SOURCE");
  print substr($0, 1, at - 1) text substr($0, at + 6) }' "$work/edit.json" >"$work/edit-source.json"
payload PostToolBatch "$work/hooks" "$work/batch.json"
payload UserPromptSubmit "$work/none" "$work/prompt.json"
for event in SessionStart-startup SessionEnd-other; do payload "$event" "$work/session" "$work/$event.json"; done

# A workspace of 1,000 plans of 40 tasks in a git repository, ten to a folder, beside 10,000 other files.
mkdir -p "$work/space"
for group in $(seq 100); do
  mkdir -p "$work/space/group$group"/{plan{1..10},source}
  touch "$work/space/group$group/source/file"{1..100}
  for number in {1..10}; do cp "$work/node/plan.md" "$work/space/group$group/plan$number/"; done
done
git -C "$work/space" init -q
(cd "$work/space" && for folder in group*/plan*; do "$plankeep" init "$folder/plan.md" >/dev/null; done)

node="$(command -v node || true)"
small_box="$(box "$work/small/plan.md" 7)"
big_box="$(box "$work/big/plan.md" 50000)"

line() { printf '%s\t%s\t%s\t-\t%s\n' "$@"; }
# hook NAME FOLDER PREPARATION PAYLOAD EVENT
hook() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$work/$4" "$plankeep hook claude-code $5"; }
{
  line empty "$work/none" - "$helpers/bench_empty"
  line fdatasync "$work/none" - "$helpers/bench_fdatasync $work/none/file"
  line version "$work/none" - "$plankeep version"
  printf '%s\t%s\t%s\t%s\t%s\n' empty-fed "$work/none" - "$work/edit-source.json" "$helpers/bench_empty"
  hook hook-source "$work/none" - edit-source.json PostToolUse
  hook hook-none "$work/none" - prompt.json UserPromptSubmit
  hook hook-ticked "$work/hooks" "toggle plan.md $small_box" edit-plan.json PostToolUse
  hook hook-same "$work/hooks" - batch.json PostToolBatch
  line sync-ticked "$work/small" "toggle plan.md $small_box" "$plankeep sync"
  line sync-same "$work/small" - "$plankeep sync"
  line status "$work/small" - "$plankeep status"
  line resume "$work/small" - "$plankeep resume"
  line log "$work/small" - "$plankeep log -n 20"
  line long-sync-ticked "$work/long" "toggle plan.md $small_box" "$plankeep sync"
  line long-sync-same "$work/long" - "$plankeep sync"
  line long-status "$work/long" - "$plankeep status"
  line long-resume "$work/long" - "$plankeep resume"
  line long-log "$work/long" - "$plankeep log -n 20"
} >"$work/small.list"
# Commands that search the whole history.
{
  line long-show "$work/long" - "$plankeep show t000001"
  line long-search "$work/long" - "$plankeep search 000040"
  line long-log-task "$work/long" - "$plankeep log --task t000040"
} >"$work/long.list"
{
  line empty "$work/none" - "$helpers/bench_empty"
  [[ -z "$node" ]] || line node "$work/node" "toggle plan.md $small_box" "$node $root/tests/bench/sync.mjs plan.md"
  line sync-again "$work/small" "toggle plan.md $small_box" "$plankeep sync"
} >"$work/node.list"
# Apart from the small jobs: a file system that still has a large state to write makes whoever syncs next wait.
# What a transcript costs before it may be stored: 50 MB at once, and 1 MB that was appended.
/usr/bin/python3 "$root/tests/bench/make_transcript.py" "$root/src" 50000000 >"$work/transcript.jsonl"
/usr/bin/python3 "$root/tests/bench/make_transcript.py" "$root/src" 1000000 >"$work/appended.jsonl"
{
  line redact-whole "$work/none" - "$helpers/bench_redact $work/transcript.jsonl"
  line redact-appended "$work/none" - "$helpers/bench_redact $work/appended.jsonl"
} >"$work/redact.list"
# A command of a criterion in a repository of a thousand files, and the same shell alone. It is proven already, so what is
# measured is the run, git's answers and one durable event.
mkdir -p "$work/verify/src"
plan 40 "$work/verify/plan.md"
printf '%s\n' '- [x] Proven <!-- ACCEPT: proven | verify: true -->' >>"$work/verify/plan.md"
for i in $(seq 1000); do echo "$i" >"$work/verify/src/$i"; done
# Older than the index: git reads what is as young as that again each time.
touch -d "1 hour ago" "$work"/verify/src/*
(cd "$work/verify" && git init -q && git add -A && git -c user.name=bench -c user.email=bench@localhost commit -qm start &&
  "$plankeep" init >/dev/null && "$plankeep" verify --yes >/dev/null)
{
  line verify-shell "$work/verify" - "/bin/sh -c true"
  line verify-git "$work/verify" - "$(command -v git) rev-parse HEAD"
  line verify-fdatasync "$work/verify" - "$helpers/bench_fdatasync $work/none/file"
  line verify-empty "$work/verify" - "$helpers/bench_empty"
  line verify "$work/verify" - "$plankeep verify proven --yes"
  line verify-check "$work/verify" - "$plankeep verify --check"
  line verify-status "$work/verify" - "$plankeep status"
} >"$work/verify.list"
# 10,000 sidecars, and one: what finding the last checkpoint costs with the index (git's answers are the same).
for folder in commits commit; do
  mkdir -p "$work/$folder"
  cp "$work/node/plan.md" "$work/$folder/"
  git -C "$work/$folder" init -q
  (cd "$work/$folder" && "$plankeep" init >/dev/null)
done
mkdir -p "$work/commits/.checkpoint/commits"
for number in $(seq -f %040.0f 9999); do
  printf '{"schema_version":"1.0.0","sha":"%s","run_id":"commits","milestone_index":0,"milestone_title":"","created_at":"2026-01-01T00:00:00.000Z","tier":"tier0","verification_commands":[]}\n' \
    "$number" >"$work/commits/.checkpoint/commits/$number.json"
done
for folder in commits commit; do
  (cd "$work/$folder" && GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@localhost GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@localhost \
    "$plankeep" commit --all >/dev/null)
done
{
  line commits-empty "$work/none" - "$helpers/bench_empty"
  line commits-one "$work/commit" - "$plankeep status --check"
  line commits-many "$work/commits" - "$plankeep status --check"
} >"$work/commits.list"
# Checkpoints: of a repository of 10,000 files that is clean, and 10,000 of them to look through.
mkdir -p "$work/checkpoints"/{1..100} "$work/many"
plan 40 "$work/checkpoints/plan.md"
for folder in $(seq 100); do touch -d "1 hour ago" "$work/checkpoints/$folder/file"{1..100}; done
(cd "$work/checkpoints" && git init -q && git add -A &&
  git -c user.name=bench -c user.email=bench@localhost commit -qm start && "$plankeep" checkpoint create >/dev/null)
# The same with the files, clean and with one changed; above without.
cp -a "$work/checkpoints" "$work/snapshots"
echo '{ "snapshots": false }' >"$work/checkpoints/.plankeep.json"
printf '[ ]\n' >"$work/snapshots/1/file1"
(cd "$work/snapshots" && git -c user.name=bench -c user.email=bench@localhost commit -qam box &&
  "$plankeep" checkpoint create >/dev/null)
cp -a "$work/snapshots" "$work/snapshots-changed"
(cd "$work/snapshots-changed" && git status --porcelain >/dev/null && "$plankeep" checkpoint create >/dev/null)
cp "$work/small/plan.md" "$work/many/"
# A repository of its own: without one it would be asked of the project around it.
git -C "$work/many" init -q
(cd "$work/many" && "$plankeep" checkpoint create >/dev/null)
/usr/bin/python3 "$root/tests/bench/fill_checkpoints.py" "$work/many/.checkpoint/checkpoints.db" 10000
{
  line checkpoint-empty "$work/none" - "$helpers/bench_empty"
  line checkpoint-git "$work/checkpoints" - "$(command -v git) status --porcelain"
  line checkpoint-fdatasync "$work/none" - "$helpers/bench_fdatasync $work/none/file"
  line checkpoint-create "$work/checkpoints" - "$plankeep checkpoint create"
  line checkpoint-snapshot "$work/snapshots" - "$plankeep checkpoint create"
  line checkpoint-snapshot-changed "$work/snapshots-changed" "toggle 1/file1 1" "$plankeep checkpoint create"
  line checkpoint-create-many "$work/many" - "$plankeep checkpoint create"
  line checkpoint-show "$work/many" - "$plankeep checkpoint show cp_000000_05000"
  line checkpoint-list "$work/many" - "$plankeep checkpoint list -n 10"
  line checkpoint-phase "$work/many" - "$plankeep checkpoint list --phase phase-50"
} >"$work/checkpoints.list"
# What agents ask before each task: apart from the others too, since they read a larger plan.
{
  line next-empty "$work/none" - "$helpers/bench_empty"
  line next "$work/next" - "$plankeep next"
  line list "$work/nested" - "$plankeep list"
  line show "$work/nested" - "$plankeep show 3.7"
  line search "$work/nested" - "$plankeep search 001234"
} >"$work/next.list"
# Several plans in a project: thirty, of which three are worked on, and a small one beside one of 100,000 tasks.
mkdir -p "$work/nested" "$work/beside/plans"/{large,small}
nested 2000 "$work/nested/plan.md"
# Large plans without markers; and the offset of an open box in their middle.
large_box() { echo $(($(grep -bo -m1 "\[ \] .*Task number 050000" "$1" | cut -d: -f1) + 1)); }
mkdir -p "$work/large"/{numbered,titles,numbered-sync,titles-sync}
nested 100000 "$work/large/numbered/plan.md"
sed -E 's/\] [0-9]+\.[0-9]+ /] /' "$work/large/numbered/plan.md" >"$work/large/titles/plan.md"
for kind in numbered titles; do
  cp "$work/large/$kind/plan.md" "$work/large/$kind-sync/"
  git -C "$work/large/$kind" init -q
  track "$work/large/$kind-sync"
done
many 1 0 "$work/one"
many 3 27 "$work/thirty"
git -C "$work/beside" init -q
cp "$work/big/plan.md" "$work/beside/plans/large/"
cp "$work/node/plan.md" "$work/beside/plans/small/"
touch -d "1 hour ago" "$work/nested/plan.md" "$work"/beside/plans/*/plan.md
track "$work/nested"
for folder in large small; do (cd "$work/beside" && "$plankeep" init "plans/$folder/plan.md" >/dev/null); done
for folder in one thirty beside; do
  payload SessionStart-startup "$work/$folder" "$work/$folder-start.json"
  payload PostToolBatch "$work/$folder" "$work/$folder-batch.json"
done
{
  line several-empty "$work/none" - "$helpers/bench_empty"
  hook hook-one-start "$work/one" - one-start.json SessionStart
  hook hook-thirty-start "$work/thirty" - thirty-start.json SessionStart
  hook hook-one-batch "$work/one" - one-batch.json PostToolBatch
  hook hook-thirty-batch "$work/thirty" - thirty-batch.json PostToolBatch
  hook hook-beside-batch "$work/beside" - beside-batch.json PostToolBatch
} >"$work/several.list"
{
  line session-empty "$work/none" - "$helpers/bench_empty"
  line session-fdatasync "$work/none" - "$helpers/bench_fdatasync $work/none/file"
  hook hook-start "$work/session" - SessionStart-startup.json SessionStart
  hook hook-end "$work/session" - SessionEnd-other.json SessionEnd
} >"$work/session.list"
# The end of a turn with its checkpoint, as it is: the hook starts a process of its own and is gone.
mkdir -p "$work/turn"
cp "$work/node/plan.md" "$work/turn/"
track "$work/turn"
payload Stop "$work/turn" "$work/Stop.json"
{
  line turn-empty "$work/none" - "$helpers/bench_empty"
  hook hook-turn "$work/turn" - Stop.json Stop
} >"$work/turn.list"
# The last message of a subagent, 10 KB that name a task in every line, against a plan of 200 tasks; and a short one.
mkdir -p "$work/audit"
plan 200 "$work/audit/plan.md"
track "$work/audit"
payload SubagentStop "$work/audit" "$work/said-little.json"
sed -i 's|"last_assistant_message":"[^"]*"|"last_assistant_message":"Looked around, changed nothing."|' "$work/said-little.json"
report="$(awk 'BEGIN { for (i = 0; length(text) < 10000; i++)
  text = text sprintf("- t%06d is not done yet: the parser accepts it, the tests of the loader do not.\\n", i % 200 + 1); print text }')"
report="$report" awk '{ at = index($0, "Looked around, changed nothing.");
  print substr($0, 1, at - 1) ENVIRON["report"] substr($0, at + 31) }' "$work/said-little.json" >"$work/said-much.json"
{
  line audit-empty "$work/none" - "$helpers/bench_empty"
  hook audit-little "$work/audit" - said-little.json SubagentStop
  hook audit-much "$work/audit" - said-much.json SubagentStop
} >"$work/audit.list"
line plans "$work/space" - "$plankeep plans" >"$work/space.list"
line report "$work/report" - "$plankeep report --out $work/report.html" >"$work/report.list"
line report-big "$work/big-report" - "$plankeep report --out $work/report-big.html" >"$work/report-big.list"
{
  line cmark "$work/big" - "$(command -v cmark-gfm) plan.md"
  line parse "$work/big" - "$plankeep parse --json plan.md"
  line big-init "$work/big" "remove .checkpoint" "$plankeep init"
  line big-sync-ticked "$work/big-sync" "toggle plan.md $big_box" "$plankeep sync"
  line big-sync-same "$work/big-sync" - "$plankeep sync"
  # The same as people write it: tasks below tasks, without markers, with numbers and with nothing but titles.
  for kind in numbered titles; do
    line "$kind-cmark" "$work/large/$kind" - "$(command -v cmark-gfm) plan.md"
    line "$kind-parse" "$work/large/$kind" - "$plankeep parse --json plan.md"
    line "$kind-init" "$work/large/$kind" "remove .checkpoint" "$plankeep init"
    line "$kind-sync" "$work/large/$kind-sync" "toggle plan.md $(large_box "$work/large/$kind/plan.md")" "$plankeep sync"
  done
} >"$work/big.list"

"$helpers/bench_measure" "$runs" "$work/small.list" >"$work/results"
"$helpers/bench_measure" 20 "$work/node.list" | sed 's/^empty/empty-again/' >>"$work/results"
"$helpers/bench_measure" "$runs" "$work/next.list" >>"$work/results"
"$helpers/bench_measure" 40 "$work/session.list" >>"$work/results"
"$helpers/bench_measure" 40 "$work/several.list" >>"$work/results"
env -u PLANKEEP_CHECKPOINTS "$helpers/bench_measure" 40 "$work/turn.list" >>"$work/results"
"$helpers/bench_measure" 60 "$work/audit.list" >>"$work/results"
"$helpers/bench_measure" 20 "$work/space.list" >>"$work/results"
"$helpers/bench_measure" 40 "$work/report.list" >>"$work/results"
"$helpers/bench_measure" 5 "$work/report-big.list" >>"$work/results"
/usr/bin/python3 "$root/tests/bench/mcp_round_trip.py" "$plankeep" "$work/mcp" t000007 "$runs" >>"$work/results"
"$helpers/bench_measure" 60 "$work/verify.list" >>"$work/results"
"$helpers/bench_measure" 60 "$work/commits.list" >>"$work/results"
"$helpers/bench_measure" 60 "$work/checkpoints.list" >>"$work/results"
"$helpers/bench_measure" 5 "$work/redact.list" >>"$work/results"
"$helpers/bench_measure" 5 "$work/long.list" >>"$work/results"
"$helpers/bench_measure" 9 "$work/big.list" >>"$work/results"
"$helpers/bench_session_writes" "$work/session-writes" 40 >>"$work/results"
"$helpers/bench_board_redraw" "$work/board" "$runs" >>"$work/results"

echo "Ratios of median wall times; small jobs $runs runs, sessions 40, Node 20, large plan 9, in turns. Peak: most memory of a run."
echo "Large plan: 100,000 tasks, $(($(stat -c %s "$work/big/plan.md") / 1000000)) MB." \
  "Long history: 1,000,000 events, $(($(stat -c %s "$work/long/.checkpoint/history.jsonl") / 1000000)) MB."
echo "Hooks: payloads of Claude Code through a pipe; those of a session with 2,000 tasks and 100,000 events in the history."
echo
awk -F'\t' -v page="$(stat -c %s "$work/report-big.html")" '
  { ms[$1] = $2 / 1000; peak[$1] = $4 / 1024 }
  function row(what, name, ratio, budget) {
    printf "%-46s %10.2f ms %8.1f MB   %-26s %s\n", what, ms[name], peak[name], ratio, budget;
  }
  function times(a, b) { return sprintf("%.2f x", ms[a] / ms[b]) }
  END {
    sync = ms["fdatasync"] - ms["empty"];
    printf "%-46s %13s %11s   %-26s %s\n", "", "median", "peak", "ratio", "budget";
    row("empty static program (E)", "empty", "1", "");
    row("the same with one fdatasync", "fdatasync", sprintf("fdatasync F = %.2f ms", sync), "");
    row("plankeep version", "version", times("version", "empty") " E", "");
    row("sync, 40 tasks, one ticked, durable", "sync-ticked", sprintf("(t - F) / E = %.2f", (ms["sync-ticked"] - sync) / ms["empty"]), "<= 3");
    row("sync, 40 tasks, no change", "sync-same", times("sync-same", "empty") " E", "<= 2 E");
    row("status, 40 tasks", "status", times("status", "empty") " E", "");
    row("next, 2,000 tasks", "next", times("next", "next-empty") " E", "<= 3 E");
    row("list, 2,000 nested tasks", "list", times("list", "next-empty") " E", "<= 3 E");
    row("show, 2,000 nested tasks", "show", times("show", "next-empty") " E", "<= 3 E");
    row("search, 2,000 nested tasks", "search", times("search", "next-empty") " E", "<= 3 E");
    row("board, a change in 2,000 tasks drawn", "board-redraw", "", "<= 16 ms");
    row("report, 40 tasks, 400 events", "report", "", "<= 15 ms");
    row("report, 100,000 tasks, 1,000,000 events", "report-big", sprintf("page of %.2f MB", page / 1000000), "<= 2 s, 300 MB, 1.5 MB");
    if ("node" in ms) row("the same job in Node, one ticked", "node", sprintf("%.1f x plankeep", ms["node"] / ms["sync-again"]), ">= 25 x");
    print "";
    row("empty static program, given the 2 MB", "empty-fed", times("empty-fed", "empty") " E", "");
    row("hook, 2 MB edit of a file that is no plan", "hook-source", times("hook-source", "empty") " E, " times("hook-source", "empty-fed") " fed", "<= 1.5 E");
    row("hook, prompt in a project without a plan", "hook-none", times("hook-none", "empty") " E", "");
    row("hook, edit ticks one of 40 tasks, durable", "hook-ticked", sprintf("(t - F) / E = %.2f", (ms["hook-ticked"] - sync) / ms["empty"]), "<= 3");
    row("hook, batch of tools, 40 tasks, no change", "hook-same", times("hook-same", "empty") " E", "");
    start = (ms["hook-start"] - ms["session-fdatasync"]) / ms["session-empty"] + 1;
    row("hook, session start, 2,000 tasks, durable", "hook-start", sprintf("(t - F) / E = %.1f", start), "<= 10 ms");
    row("hook, turn end, its checkpoint left behind", "hook-turn", times("hook-turn", "turn-empty") " E", "<= 5 E");
    row("hook, subagent stops, short message", "audit-little", times("audit-little", "audit-empty") " E", "");
    row("the same, 10 KB message, 200 tasks", "audit-much", sprintf("t - short = %.2f ms", ms["audit-much"] - ms["audit-little"]), "");
    row("hook, session end, 2,000 tasks, two durable", "hook-end", times("hook-end", "session-empty") " E", "");
    row("hook, session start, 1 plan", "hook-one-start", times("hook-one-start", "several-empty") " E", "");
    row("hook, session start, 30 plans, 3 active", "hook-thirty-start", times("hook-thirty-start", "hook-one-start") " of one plan", "<= 1.3");
    row("hook, batch of tools, 1 plan", "hook-one-batch", times("hook-one-batch", "several-empty") " E", "");
    row("hook, batch of tools, 30 plans, 3 active", "hook-thirty-batch", times("hook-thirty-batch", "hook-one-batch") " of one plan", "");
    row("hook, batch of tools, 100,000 tasks beside", "hook-beside-batch", times("hook-beside-batch", "hook-one-batch") " of one plan", "");
    row("plans, 1,000 plans of 40 tasks, 10,000 files", "plans", "", "<= 300 ms");
    print "";
    row("MCP, from start to initialized", "mcp-first", "", "");
    row("MCP round trip, ping", "mcp-ping", "", "< 2 ms");
    row("MCP round trip, plan_status, 40 tasks", "mcp-status", "", "< 2 ms");
    row("MCP round trip, resume_context, 40 tasks", "mcp-resume", "", "< 2 ms");
    row("MCP round trip, complete_task, durable", "mcp-ticked", sprintf("t - F = %.2f ms", ms["mcp-ticked"] - sync), "< 2 ms");
    print "";
    row("sh -c true (S)", "verify-shell", "", "");
    row("git rev-parse (G)", "verify-git", times("verify-git", "empty") " E", "");
    flush = ms["verify-fdatasync"] - ms["verify-empty"];
    row("verify of true, 1,000 tracked files", "verify", sprintf("t - S - F = %.2f ms, %.1f G", ms["verify"] - ms["verify-shell"] - flush, (ms["verify"] - ms["verify-shell"] - flush) / ms["verify-git"]), "< 5 ms");
    row("verify --check, the same", "verify-check", times("verify-check", "verify-git") " G", "");
    row("status with evidence, the same", "verify-status", times("verify-status", "verify-git") " G", "");
    row("status --check, 1 sidecar", "commits-one", times("commits-one", "verify-git") " G", "");
    row("status --check, 10,000 sidecars", "commits-many", sprintf("lookup + %.2f ms", ms["commits-many"] - ms["commits-one"]), "< 5 ms");
    print "";
    row("git status, clean, 10,000 files", "checkpoint-git", "", "");
    row("checkpoint create, there, two durable", "checkpoint-create", sprintf("t - 2 F = %.2f ms", ms["checkpoint-create"] - 2 * (ms["checkpoint-fdatasync"] - ms["checkpoint-empty"])), "< 20 ms");
    row("the same with its files (snapshot)", "checkpoint-snapshot", sprintf("t - 2 F = %.2f ms", ms["checkpoint-snapshot"] - 2 * (ms["checkpoint-fdatasync"] - ms["checkpoint-empty"])), "< 60 ms");
    row("the same, one file changed", "checkpoint-snapshot-changed", sprintf("t - 2 F = %.2f ms", ms["checkpoint-snapshot-changed"] - 2 * (ms["checkpoint-fdatasync"] - ms["checkpoint-empty"])), "");
    row("checkpoint create, beside 10,000, small repository", "checkpoint-create-many", times("checkpoint-create-many", "checkpoint-empty") " E", "< 20 ms");
    row("checkpoint show, of 10,000", "checkpoint-show", times("checkpoint-show", "checkpoint-empty") " E", "< 5 ms");
    row("checkpoint list -n 10, of 10,000", "checkpoint-list", times("checkpoint-list", "checkpoint-empty") " E", "< 5 ms");
    row("checkpoint list --phase, of 10,000", "checkpoint-phase", times("checkpoint-phase", "checkpoint-empty") " E", "< 10 ms");
    print "";
    row("git --version (g)", "session-git", "1", "");
    row("session checkpoint, 20 KB, durable", "session-write-durable", times("session-write-durable", "session-git") " g", "");
    row("the same without syncs, a ref of its own", "session-write-ref", times("session-write-ref", "session-git") " g", "<= 6 g");
    row("the same, on a branch with 25,000", "session-write-branch", times("session-write-branch", "session-git") " g", "<= 12 g");
    row("the same, on a branch with 100,000", "session-write-large", times("session-write-large", "session-write-branch") " of 25,000", "<= 1.5");
    row("500 sessions in one checkpoint, durable", "session-write-500", "", "<= 1 s");
    row("redact 50 MB of a transcript", "redact-whole", "", "<= 2 s");
    row("redact 1 MB that was appended", "redact-appended", "", "<= 60 ms");
    print "";
    row("cmark-gfm, 100,000 tasks (C)", "cmark", "1", "");
    row("parse --json, 100,000 tasks", "parse", times("parse", "cmark") " C", "<= 1.5 C");
    row("first full sync (init), 100,000 tasks", "big-init", times("big-init", "cmark") " C", "<= 2 C");
    row("sync, 100,000 tasks, one ticked", "big-sync-ticked", times("big-sync-ticked", "cmark") " C", "<= 2 C");
    row("sync, 100,000 tasks, no change", "big-sync-same", times("big-sync-same", "cmark") " C", "");
    split("numbered titles", kinds, " ");
    for (k = 1; k <= 2; k++) {
      kind = kinds[k];
      row("cmark-gfm, 100,000 nested, " kind " (C)", kind "-cmark", "1", "");
      row("parse --json", kind "-parse", times(kind "-parse", kind "-cmark") " C", "<= 1.5 C");
      row("first full sync (init)", kind "-init", times(kind "-init", kind "-cmark") " C", "<= 2 C");
      row("sync, one ticked", kind "-sync", times(kind "-sync", kind "-cmark") " C", "<= 2 C");
    }
    print "";
    row("sync, one ticked, 1,000,000 events", "long-sync-ticked", times("long-sync-ticked", "sync-ticked") " of short history", "about 1");
    row("sync, no change, 1,000,000 events", "long-sync-same", times("long-sync-same", "sync-same") " of short history", "about 1");
    row("status, 1,000,000 events", "long-status", times("long-status", "status") " of short history", "about 1");
    row("resume, 1,000,000 events", "long-resume", times("long-resume", "resume") " of short history", "about 1");
    row("log -n 20, 1,000,000 events", "long-log", times("long-log", "log") " of short history", "about 1");
    row("show, 1,000,000 events", "long-show", "", "");
    row("search, 1,000,000 events", "long-search", "", "");
    row("log --task, 1,000,000 events", "long-log-task", "", "");
  }' "$work/results"
rm -rf "$work"
