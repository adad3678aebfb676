"""What the tests of hooks/ share: a project with a plan, a home beside it, and the program run in it."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HOOKS = SOURCE / "hooks"
SKIPPED = 77
# For what ends at once; no test passes or fails by how long it took, only by never ending.
TIMEOUT = 60
NOW = "2026-11-20T15:43:50.123Z"

PLAN = """# Shed

## Phase 1: Ground
<!-- CHECKPOINT: ground -->
- [x] Measure <!-- TASK: survey -->
- [ ] Dig <!-- TASK: dig -->
- [ ] The ground is level <!-- ACCEPT: level | verify: true -->

## Phase 2: Walls
<!-- CHECKPOINT: walls -->
- [ ] Bricks <!-- TASK: bricks -->
"""


class World:
    def __init__(self, program, base):
        self.program = program
        self.base = pathlib.Path(base).resolve()
        self.root = self.base / "project"
        self.home = self.base / "home"
        self.root.mkdir()
        self.home.mkdir()
        self.plan = self.root / "plan.md"
        self.tracking = self.root / ".checkpoint"
        self.environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.home), "PATH": "/usr/bin:/bin", "PLANKEEP_NOW": NOW}

    def track(self, text=PLAN):
        self.plan.write_text(text, encoding="utf-8")
        self.must("init")

    def run(self, *arguments, stdin=b"", environment=(), cwd=None, **options):
        if isinstance(stdin, (bytes, str)):
            options["input"] = stdin.encode() if isinstance(stdin, str) else stdin
        else:
            options["stdin"] = stdin
        return subprocess.run([self.program, *arguments], cwd=cwd or self.root, check=False, timeout=TIMEOUT,
                              env={**self.environment, **dict(environment)}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, **options)

    def must(self, *arguments, **options):
        run = self.run(*arguments, **options)
        assert run.returncode == 0, f"{arguments} exits with {run.returncode}: {run.stderr!r}"
        return run

    def payload(self, event, /, **fields):
        """As Claude Code orders it: who acts comes before what was done."""
        head = {"session_id": "s-1", "transcript_path": str(self.base / "transcript.jsonl"), "cwd": str(self.root)}
        head.update({key: fields.pop(key) for key in list(fields) if key in head or key in ("agent_id", "agent_type")})
        return {**head, "hook_event_name": event, **fields}

    def hook(self, event, /, client="claude-code", raw=None, environment=(), **fields):
        """One call; it must keep what every call promises, whatever it was given."""
        stdin = json.dumps(self.payload(event, **fields)) if raw is None else raw
        run = self.run("hook", client, event, stdin=stdin, environment=environment)
        check_host_is_safe(run)
        return run

    def state(self):
        return json.loads((self.tracking / "state.json").read_bytes())

    def events(self):
        return [json.loads(line) for line in (self.tracking / "history.jsonl").read_bytes().splitlines()]

    def done(self, task):
        return next(phase["tasks"][task]["done"] for phase in self.state()["phases"].values() if task in phase["tasks"])

    def tick(self, text):
        """As an editor does: a new file takes the place of the old one."""
        old = self.plan.read_text(encoding="utf-8")
        new = old.replace(f"- [ ] {text}", f"- [x] {text}")
        assert new != old, f"no open box {text!r}"
        beside = self.plan.with_name("plan.md.new")
        beside.write_text(new, encoding="utf-8")
        beside.rename(self.plan)


def check_host_is_safe(run):
    """A hook never breaks its host: status 0, and standard output is empty or one object on one line."""
    assert run.returncode == 0, f"the hook exits with {run.returncode}: {run.stderr!r}"
    assert b"runtime error:" not in run.stderr and b"Sanitizer" not in run.stderr, run.stderr
    assert run.stderr == b"" or run.stderr.endswith(b"\n"), run.stderr
    for line in run.stderr.splitlines():
        assert line.startswith(b"plankeep: "), f"a stranger's line on standard error: {line!r}"
    if run.stdout:
        assert isinstance(json.loads(run.stdout), dict), run.stdout
        assert b"\n" not in run.stdout.rstrip(b"\n"), run.stdout


def snapshot(*paths):
    """Names, kinds, times and contents of everything at or below the paths, links not followed."""
    seen = {}
    for top in paths:
        found = [pathlib.Path(top)]
        for folder, folders, files in os.walk(top):
            found += [pathlib.Path(folder) / name for name in folders + files]
        for path in found:
            info = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() and info.st_size < 1 << 24 else None
            seen[str(path)] = (info.st_mode, info.st_size, None if path.is_dir() else info.st_mtime_ns, content)
    return seen


def wait_until(condition, what, seconds=TIMEOUT):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.01)


def main(tests, doc):
    """Runs each test in a world of its own: main(tests) from `script PROGRAM [NAME...]`."""
    if len(sys.argv) < 2:
        print(doc, file=sys.stderr)
        return 2
    program = os.path.abspath(sys.argv[1])
    wanted = [test for test in tests if len(sys.argv) == 2 or test.__name__ in sys.argv[2:]]
    if missing := set(sys.argv[2:]) - {test.__name__ for test in tests}:
        print(f"no such test: {', '.join(sorted(missing))}", file=sys.stderr)
        return 2
    failed = skipped = 0
    for test in wanted:
        base = tempfile.mkdtemp(prefix="plankeep-hooks-")
        verdict = "ok"
        try:
            verdict = test(World(program, base)) or "ok"
        except Exception:  # each test is told of, whatever broke in it
            verdict = "FAILED"
            traceback.print_exc(file=sys.stdout)
        finally:
            shutil.rmtree(base, ignore_errors=True)
        failed += verdict == "FAILED"
        skipped += verdict.startswith("skipped")
        print(f"{verdict}: {test.__name__.replace('_', ' ')}", flush=True)
    print(f"{len(wanted)} tests, {failed} failed, {skipped} skipped")
    if failed or not wanted:
        return 1
    return SKIPPED if skipped == len(wanted) else 0


def collector():
    """tests, test = collector(): `@test` adds a function to the list."""
    tests = []

    def add(function):
        tests.append(function)
        return function

    return tests, add


def needs(program):
    """Skips a test where a program is missing."""
    def decorate(function):
        @functools.wraps(function)
        def run(world):
            return function(world) if shutil.which(program) else f"skipped, no {program}"
        return run
    return decorate
