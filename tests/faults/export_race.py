"""64 processes that write 64 sessions of one commit at once, and somebody else's git that commits on the same ref.

  export_race.py PROGRAM

In both layouts: every session is there afterwards, once, with its own transcript, and so is every file of the foreign
loop, which knows nothing of our locks. Who is told that the ref is busy asks again, as the hint says.
"""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time

from support import arguments_or_exit, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from session_project import Session, SessionProject  # noqa: E402

COUNT = int(os.environ.get("PLANKEEP_RACERS", "64"))
BUSY = 5
LAYOUTS = ("refs", "branch")
PATIENCE = 300


class Foreign(threading.Thread):
    """Puts one file after another beside what is on the ref, with plumbing and compare-and-swap."""

    def __init__(self, world, ref):
        super().__init__(daemon=True)
        self.world, self.ref, self.stop, self.put = world, ref, threading.Event(), []
        self.environment = {**world.environment(), "GIT_INDEX_FILE": str(world.base / "foreign-index")}

    def git(self, *words, given=None):
        return subprocess.run(["git", *words], cwd=self.world.root, env=self.environment, input=given, check=False,
                              timeout=60, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def run(self):
        """Until it is stopped and has put a file at least, which it can only once the ref is there."""
        end = time.monotonic() + PATIENCE
        while (not self.stop.is_set() or not self.put) and time.monotonic() < end:
            tip = self.git("rev-parse", "-q", "--verify", self.ref).stdout.strip()
            if not tip:
                continue
            name = f"foreign-{len(self.put)}"
            blob = self.git("hash-object", "-w", "--stdin", given=name).stdout.strip()
            self.git("read-tree", tip)
            self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
            tree = self.git("write-tree").stdout.strip()
            commit = self.git("commit-tree", tree, "-p", tip, "-m", name).stdout.strip()
            if commit and self.git("update-ref", self.ref, commit, tip).returncode == 0:
                self.put.append(name)


def race(program, base, layout):
    world = SessionProject(program, base)
    world.extra = {"PLANKEEP_CHECKPOINTS": "off"}
    names = [f"session-{number}" for number in range(COUNT)]
    sessions = []
    for name in names:
        session = Session(world, name)
        session.prompt("Write " + name)
        session.write(name + ".c", name + "\n")
        session.stop()
        sessions.append(session)
    world.commit("all of them")
    dry = world.export("--all", "--layout", layout, "--dry-run")["commits"]
    found = [] if len(dry) == 1 and len(dry[0]["sessions"]) == COUNT else ["not every session has a part in the commit"]
    checkpoint = dry[0]["checkpoint"]
    ref = f"refs/entire/checkpoints/{checkpoint[-2:]}/{checkpoint}" if layout == "refs" else \
        "refs/heads/entire/checkpoints/v1"
    foreign = Foreign(world, ref)
    foreign.start()
    busy = 0
    try:
        waiting = names
        end = time.monotonic() + PATIENCE
        while waiting and time.monotonic() < end:
            running = {name: subprocess.Popen([program, "checkpoint", "export", "--to", "entire", name, "--layout", layout],
                                              cwd=world.root, env=world.environment(), stdin=subprocess.DEVNULL,
                                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) for name in waiting}
            waiting = []
            for name, process in running.items():
                _, errors = process.communicate(timeout=300)
                if process.returncode == BUSY:
                    busy += 1
                    waiting.append(name)
                elif process.returncode != 0:
                    found.append(f"{name} exits with {process.returncode}: {errors!r}")
        if waiting:
            found.append(f"{len(waiting)} exports are told for {PATIENCE} seconds that the ref is busy")
        if found:
            return found
    finally:
        foreign.stop.set()
    foreign.join()
    if not foreign.put:
        found.append("the foreign writer has put nothing")
    shown = json.loads(world.run("session", "show", checkpoint, "--json"))["checkpoint"]
    stored = [one["session_id"] for one in shown["sessions"]]
    if sorted(stored) != sorted(names):
        found.append(f"{len(set(names) - set(stored))} sessions lost, {len(stored) - len(set(stored))} there twice")
    for session in sessions:
        if world.run("session", "show", checkpoint, "--raw", "--session", session.name) != \
                session.transcript.read_text(encoding="utf-8"):
            found.append(f"{session.name} has another transcript")
    there = world.git("ls-tree", "--name-only", ref).split()
    if lost := [name for name in foreign.put if name not in there]:
        found.append(f"of the foreign files are lost: {lost}")
    run = subprocess.run([program, "session", "check", "--deep"], cwd=world.root, env=world.environment(),
                         stdout=subprocess.PIPE, timeout=120, check=False)
    # The foreign files are none of the format's: no finding but those.
    if run.returncode not in (0, 1) or not run.stdout:
        found.append(f"session check exits with {run.returncode}")
    findings = [line for line in run.stdout.decode().splitlines()[:-1] if "foreign-" not in line]
    if findings:
        found.append(f"session check: {findings[:5]}")
    world.git("fsck", "--strict", "--no-dangling")
    print(f"{layout}: {COUNT} processes, {len(foreign.put)} foreign commits between, {busy} times busy, {len(found)} findings")
    return found


def main():
    program = arguments_or_exit(__doc__)
    found = []
    with temporary_base() as base:
        for layout in LAYOUTS:
            found += race(program, os.path.join(base, layout), layout)
    for finding in found:
        print("FAILED", finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
