"""Runs commands where files may not grow (ulimit -f, a quota).

  file_limit.py PROGRAM

Writing past the limit must be an error that is reported, not a death by a signal, and the history must be as it was.
"""

import pathlib
import resource
import sys

from support import REPAIRED, SUBJECT, arguments_or_exit, broken_law, invalid_files, temporary_base, tracked_world


def limited(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def findings(world, arguments):
    before = world.history()
    run = world.run(*arguments, preexec_fn=limited(len(before) + 100))
    found = []
    if run.returncode != 4 or b"plankeep: error: " not in run.stderr:
        found.append(f"status {run.returncode}, {run.stderr!r}")
    if world.history() != before:
        found.append("the history is another one")
    return [f"{arguments[0]}: {finding}" for finding in found]


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        world = tracked_world(program, pathlib.Path(base) / "world")
        bad = findings(world, ("note", "x" * 500)) + findings(world, ("done", SUBJECT))
        run = world.run("sync", now=REPAIRED)
        if run.returncode != 0:
            bad.append(f"the next sync exits with {run.returncode}: {run.stderr!r}")
        bad += invalid_files(world) + broken_law(world)
    for finding in bad:
        print(finding)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
