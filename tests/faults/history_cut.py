"""Cuts history.jsonl at every byte of its last three lines, as a crash or a bad copy may leave it. That no byte is
special is shown in memory (store/history_cut_test.cpp); here the whole program meets a sample of them.

  history_cut.py PROGRAM

Twice: when the lines are one save (a batch: there whole or torn) and when each is a save of its own. Each time with
state.json kept, with state.json deleted, and with the recovery copies deleted too. A sync must exit with 0, leave
valid files, keep every event before the cut once and byte for byte, and set what is torn aside.
"""

import functools
import json
import pathlib
import sys
import tempfile

from support import (REPAIRED, SUBJECT, World, arguments_or_exit, broken_law, guarded, invalid_files,
                     run_all, task_in, temporary_base, tracked_world)

MODES = {"state kept": [], "state deleted": ["state.json"],
         "state and copies deleted": ["state.json", "recovery*.json"]}


def save_in_one_batch(world):
    world.must("note", "before the batch", "--by", "main")
    world.must("done", SUBJECT, "--by", "main")


def saves_of_one_line(world):
    world.must("done", SUBJECT, "--by", "main")
    for text in ("one", "two", "three"):
        world.must("note", text)


SHAPES = {"one batch": save_in_one_batch, "three saves": saves_of_one_line}


def parts(batch):
    return [int(part) for part in batch.split("/")]


def expected_end(text):
    """How much of a cut history counts, and whether its last line only lacks the line feed (spec 4)."""
    whole, _, rest = text.rpartition(b"\n")
    whole = whole + b"\n" if whole else b""
    lines = whole.splitlines(True)
    bare = False
    try:
        bare = isinstance(json.loads(rest), dict)
    except ValueError:
        pass
    if bare:
        lines.append(rest)
    # A batch whose last event is missing was never acknowledged.
    number, count = parts(json.loads(lines[-1]).get("batch", "1/1"))
    if number < count:
        return sum(map(len, lines[:len(lines) - number])), False
    return sum(map(len, lines)), bare


def is_completion(event):
    return event["event"] == "task_completed" and event["taskId"] == SUBJECT


def cut_there(program, templates, item):
    shape, mode, cut = item
    template = World(program, templates[shape])
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[shape]).parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        text = template.history()[:cut]
        (world.tracking / "history.jsonl").write_bytes(text)
        for pattern in MODES[mode]:
            for path in world.tracking.glob(pattern):
                path.unlink()
        run = world.run("sync", now=REPAIRED)
        if run.returncode != 0:
            return [f"exits with {run.returncode}: {run.stderr!r}"]
        found = invalid_files(world)
        end, bare = expected_end(text)
        after = world.history()
        # When nothing had to be written, a torn end stays where it is until the next change.
        untouched = after == text and not found
        if not untouched and not after.startswith(text[:end] + (b"\n" if bare else b"")):
            found.append("events before the cut are not there as they were")
        if not untouched and end < cut and text[end:] not in world.set_aside("history.jsonl"):
            found.append(f"the {cut - end} torn bytes were not set aside")
        if untouched and (end < cut or bare):
            found.append("the torn end is still there")
        told = [event for event in world.events() if is_completion(event)]
        done = task_in(world.state(), SUBJECT)
        if len(told) != 1 or not done["done"] or done["completedBy"] != told[0]["by"]:
            found.append(f"the finished task: events {told!r}, state {done!r}")
        seen_before = b'"task_completed","taskId":"' + SUBJECT.encode() in text[:end]
        if seen_before and told and told[0]["by"] != "main":
            found.append(f"who finished the task was forgotten: {told!r}")
        return found + broken_law(world)


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        templates, items = {}, []
        for number, (shape, prepare) in enumerate(SHAPES.items()):
            world = tracked_world(program, pathlib.Path(base) / f"template-{number}")
            prepare(world)
            templates[shape] = str(world.base)
            history = world.history()
            begin = len(history) - sum(map(len, history.splitlines(True)[-3:]))
            cuts = [(shape, mode, cut) for mode in MODES for cut in range(begin, len(history))]
            print(f"{shape}: {len(history) - begin} cuts, each in {len(MODES)} ways")
            items += cuts
        tried, bad = run_all(functools.partial(guarded, functools.partial(cut_there, program, templates)), items)
    print(f"{tried} cuts, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
