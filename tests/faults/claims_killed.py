"""Kills `claim`, `next --claim` and `release` at every system call that changes a file, and at their exit.

  claims_killed.py PROGRAM

After each kill the claim is recorded whole or not at all: the next `next --claim` gets the task if it is not, another
one if it is, and never under a fence that was given out before. What was acknowledged is there. The files are valid and
equal what plan and history give.
"""

import functools
import json
import pathlib
import sys
import tempfile

from injection import CHANGING, calls_of, inject, strace_or_exit
from support import (REPAIRED, World, arguments_or_exit, broken_law, guarded, invalid_files, run_all, temporary_base,
                     tracked_world)

# For longer than the hours between a fault and its repair.
COMMANDS = [("claim", "tiles", "--by", "main", "--ttl", "30d"), ("next", "--claim", "--by", "main", "--ttl", "30d"),
            ("release", "tiles", "--by", "team:kim")]


def lease_of(world, task):
    return next((lease for lease in world.state().get("leases", []) if lease["taskId"] == task), None)


def findings_after(world, command, acknowledged):
    run = world.run("sync", now=REPAIRED)
    if run.returncode != 0:
        return [f"sync behind the fault exits with {run.returncode}: {run.stderr!r}"]
    found = invalid_files(world)
    lease = lease_of(world, "tiles")
    releasing = command[0] == "release"
    if lease is not None and lease["by"] != ("team:kim" if releasing else "main"):
        found.append(f"the lease is of somebody else: {lease!r}")
    if acknowledged and (lease is None) != releasing:
        found.append(f"the acknowledged change is not there: {lease!r}")
    given = [event["fence"] for event in world.events() if event["event"] == "task_claimed"]
    run = world.run("next", "--claim", "--by", "team:heir", "--json", now=REPAIRED)
    answer = json.loads(run.stdout)
    if run.returncode != 0:
        return found + [f"nothing is left to be taken: {run.stdout!r}"]
    if answer["task"]["id"] != ("path" if lease is not None else "tiles"):
        found.append(f"{answer['task']['id']} is given with the lease {lease!r}")
    if answer["lease"]["fence"] <= max(given, default=0):
        found.append(f"fence {answer['lease']['fence']} was given out before: {given}")
    return found + invalid_files(world) + broken_law(world)


def kill(program, templates, item):
    number, name, when, _ = item
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[number]).parent) as folder:
        world = World(program, templates[number]).copy(pathlib.Path(folder) / "world")
        run, came = inject(world, COMMANDS[number], name, "signal=KILL", when)
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        if run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}"]
        return findings_after(world, COMMANDS[number], acknowledged=name == "exit_group")


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        tracked = tracked_world(program, pathlib.Path(base) / "tracked")
        templates, items = [], []
        for number, command in enumerate(COMMANDS):
            template = tracked.copy(pathlib.Path(base) / f"template-{number}")
            if command[0] == "release":
                template.must("claim", "tiles", "--by", "team:kim", "--ttl", "30d")
            templates.append(str(template.base))
            trial = template.copy(pathlib.Path(base) / f"trial-{number}")
            calls = [call for call in calls_of(trial, command, [*CHANGING, "openat", "exit_group"])
                     if call[0] != "openat" or "O_CREAT" in call[2]]
            items += [(number, *call) for call in calls]
            print(f"{' '.join(command)}: killed at {len(calls)} calls")
            if len(calls) < 5 or calls[-1][0] != "exit_group":
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, templates)), items)
    print(f"{tried} kills, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
