"""Kills `verify` (SIGKILL) at the entry of every system call that changes a file or has to do with processes.

  verify_killed.py PROGRAM

For a command that passes and ticks its criterion, and for one that fails and unticks it. After each kill nothing of the
command is left; a plain sync exits with 0 and leaves valid files, and a state that equals the one rebuilt from plan and
history alone. The box and the state agree. Evidence is there whole or not at all, and there for certain once the program
had said so; and verify works again. Processes that are asked for an answer (git) end by themselves.
"""

import functools
import pathlib
import sys
import tempfile

from injection import CHANGING, calls_of, inject, strace_or_exit
from support import REPAIRED, arguments_or_exit, broken_law, guarded, invalid_files, run_all, temporary_base
from verify_support import Project, project

PROCESSES = "fork vfork clone clone3 setpgid pipe2 wait4 waitid kill poll".split()
# The criterion, the exit status of its verify and of its command.
SCENARIOS = [("level", 0, 0), ("tight", 1, 3)]


def arguments_of(criterion):
    return ("verify", criterion, "--yes", "--by", "main")


def findings_after(world, criterion, status, command_status, acknowledged):
    found = world.nothing_left()
    run = world.run("sync", now=REPAIRED)
    if run.returncode != 0:
        return found + [f"sync behind the kill exits with {run.returncode}: {run.stderr!r}"]
    found += invalid_files(world)
    if found:
        return found
    ticked = f"[x] It is {criterion} " in world.plan.read_text()
    evidence = world.evidence().get(criterion)
    met = next(phase["acceptance"][criterion]["met"] for phase in world.state()["phases"].values()
               if criterion in phase["acceptance"])
    if met != ticked:
        found.append(f"the box says {ticked}, the state {met}")
    if evidence and evidence != (command_status == 0, command_status):
        found.append(f"evidence {evidence}")
    if acknowledged and not evidence:
        found.append("acknowledged, and there is no evidence")
    again = world.run(*arguments_of(criterion), now=REPAIRED)
    if again.returncode != status:
        found.append(f"verify behind it exits with {again.returncode}: {again.stderr!r}")
    if world.evidence().get(criterion) != (command_status == 0, command_status):
        found.append("verify behind it leaves no evidence")
    return found + world.nothing_left() + broken_law(world)


def kill(program, templates, item):
    number, name, when, _ = item
    criterion, status, command_status = SCENARIOS[number]
    template = Project(program, templates[number])
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[number]).parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        run, came = inject(world, arguments_of(criterion), name, "signal=KILL", when)
        # How often it waits for what a command says is not the same twice.
        if not came and name in ("poll", "waitid", "wait4") and run.returncode == status:
            return []
        if not came or run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}"]
        return findings_after(world, criterion, status, command_status, acknowledged=name == "exit_group")


def calls_in(world, criterion):
    """As calls_of, for a program that may exit with 1."""
    run = world.run
    try:
        def forgiving(*arguments, **options):
            result = run(*arguments, **options)
            if result.returncode == 1:
                result.returncode = 0
            return result
        world.run = forgiving
        return calls_of(world, arguments_of(criterion), [*CHANGING, *PROCESSES, "openat", "exit_group"])
    finally:
        del world.run


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        tracked = project(program, pathlib.Path(base) / "tracked")
        templates, items = [], []
        for number, (criterion, _, _) in enumerate(SCENARIOS):
            template = tracked.copy(pathlib.Path(base) / f"template-{number}")
            templates.append(str(template.base))
            calls = [call for call in calls_in(template.copy(pathlib.Path(base) / f"trial-{number}"), criterion)
                     if call[0] != "openat" or "O_CREAT" in call[2]]
            items += [(number, *call) for call in calls]
            print(f"{criterion}: killed at {len(calls)} calls")
            if len(calls) < 20 or calls[-1][0] != "exit_group":
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, templates)), items)
    print(f"{tried} kills, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
