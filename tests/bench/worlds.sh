# Sourced by run.sh and compare.sh: what the measured programs work on. Wants $root (of the project), $plankeep.

# plan TASKS FILE: phases of ten tasks (of a hundred when there are many), about 100 bytes a task.
plan() {
  awk -v tasks="$1" 'BEGIN {
    print "# A plan of " tasks " tasks\n";
    each = tasks > 1000 ? 100 : 10;
    for (i = 1; i <= tasks; i++) {
      if (i % each == 1) printf "## Phase %d\n<!-- CHECKPOINT: phase-%d -->\n\n", i / each + 1, i / each + 1;
      printf "- [ ] Task number %06d says in a sentence of usual length what is to be done <!-- TASK: t%06d -->\n", i, i;
      if (i % each == 0) print "";
    }
  }' >"$2"
}
# payload NAME FOLDER FILE: a recorded payload of Claude Code, moved to FOLDER.
payload() {
  sed "s|/home/dev/project|$2|g" "$root/tests/fixtures/hooks/claude-code/$1.json" >"$3"
}
# The offset of the box of task NUMBER in FILE.
box() { echo $(($(grep -bo -m1 "\[ \] Task number $(printf %06d "$2")" "$1" | cut -d: -f1) + 1)); }

# events COUNT EACH FOLDER: so many events as they would have come in a plan with phases of EACH tasks, a task ticked and
# opened again, over and over. Then one sync that folds them in; from there on the length of the history must not be
# felt.
events() {
  awk -v count="$1" -v each="$2" 'BEGIN {
  for (i = 0; i < count / 2; i++) {
    ts = sprintf("2026-01-%02dT%02d:%02d:%02d.%03dZ", 1 + i / 20000, i / 900 % 24, i / 60 % 60, i % 60, i % 1000);
    task = sprintf("\"taskId\":\"t%06d\",\"phaseId\":\"phase-%d\",\"by\":\"main\",\"title\":\"Task number %06d\"}", i % 40 + 1, int(i % 40 / each) + 1, i % 40 + 1);
    print "{\"ts\":\"" ts "\",\"event\":\"task_completed\"," task;
    print "{\"ts\":\"" ts "\",\"event\":\"task_reopened\"," task;
  }
}' >>"$3/.checkpoint/history.jsonl"
  (cd "$3" && "$plankeep" sync >/dev/null)
}

# spread COUNT TASKS FOLDER: so many events over all tasks of plan TASKS, months of work: each round ticks every task and, but for
# the last, opens it again. Then one sync that folds them in.
spread() {
  awk -v count="$1" -v tasks="$2" 'BEGIN {
  each = tasks > 1000 ? 100 : 10;
  for (i = 0; i < count; i++) {
    day = int(i * 300 / count);
    ts = sprintf("2025-%02d-%02dT%02d:%02d:%02d.%03dZ", 1 + int(day / 28), 1 + day % 28, 8 + int(i / 3600) % 9, int(i / 60) % 60, i % 60, i % 1000);
    number = i % tasks + 1;
    print "{\"ts\":\"" ts "\",\"event\":\"task_" (int(i / tasks) % 2 ? "reopened" : "completed") "\",\"taskId\":\"" sprintf("t%06d", number) \
      "\",\"phaseId\":\"phase-" int((number - 1) / each) + 1 "\",\"by\":\"" (i % 3 ? "main" : "subagent:builder") "\",\"title\":\"" sprintf("Task number %06d", number) "\"}";
  }
}' | sort -s >>"$3/.checkpoint/history.jsonl"
  (cd "$3" && "$plankeep" sync >/dev/null)
}

# nested TASKS FILE: phases of a hundred tasks without markers, each with nine below it, two of those with four below them.
nested() {
  awk -v tasks="$1" 'BEGIN {
    print "# A plan of " tasks " nested tasks\n";
    for (i = 0; i < tasks; i++) {
      if (i % 100 == 0) printf "%s## Phase %d: part %d\n\n", (i > 0 ? "\n" : ""), i / 100 + 1, i / 100 + 1;
      depth = (i % 10 == 0) ? 0 : (i % 10 == 1 || i % 10 == 6) ? 1 : 2;
      printf "%*s- [%s] %d.%d Task number %06d says what is to be done\n", 2 * depth, "", (i % 7 == 3 ? "x" : " "), i / 100 + 1, i % 100 + 1, i;
    }
  }' >"$2"
}

# many ACTIVE COMPLETE FOLDER: a git project with so many tracked plans of 40 tasks that are worked on and that are complete,
# each in a folder of its own; the complete ones for long.
many() {
  local number
  mkdir -p "$3"
  git -C "$3" init -q
  for number in $(seq "$(($1 + $2))"); do
    mkdir -p "$3/plans/p$number"
    plan 40 "$3/plans/p$number/plan.md"
    (($number <= $1)) || sed -i 's/^- \[ \]/- [x]/' "$3/plans/p$number/plan.md"
    (cd "$3" && PLANKEEP_NOW=2026-01-01T00:00:00.000Z "$plankeep" init "plans/p$number/plan.md" >/dev/null)
  done
}
