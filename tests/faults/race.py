"""Many processes at once on one plan, with a reader that never waits for them.

  race.py PROGRAM

64 x `done` on 64 tasks, then 64 x `sync` behind one box ticked by an editor, then 60 x `done` on the tasks of five plans
in one folder, which begins with the first of them, then 64 x `done` on nested tasks of a large plan beside readers that keep
what they read (shown.bin): every process exits with 0, every event
is there once, every box is ticked, the files are valid and equal what plan and history give. Meanwhile the reader
must never see half a file.
"""

import json
import pathlib
import subprocess
import sys
import threading

from support import (FAULTY, REPAIRED, World, arguments_or_exit, broken_law, invalid_files, temporary_base, ticked)

COUNT = 64
TASKS = [f"t{number}" for number in range(1, COUNT + 1)]
LAST_LINE = "The end of the plan.\n"
RACE_TIMEOUT = 300
BUSY = 5  # the lock was held for longer than a command waits, as it may be on a slow machine


def plan_text():
    lines = ["# Race\n"]
    for phase in range(8):
        lines.append(f"\n## Phase {phase + 1}: Part {phase + 1}\n<!-- CHECKPOINT: part-{phase + 1} -->\n\n")
        lines += [f"- [ ] Task {task} <!-- TASK: {task} -->\n" for task in TASKS[phase * 8:phase * 8 + 8]]
    return "".join(lines) + "- [ ] One more <!-- TASK: one-more -->\n\n" + LAST_LINE


class Reader(threading.Thread):
    """Reads the three files as wholes, over and over."""

    def __init__(self, world):
        super().__init__()
        self.world, self.stop, self.rounds, self.found = world, threading.Event(), 0, set()
        self.history = world.history()
        self.versions = set()

    def run(self):
        while not self.stop.is_set():
            try:
                self.look()
            except (OSError, ValueError) as error:
                self.found.add(f"{type(error).__name__}: {error}")
            self.rounds += 1

    def look(self):
        self.versions.add(self.world.state()["revision"])
        text = self.world.plan.read_text()
        if any(f"<!-- TASK: {task} -->" not in text for task in TASKS) or not text.endswith(LAST_LINE):
            self.found.add("plan.md was read incomplete")
        history = self.world.history()
        if not history.startswith(self.history):
            self.found.add("history.jsonl lost what it held")
        # An append may be seen while it grows; whole lines are whole events, for good.
        whole = history[:history.rfind(b"\n") + 1]
        for line in whole[len(self.history):].splitlines():
            json.loads(line)
        self.history = whole


def all_at_once(world, commands, now):
    """Runs the commands at the same time; findings about their exits. Who is told to come again in a moment does."""
    environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(world.base / "home"), "PLANKEEP_NOW": now}
    running = [subprocess.Popen([world.program, *command], cwd=world.root, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
    found = []
    for command, process in zip(commands, running):
        _, errors = process.communicate(timeout=RACE_TIMEOUT)
        status = process.returncode
        for _ in range(3):
            if status != BUSY:
                break
            again = subprocess.run([world.program, *command], cwd=world.root, env=environment, stdin=subprocess.DEVNULL,
                                   capture_output=True, timeout=RACE_TIMEOUT)
            status, errors = again.returncode, again.stderr
        if status != 0:
            found.append(f"{command} exits with {status}: {errors!r}")
    return found


def raced(world, commands, now):
    reader = Reader(world)
    reader.start()
    try:
        found = all_at_once(world, commands, now)
    finally:
        reader.stop.set()
        reader.join()
    print(f"  {len(commands)} processes, {reader.rounds} readings, {len(reader.versions)} versions of the state seen")
    if reader.rounds < 2:
        found.append("the reader did not get to read")
    return found + sorted(reader.found) + invalid_files(world)


def completed(world, folder):
    """How often each task was completed, from the history, with the law checked on a copy."""
    found = broken_law(world.copy(folder))
    told = {}
    for event in world.events():
        if event["event"] == "task_completed":
            told[event["taskId"]] = told.get(event["taskId"], 0) + 1
    return told, found


def five_plans(program, base):
    """The plans are untracked until the race: who comes first begins."""
    worlds = [World(program, base / "five", name) for name in
              ("plan.md", "TODO.md", "roadmap.md", "plan-2.md", "日本語.md")]
    worlds[0].root.mkdir(parents=True)
    (worlds[0].base / "home").mkdir()
    (worlds[0].root / ".git").mkdir()
    tasks = TASKS[:12]
    for world in worlds:
        world.plan.write_text("".join(f"- [ ] Task {task} <!-- TASK: {task} -->\n" for task in tasks))
    found = all_at_once(worlds[0], [("init", world.name) for world in worlds for _ in range(4)], FAULTY)
    found += all_at_once(worlds[0], [("done", task, "--plan", world.name) for task in tasks for world in worlds], FAULTY)
    for number, world in enumerate(worlds):
        told, broken = completed(world, base / f"copy-five-{number}")
        found += broken + invalid_files(world)
        if told != {task: 1 for task in tasks}:
            found.append(f"{world.name}: not every task was completed once: {told}")
        if any(f"- [ ] Task {task} " in world.plan.read_text() for task in tasks):
            found.append(f"{world.name}: not every box is ticked")
    listed = json.loads((worlds[0].root / ".git/plankeep/plans.json").read_bytes())
    if sorted(plan["path"] for plan in listed["plans"]) != sorted(world.name for world in worlds):
        found.append(f"the project's list is {listed}")
    return found


def nested_text():
    """Sixteen tasks with three below each, one inside the other, and enough beside them for a large state."""
    lines = ["# Nested\n\n## Part\n<!-- CHECKPOINT: part -->\n\n"]
    for number, task in enumerate(TASKS):
        lines.append("  " * (number % 4) + f"- [ ] Task {task} <!-- TASK: {task} -->\n")
    lines += ["\n## Rest\n<!-- CHECKPOINT: rest -->\n\n", *[f"- [ ] More of it, number {number}\n" for number in range(600)]]
    return "".join(lines)


def nested(program, base):
    world = World(program, base / "nested")
    world.root.mkdir(parents=True)
    (world.base / "home").mkdir()
    world.plan.write_text(nested_text())
    world.must("init")
    # By the real clock, a second after the files were written: what readers keep is kept.
    late = "2999-01-01T00:00:00.000Z"
    commands = [command for task in TASKS for command in (("done", task), ("show", task), ("list", "--done"))]
    found = all_at_once(world, commands, late)
    told, broken = completed(world, base / "copy-nested")
    if told != {task: 1 for task in TASKS}:
        found.append(f"nested: not every task was completed once: {told}")
    parents = {task: fields.get("parent") for task, fields in world.state()["phases"]["part"]["tasks"].items()}
    wanted = {task: TASKS[number - 1] if number % 4 else None for number, task in enumerate(TASKS)}
    if parents != wanted:
        found.append(f"nested: the parents are {parents}")
    for _ in range(2):
        listed = json.loads(world.must("list", "--done", "--json", now=late).stdout)
        if sorted(task["id"] for task in listed["tasks"]) != sorted(TASKS):
            found.append("nested: list says something else")
        if not (world.tracking / "shown.bin").exists():
            found.append("nested: nothing was kept by a reader")
    return found + broken + invalid_files(world)


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        world = World(program, pathlib.Path(base) / "world")
        world.root.mkdir(parents=True)
        (world.base / "home").mkdir()
        world.plan.write_text(plan_text())
        world.must("init")

        print("done on a task each:")
        found = raced(world, [("done", task, "--by", "team:" + task) for task in TASKS], FAULTY)
        told, broken = completed(world, pathlib.Path(base) / "copy-1")
        found += broken
        if told != {task: 1 for task in TASKS}:
            found.append(f"not every task was completed once: {told}")
        expected = plan_text()
        for task in TASKS:
            expected = ticked(expected, task)
        if world.plan.read_text() != expected:
            found.append("not every box is ticked, or more was changed than the boxes")
        tasks = {name: task for phase in world.state()["phases"].values() for name, task in phase["tasks"].items()}
        found += [f"{task}: {tasks[task]}" for task in TASKS if tasks[task].get("completedBy") != "team:" + task]

        print("sync behind one box ticked by an editor:")
        before = world.state()["revision"]
        world.tick("one-more")
        found += raced(world, [("sync", "--by", "main")] * COUNT, REPAIRED)
        told, broken = completed(world, pathlib.Path(base) / "copy-2")
        found += broken
        if told != {task: 1 for task in [*TASKS, "one-more"]}:
            found.append(f"not exactly one completion more: {told}")
        if world.state()["revision"] != before + 1:
            found.append(f"{world.state()['revision'] - before} saves instead of one")
        print("done on a task each of five plans in a folder:")
        found += five_plans(program, pathlib.Path(base))
        print("done and looks on nested tasks of a large plan:")
        found += nested(program, pathlib.Path(base))
    for finding in found:
        print("FAILED", finding)
    print(f"4 races of about {COUNT} processes, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
