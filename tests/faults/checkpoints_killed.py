"""Kills `checkpoint create` and `checkpoint cleanup` (SIGKILL) at the entry of every system call that changes a file.

  checkpoints_killed.py PROGRAM

For the first checkpoint of a plan, for one more, and for a cleanup. After each kill the store is sound and holds the
checkpoint or does not, all of the old ones or none; no event names a checkpoint that was never there; whatever was
acknowledged is there; a plain sync leaves valid files and a state that equals the one rebuilt from plan and history; and
the next checkpoint gets a number of its own.
"""

import functools
import json
import pathlib
import sys
import tempfile

from injection import CHANGING, calls_of, inject, strace_or_exit
from support import (REPAIRED, World, arguments_or_exit, broken_law, guarded, invalid_files, run_all, temporary_base,
                     tracked_world)

LATER = "2026-11-20T10:50:00.000Z"  # what is younger than half an hour when the cleanup comes
CREATE = ("checkpoint", "create", "--note", "the one")
CLEANUP = ("checkpoint", "cleanup", "--older-than", "30m", "--all")


def checkpoints(world):
    run = world.run("checkpoint", "list", "-n", "1000", "--json", now=REPAIRED)
    if run.returncode != 0:
        raise AssertionError(f"list exits with {run.returncode}: {run.stderr!r}")
    return [head["checkpoint_id"] for head in json.loads(run.stdout)["checkpoints"]]


def told(world):
    return [event["checkpointId"] for event in world.events() if event["event"] == "checkpoint_saved"]


def findings_after(world, arguments, before, young, acknowledged):
    there = checkpoints(world)
    found = []
    if arguments == CREATE:
        made = [one for one in there if one not in before]
        if [one for one in before if one not in there]:
            found.append(f"checkpoints are gone: {before} became {there}")
        if len(made) > 1 or (acknowledged and len(made) != 1):
            found.append(f"made {made}, acknowledged: {acknowledged}")
        if acknowledged and made[0] not in told(world):
            found.append("acknowledged, and the history knows nothing of it")
        if [one for one in told(world) if one not in there]:
            found.append(f"events {told(world)}, checkpoints {there}")
    elif sorted(there) not in (sorted(before), young) or (acknowledged and sorted(there) != young):
        found.append(f"left are {there}, acknowledged: {acknowledged}")
    run = world.run("sync", now=REPAIRED)
    if run.returncode != 0:
        return found + [f"sync behind the kill exits with {run.returncode}: {run.stderr!r}"]
    found += invalid_files(world)
    run = world.run("doctor", now=REPAIRED)
    if b"checkpoints.db" in run.stdout and "✓ checkpoints.db".encode() not in run.stdout:
        found.append(f"doctor: {run.stdout.decode('utf-8', 'replace')}")
    known = {*before, *there, *told(world)}
    run = world.run("checkpoint", "create", "--json", now=REPAIRED)
    if run.returncode != 0:
        return found + [f"the next one exits with {run.returncode}: {run.stderr!r}"]
    if json.loads(run.stdout)["checkpoint"]["checkpoint_id"] in known:
        found.append("the next one has a number that was given before")
    return found + invalid_files(world) + broken_law(world)


def kill(program, templates, item):
    number, name, when, _ = item
    base, arguments, before, young = templates[number]
    with tempfile.TemporaryDirectory(dir=pathlib.Path(base).parent) as folder:
        world = World(program, base).copy(pathlib.Path(folder) / "world")
        run, came = inject(world, arguments, name, "signal=KILL", when)
        if not came or run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}"]
        return findings_after(world, arguments, before, young, acknowledged=name == "exit_group")


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base)
        fresh = tracked_world(program, base / "fresh")
        used = fresh.copy(base / "used")
        for session in ("cli", "cli", "5e55"):
            used.must("checkpoint", "create", "--session", session)
        old = checkpoints(used)
        used.must("checkpoint", "create", now=LATER)
        young = sorted(set(checkpoints(used)) - set(old))
        templates, items = [], []
        for world, arguments in [(fresh, CREATE), (used, CREATE), (used, CLEANUP)]:
            number = len(templates)
            before = [] if world is fresh else checkpoints(used.copy(base / f"looked-{number}"))
            templates.append((str(world.base), arguments, before, young))
            calls = [call for call in calls_of(world.copy(base / f"trial-{number}"), arguments,
                                               [*CHANGING, "openat", "mmap", "munmap", "fcntl", "exit_group"])
                     if call[0] != "openat" or "O_CREAT" in call[2]]
            items += [(number, *call) for call in calls]
            print(f"{' '.join(arguments)}: killed at {len(calls)} calls")
            if len(calls) < 20 or calls[-1][0] != "exit_group":
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, templates)), items)
    print(f"{tried} kills, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
