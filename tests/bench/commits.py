#!/usr/bin/python3
"""Prints what `git commit` costs with the hooks of `git-setup --sessions`, as ratios to one hook that starts /bin/true
three times (the budget: 1.2), to three hooks that start it once each, and to no finished session at all, the budgets
beside them. It measures and does not judge.

  commits.py PROGRAM [RUNS]      an optimised PROGRAM; 60 runs by default, in turns
"""

import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.realpath(sys.argv[1])
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 60
SESSIONS = 500
PATHS = 20


class World:
    def __init__(self, base, name):
        self.top = base / name
        self.top.mkdir()
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(base), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL":
                            "/dev/null", "PLANKEEP_CHECKPOINTS": "off"}
        for role in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{role}_NAME": "bench", f"GIT_{role}_EMAIL": "bench@localhost"}
        self.number = 0
        self.run("git", "init", "-q", "-b", "main")
        (self.top / "base.txt").write_text("base\n")
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "-m", "base")

    def run(self, *words, given=None):
        subprocess.run(words, cwd=self.top, env=self.environment, input=given, stdout=subprocess.DEVNULL, check=True)

    def set_up(self):
        self.run(PROGRAM, "git-setup", "--sessions", "--local")

    def hook(self, event, session, **payload):
        payload = {"session_id": session, "transcript_path": str(self.top.parent / "none.jsonl"), "cwd": str(self.top),
                   "hook_event_name": event, **payload}
        self.run(PROGRAM, "hook", "claude-code", event, given=json.dumps(payload).encode())

    def touch(self, session, name):
        self.hook("PostToolUse", session, tool_name="Write", tool_input={"file_path": str(self.top / name), "content": "x"},
                  tool_response={"filePath": str(self.top / name)})

    def fill(self, finished):
        """Sessions that ended: with all committed, or with files that are not."""
        for number in range(SESSIONS):
            session = f"session-{number}"
            notes = self.top / ".git" / "plankeep" / "sessions" / session
            if number == 0:  # makes the folder of the notes
                self.touch(session, f"{number}.txt")
            else:
                notes.parent.mkdir(mode=0o700, exist_ok=True)  # it goes with the last running session
                notes.write_text("C claude-code\n")
            with open(notes, "a", encoding="utf-8") as file:
                for path in range(PATHS):
                    file.write(f"w dir{number}/{path}.txt\n" + (f"c dir{number}/{path}.txt\n" if finished else ""))
                if finished:
                    file.write(f"c {number}.txt\n")
            self.hook("SessionEnd", session, reason="exit")

    def wait_for_writer(self):
        """Else it would run beside what is measured next."""
        own = self.top / ".git" / "plankeep"
        for _ in range(1000):
            if not (own / "commit-links").exists():
                return
            time.sleep(0.01)
        raise AssertionError("the session checkpoint was not written within ten seconds")

    def commit(self, before=None):
        self.number += 1
        (self.top / "mine.txt").write_text(f"{self.number}\n")
        self.run("git", "add", "mine.txt")
        if before:
            before()
        start = time.perf_counter()
        self.run("git", "commit", "-q", "-m", "work")
        return time.perf_counter() - start


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder).resolve()
        worlds = {name: World(base, name) for name in ("no hooks", "one hook", "three hooks", "hooks, no session",
                                                       "a session", "500 finished", "500 unfinished", "linked", "written")}
        one = worlds["one hook"].top / ".git" / "hooks" / "post-commit"
        one.write_text("#!/bin/sh\n/bin/true\n/bin/true\n/bin/true\n")
        one.chmod(0o755)
        for name in ("prepare-commit-msg", "commit-msg", "post-commit"):
            hook = worlds["three hooks"].top / ".git" / "hooks" / name
            hook.write_text("#!/bin/sh\n/bin/true\n")
            hook.chmod(0o755)
        for name in list(worlds)[3:]:
            worlds[name].set_up()
        worlds["a session"].touch("s", "other.txt")
        worlds["500 finished"].fill(True)
        worlds["500 unfinished"].fill(False)
        # The same with the process behind it that writes the session checkpoint.
        del worlds["written"].environment["PLANKEEP_CHECKPOINTS"]
        linked = (worlds["linked"], worlds["written"])
        times = {name: [] for name in worlds}
        for _ in range(RUNS):
            for name, world in worlds.items():
                before = functools.partial(world.touch, "s", "mine.txt") if world in linked else None
                times[name].append(world.commit(before))
                if name == "written":
                    world.wait_for_writer()
        # Nothing of what was measured may have been linked by mistake, and each of the last worlds has to be.
        for name, world in worlds.items():
            told = subprocess.run(["git", "log", "--format=%(trailers:key=Entire-Checkpoint,valueonly)"], cwd=world.top,
                                  env=world.environment, capture_output=True, text=True, check=True).stdout.split()
            assert len(told) == (RUNS if world in linked else 0), (name, len(told))
        medians = {name: statistics.median(measured) for name, measured in times.items()}
        one = medians["one hook"]
        for name, median in medians.items():
            print(f"{name:18} {median * 1e3:7.2f} ms = {median / one:.2f} x one hook, "
                  f"{median / medians['three hooks']:.2f} x three hooks")
        for name in ("hooks, no session", "a session", "linked", "written"):
            print(f"{name} against one hook: {medians[name] / one:.2f} (<= 1.2)")
        print(f"500 finished sessions against none: {medians['500 finished'] / medians['hooks, no session']:.2f} (<= 1.05)")
        print(f"500 with work left against one session: {medians['500 unfinished'] / medians['a session']:.2f} (<= 1.05)")


if __name__ == "__main__":
    main()
