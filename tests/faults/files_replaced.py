"""`merge-driver` and `import` killed, or refused with a full or broken disk, at every call that changes a file or opens one.

  files_replaced.py PROGRAM

Both replace one file. Whatever happens, it is what it was or what it was to become; exit status 0 says that it has become
that; git is never told of a merge that did not happen (129, not 1); nothing beside it is touched.
"""

import functools
import json
import pathlib
import sys
import tempfile

from injection import CHANGING, READING, calls_of, inject, strace_or_exit
from support import World, arguments_or_exit, guarded, run_all, temporary_base

BASE = "# P\n- [ ] One <!-- TASK: one -->\n- [ ] Two <!-- TASK: two -->\n"
OURS = BASE.replace("[ ] One", "[x] One")
THEIRS = BASE.replace("[ ] Two", "[x] Two")
PRD = json.dumps({"userStories": [{"id": "US-1", "title": "One", "acceptanceCriteria": ["It works"], "passes": True}]})

# Name, arguments, the file that is replaced, and the exit status for "not done".
COMMANDS = [
    ("merge-driver", ("merge-driver", "base", "ours", "theirs", "plan.md"), "ours", 129),
    ("import", ("import", "prd.json", "--to", "new.md"), "new.md", 4),
    ("import --force", ("import", "prd.json", "--to", "base", "--force"), "base", 4),
]


def world_with_files(program, base):
    world = World(program, base)
    world.root.mkdir(parents=True)
    (world.base / "home").mkdir()
    for name, text in (("base", BASE), ("ours", OURS), ("theirs", THEIRS), ("prd.json", PRD)):
        (world.root / name).write_text(text, encoding="utf-8")
    return world


def files(world):
    return {path.name: path.read_bytes() for path in world.root.iterdir()}


def broken(program, template, item):
    number, name, when, fault, _ = item
    _, arguments, target, refused = COMMANDS[number]
    with tempfile.TemporaryDirectory(dir=pathlib.Path(template).parent) as folder:
        world = World(program, template).copy(pathlib.Path(folder) / "world")
        before = files(world)
        good = World(program, template).copy(pathlib.Path(folder) / "good")
        good.must(*arguments)
        wanted = files(good)[target]
        run, came = inject(world, arguments, name, fault, when)
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        after = files(world)
        found = []
        if after.get(target) not in (before.get(target), wanted):
            found.append(f"{target} is neither what it was nor what it was to become")
        if run.returncode == 0 and after.get(target) != wanted:
            found.append(f"exits with 0 and {target} is what it was")
        if fault != "signal=KILL":
            if run.returncode not in (0, refused):
                found.append(f"exits with {run.returncode}: {run.stderr!r}")
            if run.returncode != 0 and b"plankeep: error: " not in run.stderr and name != "write":
                found.append(f"does not say why: {run.stderr!r}")
        temporary = f".{target}.plankeep-tmp"
        for path, content in after.items():
            if path not in (target, temporary) and content != before.get(path):
                found.append(f"{path} was changed or made")
        if run.returncode == 0 and temporary in after:
            found.append("the temporary file was left")
        # What a killed run left is no hindrance.
        again = world.run(*arguments, *(() if "--force" in arguments or number == 0 else ("--force",)))
        if again.returncode != 0 or files(world)[target] != wanted or temporary in files(world):
            found.append(f"the next run exits with {again.returncode} and leaves {sorted(files(world))}")
        return found


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        template = world_with_files(program, pathlib.Path(base) / "template")
        items = []
        for number, (name, arguments, _, _) in enumerate(COMMANDS):
            trial = template.copy(pathlib.Path(base) / f"trial-{number}")
            calls = calls_of(trial, arguments, [*CHANGING, *READING])
            changing = [call for call in calls if call[0] in CHANGING]
            items += [(number, call, str(when), "signal=KILL", line) for call, when, line in changing]
            items += [(number, call, str(when), "error=" + error, line) for call, when, line in calls
                      for error in (("EIO", "ENOSPC") if call in CHANGING else ("EIO",))]
            print(f"{name}: {len(calls)} calls, {len(changing)} of them change something")
            if len(changing) < 5:
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(broken, program, str(template.base))), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
