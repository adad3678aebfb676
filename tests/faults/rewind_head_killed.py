"""Kills `rewind --head`, and its `--undo`, (SIGKILL) at the entry of every system call that changes a file or starts
git, and lets each such call fail (a full disk); and kills all of it, its git included, at moments spread over its run.

  rewind_head_killed.py PROGRAM

In the first case git, once it runs, ends by itself; in the last its locks are removed, as a person does whose git was
killed. After each, `doctor --repair` and nothing else, or the same rewind once more: then HEAD, branch, index, stash,
files and plan are all as they were, or all as they were to become; nothing of ours is left over; the history says
`rewound` exactly when it happened; state = fold(plan, history). What was acknowledged happened.

PLANKEEP_STRIDE=N in the environment: every Nth fault, from another one at each commit.
"""

import functools
import pathlib
import subprocess
import sys
import tempfile
import time

from injection import inject, strace_or_exit, wait_for_processes
from rewind_killed import STARTING, World, calls_to_break
from support import arguments_or_exit, guarded, is_crash, run_all, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rewind"))
from rewind_support import Project, kill_session, law  # noqa: E402

MOMENTS = 40  # at which all of it is killed, in each scenario


def work_goes_on(project):
    """A commit behind the checkpoint, and then what is staged, changed and not known to git."""
    project.write("a", "two")
    project.write("since", "committed")
    project.commit("more")
    project.write("a", "three")
    project.write("b", "staged")
    project.git("add", "b")
    project.write("b", "staged and changed")
    project.write("folder/untracked", "u")
    (project.root / "run.sh").unlink()


def begun(program, base):
    base.mkdir()
    project = Project(program, base).start()
    project.write(".gitignore", ".checkpoint\n.plan.md.plankeep-tmp\n*.o\n")
    project.write("a", "one")
    project.write("b", "one")
    project.write("run.sh", "run", 0o755)
    project.write("x.o", "ignored")
    return project


def there(program, base):
    """The plan is tracked and goes on with the commits."""
    project = begun(program, base)
    project.keep("done", "survey")
    project.commit()
    target = project.checkpoint()
    project.keep("done", "dig")
    work_goes_on(project)
    project.keep("done", "bricks")
    return project, ("rewind", target, "--head")


def and_back(program, base):
    project, words = there(program, base)
    project.keep(*words)
    project.write("a", "changed behind it")
    return project, ("rewind", "--undo")


def same_text(program, base):
    """The text that is to come back is that of HEAD and of the commit, so it alone tells nothing."""
    project = begun(program, base)
    project.commit()
    target = project.checkpoint()
    work_goes_on(project)
    project.keep("done", "survey")
    return project, ("rewind", target, "--head")


def same_text_back(program, base):
    """The undo finds the same text in either commit."""
    project = begun(program, base)
    project.commit()
    target = project.checkpoint()
    work_goes_on(project)
    project.keep("rewind", target, "--head")
    project.keep("done", "survey")
    return project, ("rewind", "--undo")


def untracked_plan(program, base):
    """git knows nothing of the plan: it stays where it is, and only its text changes."""
    project = begun(program, base)
    project.git("add", ".gitignore", "a", "b", "run.sh")
    project.git("commit", "-q", "-m", "work")
    target = project.checkpoint()
    project.write("a", "two")
    project.git("commit", "-q", "-a", "-m", "more")
    project.write("a", "three")
    project.write("folder/untracked", "u")
    project.keep("done", "survey")
    return project, ("rewind", target, "--head")


def ignored_plan(program, base):
    """Nor does git here, and it was told to."""
    project = begun(program, base)
    project.write(".gitignore", "plan.md\n.checkpoint\n.plan.md.plankeep-tmp\n*.o\n")
    project.commit()
    target = project.checkpoint()
    work_goes_on(project)
    project.keep("done", "survey")
    return project, ("rewind", target, "--head")


def same_plan(program, base):
    """Only the files are of two times: the event alone says what happened."""
    project = begun(program, base)
    project.keep("done", "survey")
    project.commit()
    target = project.checkpoint()
    work_goes_on(project)
    return project, ("rewind", target, "--head")


SCENARIOS = [there, and_back, same_text, same_text_back, untracked_plan, ignored_plan, same_plan]


def standing(project):
    """Everything that `--head` may change."""
    # The plan's next text, which the next edit replaces (store/plan_file).
    tree = project.tree(without=[".plan.md.plankeep-tmp"])
    return {"HEAD": project.git("rev-parse", "HEAD").strip(),
            "branch": project.git("symbolic-ref", "-q", "HEAD", check=False).strip(),
            "branches": project.git("for-each-ref", "refs/heads", "refs/tags"),
            "index": project.git("ls-files", "-s"),
            "stash": project.git("stash", "list"),
            "files": {path: entry for path, entry in tree.items() if entry != ("empty",)}}


def differences(one, other):
    found = [f"{key}: {one[key]!r}, not {other[key]!r}" for key in one if key != "files" and one[key] != other[key]]
    files = {path: (one["files"].get(path), other["files"].get(path))
             for path in sorted(one["files"].keys() | other["files"].keys())
             if one["files"].get(path) != other["files"].get(path)}
    return found + ([f"files: {files}"] if files else [])


def findings_after(project, words, before, after, told, acknowledged, again):
    if again:
        run = project.try_keep(*words)
        if run.returncode != 0:
            return [f"once more exits with {run.returncode}: {run.stderr!r}"]
        acknowledged = True
    else:
        run = project.try_keep("doctor", "--repair")
        if run.returncode not in (0, 1):
            return [f"doctor --repair exits with {run.returncode}: {run.stderr!r}"]
    found = [f"left over: {path}" for path in project.leftovers()]
    now = standing(project)
    if now not in (before, after):
        return found + ["neither as before nor as after", *("before " + line for line in differences(now, before)),
                        *("after " + line for line in differences(now, after)), repr(run.stdout), repr(run.stderr)]
    happened = now == after
    if acknowledged and not happened:
        found.append("acknowledged, and not done")
    count = len(project.rewound()) - told
    if count != happened and not (again and count == 2):
        found.append(f"done: {happened}, told {count} times")
    return found + law(project)


def kill_together(project, words, moment):
    run = subprocess.Popen([project.program, *words], cwd=project.root, env=project.environment(), start_new_session=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(moment)
    kill_session(run.pid)
    run.wait()
    for lock in ("index.lock", "HEAD.lock"):
        (project.git_dir / lock).unlink(missing_ok=True)


def break_call(program, templates, item):
    number, fault, again, name, when, _ = item
    base, words, before, after, told = templates[number]
    with tempfile.TemporaryDirectory(dir=pathlib.Path(base).parent) as folder:
        project = Project(program, base).copy(pathlib.Path(folder) / "world")
        if fault == "together":
            kill_together(project, words, name / MOMENTS * when)
            return findings_after(project, words, {**before}, {**after}, told, False, again)
        run, came = inject(World(project), words, name, fault, when)
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        wait_for_processes(project.base)
        after = {**after}
        if fault.startswith("signal"):
            if run.returncode != -9:
                return [f"was to be killed, exits with {run.returncode}"]
            return findings_after(project, words, before, after, told, name == "exit_group", again)
        if is_crash(run):
            return [f"crashed: exit status {run.returncode}, {run.stderr!r}"]
        if run.returncode not in (0, 2, 4, 5):
            return [f"exits with {run.returncode}: {run.stderr!r}"]
        return findings_after(project, words, before, after, told, run.returncode == 0, False)


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base).resolve()
        templates, items = [], []
        for number, scenario in enumerate(SCENARIOS):
            project, words = scenario(program, base / scenario.__name__)
            before, told = standing(project), len(project.rewound())
            trial = project.copy(base / f"trial-{number}")
            calls = calls_to_break(trial, words)
            second = project.copy(base / f"timed-{number}")
            start = time.monotonic()
            second.keep(*words)
            patience = time.monotonic() - start
            after = standing(trial)
            if before == after or len(trial.rewound()) != told + 1 or law(trial):
                sys.exit("nothing was rewound")
            templates.append((str(project.base), words, before, after, told))
            faults = [("signal=KILL", False, *call) for call in calls]
            if "--undo" not in words:  # what is undone twice is done
                faults += [("signal=KILL", True, *call) for call in calls]
            faults += [("error=ENOSPC", False, *call) for call in calls
                       if call[0] not in STARTING and call[0] != "exit_group"]
            # Both ways to go on, in turn. In the place of a call: how long all of it takes, and which moment.
            faults += [("together", moment % 2 == 1 and "--undo" not in words, patience, moment, "")
                       for moment in range(MOMENTS)]
            items += [(number, *fault) for fault in faults]
            print(f"{scenario.__name__}: {len(calls)} calls, {len(faults)} faults", flush=True)
        tried, bad = run_all(functools.partial(guarded, functools.partial(break_call, program, templates)), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
