"""`verify` interrupted, and beside itself and others.

  verify_race.py PROGRAM

Interrupted, asked to end, hung up or killed while a command runs that ignores SIGTERM: nothing of it is left, and nothing
is recorded. Twelve verifies of three criteria at once, with editors that tick and untick boxes in between: every run that
was acknowledged stands in the history with its evidence, the files are valid and the state is what plan and history give.
The command changed, its criterion taken out or the plan made unreadable while it runs: nothing is recorded for it.
"""

import functools
import json
import pathlib
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from support import REPAIRED, arguments_or_exit, broken_law, guarded, invalid_files, temporary_base
from verify_support import PATIENCE, project

AT_ONCE = 12


def started(world, *arguments):
    return subprocess.Popen([world.program, "verify", *arguments], cwd=world.root, env=world.environment(),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.01)


def sleeping(world):
    """Whether the command has come to its sleep: the program, its guard, the shell and two more."""
    return len(world.left()) >= 4


def interrupted(world, which):
    before = world.history()
    plan = world.plan.read_bytes()
    run = started(world, "stands", "--yes")
    wait_for(lambda: sleeping(world), "the command")
    run.send_signal(which)
    out, errors = run.communicate(timeout=PATIENCE)
    found = world.nothing_left()
    wanted = -9 if which == signal.SIGKILL else 130
    if run.returncode != wanted:
        found.append(f"{which.name}: exits with {run.returncode}: {out!r} {errors!r}")
    if world.history() != before or world.plan.read_bytes() != plan:
        found.append(f"{which.name}: something was recorded")
    if which != signal.SIGKILL and b"interrupted: not recorded" not in out:
        found.append(f"{which.name}: it says {out!r}")
    return found + invalid_files(world)


def together(world):
    def verify(number):
        return number, world.run("verify", "level", "tight", "holds", "--yes", "--by", f"team:v{number}", timeout=PATIENCE)

    def toggle(number):
        command = ("done", "reopen")[number % 2]
        return world.run(command, "tiles", "level", "--by", "main", timeout=PATIENCE)

    with ThreadPoolExecutor(AT_ONCE + 4) as pool:
        toggles = [pool.submit(toggle, number) for number in range(12)]
        runs = [future.result() for future in [pool.submit(verify, number) for number in range(AT_ONCE)]]
        others = [future.result() for future in toggles]
    found = [f"done or reopen exits with {run.returncode}: {run.stderr!r}" for run in others if run.returncode != 0]
    events = [event for event in world.events() if "evidence" in event]
    for number, run in runs:
        if run.returncode not in (0, 1) or run.stderr:
            found.append(f"verify exits with {run.returncode}: {run.stderr!r}")
        mine = sorted((event["criteriaId"], event["evidence"]["exitStatus"]) for event in events
                      if event["by"] == f"team:v{number}")
        if mine != [("holds", 0), ("level", 0), ("tight", 3)]:
            found.append(f"of run {number} the history has {mine}")
    found += world.nothing_left() + invalid_files(world)
    world.run("sync", now=REPAIRED)
    return found + broken_law(world)


def changed_meanwhile(world, change, status):
    """The plan is another one when the command has ended."""
    before = [event for event in world.events() if "evidence" in event]
    gate = world.root / "gate"
    world.plan.write_text(world.plan.read_text().replace("verify: echo holds", "verify: while [ ! -e gate ]; do sleep 0.01; done"))
    world.must("sync")
    run = started(world, "holds", "--yes", "--json")
    wait_for(lambda: len(world.left()) >= 3, "the command")
    change(world)
    gate.write_text("")
    out, errors = run.communicate(timeout=PATIENCE)
    found = world.nothing_left()
    result = json.loads(out)["criteria"][0]["result"]
    if run.returncode != 1 or result != status:
        found.append(f"exits with {run.returncode}, says {result}: {errors!r}")
    if [event for event in world.events() if "evidence" in event] != before:
        found.append("evidence was recorded")
    return found


def other_command(world):
    world.plan.write_text(world.plan.read_text().replace("while [", "while  true; [ "))


def taken_out(world):
    lines = world.plan.read_text().splitlines(True)
    world.plan.write_text("".join(line for line in lines if "ACCEPT: holds" not in line))


def unreadable(world):
    world.plan.write_bytes(b"\0\1\2")


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        template = project(program, pathlib.Path(base) / "template")
        tests = {f"interrupted by {which.name}": functools.partial(interrupted, which=which)
                 for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)}
        tests["many at once"] = together
        for change in (other_command, taken_out, unreadable):
            tests[change.__name__] = functools.partial(changed_meanwhile, change=change, status="not_kept")
        bad = 0
        for number, (name, test) in enumerate(tests.items()):
            findings = guarded(test, template.copy(pathlib.Path(base) / f"world-{number}"))
            bad += bool(findings)
            for finding in findings:
                print(f"FAILED {name}: {finding}", flush=True)
    print(f"{len(tests)} tests, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
