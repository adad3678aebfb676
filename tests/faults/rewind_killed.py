"""Kills `rewind` (SIGKILL) at the entry of every system call that changes a file or starts git, and lets each such call
fail (a full disk).

  rewind_killed.py PROGRAM

After each, `doctor --repair` and nothing else: then plan and files are both as they were, or both as they were to become,
byte for byte with executable bits and links; nothing of ours is left over; the history says `rewound` exactly when it
happened; state = fold(plan, history); the user's index, HEAD, branches and stash are untouched. What was acknowledged
happened.
"""

import functools
import os
import pathlib
import sys
import tempfile

from injection import CHANGING, calls_of, inject, strace_or_exit
from support import arguments_or_exit, guarded, is_crash, run_all, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rewind"))
from rewind_support import Project, law  # noqa: E402

STARTING = ["vfork", "fork", "clone", "clone3"]


class World:
    """What injection wants to know of a project."""

    def __init__(self, project):
        self.project, self.base, self.root = project, project.base, project.root

    def run(self, *arguments, before=(), payload=None):
        return self.project.try_keep(*arguments, before=[str(word) for word in before])


def prepare(project):
    project.start()
    project.write("a", "one")
    project.write("run.sh", "run", 0o755)
    project.write("folder/deep/b", "b")
    project.commit()
    project.keep("done", "survey")
    project.write("untracked", "u")
    os.symlink("a", project.root / "link")
    target = project.checkpoint()
    project.keep("done", "dig")
    project.write("a", "two")
    (project.root / "run.sh").chmod(0o644)
    (project.root / "folder/deep/b").unlink()
    (project.root / "folder/deep").rmdir()
    (project.root / "folder").rmdir()
    project.write("folder", "a file now")
    (project.root / "link").unlink()
    project.write("since/new", "new")
    return target


def findings_after(project, before, after, own, acknowledged):
    repair = project.try_keep("doctor", "--repair")
    if repair.returncode not in (0, 1):
        return [f"doctor --repair exits with {repair.returncode}: {repair.stderr!r}"]
    found = [f"left over: {path}" for path in project.leftovers()]
    # The plan's next text, which the next edit replaces (store/plan_file).
    tree = project.tree(without=[".plan.md.plankeep-tmp"])
    # git knows no empty folders; one that could not be removed stays.
    tree = {path: entry for path, entry in tree.items() if entry != ("empty",)}
    if tree not in (before, after):
        differs = sorted(path for path in before.keys() | after.keys() | tree.keys()
                         if tree.get(path) not in (before.get(path), after.get(path)))
        mixed = [path for path in sorted(before.keys() | after.keys())
                 if before.get(path) != after.get(path) and tree.get(path) == after.get(path)]
        return found + [f"neither as before nor as after; strange: {differs}, back: {mixed}; {repair.stderr!r}"]
    happened = tree == after
    if acknowledged and not happened:
        found.append("acknowledged, and not done")
    if len(project.rewound()) != happened:
        found.append(f"done: {happened}, told {len(project.rewound())} times")
    if project.users_own() != own:
        found.append("something of the user's in .git changed")
    return found + law(project)


def break_call(template, target, before, after, own, item):
    fault, name, when, _ = item
    with tempfile.TemporaryDirectory(dir=template.base.parent) as folder:
        project = template.copy(pathlib.Path(folder) / "world")
        run, came = inject(World(project), ("rewind", target), name, fault, when)
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        if fault.startswith("signal"):
            if run.returncode != -9:
                return [f"was to be killed, exits with {run.returncode}"]
            return findings_after(project, before, after, own, acknowledged=name == "exit_group")
        if is_crash(run):
            return [f"crashed: exit status {run.returncode}, {run.stderr!r}"]
        if run.returncode not in (0, 2, 4, 5):
            return [f"exits with {run.returncode}: {run.stderr!r}"]
        return findings_after(project, before, after, own, acknowledged=run.returncode == 0)


def faults_in(calls):
    """Each call killed, and failing: from then on, too, where that is more than one call's trouble."""
    items = [("signal=KILL", *call) for call in calls]
    for name, when, line in calls:
        if name in STARTING or name == "exit_group":
            continue
        items += [("error=ENOSPC", name, str(when), line)]
        if name in ("write", "pwrite64", "renameat2", "renameat"):
            items += [("error=ENOSPC", name, f"{when}+", line)]
    return items


def calls_to_break(project, words):
    calls = calls_of(World(project), words, [*CHANGING, *STARTING, "openat", "exit_group"])
    calls = [call for call in calls if call[0] != "openat" or "O_CREAT" in call[2]]
    if calls[-1][0] != "exit_group" or len(calls) < 60:
        sys.exit("that cannot be all of them")
    return calls


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        (pathlib.Path(base) / "template").mkdir()
        project = Project(program, pathlib.Path(base) / "template")
        target = prepare(project)
        before, own = project.tree(), project.users_own()
        trial = project.copy(pathlib.Path(base) / "trial")
        calls = calls_to_break(trial, ("rewind", target))
        after = trial.tree()
        if before == after or len(trial.rewound()) != 1 or law(trial):
            sys.exit("nothing was rewound")
        items = faults_in(calls)
        print(f"{len(calls)} calls, {len(items)} faults", flush=True)
        tried, bad = run_all(functools.partial(guarded, functools.partial(break_call, project, target, before, after, own)), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
