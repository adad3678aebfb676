"""What the tests that inject faults share: strace, and the scenarios that are broken at every call."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from support import (FAULTY, REPAIRED, SUBJECT, World, broken_law, completions, invalid_files, task_in, ticked)

SKIPPED = 77
PATIENCE = 60


def strace_or_exit():
    """Exits with 77 where faults cannot be injected."""
    why = "strace is not installed"
    if shutil.which("strace"):
        run = subprocess.run(["strace", "-qq", "-o", "/dev/null", "-e", "inject=exit_group:signal=KILL", "/bin/true"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if run.returncode == -9:
            return
        why = "strace cannot inject here: " + run.stderr.decode("utf-8", "replace").strip()
    print("skipped:", why)
    sys.exit(SKIPPED)


CHANGING = ("write pwrite64 writev ftruncate fallocate fsync fdatasync rename renameat renameat2 unlink unlinkat mkdir "
            "mkdirat rmdir fchmod fchmodat fchown fchownat link linkat symlink symlinkat utimensat").split()
READING = "openat open pread64 read newfstatat getdents64 flock".split()


def calls_of(world, arguments, names, payload=None):
    """The calls by these names that a run makes once it knows its folder or reads its payload, in order: (name, when,
    the line)."""
    trace = world.base / "trace"
    run = world.run(*arguments, payload=payload,
                    before=["strace", "-qq", "-o", trace, "-e", "trace=execve,getcwd," + ",".join(names)])
    if run.returncode != 0:
        raise AssertionError(f"{arguments} exits with {run.returncode} without a fault: {run.stderr!r}")
    counts, found, started = {}, [], False
    for line in trace.read_text(errors="replace").splitlines():
        name = line.split("(", 1)[0]
        counts[name] = counts.get(name, 0) + 1
        # What comes before is the loader's.
        started = started or (name != "execve" and str(world.root) in line) or line.startswith("read(0, ")
        if started and name in names:
            found.append((name, counts[name], line))
    return found


def inject(world, arguments, name, fault, when, payload=None):
    """Runs with a fault at that call. Gives the run and whether the call came."""
    trace = world.base / "trace"
    run = world.run(*arguments, payload=payload,
                    before=["strace", "-qq", "-o", trace, "-e", "trace=" + name, "-e",
                            f"inject={name}:{fault}:when={when}"])
    text = trace.read_text(errors="replace")
    return run, "(INJECTED)" in text or "+++ killed by SIGKILL" in text or run.returncode == -9


def processes_in(folder):
    """The numbers of those whose folder is this one or below it."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if pathlib.Path(os.readlink(process / "cwd")).is_relative_to(folder):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def wait_for_processes(folder):
    """Until what a killed program started there has ended."""
    end = time.monotonic() + PATIENCE
    while there := processes_in(folder):
        if time.monotonic() > end:
            raise AssertionError(f"processes {there} go on and on")
        time.sleep(0.01)


class Scenario:
    """One command to break, and what must be true once a plain sync has run behind it."""

    def __init__(self, name, arguments, prepare, repair=("sync",), file="plan.md"):
        self.name, self.arguments, self.prepare, self.repair, self.file = name, arguments, prepare, repair, file
        self.sync = ("sync",) if file == "plan.md" else ("sync", "--plan", file)

    def world(self, program, base):
        return World(program, base, self.file)

    def findings_after(self, world, template, acknowledged):
        """Repairs and looks at everything."""
        if world.decoy.read_bytes() != template.decoy.read_bytes():
            return ["the plan in the folder above was changed instead of ours"]
        found = []
        for command in dict.fromkeys([self.repair, self.sync]):
            run = world.run(*command, now=REPAIRED)
            if run.returncode != 0:
                return [f"{command} behind the fault exits with {run.returncode}: {run.stderr!r}"]
        found += invalid_files(world)
        if found:
            return found
        whole = whole_lines(template)
        if not world.history().startswith(whole):
            found.append("events that were there before are gone")
        for other in OTHERS:
            history = template.root / ".checkpoint" / other / "history.jsonl"
            if history.exists() and (world.root / ".checkpoint" / other / "history.jsonl").read_bytes() != history.read_bytes():
                found.append(f"the history of {other}, another plan of the folder, has changed")
        for name, bytes_ in damage_of(template):
            if bytes_ not in world.set_aside(name):
                found.append(f"the damaged end or whole of {name} was not set aside")
        created = [event for event in world.events() if event["event"] == "checkpoint_created"]
        if len(created) != 1:
            found.append(f"{len(created)} times checkpoint_created")
        return found + self.findings_about_subject(world, template, acknowledged) + broken_law(world)

    def findings_about_subject(self, world, template, acknowledged):
        found = []
        text = world.plan.read_text()
        before = template.plan.read_text()
        if text not in (before, ticked(before, SUBJECT)):
            return ["the plan is neither what it was nor what it was to become"]
        is_ticked = text == ticked(text, SUBJECT)
        done = task_in(world.state(), SUBJECT)
        told = completions(world, SUBJECT)
        if self.arguments[0] == "init":
            return [] if not told and not is_ticked else ["init completes a task"]
        if len(told) != is_ticked:
            found.append(f"box ticked: {is_ticked}, task_completed {len(told)} times")
        if done["done"] != is_ticked or (told and done["completedBy"] != told[0]["by"]):
            found.append(f"box ticked: {is_ticked}, events {told!r}, state {done!r}")
        if acknowledged and (not told or told[0]["by"] != "main" or told[0]["ts"] != FAULTY):
            found.append(f"the acknowledged change is not there as it was: {told!r}")
        return found


TORN = b'{"ts":"2026-11-20T10:00:00.000Z","event":"note_sa'
DAMAGED_STATE = b'{"version": 2, "planId": "proj'


def whole_lines(world):
    path = world.tracking / "history.jsonl"
    text = path.read_bytes() if path.exists() else b""
    return text[:len(text) - len(TORN)] if text.endswith(TORN) else text


def damage_of(world):
    expected = {"history.jsonl": (bytes.endswith, TORN), "state.json": (bytes.__eq__, DAMAGED_STATE)}
    for name, (test, bytes_) in expected.items():
        path = world.tracking / name
        if path.exists() and test(path.read_bytes(), bytes_):
            yield name, bytes_


def damage(world):
    world.tick()
    (world.tracking / "state.json").write_bytes(DAMAGED_STATE)
    with open(world.tracking / "history.jsonl", "ab") as file:
        file.write(TORN)


OTHERS = ("TODO.md", "second.md", "third.md")
LAST = "roadmap.md"


def four_plans(world):
    """Beside them a fifth, which nobody tracks yet."""
    for name in OTHERS:
        (world.root / name).write_text(world.plan.read_text())
        world.must("init", name)
    (world.root / LAST).write_text(re.sub(r"- \[x\]", "- [ ]", world.plan.read_text()))


def five_plans(world):
    four_plans(world)
    world.must("init", LAST)


def nested_and_large(world):
    """The subject two levels below other tasks, and so many beside it that a brief is kept of the state."""
    lines = [line for line in world.plan.read_text().splitlines(keepends=True)]
    at = next(number for number, line in enumerate(lines) if f"<!-- TASK: {SUBJECT} " in line)
    lines[at:at + 1] = ["- [ ] Around it <!-- TASK: around -->\n", "  - [ ] Below that <!-- TASK: below -->\n",
                        "    " + lines[at], "  - [ ] Beside it <!-- TASK: beside -->\n"]
    rest = "".join(f"{'  ' if number % 5 else ''}- [ ] Some more work of the kind {number}\n" for number in range(600))
    world.plan.write_text("".join(lines) + "\n## The rest\n<!-- CHECKPOINT: rest -->\n" + rest)
    world.must("sync")
    if not (world.tracking / "brief.json").exists() or task_in(world.state(), SUBJECT).get("parent") != "below":
        raise AssertionError("the plan is not as large, or not as nested, as it was meant")


SCENARIOS = [
    Scenario("a box ticked by an editor, sync", ("sync", "--by", "main"), World.tick),
    Scenario("done", ("done", SUBJECT, "--by", "main"), lambda world: None),
    Scenario("damaged state, torn history, sync", ("sync", "--by", "main"), damage),
    Scenario("init", ("init",), lambda world: shutil.rmtree(world.tracking), repair=("init",)),
    Scenario("done of a nested task in a large plan", ("done", SUBJECT, "--by", "main"), nested_and_large),
    Scenario("init of a fifth plan", ("init", LAST), four_plans, repair=("init", LAST), file=LAST),
    Scenario("done in one of five plans", ("done", SUBJECT, "--by", "main", "--plan", LAST), five_plans, file=LAST,
             repair=("sync", "--plan", LAST)),
]
