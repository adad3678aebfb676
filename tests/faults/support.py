"""What the fault tests share: folders to break, the program, strace, and what must hold afterwards."""

import json
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schemas"))
from validate_tree import Schemas, check_tree  # noqa: E402

SKIPPED = 77
TIMEOUT = 20

# Every run has its own hour, so that a record tells who wrote it.
PREPARED, FAULTY, REPAIRED, REBUILT = (f"2026-11-20T{hour}:00:00.000Z" for hour in (10, 11, 12, 13))

PLAN = """# Build a shed

## Phase 1: Site
<!-- CHECKPOINT: site -->
- [ ] Measure the ground <!-- TASK: survey -->
## Phase 2: Ground
<!-- CHECKPOINT: ground -->
- [ ] Dig <!-- TASK: dig -->
- [ ] The ground is level <!-- ACCEPT: level -->
## Phase 3: Walls
<!-- CHECKPOINT: walls -->
- [ ] Bricks <!-- TASK: bricks -->
## Phase 4: Roof
<!-- CHECKPOINT: roof -->
- [ ] Beams <!-- TASK: beams -->
- [ ] Tiles <!-- TASK: tiles -->
<!-- DECISION: Tiles of clay | reason: they last -->
## Phase 5: Garden
<!-- CHECKPOINT: garden -->
- [ ] A path <!-- TASK: path -->
<!-- BLOCKER: Waiting for gravel -->
"""
DONE_BEFORE = ["survey", "dig", "bricks", "beams"]
SUBJECT = "tiles"  # completes a phase: a recovery copy is written and all generations move

SCHEMAS = Schemas()


class World:
    """A folder with a plan, a home beside it, and the program run in it."""

    def __init__(self, program, base):
        self.program = program
        self.base = pathlib.Path(base)
        self.root = self.base / "project"
        self.plan = self.root / "plan.md"
        self.tracking = self.root / ".checkpoint"

    def copy(self, to):
        shutil.copytree(self.base, to, symlinks=True)
        return World(self.program, to)

    def run(self, *arguments, now=FAULTY, before=(), timeout=TIMEOUT, **options):
        environment = {"HOME": str(self.base / "home"), "PLANKEEP_NOW": now}
        return subprocess.run([*before, self.program, *arguments], cwd=self.root, env=environment, timeout=timeout,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              **options)

    def must(self, *arguments, now=PREPARED):
        run = self.run(*arguments, now=now)
        if run.returncode != 0:
            raise AssertionError(f"{arguments} exits with {run.returncode}: {run.stderr.decode('utf-8', 'replace')}")
        return run

    def tick(self, task=SUBJECT):
        self.plan.write_text(ticked(self.plan.read_text(), task))

    def state(self):
        return json.loads((self.tracking / "state.json").read_bytes())

    def history(self):
        return (self.tracking / "history.jsonl").read_bytes()

    def events(self):
        return [json.loads(line) for line in self.history().splitlines()]

    def set_aside(self, name):
        return [path.read_bytes() for path in self.tracking.glob(name + ".damaged-*") if path.is_file()]


def ticked(text, task):
    return re.sub(r"- \[ \](?=[^\n]*<!-- TASK: " + re.escape(task) + " )", "- [x]", text)


def tracked_world(program, base):
    world = World(program, base)
    world.root.mkdir(parents=True)
    (world.base / "home").mkdir()
    world.plan.write_text(PLAN)
    world.must("init")
    for task in DONE_BEFORE:
        world.must("done", task, "--by", "main")
    return world


def comparable(state):
    """What a state rebuilt from plan and history must have in common with the one that was kept up to date."""
    return {key: value for key, value in state.items()
            if key not in ("revision", "planStamp", "historyOffset", "lastCheckpoint")}


def completions(world, task):
    return [event for event in world.events() if event["event"] == "task_completed" and event["taskId"] == task]


def task_in(state, task):
    return next(phase["tasks"][task] for phase in state["phases"].values() if task in phase["tasks"])


def broken_law(world):
    """Why the state is not what plan and history give, as lines; the world is used up by asking."""
    kept = comparable(world.state())
    for path in [world.tracking / "state.json", *world.tracking.glob("recovery*.json")]:
        path.unlink(missing_ok=True)
    run = world.run("sync", now=REBUILT)
    if run.returncode != 0:
        return [f"rebuilding exits with {run.returncode}: {run.stderr!r}"]
    rebuilt = comparable(world.state())
    return [f"{key}: kept {kept.get(key)!r}, rebuilt {rebuilt.get(key)!r}"
            for key in sorted(kept.keys() | rebuilt.keys()) if kept.get(key) != rebuilt.get(key)]


def invalid_files(world):
    return check_tree(SCHEMAS, world.root)


def is_crash(run):
    return run.returncode < 0 or run.returncode >= 128 or b"runtime error:" in run.stderr or b"Sanitizer" in run.stderr


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


def calls_of(world, arguments, names):
    """The calls by these names that a run makes once it knows its folder, in order: (name, when, the line)."""
    trace = world.base / "trace"
    run = world.run(*arguments, before=["strace", "-qq", "-o", trace, "-e", "trace=execve,getcwd," + ",".join(names)])
    if run.returncode != 0:
        raise AssertionError(f"{arguments} exits with {run.returncode} without a fault: {run.stderr!r}")
    counts, found, started = {}, [], False
    for line in trace.read_text(errors="replace").splitlines():
        name = line.split("(", 1)[0]
        counts[name] = counts.get(name, 0) + 1
        # What comes before is the loader's.
        started = started or (name != "execve" and str(world.root) in line)
        if started and name in names:
            found.append((name, counts[name], line))
    return found


def inject(world, arguments, name, fault, when):
    """Runs with a fault at that call. Gives the run and whether the call came."""
    trace = world.base / "trace"
    run = world.run(*arguments, before=["strace", "-qq", "-o", trace, "-e", "trace=" + name, "-e",
                                        f"inject={name}:{fault}:when={when}"])
    text = trace.read_text(errors="replace")
    return run, "(INJECTED)" in text or "+++ killed by SIGKILL" in text or run.returncode == -9


class Scenario:
    """One command to break, and what must be true once a plain sync has run behind it."""

    def __init__(self, name, arguments, prepare, repair=("sync",)):
        self.name, self.arguments, self.prepare, self.repair = name, arguments, prepare, repair

    def findings_after(self, world, template, acknowledged):
        """Repairs and looks at everything."""
        found = []
        for command in dict.fromkeys([self.repair, ("sync",)]):
            run = world.run(*command, now=REPAIRED)
            if run.returncode != 0:
                return [f"{command} behind the fault exits with {run.returncode}: {run.stderr!r}"]
        found += invalid_files(world)
        if found:
            return found
        whole = whole_lines(template)
        if not world.history().startswith(whole):
            found.append("events that were there before are gone")
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


SCENARIOS = [
    Scenario("a box ticked by an editor, sync", ("sync", "--by", "main"), World.tick),
    Scenario("done", ("done", SUBJECT, "--by", "main"), lambda world: None),
    Scenario("damaged state, torn history, sync", ("sync", "--by", "main"), damage),
    Scenario("init", ("init",), lambda world: shutil.rmtree(world.tracking), repair=("init",)),
]


def run_all(work, items):
    """Calls work(item) -> findings on all processors; prints every finding. Gives how many items had one."""
    bad = 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for item, findings in zip(items, pool.imap(work, items, chunksize=4)):
            bad += bool(findings)
            for finding in findings:
                print(f"FAILED {item}: {finding}", flush=True)
    return bad


def guarded(work, item):
    """What goes wrong unexpectedly is a finding too, so that one bad case does not hide the others."""
    try:
        return work(item)
    except (AssertionError, OSError, ValueError, KeyError, StopIteration, subprocess.TimeoutExpired) as error:
        return [f"{type(error).__name__}: {error}"]


def arguments_or_exit(doc):
    if len(sys.argv) != 2:
        print(doc, file=sys.stderr)
        sys.exit(2)
    return os.path.abspath(sys.argv[1])


def temporary_base():
    return tempfile.TemporaryDirectory(prefix="plankeep-faults-")
