#!/usr/bin/env bash
# Prints what a program costs beside another version of it, in one run on one machine, in turns.
# It measures and does not judge: no exit status depends on a time.
#
#   bash tests/bench/compare.sh OLD NEW [RUNS]      two built programs; RUNS of each job, 60 by default
#
# Each version has folders of its own, made by itself: their files may differ. Works below build/, as run.sh does.
set -euo pipefail
if (($# < 2)); then
  sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
source "$root/tests/support/install.sh"
source "$root/tests/bench/worlds.sh"
old="$(realpath "$1")"
new="$(realpath "$2")"
runs="${3:-60}"
use_system_tools

work="$root/build/compare"
rm -rf "$work"
mkdir -p "$work"/{bin,home}
for helper in empty fdatasync_once measure; do
  gcc -O2 -static -pthread "$root/tests/bench/$helper.c" -o "$work/bin/$helper"
done
unset PLANKEEP_PLAN PLANKEEP_DISABLE CLAUDECODE CLAUDE_PID CLAUDE_PROJECT_DIR CLAUDE_CODE_SESSION_ID COPILOT_CLI CURSOR_VERSION
export PLANKEEP_CHECKPOINTS=off HOME="$work/home" XDG_STATE_HOME="$work/home/state" XDG_CONFIG_HOME="$work/home/config"
export GIT_AUTHOR_NAME=bench GIT_AUTHOR_EMAIL=bench@localhost GIT_COMMITTER_NAME=bench GIT_COMMITTER_EMAIL=bench@localhost

# As users have them: installed beside each other.
install -m 755 "$old" "$work/bin/old"
install -m 755 "$new" "$work/bin/new"

for version in old new; do
  plankeep="$work/bin/$version"
  here="$work/$version"
  mkdir -p "$here"/{small,hooks,session,big,many,none}
  plan 40 "$here/small/plan.md"
  cp "$here/small/plan.md" "$here/hooks/"
  cp "$here/small/plan.md" "$here/many/"
  plan 2000 "$here/session/plan.md"
  plan 100000 "$here/big/plan.md"
  # Each is a repository of its own. In the one that holds this script they would be one project with all these plans.
  for folder in none small hooks session big; do git -C "$here/$folder" init -q; done
  for folder in small hooks session big; do (cd "$here/$folder" && "$plankeep" init >/dev/null); done
  events 100000 100 "$here/session"
  payload PostToolUse-Edit "$here/hooks" "$here/edit-plan.json"
  sed -i 's|T1 First task|Task number 000007|g' "$here/edit-plan.json"
  payload PostToolUse-Edit "$here/none" "$here/edit-source.json"
  sed -i 's|/plan\.md"|/source.cpp"|g' "$here/edit-source.json"
  payload PostToolBatch "$here/hooks" "$here/batch.json"
  payload UserPromptSubmit "$here/none" "$here/prompt.json"
  for event in SessionStart-startup SessionEnd-other; do payload "$event" "$here/session" "$here/$event.json"; done
  # A repository of 15,000 files, a criterion that is proven, and a committed phase.
  mkdir -p "$here/repository"/{1..150}
  plan 40 "$here/repository/plan.md"
  printf '%s\n' '- [ ] Proven <!-- ACCEPT: proven | verify: true -->' >>"$here/repository/plan.md"
  for folder in $(seq 150); do
    for file in $(seq 100); do echo "$folder $file" >"$here/repository/$folder/$file"; done
  done
  find "$here/repository" -type f -exec touch -d "1 hour ago" {} +
  (cd "$here/repository" && git init -q && git add -A && git commit -qm start && "$plankeep" init >/dev/null &&
    "$plankeep" verify --yes >/dev/null && "$plankeep" commit --all >/dev/null && "$plankeep" checkpoint create >/dev/null)
  # Nested tasks, which are only looked at; projects with one plan and with thirty, three of them worked on; a small plan
  # beside one of 100,000 tasks.
  mkdir -p "$here/nested" "$here/beside/plans"/{large,small}
  nested 2000 "$here/nested/plan.md"
  many 1 0 "$here/one"
  many 3 27 "$here/thirty"
  for folder in nested beside; do git -C "$here/$folder" init -q; done
  cp "$here/big/plan.md" "$here/beside/plans/large/"
  plan 40 "$here/beside/plans/small/plan.md"
  touch -d "1 hour ago" "$here/nested/plan.md" "$here"/beside/plans/*/plan.md
  (cd "$here/nested" && "$plankeep" init >/dev/null)
  for folder in large small; do (cd "$here/beside" && "$plankeep" init "plans/$folder/plan.md" >/dev/null); done
  for folder in one thirty beside; do
    payload SessionStart-startup "$here/$folder" "$here/$folder-start.json"
    payload PostToolBatch "$here/$folder" "$here/$folder-batch.json"
    payload PreToolUse-Bash "$here/$folder" "$here/$folder-shell.json"
    payload UserPromptSubmit "$here/$folder" "$here/$folder-prompt.json"
  done
  payload PostToolUse-Edit "$here/beside/plans/small" "$here/beside-edit.json"
  sed -i 's|T1 First task|Task number 000007|g' "$here/beside-edit.json"
  git -C "$here/many" init -q
  (cd "$here/many" && "$plankeep" checkpoint create >/dev/null)
done

row() { printf '%s\t%s\t%s\t%s\t%s\n' "$@"; }
# both NAME FOLDER BOX INPUT ARGUMENTS: a row for each version, in its own FOLDER. BOX is the task whose box is turned
# before each run, INPUT the payload that it is fed; "-" for none. Left out where a version does not have the command.
both() {
  local version preparation input
  for version in old new; do
    "$work/bin/$version" help "${5%% *}" >/dev/null 2>&1 || { echo "left out: $1, not in $version" >&2 && return; }
  done
  for version in old new; do
    preparation=- input=-
    [[ "$3" == - ]] || preparation="toggle plan.md $(box "$work/$version/$2/plan.md" "$3")"
    [[ "$4" == - ]] || input="$work/$version/$4.json"
    row "$1@$version" "$work/$version/$2" "$preparation" "$input" "$work/bin/$version $5"
  done
}
{
  row empty "$work/new/none" - - "$work/bin/empty"
  both "hook, edit of a file that is no plan" none - edit-source "hook claude-code PostToolUse"
  both "hook, prompt in a project without a plan" none - prompt "hook claude-code UserPromptSubmit"
  both "hook, edit ticks one of 40 tasks, durable" hooks 7 edit-plan "hook claude-code PostToolUse"
  both "hook, batch of tools, no change" hooks - batch "hook claude-code PostToolBatch"
  both "hook, session start, 2,000 tasks" session - SessionStart-startup "hook claude-code SessionStart"
  both "hook, session end, 2,000 tasks" session - SessionEnd-other "hook claude-code SessionEnd"
  for folder in one thirty; do
    both "hook, session start, $folder plan(s)" "$folder" - "$folder-start" "hook claude-code SessionStart"
    both "hook, batch of tools, $folder plan(s)" "$folder" - "$folder-batch" "hook claude-code PostToolBatch"
    both "hook, shell starts, $folder plan(s)" "$folder" - "$folder-shell" "hook claude-code PreToolUse"
  done
  both "version" none - - version
  both "list, 2,000 nested tasks" nested - - list
  both "show, 2,000 nested tasks" nested - - "show 3.7"
  both "search, 2,000 nested tasks" nested - - "search 001234"
  both "status, 2,000 nested tasks" nested - - status
  both "sync, one ticked, durable" small 7 - sync
  both "sync, no change" small - - sync
  both "status" small - - status
  both "next, 2,000 tasks" session - - next
  both "resume" small - - resume
  both "log -n 20" small - - "log -n 20"
} >"$work/small.list"
{
  row "git status, 15,000 files" "$work/new/repository" - - "$(command -v git) status --porcelain"
  both "verify --check, 15,000 files" repository - - "verify --check"
  both "status --check, 15,000 files" repository - - "status --check"
  both "checkpoint create with files, 15,000 files" repository - - "checkpoint create"
  both "checkpoint list -n 10" repository - - "checkpoint list -n 10"
  both "sync, 100,000 tasks, one ticked" big 50000 - sync
  for command in status next resume list sync; do both "$command, 100,000 tasks" big - - "$command"; done
  for job in "session start:start:SessionStart" "batch of tools:batch:PostToolBatch" "shell starts:shell:PreToolUse" \
    "prompt:prompt:UserPromptSubmit"; do
    IFS=: read -r name input event <<<"$job"
    both "hook, $name, 100,000 tasks beside" beside - "beside-$input" "hook claude-code $event"
  done
  both "hook, edit ticks, 100,000 tasks beside" beside/plans/small 7 beside-edit "hook claude-code PostToolUse"
} >"$work/large.list"

"$work/bin/measure" "$runs" "$work/small.list" >"$work/results"
"$work/bin/measure" "$((runs < 12 ? runs : runs / 3))" "$work/large.list" >>"$work/results"
echo "Median wall times, and the least in brackets; $runs runs of the small jobs in turns, a third of the large ones."
awk -F'\t' '
  { split($1, part, "@"); name = part[1]; version = part[2]; if (version == "") version = "new";
    if (!(name in seen)) { order[++count] = name; seen[name] = 1 }
    ms[name, version] = $2 / 1000; least[name, version] = $3 / 1000 }
  END {
    printf "%-46s %20s %20s %8s %8s\n", "", "old", "new", "median", "least";
    for (i = 1; i <= count; i++) { name = order[i];
      if ((name, "old") in ms)
        printf "%-46s %9.2f (%7.2f) %9.2f (%7.2f) %7.2fx %7.2fx\n", name, ms[name, "old"], least[name, "old"], ms[name, "new"], least[name, "new"], ms[name, "new"] / ms[name, "old"], least[name, "new"] / least[name, "old"];
      else printf "%-46s %20s %9.2f (%7.2f)\n", name, "", ms[name, "new"], least[name, "new"] }
  }' "$work/results"
rm -rf "$work"
