"""Kills `session push` and `session fetch`: at every call that changes a file, and with each git process that they start.

  sessions_network_killed.py PROGRAM

The push has to merge: the remote and the clone went apart in a checkpoint with a ref of its own and on the branch, and the
clone has a checkpoint that the push queue does not know. Behind each kill the next push ends well: both sides have the same
refs, every line of every transcript is in them, the queue is empty, nothing that was fetched for the merge is left, and the
user's branch, HEAD and configuration are what they were. Behind a killed fetch the next one has all, and outside of
.git/plankeep/ no byte has changed.

git is killed before it starts and the program after it has ended, by a `git` in front of PATH that counts.
"""

import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from injection import CHANGING, calls_of, inject, strace_or_exit, wait_for_processes
from support import TIMEOUT, arguments_or_exit, guarded, run_all, temporary_base

BUNDLE = pathlib.Path(__file__).resolve().parents[1] / "cases/session/files/sessions.bundle"
OWN_REF = "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209"
LOST_REF = "refs/entire/checkpoints/0A/01HF7YAT00000G40R40M30E20A"
BRANCH = "refs/heads/entire/checkpoints/v1"
SESSION = {OWN_REF: "0", BRANCH: "a1/b2c3d4e5f6/0"}  # where a session of it is
PUSH, FETCH = ("session", "push", "--yes"), ("session", "fetch")
LINES = {f'{{"type":"user","message":"{side}"}}' for side in ("here", "there")}

COUNTING = """#!/bin/sh
count=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo $count >"$COUNT"
[ "$KILL" = "git $count" ] && kill -9 $$
/usr/bin/git "$@"
status=$?
[ "$KILL" = "program $count" ] && kill -9 $PPID
exit $status
"""


class Clone:
    """A remote, a clone beside it, a home and a `git` that can be told to die."""

    def __init__(self, program, base):
        self.program, self.base = program, pathlib.Path(base)
        self.root = self.base / "project"
        self.bare = self.base / "bare.git"
        self.extra = {}

    def copy(self, to):
        shutil.copytree(self.base, to, symlinks=True)
        return Clone(self.program, to)

    def environment(self):
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"), ("DATE", "2026-11-20T15:00:00Z"))}
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.base / "home"), "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_GLOBAL": os.devnull, "PLANKEEP_NOW": "2026-11-20T16:00:00.000Z", **who, **self.extra}

    def run(self, *arguments, before=(), payload=None):
        return subprocess.run([*before, self.program, *arguments], cwd=self.root, env=self.environment(), check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT * 3)

    def git(self, *words, where=None, text=None, index=None):
        environment = self.environment()
        if index:
            environment["GIT_INDEX_FILE"] = str(index)
        return subprocess.run(["/usr/bin/git", *words], cwd=where or self.root, env=environment, check=True, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout.strip()

    def add_line(self, where, ref, line):
        """A commit on the ref with one more line in the transcript of a session."""
        folder = SESSION[ref]
        text = self.git("cat-file", "blob", f"{ref}:{folder}/full.jsonl", where=where) + "\n" + line + "\n"
        index = self.base / "index"
        self.git("read-tree", ref, where=where, index=index)
        for name, content in (("full.jsonl", text),
                              ("content_hash.txt", "sha256:" + hashlib.sha256(text.encode()).hexdigest())):
            blob = self.git("hash-object", "-w", "--stdin", where=where, text=content)
            self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{folder}/{name}", where=where, index=index)
        tree = self.git("write-tree", where=where, index=index)
        self.git("update-ref", ref, self.git("commit-tree", "-p", ref, "-m", "one more line", tree, where=where), where=where)
        index.unlink()

    def users(self):
        git = self.root / ".git"
        return [(git / name).read_bytes() for name in ("config", "HEAD", "refs/heads/main")]

    def files(self):
        """Everything of .git but our own folder, and what git refreshes when it looks."""
        git = self.root / ".git"
        return {str(path.relative_to(git)): path.read_bytes() for path in sorted(git.rglob("*"))
                if path.is_file() and not path.is_relative_to(git / "plankeep")}

    def refs(self, where):
        told = self.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/entire/", BRANCH, where=where)
        return dict(reversed(line.split(" ")) for line in told.splitlines())


def template_of(program, base):
    world = Clone(program, base)
    for folder in (world.root, world.base / "home", world.bare):
        folder.mkdir(parents=True)
    (world.base / "bin").mkdir()
    (world.base / "bin/git").write_text(COUNTING)
    (world.base / "bin/git").chmod(0o755)
    world.git("init", "-q", "--bare", ".", where=world.bare)
    world.git("config", "uploadpack.allowFilter", "true", where=world.bare)
    world.git("init", "-q", "-b", "main")
    world.git("commit", "-q", "--allow-empty", "-m", "work")
    world.git("remote", "add", "origin", "../bare.git")
    for where in (world.bare, world.root):
        world.git("fetch", "-q", str(BUNDLE), f"+{OWN_REF}:{OWN_REF}", f"+{BRANCH}:{BRANCH}", where=where)
    return world


def apart(world):
    for ref in SESSION:
        world.add_line(world.bare, ref, '{"type":"user","message":"there"}')
        world.add_line(world.root, ref, '{"type":"user","message":"here"}')
    world.git("update-ref", LOST_REF, OWN_REF)
    (world.root / ".git/entire-checkpoint-push-queue.jsonl").write_text(json.dumps({"ref": OWN_REF}) + "\n")
    (world.root / ".git/FETCH_HEAD").unlink(missing_ok=True)
    return world


def findings_of_push(world, before):
    found = []
    run = world.run(*PUSH)
    if run.returncode != 0:
        return [f"the next push exits with {run.returncode}: {run.stderr!r} {run.stdout!r}"]
    here, there = world.refs(world.root), world.refs(world.bare)
    if here != there or set(here) != {OWN_REF, LOST_REF, BRANCH}:
        found.append(f"here {here}, there {there}")
    for ref in SESSION:
        names = world.git("ls-tree", "-r", "--name-only", ref).splitlines()
        lines = {line for name in names if name.endswith(".jsonl")
                 for line in world.git("cat-file", "blob", f"{ref}:{name}").splitlines()}
        if not LINES <= lines:
            found.append(f"{ref} lacks {LINES - lines}")
    if (world.root / ".git/entire-checkpoint-push-queue.jsonl").read_text():
        found.append("the queue is not empty")
    if left := world.git("for-each-ref", "refs/plankeep"):
        found.append(f"left: {left}")
    if world.users() != before:
        found.append("the user's branch, HEAD or configuration changed")
    for where in (world.root, world.bare):
        world.git("fsck", "--strict", where=where)
    # The checkpoint under LOST_REF is a copy of the other one, which is its only fault.
    told = json.loads(world.run("session", "check", "--deep", "--json").stdout)
    found += [f"session check: {one}" for one in told["findings"] if one.get("checkpoint") != LOST_REF.rsplit("/", 1)[1]]
    return found


def findings_of_fetch(world, before):
    run = world.run(*FETCH)
    if run.returncode != 0:
        return [f"the next fetch exits with {run.returncode}: {run.stderr!r}"]
    found = [] if world.files() == before else ["a file of the user's repository changed"]
    listed = json.loads(world.run("session", "list", "--json").stdout)
    ids = sorted(one["id"] for one in listed["checkpoints"])
    if ids != ["01HF7YAT00000G40R40M30E209", "a1b2c3d4e5f6"] or any(one["problems"] for one in listed["checkpoints"]):
        found.append(f"listed: {listed}")
    return found


KINDS = {"push": (PUSH, findings_of_push, Clone.users), "fetch": (FETCH, findings_of_fetch, Clone.files)}


def kill(program, templates, item):
    kind, name, when = item
    arguments, findings, digest = KINDS[kind]
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[kind]).parent) as folder:
        world = Clone(program, templates[kind]).copy(pathlib.Path(folder) / "world")
        before = digest(world)
        if name in ("git", "program"):
            world.extra = {"PATH": f"{world.base / 'bin'}:/usr/bin:/bin", "COUNT": str(world.base / "count"),
                           "KILL": f"{name} {when}"}
            run = world.run(*arguments)
            world.extra = {}
            if name == "program" and run.returncode != -9:
                return [f"was to be killed, exits with {run.returncode}: {run.stderr!r}"]
            if run.returncode == 0 and kind == "push" and b"origin" not in run.stdout:
                return [f"with a git that was killed it says {run.stdout!r}"]
        else:
            run, came = inject(world, arguments, name, "signal=KILL", when)
            if not came or run.returncode != -9:
                return [f"was to be killed, exits with {run.returncode}: {run.stderr!r}"]
        wait_for_processes(world.base)
        for lock in (world.root / ".git").rglob("*.lock"):
            if lock.parent.name == "09" or lock.name.startswith(("packed-refs", "v1")):
                lock.unlink()  # of a git that was killed with us
        return findings(world, before)


def processes_of(template, arguments, world):
    copied = template.copy(world)
    copied.extra = {"PATH": f"{copied.base / 'bin'}:/usr/bin:/bin", "COUNT": str(copied.base / "count")}
    run = copied.run(*arguments)
    if run.returncode != 0:
        raise AssertionError(f"{arguments} exits with {run.returncode}: {run.stderr!r}")
    return int((copied.base / "count").read_text())


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base)
        push = apart(template_of(program, base / "push"))
        fetch = template_of(program, base / "fetch")
        fetch.git("update-ref", "-d", OWN_REF)
        fetch.git("update-ref", "-d", BRANCH)
        fetch.git("reflog", "expire", "--expire=now", "--all")
        fetch.git("gc", "-q", "--prune=now")
        (fetch.root / ".git/FETCH_HEAD").unlink(missing_ok=True)
        items = []
        for kind, template in (("push", push), ("fetch", fetch)):
            arguments = KINDS[kind][0]
            trial = template.copy(base / f"trial-{kind}")
            calls = calls_of(trial, arguments, [*CHANGING, "openat", "exit_group"])
            items += [(kind, name, when) for name, when, line in calls if name != "openat" or "O_CREAT" in line]
            count = processes_of(template, arguments, base / f"count-{kind}")
            items += [(kind, name, when) for when in range(1, count + 1) for name in ("git", "program")]
        print(f"killed at {len(items)} places")
        if len(items) < 60:
            sys.exit("that cannot be all of them")
        templates = {"push": str(push.base), "fetch": str(fetch.base)}
        tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, templates)), items)
    print(f"{tried} kills, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
