"""32 subagents (or PLANKEEP_RACERS) of one session at once on one plan, and the hooks of their parent and of a second session meanwhile.

  hooks_race.py PROGRAM

Each subagent: SubagentStart, the tick of its own box, PostToolUse, SubagentStop with a claim about it; all in parallel
and through the real program. Meanwhile the parent gets prompts and batches, and another session starts, asks and ends,
over and over. In the end no event is lost or there twice: every start and stop of an agent, every tick with whose it
is, every session's start and end; state and history agree and are valid; no hook had to give up waiting. How long the
slowest took, by its own clock, is printed and not judged.

Whose a tick is: the agent's that made it, every time. A hook that only looks (a prompt, another's stop) may come before
the agent's own and record the change as `external`; then the agent's own takes it back. How often that happened is
printed. The records of the agents say the same.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import threading

from hooks import broken_promises, payload
from support import World, arguments_or_exit, broken_law, invalid_files, temporary_base

COUNT = int(os.environ.get("PLANKEEP_RACERS", "32"))
OTHERS = 4
RACE_TIMEOUT = 300
TYPE = "general-purpose"
PARENT = "11111111-0000-4000-8000-000000000001"
TASKS = [f"t{number:02}" for number in range(COUNT)]


def agent_of(task):
    return "a0000000000000" + task


def plan_text():
    lines = ["# Race\n"]
    for number, task in enumerate(TASKS):
        if number % 8 == 0:
            lines.append(f"\n## Phase {number // 8 + 1}\n<!-- CHECKPOINT: part-{number // 8 + 1} -->\n\n")
        lines.append(f"- [ ] Work {task} <!-- TASK: {task} -->\n")
    return "".join(lines) + "\n## Last\n<!-- CHECKPOINT: last -->\n\n- [ ] Stays open <!-- TASK: open -->\n"


class Hooks:
    """Calls hooks and keeps what is wrong with how they ended. By the real clock, as a client does."""

    def __init__(self, world):
        self.world, self.found, self.calls, self.counted = world, [], 0, threading.Lock()
        self.environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(world.base / "home"), "CLAUDECODE": "1", "CLAUDE_PID": str(os.getpid()),
                            "CLAUDE_PROJECT_DIR": str(world.root)}

    def call(self, event, name, session, agent=None, **fields):
        run = subprocess.run([self.world.program, "hook", "claude-code", event], cwd=self.world.root,
                             input=payload(self.world, name, session, agent, **fields), env=self.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=RACE_TIMEOUT, check=False)
        wrong = broken_promises(run) + ([f"says {run.stderr!r}"] if run.stderr else [])
        with self.counted:
            self.calls += 1
            self.found += [f"{event} of {agent or session} {finding}" for finding in wrong]


def subagent(hooks, task):
    agent = (agent_of(task), TYPE)
    hooks.call("SubagentStart", "SubagentStart", PARENT, agent)
    # One byte in place: what a whole-file edit of 32 writers at once would lose is none of plankeep's doing.
    offset = re.search(rb"\[ \] Work " + task.encode(), plan_text().encode()).start() + 1
    with open(hooks.world.plan, "r+b", buffering=0) as file:
        os.pwrite(file.fileno(), b"x", offset)
    edit = {"file_path": str(hooks.world.plan), "old_string": f"- [ ] Work {task}", "new_string": f"- [x] Work {task}"}
    hooks.call("PostToolUse", "PostToolUse-Edit-subagent", PARENT, agent, tool_input=edit)
    hooks.call("SubagentStop", "SubagentStop", PARENT, agent, last_assistant_message=f"Task `{task}` is done.")


def parent(hooks):
    for number in range(OTHERS):
        hooks.call("UserPromptSubmit", "UserPromptSubmit", PARENT, prompt=f"How is it going? {number}")
        hooks.call("PostToolBatch", "PostToolBatch", PARENT)


def other_session(hooks, number):
    session = f"22222222-0000-4000-8000-{number:012}"
    hooks.call("SessionStart", "SessionStart-startup", session)
    hooks.call("UserPromptSubmit", "UserPromptSubmit", session)
    hooks.call("SessionEnd", "SessionEnd-other", session)


def all_at_once(hooks):
    threads = [threading.Thread(target=subagent, args=(hooks, task)) for task in TASKS]
    threads.append(threading.Thread(target=parent, args=(hooks,)))
    threads += [threading.Thread(target=other_session, args=(hooks, number)) for number in range(OTHERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def judged_events(world):
    """Findings, and how often a tick was recorded as the agent's own at once and how often afterwards."""
    found, whose = [], {"at once": 0, "taken back": 0}
    events = world.events()
    expected = {("session_started", PARENT): 1, ("session_ended", PARENT): 1}
    for number in range(OTHERS):
        session = f"22222222-0000-4000-8000-{number:012}"
        expected.update({("session_started", session): 1, ("session_ended", session): 1})
    for task in TASKS:
        expected.update({("subagent_started", agent_of(task)): 1, ("subagent_stopped", agent_of(task)): 1,
                         ("task_completed", task): 1})
    told, running, completed = {}, set(), {}
    for event in events:
        kind = event["event"]
        name = {"session": event.get("sessionId"), "subagent": event.get("agentId"),
                "task": event.get("taskId")}.get(kind.split("_")[0])
        if kind != "task_attributed" and (kind == "task_reopened" or kind == "session_crash" or name):
            told[kind, name] = told.get((kind, name), 0) + 1
        if kind == "subagent_started":
            running.add(name)
        elif kind == "subagent_stopped":
            running.discard(name)
            task = name[-3:]
            if event.get("claimed") != [task] or event.get("unverified"):
                found.append(f"the audit of an honest agent: {event}")
        elif kind == "task_completed":
            completed[name] = (event["by"], event.get("agentId"))
            whose["at once"] += event["by"] != "external"
        elif kind == "task_attributed":
            if completed.get(name) != ("external", None):
                found.append(f"taken from somebody: {event}")
            completed[name] = (event["by"], event.get("agentId"))
            whose["taken back"] += 1
        if kind in ("task_completed", "task_attributed") and event.get("agentId") and event["agentId"] not in running:
            found.append(f"recorded for an agent that does not run: {event}")
    for key in sorted(expected.keys() | told.keys()):
        if told.get(key, 0) != expected.get(key, 0):
            found.append(f"{key}: {told.get(key, 0)} times, not {expected.get(key, 0)}")
    for task in TASKS:
        if completed.get(task) != (f"subagent:{TYPE}", agent_of(task)):
            found.append(f"whose tick is {task}: {completed.get(task)}")
    state = world.state()
    done_by = {task: fields.get("completedBy") for phase in state["phases"].values()
               for task, fields in phase["tasks"].items() if fields["done"]}
    if done_by != {task: f"subagent:{TYPE}" for task in TASKS}:
        found.append(f"the state says: {done_by}")
    for agent, record in state.get("agents", {}).items():
        if record.get("completedTasks") != [agent[-3:]]:
            found.append(f"{agent} did what is its own, the state says {record}")
    return found, whose


def slowest(world):
    """Of hooks.log: how many calls, and the longest in milliseconds."""
    times = []
    for name in ("hooks.log.1", "hooks.log"):
        path = world.tracking / name
        if path.exists():
            times += [int(line.split()[3]) for line in path.read_text().splitlines()]
    return len(times), max(times) / 1000


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        world = World(program, pathlib.Path(base) / "world")
        world.root.mkdir(parents=True)
        (world.base / "home").mkdir()
        world.plan.write_text(plan_text())
        world.must("init")
        hooks = Hooks(world)
        hooks.call("SessionStart", "SessionStart-startup", PARENT)
        all_at_once(hooks)
        hooks.call("SessionEnd", "SessionEnd-other", PARENT)

        found = hooks.found + invalid_files(world)
        events, whose = judged_events(world)
        found += events
        wanted = plan_text()
        for task in TASKS:
            wanted = wanted.replace(f"[ ] Work {task}", f"[x] Work {task}")
        if world.plan.read_text() != wanted:
            found.append("the plan is not what the agents made of it")
        errors = world.tracking / "errors.log"
        if errors.exists():
            found += [f"errors.log: {line}" for line in errors.read_text().splitlines()]
        logged, longest = slowest(world)
        if logged != hooks.calls:
            found.append(f"hooks.log tells of {logged} calls, not of {hooks.calls}")
        found += broken_law(world)
    for finding in found:
        print("FAILED", finding)
    print(f"ticks: {json.dumps(whose)}; the slowest of {hooks.calls} hooks took {longest:.1f} ms")
    print(f"{COUNT} subagents at once, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
