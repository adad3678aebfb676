"""What the fault tests share: a folder to break, the program, and what must hold afterwards."""

import json
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

for folder in ("schemas", "support"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))
from rotation import sampled  # noqa: E402
from validate_tree import Schemas, check_tree  # noqa: E402

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

    def __init__(self, program, base, name="plan.md"):
        self.program = program
        self.base = pathlib.Path(base)
        self.name = name
        self.root = self.base / "project"
        self.plan = self.root / name
        self.tracking = self.root / ".checkpoint" if name == "plan.md" else self.root / ".checkpoint" / name
        self.decoy = self.base / "plan.md"

    def copy(self, to):
        shutil.copytree(self.base, to, symlinks=True)
        return World(self.program, to, self.name)

    def environment(self, now=FAULTY):
        return {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.base / "home"), "PLANKEEP_NOW": now}

    def run(self, *arguments, now=FAULTY, before=(), timeout=TIMEOUT, payload=None, **options):
        """`payload`: the bytes on standard input, through a pipe."""
        given = {"stdin": subprocess.DEVNULL} if payload is None else {"input": payload}
        return subprocess.run([*before, self.program, *arguments], cwd=self.root, env=self.environment(now),
                              timeout=timeout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **given,
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
    return re.sub(r"- \[[ ~]\](?=[^\n]*<!-- TASK: " + re.escape(task) + " )", "- [x]", text)


def tracked_world(program, base):
    world = World(program, base)
    world.root.mkdir(parents=True)
    (world.base / "home").mkdir()
    # A plan in the folder above that must never be taken for ours.
    world.decoy.write_text(PLAN)
    world.must("init", str(world.decoy))
    world.plan.write_text(PLAN)
    world.must("init")
    for task in DONE_BEFORE:
        world.must("done", task, "--by", "main")
    return world


def comparable(state):
    """What a state rebuilt from plan and history must have in common with the one that was kept up to date.

    Not planPath: each fault gets a copy of the folder, and a state learns of a move with its next change. Of
    sessions only what the history tells of them; claims are bookkeeping like the rest (schemas/README.md)."""
    common = {key: value for key, value in state.items()
              if key not in ("revision", "planStamp", "historyOffset", "historyChain", "lastCheckpoint", "planPath", "claims", "textShape", "planSeen", "planUnreadable", "unsaidSince")}
    if "sessions" in common:
        common["sessions"] = {name: {key: value for key, value in session.items()
                                     if key in ("client", "startedAt", "endedAt")}
                              for name, session in common["sessions"].items()}
    if "agents" in common:
        common["agents"] = {name: {key: value for key, value in agent.items() if key != "sentBack"}
                            for name, agent in common["agents"].items()}
    return common


def completions(world, task):
    return [event for event in world.events() if event["event"] == "task_completed" and event["taskId"] == task]


def task_in(state, task):
    return next(phase["tasks"][task] for phase in state["phases"].values() if task in phase["tasks"])


def broken_law(world):
    """Why the state is not what plan and history give, as lines; the world is used up by asking."""
    kept = comparable(world.state())
    for path in [world.tracking / "state.json", *world.tracking.glob("recovery*.json")]:
        path.unlink(missing_ok=True)
    run = world.run("sync", "--plan", world.name, now=REBUILT)
    if run.returncode != 0:
        return [f"rebuilding exits with {run.returncode}: {run.stderr!r}"]
    rebuilt = comparable(world.state())
    return [f"{key}: kept {kept.get(key)!r}, rebuilt {rebuilt.get(key)!r}"
            for key in sorted(kept.keys() | rebuilt.keys()) if kept.get(key) != rebuilt.get(key)]


def invalid_files(world):
    return check_tree(SCHEMAS, world.root)


def is_crash(run):
    return run.returncode < 0 or run.returncode >= 128 or b"runtime error:" in run.stderr or b"Sanitizer" in run.stderr


def run_all(work, items):
    """Calls work(item) -> findings on all processors, for the sample of the items that runs today (support/rotation.py);
    prints every finding. Gives how many items were tried and how many had findings."""
    items = sampled(items)
    bad = 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for item, findings in zip(items, pool.imap(work, items)):
            bad += bool(findings)
            for finding in findings:
                print(f"FAILED {item}: {finding}", flush=True)
    return len(items), bad


def guarded(work, item):
    """What goes wrong unexpectedly is a finding too, so that one bad case does not hide the others."""
    try:
        return work(item)
    except (AssertionError, OSError, ValueError, KeyError, StopIteration, RecursionError,
            subprocess.TimeoutExpired) as error:
        return [f"{type(error).__name__}: {error}"]


def arguments_or_exit(doc):
    if len(sys.argv) != 2:
        print(doc, file=sys.stderr)
        sys.exit(2)
    return os.path.abspath(sys.argv[1])


def temporary_base():
    return tempfile.TemporaryDirectory(prefix="plankeep-faults-")
