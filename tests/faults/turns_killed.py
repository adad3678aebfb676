"""Kills the process that makes a turn's checkpoint (SIGKILL) at the entry of every system call that changes a file or
starts git, and lets each such call fail (a full disk).

  turns_killed.py PROGRAM

For the first turn of a plan, for a later one, and for one at which the oldest snapshots go. git, once it runs, ends by
itself; at the calls that start it, it is killed as well in a second run. After each: the work tree and everything of the
user's in .git is byte for byte what it was; no event names a checkpoint that is not there; every record has its snapshot,
but for the oldest where these were to go; at most one snapshot has no record. The next turn is there whole, with its
event and its snapshot, and the next cleanup leaves no snapshot without a record. State = fold(plan, history).

PLANKEEP_STRIDE=N in the environment: every Nth fault, from another one at each commit.
"""

import functools
import json
import os
import pathlib
import random
import shutil
import signal
import sys

from injection import inject, processes_in, strace_or_exit, wait_for_processes
from rewind_killed import STARTING, World, calls_to_break
from support import arguments_or_exit, guarded, is_crash, run_all, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rewind"))
from rewind_support import Project, law  # noqa: E402

TURNS_BETWEEN_LOOKS = 16
LEAST_LIMIT = 1 << 20


def turn(project):
    """What a hook leaves behind when a turn ends."""
    return ("after-hook", str(project.plan), "Stop", "s-1", str(project.base / "transcript.jsonl"),
            "2026-11-20T15:00:00.000Z", "", "turn")


def take_turn(project):
    run = project.try_keep(*turn(project))
    if run.returncode != 0:
        raise AssertionError(f"a turn exits with {run.returncode}: {run.stderr!r}")


def begun(program, base):
    base.mkdir()
    project = Project(program, base).start()
    project.write("a", "one")
    project.write("folder/b", "b")
    project.write(".plankeep.json", json.dumps({"snapshotTotalLimit": LEAST_LIMIT}))
    project.commit()
    (project.base / "transcript.jsonl").write_text(
        '{"type":"user","uuid":"m-1","message":{"role":"user","content":"go on"}}\n'
        '{"type":"assistant","uuid":"m-2","message":{"role":"assistant","content":[{"type":"tool_use","id":"t",'
        '"name":"Bash","input":{"command":"make"}}]}}\n'
        '{"type":"assistant","uuid":"m-3","message":{"role":"assistant","content":[{"type":"text","text":"Well."}]}}\n')
    project.write("a", "changed")
    project.write("staged", "s")
    project.git("add", "staged")
    project.git("stash", "push", "-q", "--", "staged")
    project.write("staged", "again")
    project.git("add", "staged")
    project.write("untracked", "u")
    return project


def first(program, base):
    return begun(program, base)


def later(program, base):
    project = begun(program, base)
    take_turn(project)
    take_turn(project)
    project.write("a", "changed again")
    (project.root / "untracked").unlink()
    project.keep("done", "survey")
    return project


def looked_at(program, base):
    project = begun(program, base)
    for number in range(1, TURNS_BETWEEN_LOOKS):
        if number % 3 == 0:
            project.write("data", random.Random(number).randbytes(LEAST_LIMIT * 2 // 5))
        take_turn(project)
    return project


SCENARIOS = [first, later, looked_at]


def records(project):
    run = project.try_keep("checkpoint", "export")
    if run.returncode != 0:
        raise AssertionError(f"export exits with {run.returncode}: {run.stderr!r}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def snapshots_in(kept):
    """A full disk is no reason to have no record, but for having none with the files."""
    return [record["moment"]["snapshot"]["ref"] for record in kept if "snapshot" in record["moment"]]


def refs_of(project):
    return project.git("for-each-ref", "--format=%(refname)", "refs/plankeep/").split()


def kill_git(project):
    for process in processes_in(project.base):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def disagreements(project, trims):
    """Between history, store and refs."""
    kept = records(project)
    ids = [record["checkpoint_id"] for record in kept]
    found = [f"the event of {event['checkpointId']}, which is not there" for event in project.events()
             if event["event"] == "checkpoint_saved" and event["checkpointId"] not in ids]
    refs = refs_of(project)
    named = snapshots_in(kept)
    there = [ref in refs for ref in named]
    if there != sorted(there) or (not trims and not all(there)) or (there and not there[-1]):
        found.append(f"records with their snapshots: {there}")
    orphans = [ref for ref in refs if ref not in named]
    if len(orphans) > 1:
        found.append(f"snapshots that no record has: {orphans}")
    return found


def findings_after(project, facts):
    tree, own, count, trims = facts
    found = []
    if project.tree() != tree:
        found.append("the work tree is another one")
    if project.users_own() != own:
        found.append("something of the user's in .git changed")
    if len(records(project)) - count not in (0, 1):
        found.append(f"{count} records became {len(records(project))}")
    found += disagreements(project, trims)
    count = len(records(project))
    (project.root / ".checkpoint" / "errors.log").unlink(missing_ok=True)  # of a call that failed
    take_turn(project)
    log = project.root / ".checkpoint" / "errors.log"
    if log.exists():
        found.append(f"the next turn: {log.read_text()}")
    kept = records(project)
    if len(kept) != count + 1:
        return found + [f"the next turn: {count} records became {len(kept)}"]
    found += disagreements(project, trims)
    if "snapshot" not in kept[-1]["moment"]:
        found.append("the next turn has no snapshot")
    newest = kept[-1]["checkpoint_id"]
    if newest not in [event.get("checkpointId") for event in project.events()]:
        found.append("the next turn has no event")
    if project.users_own() != own:
        found.append("something of the user's in .git changed with the next turn")
    project.seconds += 3000
    project.keep("checkpoint", "cleanup", "--older-than", "30m", "--all")
    if refs_of(project) != snapshots_in(records(project)):
        found.append(f"behind the cleanup: {refs_of(project)}")
    return found + law(project)


class Place:
    """A scenario as it was prepared, over and over in one place: the names of snapshots hold the plan's path."""

    def __init__(self, program, base, scenario):
        base.mkdir(parents=True)
        self.project = scenario(program, base / "world")
        self.seconds = self.project.seconds
        self.kept = base / "kept"
        shutil.copytree(self.project.base, self.kept, symlinks=True)
        self.trims = scenario is looked_at
        self.facts = (self.project.tree(), self.project.users_own(), len(records(self.project)), self.trims)

    def again(self):
        shutil.rmtree(self.project.base)
        shutil.copytree(self.kept, self.project.base, symlinks=True)
        self.project.seconds = self.seconds
        return self.project


PLACES = {}  # of this process


def break_call(program, base, item):
    number, fault, all_of_them, name, when, _ = item
    if number not in PLACES:
        PLACES[number] = Place(program, base / str(os.getpid()) / str(number), SCENARIOS[number])
    project = PLACES[number].again()
    run, came = inject(World(project), turn(project), name, fault, when)
    if all_of_them:
        kill_git(project)
    wait_for_processes(project.base)
    if not came:
        return [f"the call did not come; exit status {run.returncode}, {run.stderr!r}"]
    if fault.startswith("signal") and run.returncode != -9:
        return [f"was to be killed, exits with {run.returncode}"]
    if not fault.startswith("signal") and is_crash(run):
        return [f"crashed: exit status {run.returncode}, {run.stderr!r}"]
    return findings_after(project, PLACES[number].facts)


def saved(project):
    return [event for event in project.events() if event["event"] == "checkpoint_saved"]


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base).resolve()
        items = []
        for number, scenario in enumerate(SCENARIOS):
            place = Place(program, base / "trial" / str(number), scenario)
            trial = place.again()
            count, events, refs = len(records(trial)), len(saved(trial)), refs_of(trial)
            calls = calls_to_break(trial, turn(trial))
            if len(records(trial)) != count + 1 or len(saved(trial)) != events + 1 or disagreements(trial, place.trims):
                sys.exit("no turn was taken")
            if place.trims == (set(refs) <= set(refs_of(trial))):
                sys.exit("the wrong snapshots went")
            faults = [("signal=KILL", False, *call) for call in calls]
            faults += [("signal=KILL", True, *call) for call in calls if call[0] in STARTING]
            faults += [("error=ENOSPC", False, *call) for call in calls
                       if call[0] not in STARTING and call[0] != "exit_group"]
            items += [(number, *fault) for fault in faults]
            print(f"{scenario.__name__}: {len(calls)} calls, {len(faults)} faults", flush=True)
        tried, bad = run_all(functools.partial(guarded, functools.partial(break_call, program, base)), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
