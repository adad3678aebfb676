"""Kills the program (SIGKILL) at the entry of every system call that changes a file, and at its exit.

  kill_at_every_call.py PROGRAM

For `sync` behind an editor, `done`, `sync` on damaged files and `init`. After each kill a plain sync must exit with 0
and leave valid files, every earlier event, the change there whole or not at all, and a state that equals the one
rebuilt from plan and history alone. Only openat with O_CREAT, and write to files as well as to the terminal, count.
"""

import functools
import pathlib
import sys
import tempfile

from injection import CHANGING, SCENARIOS, calls_of, inject, strace_or_exit
from support import World, arguments_or_exit, guarded, run_all, temporary_base, tracked_world


def kill(program, templates, item):
    number, name, when, _ = item
    scenario = SCENARIOS[number]
    template = scenario.world(program, templates[number])
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[number]).parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        run, came = inject(world, scenario.arguments, name, "signal=KILL", when)
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        if run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}"]
        # At its exit everything was printed: whoever read that may rely on it.
        return scenario.findings_after(world, template, acknowledged=name == "exit_group")


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
            calls = [call for call in calls_of(trial, scenario.arguments, [*CHANGING, "openat", "exit_group"])
                     if call[0] != "openat" or "O_CREAT" in call[2]]
            items += [(number, *call) for call in calls]
            print(f"{scenario.name}: killed at {len(calls)} calls")
            if len(calls) < 8 or calls[-1][0] != "exit_group":
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, templates)), items)
    print(f"{tried} kills, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
