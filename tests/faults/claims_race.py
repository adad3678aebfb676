"""Many processes that want the same work at once.

  claims_race.py PROGRAM

64 x `next --claim`: each gets a task of its own, under a fence of its own. 64 x `claim` of one task: one gets it, the
others are told no. 64 x `next --claim` for what dead holders have: a process is killed, and its task goes to one of
them. Meanwhile a reader must never see half a file; afterwards state = fold(plan, history). 64 x `next --claim` in three
work trees of one repository: the same as in one.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from race import COUNT, RACE_TIMEOUT, TASKS, Reader, plan_text
from support import (FAULTY, PREPARED, REPAIRED, World, arguments_or_exit, broken_law, invalid_files, temporary_base)


BUSY = 5


def together(world, commands, now):
    environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(world.base / "home"), "PLANKEEP_NOW": now}
    running = [subprocess.Popen([world.program, *command], cwd=world.root, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
    answers = []
    for process in running:
        output, errors = process.communicate(timeout=RACE_TIMEOUT)
        answers.append((process.returncode, output, errors))
    return answers


def all_at_once(world, commands, now):
    """(exit status, standard output, standard error) of each. Who is told that the plan is busy, which on a machine
    under load takes ten seconds, asks again, as the hint says."""
    reader = Reader(world)
    reader.start()
    try:
        answers = together(world, commands, now)
        while again := [number for number, answer in enumerate(answers) if answer[0] == BUSY]:
            for number, answer in zip(again, together(world, [commands[number] for number in again], now)):
                answers[number] = answer
    finally:
        reader.stop.set()
        reader.join()
    return answers, sorted(reader.found)


def claims(world):
    return [event for event in world.events() if event["event"] == "task_claimed"]


def different_tasks(world):
    print("next --claim, each a task of its own:")
    answers, found = all_at_once(world, [("next", "--claim", "--by", f"team:{n}", "--json") for n in range(COUNT)],
                                 FAULTY)
    got, fences = [], []
    for status, output, errors in answers:
        if status != 0:
            found.append(f"exits with {status}: {errors!r}")
            continue
        answer = json.loads(output)
        got.append(answer["task"]["id"])
        fences.append(answer["lease"]["fence"])
    if sorted(got) != sorted(TASKS):
        found.append(f"{len(set(got))} different tasks instead of {COUNT}")
    if sorted(fences) != list(range(1, COUNT + 1)):
        found.append(f"the fences are not 1 to {COUNT}: {sorted(fences)}")
    told = {event["taskId"]: event["fence"] for event in claims(world)}
    if told != dict(zip(got, fences)):
        found.append("the history tells of other claims than the answers")
    return found


def one_task(world):
    print("claim, one task for all:")
    answers, found = all_at_once(world, [("claim", "one-more", "--by", "main") for _ in range(COUNT)], FAULTY)
    statuses = sorted(status for status, _, _ in answers)
    if statuses != [0] + [1] * (COUNT - 1):
        found.append(f"not one has it and {COUNT - 1} are told no: {statuses}")
    if len([event for event in claims(world) if event["taskId"] == "one-more"]) != 1:
        found.append("the task was claimed more than once")
    return found


def after_a_death(world):
    print("next --claim, when a holder was killed:")
    holder = subprocess.Popen(["sleep", "600"])
    try:
        world.must("release", TASKS[0], "--force", now=FAULTY)
        world.must("claim", TASKS[0], "--holder-pid", str(holder.pid), "--by", "team:doomed", now=FAULTY)
        before, found = all_at_once(world, [("next", "--claim", "--by", "team:early")] * 8, FAULTY)
        if {status for status, _, _ in before} != {1}:
            found.append("something was left to be taken")
        # Not waited for: whoever only lies there has ended too.
        holder.send_signal(signal.SIGKILL)
        answers, more = all_at_once(world, [("next", "--claim", "--by", f"team:heir-{n}", "--json") for n in range(COUNT)],
                                    FAULTY)
        found += more
        heirs = [json.loads(output) for status, output, _ in answers if status == 0]
        if [heir["task"]["id"] for heir in heirs] != [TASKS[0]]:
            found.append(f"{len(heirs)} took over instead of one")
        last = claims(world)[-1]
        if (last.get("from"), last.get("reason")) != ("team:doomed", "gone"):
            found.append(f"the takeover is told as {last!r}")
    finally:
        holder.kill()
        holder.wait()
    return found


def in_three_work_trees(program, base):
    print("next --claim in three work trees, each a task of its own:")
    first = World(program, base / "first")
    (first.base / "home").mkdir(parents=True)
    first.root.mkdir()
    first.plan.write_text(plan_text())
    environment = {**first.environment(), "GIT_CONFIG_GLOBAL": "/dev/null", "PATH": os.environ["PATH"]}

    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments], cwd=first.root,
                       env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    git("init")
    git("add", "plan.md")
    git("commit", "-m", "plan")
    worlds = [first]
    for name in ("second", "third"):
        git("worktree", "add", "-b", name, str(base / name / "project"))
        worlds.append(World(program, base / name))
    for world in worlds:
        world.base = first.base  # one home: whose records are ours stands there
        world.must("init", now=PREPARED)
    command = ("next", "--claim", "--json")
    waiting = list(range(COUNT))
    got, fences, found = [], [], []
    while waiting:
        running = [(number, subprocess.Popen([program, *command, "--by", f"team:{number}"],
                                             cwd=worlds[number % 3].root, env=first.environment(), stdin=subprocess.DEVNULL,
                                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)) for number in waiting]
        waiting = []
        for number, process in running:
            output, errors = process.communicate(timeout=RACE_TIMEOUT)
            if process.returncode == BUSY:
                waiting.append(number)
            elif process.returncode != 0:
                found.append(f"exits with {process.returncode}: {errors!r}")
            else:
                got.append(json.loads(output)["task"]["id"])
                fences.append(json.loads(output)["lease"]["fence"])
    if sorted(got) != sorted(TASKS):
        found.append(f"{len(set(got))} different tasks instead of {COUNT}")
    if sorted(fences) != list(range(1, COUNT + 1)):
        found.append(f"the fences are not 1 to {COUNT}: {sorted(fences)}")
    return found


def main():
    program = arguments_or_exit(__doc__)
    with temporary_base() as base:
        world = World(program, pathlib.Path(base) / "world")
        world.root.mkdir(parents=True)
        (world.base / "home").mkdir()
        world.plan.write_text(plan_text())
        world.must("init", now=PREPARED)
        found = []
        for number, part in enumerate((different_tasks, one_task, after_a_death)):
            found += part(world) + invalid_files(world)
            found += broken_law(world.copy(pathlib.Path(base) / f"copy-{number}"))
        # A tick drops its lease; the rest are all there.
        world.must("done", TASKS[5], "--by", "team:5", now=REPAIRED)
        left = {lease["taskId"] for lease in world.state()["leases"]}
        if left != {*TASKS, "one-more"} - {TASKS[5]}:
            found.append(f"other leases are left than those of open tasks: {sorted(left)}")
        if shutil.which("git"):
            found += in_three_work_trees(program, pathlib.Path(base) / "trees")
    for finding in found:
        print("FAILED", finding)
    print(f"races of {COUNT} processes, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
