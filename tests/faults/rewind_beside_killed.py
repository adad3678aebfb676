"""Kills `rewind` (SIGKILL) at the entry of every system call that changes a file or starts git, and lets each such call
fail (a full disk), where the git directory is on another file system than the work tree: then the staging folder is
.plankeep-rewind in the work tree itself.

  rewind_beside_killed.py PROGRAM

For plan and files, and for the files alone. After each: what rewind_killed.py says; and once more with a checkpoint of the
work as it stands and then the same rewind instead of the repair, which does what the first was to do. Nothing of
.plankeep-rewind is left then, and no snapshot ever holds any of it.

PLANKEEP_STRIDE=N in the environment: every Nth fault, from another one at each commit. Exits with 77 where there is
no second file system.
"""

import functools
import pathlib
import sys
import tempfile

from injection import SKIPPED, inject, strace_or_exit, wait_for_processes
from rewind_killed import World, calls_to_break, faults_in, findings_after, prepare
from support import arguments_or_exit, guarded, is_crash, run_all, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rewind"))
from rewind_support import SeparateProject, law, other_file_system  # noqa: E402

STAGING = ".plankeep-rewind"


def staged_in_snapshots(project):
    """Paths of ours in any snapshot."""
    refs = project.git("for-each-ref", "--format=%(refname)", "refs/plankeep/").split()
    return [f"{ref} holds {path}" for ref in refs
            for path in project.git("ls-tree", "-r", "--name-only", ref).splitlines() if path.startswith(STAGING)]


def without_ours(tree):
    return {path: entry for path, entry in tree.items()
            if entry != ("empty",) and path != ".plan.md.plankeep-tmp" and not path.startswith(STAGING + "/")}


def findings_after_another(project, words, after, own):
    """The next rewind finishes the first or does all of it."""
    run = project.try_keep("checkpoint", "create")
    if run.returncode != 0:
        return [f"a checkpoint behind it exits with {run.returncode}: {run.stderr!r}"]
    run = project.try_keep(*words)
    if run.returncode != 0:
        return [f"the next one exits with {run.returncode}: {run.stderr!r}"]
    found = [f"left over: {path}" for path in project.leftovers()]
    if without_ours(project.tree()) != after:
        found.append(f"the next one leaves other files: {run.stderr!r}")
    if len(project.rewound()) != 1:
        found.append(f"told {len(project.rewound())} times")
    if project.users_own() != own:
        found.append("something of the user's in .git changed")
    return found + law(project)


def broken(project, words, before, after, own, another, fault, name, when):
    run, came = inject(World(project), words, name, fault, when)
    if not came:
        return [f"the call did not come; exit status {run.returncode}"]
    wait_for_processes(project.base)
    if fault.startswith("signal"):
        if run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}"]
        if another:
            return findings_after_another(project, words, after, own)
        return findings_after(project, before, after, own, acknowledged=name == "exit_group")
    if is_crash(run):
        return [f"crashed: exit status {run.returncode}, {run.stderr!r}"]
    if run.returncode not in (0, 2, 4, 5):
        return [f"exits with {run.returncode}: {run.stderr!r}"]
    return findings_after(project, before, after, own, acknowledged=run.returncode == 0)


def break_call(templates, item):
    number, another, fault, name, when, _ = item
    template, *facts = templates[number]
    with tempfile.TemporaryDirectory(dir=template.base.parent) as folder:
        project = template.copy(pathlib.Path(folder) / "world")
        try:
            return broken(project, *facts, another, fault, name, when) + staged_in_snapshots(project)
        finally:
            project.discard()


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base).resolve()
        place = other_file_system(base)
        if place is None:
            print("skipped: there is no second file system to put a git directory on")
            sys.exit(SKIPPED)
        with tempfile.TemporaryDirectory(dir=place, prefix="plankeep-faults-") as other:
            (base / "template").mkdir()
            project = SeparateProject(program, base / "template", other)
            target = prepare(project)
            before, own = project.tree(), project.users_own()
            templates, items = [], []
            for number, words in enumerate([("rewind", target), ("rewind", target, "--files")]):
                trial = project.copy(base / f"trial-{number}")
                calls = calls_to_break(trial, words)
                after = trial.tree()
                if before == after or len(trial.rewound()) != 1 or trial.leftovers() or law(trial):
                    sys.exit("nothing was rewound")
                if not any(f'"{STAGING}"' in line for _, _, line in calls):
                    sys.exit("nothing was staged beside the files")
                templates.append((project, words, before, after, own))
                faults = [(number, False, *fault) for fault in faults_in(calls)]
                faults += [(number, True, "signal=KILL", *call) for call in calls]
                print(f"{' '.join(words)}: {len(calls)} calls, {len(faults)} faults", flush=True)
                items += faults
            tried, bad = run_all(functools.partial(guarded, functools.partial(break_call, templates)), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
