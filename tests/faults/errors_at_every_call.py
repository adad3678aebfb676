"""Lets every system call of a change fail, one at a time: a full disk (ENOSPC) and a broken one (EIO).

  errors_at_every_call.py PROGRAM

The calls are those that change a file, and those that open, look at or read one. Each fails once; those that change
a file also from that moment on, as on a disk that stays full. The program must exit with 4 and say why, or with 0 and
have done everything; it never crashes, and leaves valid files. A plain sync then repairs everything, and nothing
that was recorded is lost.
"""

import functools
import pathlib
import sys
import tempfile

from injection import CHANGING, READING, SCENARIOS, calls_of, inject, strace_or_exit
from support import (World, arguments_or_exit, guarded, invalid_files, is_crash, run_all, temporary_base,
                     tracked_world)


def break_call(program, templates, item):
    number, name, when, error, line = item
    scenario = SCENARIOS[number]
    template = scenario.world(program, templates[number])
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[number]).parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        run, came = inject(world, scenario.arguments, name, "error=" + error, when)
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        if is_crash(run):
            return [f"crashed: exit status {run.returncode}, {run.stderr!r}"]
        found = []
        if run.returncode not in (0, 4):
            found.append(f"exits with {run.returncode}: {run.stderr!r}")
        # A terminal that cannot be written to cannot be told so.
        told_nobody = name == "write" and when.endswith("+")
        if run.returncode == 4 and b"plankeep: error: " not in run.stderr and not told_nobody:
            found.append(f"exits with 4 and does not say why: {run.stderr!r}")
        if "damaged" not in scenario.name and world.tracking.exists():
            found += ["at once: " + finding for finding in invalid_files(world)]
        return found + scenario.findings_after(world, template, acknowledged=run.returncode == 0)


def variants(calls):
    for name, when, line in calls:
        # No system reports a full disk for a look or a read.
        for error in ("EIO",) if name in READING and "O_CREAT" not in line else ("ENOSPC", "EIO"):
            yield name, str(when), error, line
        if name in CHANGING:
            yield name, f"{when}+", "ENOSPC", line


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        tracked = tracked_world(program, pathlib.Path(base) / "tracked")
        templates, items = [], []
        for number, scenario in enumerate(SCENARIOS):
            template = tracked.copy(pathlib.Path(base) / f"template-{number}")
            scenario.prepare(template)
            template = scenario.world(program, template.base)
            templates.append(str(template.base))
            trial = template.copy(pathlib.Path(base) / f"trial-{number}")
            calls = calls_of(trial, scenario.arguments, [*CHANGING, *READING])
            errors = [(number, *variant) for variant in variants(calls)]
            items += errors
            print(f"{scenario.name}: {len(calls)} calls, {len(errors)} errors")
            if len(calls) < 20:
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(break_call, program, templates)), items)
    print(f"{tried} errors injected, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
