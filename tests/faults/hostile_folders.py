"""Tracking folders as an enemy or an accident may leave them.

  hostile_folders.py PROGRAM

`.checkpoint` and each file in it replaced by links to elsewhere, FIFOs, folders, giants and files nobody may read; a
wrong type at every key of state.json; JSON nested without end. Every command must end by itself, without a crash,
with a clear error or a repair; everything outside the folder stays as it was, and nothing new appears there.

PLANKEEP_STRIDE=N in the environment: every Nth of them, from another one at each commit.
"""

import functools
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

from support import (FAULTY, REPAIRED, SUBJECT, World, arguments_or_exit, completions, guarded, invalid_files, is_crash,
                     run_all, temporary_base, ticked, tracked_world)

COMMANDS = [("status",), ("sync",), ("done", SUBJECT, "--by", "main"), ("doctor",), ("doctor", "--repair")]
KEPT_NEXT = pathlib.Path(__file__).resolve().parents[1] / "schemas" / "samples" / "next.full.json"
KEPT_BRIEF = KEPT_NEXT.with_name("brief.full.json")
FILES = ["state.json", "history.jsonl", "recovery.json", "recovery.1.json", "lock", ".gitignore", "next.json", "brief.json", "shown.bin"]
GIANT = 1 << 40
NOBODY = 65534
DEPTH = 100_000


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def link_to_copy(path, outside):
    copy = outside / "copy"
    if path.is_dir():
        shutil.copytree(path, copy)
    else:
        shutil.copyfile(path, copy)
    remove(path)
    path.symlink_to(copy)


def replace_by(make):
    def act(path, outside):
        remove(path)
        make(path, outside)
    return act


def full_folder(path, _):
    path.mkdir()
    (path / "something").write_text("mine\n")


def giant(path, _):
    with open(path, "wb") as file:
        file.truncate(GIANT)


REPLACEMENTS = {
    "a link to a copy outside": link_to_copy,
    "a link to a file outside": replace_by(lambda path, outside: path.symlink_to(outside / "file")),
    "a link to a folder outside": replace_by(lambda path, outside: path.symlink_to(outside / "folder")),
    "a link to nothing": replace_by(lambda path, outside: path.symlink_to(outside / "missing")),
    "a link to itself": replace_by(lambda path, outside: path.symlink_to(path.name)),
    "a FIFO": replace_by(lambda path, outside: os.mkfifo(path)),
    "an empty folder": replace_by(lambda path, outside: path.mkdir()),
    "a full folder": replace_by(full_folder),
    "a file of 1 TiB": replace_by(giant),
    "an empty file": replace_by(lambda path, outside: path.touch()),
    "without permissions": lambda path, outside: path.chmod(0),
}

NESTED = {
    "arrays": b"[" * DEPTH,
    "objects": b'{"a":' * DEPTH,
    "closed arrays": b"[" * DEPTH + b"]" * DEPTH + b"\n",
    "an unknown key": b'{"version":2,"x":' + b"[" * DEPTH + b"]" * DEPTH + b"}\n",
}


def snapshot(world):
    """All that is not ours: names, kinds, contents and times of everything but plan and tracking folder."""
    seen = {}
    home = str(world.base / "home")
    for folder, folders, files in os.walk(world.base):
        if folder == str(world.root):
            folders[:] = [name for name in folders if name != ".checkpoint"]
            files = [name for name in files if name not in ("plan.md", ".checkpoint")]
        if folder == home:
            # Without git the list of the project's plans is kept there.
            folders[:] = [name for name in folders if name != ".local"]
        for name in folders + files:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            text = pathlib.Path(path).read_bytes() if stat.S_ISREG(info.st_mode) else None
            # The project folder holds the plan, which is replaced there.
            time = None if path in (str(world.root), home) else info.st_mtime_ns
            seen[path] = (info.st_mode, info.st_size if text is not None else None, time, text)
    return seen


def is_record(path):
    info = path.lstat()
    return stat.S_ISREG(info.st_mode) and info.st_size < 1 << 24 and info.st_mode & 0o400 != 0


def invalid_records(world, attacked, planted, everything):
    """What is wrong with the records behind a command that exits with 0.

    A command that only changes the records has no need of a bad copy or a bad line in the middle of the history and
    leaves it to `doctor --repair` (everything); it must not spread it to another name.
    """
    if world.tracking.is_symlink() or not world.tracking.is_dir():
        return [".checkpoint is no folder"]
    found = [f"{name} is no file" for name in ("state.json", "history.jsonl")
             if (world.tracking / name).is_symlink() or not is_record(world.tracking / name)]
    checked = World(world.program, world.base / "checked")
    checked.tracking.mkdir(parents=True)
    for path in world.tracking.iterdir():
        if ".damaged-" in path.name or path.name == "something":
            continue
        if path.name == "plans" and path.is_dir() and not path.is_symlink():
            continue  # earlier texts of the plan
        if not is_record(path):
            if path.name != attacked or everything and path.name.startswith("recovery"):
                found.append(f"{path.name} is no file")
            continue
        text = path.read_bytes()
        if path.name == "history.jsonl" and planted:
            text = text.removeprefix(planted)
        is_left = path.name == attacked and path.name != "state.json" and text == planted
        if not is_left or everything and path.name.startswith("recovery"):
            (checked.tracking / path.name).write_bytes(text)
    try:
        found += invalid_files(checked)
    except RecursionError:
        found.append("a file nested without end stands under another name or was not repaired")
    remove(checked.base)
    return found


def run_in(world, command, now=FAULTY, as_nobody=False):
    """One command; findings about how it ended, and what stands outside."""
    before = snapshot(world)
    plan = world.plan.read_text()
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if as_nobody else {}
    try:
        run = world.run(*command, now=now, **options)
    except subprocess.TimeoutExpired:
        return None, [f"{command} hangs"]
    found = []
    errors = run.stderr.decode("utf-8", "replace")[:500]
    if is_crash(run):
        found.append(f"{command} crashes: exit status {run.returncode}, {errors}")
    elif run.returncode not in (0, 1, 4, 5):
        found.append(f"{command} exits with {run.returncode}: {errors}")
    elif run.returncode in (4, 5) and "plankeep: error: " not in errors:
        found.append(f"{command} exits with {run.returncode} and does not say why: {errors}")
    if snapshot(world) != before:
        found.append(f"{command} changed something outside")
    if world.plan.read_text() not in (plan, ticked(plan, SUBJECT) if command[0] == "done" else plan):
        found.append(f"{command} changed more of the plan than a box")
    return run, found


def try_command(world, command, attacked, planted, now=FAULTY, as_nobody=False, counts=False):
    run, found = run_in(world, command, now, as_nobody)
    if run is None or run.returncode != 0 or command in (("status",), ("doctor",)):
        return found
    if not as_nobody:
        found += [f"{command} exits with 0: {finding}"
                  for finding in invalid_records(world, attacked, planted, command == ("doctor", "--repair"))]
    if command[0] == "done" and counts and not found and len(completions(world, SUBJECT)) != 1:
        found.append(f"{command}: task_completed {len(completions(world, SUBJECT))} times")
    return found


def attack(program, template, item):
    kind, name, what, *value = item
    template = World(program, template)
    found = []
    with tempfile.TemporaryDirectory(dir=template.base.parent) as folder:
        folder = pathlib.Path(folder)
        for number, command in enumerate(COMMANDS):
            world = template.copy(folder / str(number))
            path = world.tracking if name == ".checkpoint" else world.tracking / name
            if kind == "replace":
                REPLACEMENTS[what](path, world.base / "outside")
            elif kind == "nested":
                path.write_bytes(NESTED[what])
            else:
                path.write_text(json.dumps(with_value(world.state(), what, value[0])))
            as_nobody = what == "without permissions" and os.geteuid() == 0
            if as_nobody:
                lend(world, folder)
            planted = path.read_bytes() if path.is_file() and is_record(path) else None
            # A state with another type somewhere may be valid and say something else: then that counts.
            counts = kind != "type" and name != "history.jsonl" and not as_nobody
            found += try_command(world, command, name, planted, as_nobody=as_nobody, counts=counts)
            if kind == "type":
                # What was repaired stays repaired, and what was not is not made worse.
                found += ["then " + finding for finding in try_command(world, ("sync",), name, None, REPAIRED)]
            if what == "without permissions":
                path.chmod(0o700)
            remove(world.base)
    return found


def lend(world, folder):
    """Gives a world of root's to nobody, program included, so that permissions count."""
    world.program = str(shutil.copy(world.program, folder / "program"))
    for path in [folder.parent, folder]:
        path.chmod(0o755)
    for top, folders, files in os.walk(world.base):
        for name in [".", *folders, *files]:
            os.chown(os.path.join(top, name), NOBODY, NOBODY, follow_symlinks=False)


def keys_of(value, at=()):
    """Every key, but of the phases, which are all alike, only two."""
    if isinstance(value, dict):
        for key, part in value.items():
            if at == ("phases",) and key not in ("ground", "roof"):
                continue
            yield (*at, key)
            yield from keys_of(part, (*at, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield (*at, number)
            yield from keys_of(part, (*at, number))


def with_value(state, keys, value):
    at = state
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    return state


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        template = tracked_world(program, pathlib.Path(base) / "template")
        template.must("start", SUBJECT)
        template.must("note", "mind the gap")
        # Kept of large plans only; here one of another moment stands in its place, as after a plan that shrank.
        (template.tracking / "next.json").write_bytes(KEPT_NEXT.read_bytes())
        (template.tracking / "brief.json").write_bytes(KEPT_BRIEF.read_bytes())
        (template.tracking / "shown.bin").write_bytes(b"plankeep shown 1\n" + bytes(range(256)))
        outside = template.base / "outside"
        (outside / "folder").mkdir(parents=True)
        (outside / "file").write_text("mine\n")
        (outside / "folder" / "file").write_text("mine too\n")
        replaced = [("replace", name, what) for name in [".checkpoint", *FILES] for what in REPLACEMENTS]
        nested = [("nested", name, what) for name in FILES[:4] for what in NESTED]
        keys = list(keys_of(template.state()))
        types = [("type", "state.json", key, value) for key in keys for value in (None, True, 1, "x", [], {})]
        if len(keys) < 40:
            sys.exit(f"only {len(keys)} keys in the state")
        items = replaced + nested + types
        tried, bad = run_all(functools.partial(guarded, functools.partial(attack, program, str(template.base))), items)
    print(f"{len(replaced)} replaced files, {len(nested)} nested files, {len(types)} wrong types at {len(keys)} keys; "
          f"{len(COMMANDS)} commands on each of {tried}; {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
