"""The real program in a terminal that tmux plays: keys go in, the screen comes out as text.

Nothing waits for a time to pass: wait_for() looks until the screen shows what is expected, or fails. tmux has a server of its
own for each Terminal, so tests do not meet, and no configuration of a user's is read.

A script holds functions test(program, folder), and ends with play().
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
# Long enough for a sanitized program on a busy machine; a test that passes does not take it.
LONGEST = 60

PLAN = """# Sign-in for the shop

## Phase 1: Schema
<!-- CHECKPOINT: schema -->
- [x] T001 Tables for users <!-- TASK: T001 -->
- [x] T002 Migration <!-- TASK: T002 | after: T001 -->

## Phase 2: Login
<!-- CHECKPOINT: login -->
- [x] T003 Form <!-- TASK: T003 -->
- [~] T004 Check the password <!-- TASK: T004 -->
  - [x] T005 Hash it <!-- TASK: T005 -->
  - [ ] T006 Compare in constant time <!-- TASK: T006 -->
- [ ] T007 显示错误信息 🚀 <!-- TASK: T007 | after: T004 -->
- [ ] Tests pass <!-- ACCEPT: tests | verify: echo all well -->

## Phase 3: Logout
<!-- CHECKPOINT: logout -->
- [ ] T008 Button <!-- TASK: T008 -->
- [ ] T009 End every session of the user, also those on other machines <!-- TASK: T009 -->
"""


failures = []


def check(what, fact, seen=""):
    if not fact:
        failures.append(what)
        print("FAILED:", what, str(seen)[:3000])


def require(*programs):
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        print("not installed:", ", ".join(missing))
        sys.exit(SKIPPED)


class Failed(Exception):
    pass


class World:
    """A project with a plan that is tracked, in a folder of its own."""

    def __init__(self, program, base, plan=PLAN, git=False):
        self.program = program
        self.base = pathlib.Path(base).resolve()
        self.folder = self.base / "project"
        self.folder.mkdir(parents=True)
        (self.base / "home").mkdir()
        self.environment = {"HOME": str(self.base / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                            "PLANKEEP_CHECKPOINTS": "off", "TMUX_TMPDIR": str(self.base), "SHELL": "/bin/sh",
                            "PLANKEEP_NOW": "2026-11-20T16:59:10Z", "PS1": "$ ", "GIT_CONFIG_NOSYSTEM": "1"}
        if "ASAN_OPTIONS" in os.environ:
            self.environment["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]
        # ncurses keeps what it allocated until the process ends, on purpose; only our own leaks are of interest.
        suppressions = self.base / "leaks"
        suppressions.write_text("leak:libtinfo\nleak:libncursesw\n", encoding="utf-8")
        self.environment["LSAN_OPTIONS"] = f"suppressions={suppressions}:print_suppressions=0"
        if git:
            self.run("git", "init", "-q")
        self.plan = self.folder / "plan.md"
        self.plan.write_text(plan, encoding="utf-8")
        self.run(program, "init")

    def run(self, *words, check=True, **options):
        return subprocess.run(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, check=check,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST, **options).stdout.decode()

    def history(self):
        return (self.folder / ".checkpoint" / "history.jsonl").read_text(encoding="utf-8")

    def change(self, old, new):
        text = self.plan.read_text(encoding="utf-8")
        if old not in text:
            raise Failed(f"no {old!r} in the plan")
        self.plan.write_text(text.replace(old, new, 1), encoding="utf-8")


class Terminal:
    def __init__(self, world, columns=80, rows=24, **variables):
        self.world = world
        self.socket = str(world.base / "tmux")
        environment = dict(world.environment)
        environment.update(variables)
        words = []
        for name, value in variables.items():
            words += ["-e", f"{name}={value}"]
        self.tmux("kill-server", check=False)
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(world.folder), *words,
                  "/bin/sh", environment=environment)
        self.tmux("set-option", "-g", "status", "off")
        # With the status line gone the window has the whole size again.
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        self.wait_for("$")

    def tmux(self, *words, check=True, environment=None):
        result = subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", "-u", *words], cwd=self.world.base,
                                env=environment or self.world.environment, stdin=subprocess.DEVNULL, timeout=LONGEST,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if check and result.returncode != 0:
            raise Failed(f"tmux {words}: {result.stderr.decode()}")
        return result.stdout.decode("utf-8", "replace")

    def screen(self):
        lines = self.tmux("capture-pane", "-p").split("\n")
        return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"

    def styled(self):
        return self.tmux("capture-pane", "-p", "-e")

    def wait_for(self, *texts, without=()):
        """The screen as soon as it shows all of these, and none of `without`."""
        end = time.monotonic() + LONGEST
        seen = ""
        while time.monotonic() < end:
            seen = self.screen()
            if all(text in seen for text in texts) and not any(text in seen for text in without):
                return seen
            time.sleep(0.02)
        raise Failed(f"the screen never showed {texts} without {without}:\n{seen}")

    def keys(self, *names):
        self.tmux("send-keys", *names)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def command(self, line):
        self.type(line)
        self.keys("Enter")

    def close(self):
        self.tmux("kill-server", check=False)


def process_of(world, words):
    """Waits for the process that was started with these words, perhaps through qemu-user, and returns its number."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                line = (entry / "cmdline").read_bytes().split(b"\0")[:-1]
                folder = os.readlink(entry / "cwd")
            except OSError:
                continue
            if line and b"/qemu-" in line[0]:
                del line[0]
            if [word.decode("utf-8", "replace") for word in line] == list(words) and folder == str(world.folder):
                return int(entry.name)
        time.sleep(0.02)
    raise Failed(f"no process {words}")


def gone(process):
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if not pathlib.Path(f"/proc/{process}").exists():
            return
        time.sleep(0.02)
    raise Failed(f"process {process} does not end")


def play(tests, *programs):
    """Plays the tests, or those that are named behind PROGRAM, each in a folder of its own; the exit status."""
    require(*programs)
    program = os.path.abspath(sys.argv[1])
    base = pathlib.Path(tempfile.mkdtemp())
    try:
        for test in tests:
            if len(sys.argv) > 2 and test.__name__ not in sys.argv[2:]:
                continue
            folder = base / test.__name__
            folder.mkdir()
            try:
                test(program, folder)
            except Failed as error:
                check(test.__name__, False, error)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if failures else 0
