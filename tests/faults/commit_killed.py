"""Kills `commit` (SIGKILL) at the entry of every system call that changes a file or starts a process.

  commit_killed.py PROGRAM

git, once it runs, ends by itself. Behind each kill: `doctor --repair` leaves valid files; there is one commit or none,
whole, and one for certain once the program had said so; without a commit the index is what it was; a commit that is
there has its sidecar and its event; another `commit --all` makes what is missing and nothing twice; and the state equals
the one rebuilt from plan and history alone.
"""

import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from injection import CHANGING, calls_of, inject, strace_or_exit
from support import REPAIRED, arguments_or_exit, broken_law, guarded, invalid_files, run_all, temporary_base
from verify_support import Project, project

PROCESSES = "fork vfork clone clone3 pipe2 wait4 waitid".split()
ARGUMENTS = ("commit", "--all", "-m", "what was done", "--by", "main")


class Repository(Project):
    def copy(self, to):
        copied = super().copy(to)
        return Repository(copied.program, copied.base)

    def environment(self, now=REPAIRED):
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"))}
        return {**super().environment(now), **who, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, env=self.environment(), check=True, stdout=subprocess.PIPE,
                              text=True).stdout

    def commits(self):
        lines = [line.split(" ", 1) for line in self.git("log", "--format=%H %s").splitlines()]
        return [sha for sha, subject in lines if subject.startswith("chore(plankeep): checkpoint ")]

    def bound(self, sha):
        """Why a commit is not bound to its phase, as lines."""
        path = self.tracking / "commits" / (sha + ".json")
        if not path.is_file():
            return [f"commit {sha} has no sidecar"]
        found = []
        if json.loads(path.read_text())["phase_id"] != "ground":
            found.append(f"the sidecar of {sha} tells of another phase")
        told = [event for event in self.events() if event["event"] == "checkpoint_complete" and event["commit_sha"] == sha]
        if not told:
            found.append(f"no event tells of commit {sha}")
        return found


def findings_after(world, acknowledged):
    found = world.nothing_left()
    (world.root / ".git/index.lock").unlink(missing_ok=True)  # of a git that was killed with us
    run = world.run("doctor", "--repair", now=REPAIRED)
    if run.returncode not in (0, 1):
        return found + [f"doctor --repair behind the kill exits with {run.returncode}: {run.stderr!r}"]
    run = world.run("sync", now=REPAIRED)
    if run.returncode != 0:
        return found + [f"sync behind the kill exits with {run.returncode}: {run.stderr!r}"]
    found += invalid_files(world)
    commits = world.commits()
    status = sorted(world.git("status", "--porcelain").splitlines())
    if not commits and status != [" M source", "?? new"]:
        found.append(f"without a commit the index is not what it was: {status}")
    if len(commits) > 1 or (acknowledged and not commits):
        found.append(f"there are {len(commits)} commits")
    for sha in commits:
        found += world.bound(sha)
    again = world.run(*ARGUMENTS, now=REPAIRED)
    if again.returncode != (1 if commits else 0):
        found.append(f"commit behind it exits with {again.returncode}: {again.stderr!r}")
    if len(world.commits()) != 1:
        found.append(f"commit behind it leaves {len(world.commits())} commits")
    for sha in world.commits():
        found += world.bound(sha)
    return found + broken_law(world)


def kill(program, template, item):
    name, when, _ = item
    with tempfile.TemporaryDirectory(dir=pathlib.Path(template).parent) as folder:
        world = Repository(program, template).copy(pathlib.Path(folder) / "world")
        run, came = inject(world, ARGUMENTS, name, "signal=KILL", when)
        # How often it waits for git is not the same twice.
        if not came and name in ("waitid", "wait4") and run.returncode == 0:
            return []
        if not came or run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}: {run.stderr!r}"]
        return findings_after(world, acknowledged=name == "exit_group")


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        tracked = project(program, pathlib.Path(base) / "tracked")
        template = Repository(program, tracked.base)
        (template.root / "source").write_text("changed\n")
        (template.root / "new").write_text("new\n")
        calls = calls_of(template.copy(pathlib.Path(base) / "trial"), ARGUMENTS,
                         [*CHANGING, *PROCESSES, "openat", "exit_group"])
        items = [call for call in calls if call[0] != "openat" or "O_CREAT" in call[2]]
        print(f"killed at {len(items)} calls")
        if len(items) < 20 or items[-1][0] != "exit_group":
            sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, str(template.base))), items)
    print(f"{tried} kills, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
