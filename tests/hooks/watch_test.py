"""`plankeep watch`: the real program beside files that change.

  watch_test.py PROGRAM
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from support import PLAN, TIMEOUT, collector, main, wait_until

tests, test = collector()


class Watch:
    """`plankeep watch` in the background; its output goes to files, so that it never waits for a reader."""

    def __init__(self, world, *arguments, environment=(), cwd=None):
        self.out = world.base / "out"
        self.err = world.base / "err"
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen([world.program, "watch", *arguments], cwd=cwd or world.root,
                                            env={**world.environment, **dict(environment)},
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def text(self):
        return self.out.read_text(encoding="utf-8")

    def errors(self):
        return self.err.read_text(encoding="utf-8")

    def running(self):
        return self.process.poll() is None

    def until(self, condition, what):
        def check():
            assert self.running() or condition(), f"watch ended with {self.process.returncode}: {self.errors()}"
            return condition()
        wait_until(check, what)

    def until_said(self, words):
        self.until(lambda: words in self.text(), f"{words!r}, but {self.text()!r} and {self.errors()!r}")

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(TIMEOUT)


@contextlib.contextmanager
def watching(world, *arguments, **options):
    watch = Watch(world, *arguments, **options)
    try:
        yield watch
    finally:
        if watch.running():
            watch.process.kill()
        watch.process.wait()


def told(world, task):
    """Who ticked it; nothing while it was not recorded."""
    with contextlib.suppress(OSError, ValueError):
        return [e["by"] for e in world.events() if e["event"] == "task_completed" and e["taskId"] == task]
    return []


def write(path, text):
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    beside.rename(path)


@test
def a_tick_is_recorded_as_external_and_said_as_sync_says_it(world):
    world.track()
    with watching(world) as watch:
        watch.until_said("watching plan.md\n")
        world.tick("Dig")
        watch.until_said("task dig done: Dig")
        assert told(world, "dig") == ["external"]
        assert "project: 2 of 3 tasks" in watch.text()
        assert watch.errors() == ""
        assert watch.end() == 0


@test
def quiet_says_nothing_and_records_all_the_same(world):
    world.track()
    with watching(world, "--quiet") as watch:
        world.tick("Dig")
        watch.until(lambda: told(world, "dig"), "the tick is recorded")
        # Before it waits for the first change an interrupt ends it as it ends any command.
        assert watch.end(signal.SIGINT) in (0, 130)
        assert watch.text() == "" and watch.errors() == ""


@test
def a_phase_that_is_completed_from_outside_gets_its_checkpoint_and_nobody_waits(world):
    for arguments in ((), ("--quiet",)):
        # The copy in the git directory too: at the same moment the same history begins again.
        shutil.rmtree(world.tracking, ignore_errors=True)
        shutil.rmtree(world.root / ".git", ignore_errors=True)
        # Before the plan is tracked: a tracking folder that is older than its repository is asked about with git.
        (world.root / ".git").mkdir(exist_ok=True)
        world.track("# P\n\n## One\n<!-- CHECKPOINT: one -->\n- [ ] A <!-- TASK: a -->\n\n"
                    "## Two\n<!-- CHECKPOINT: two -->\n- [ ] B <!-- TASK: b -->\n")
        # Its git takes its time: the watching goes on.
        slow = world.base / "bin"
        slow.mkdir(exist_ok=True)
        (slow / "git").write_text("#!/bin/sh\nsleep 2\nexit 128\n", encoding="utf-8")
        (slow / "git").chmod(0o755)
        world.environment.pop("PLANKEEP_CHECKPOINTS", None)

        def saved():
            return [(e["type"], e["phaseId"]) for e in world.events() if e["event"] == "checkpoint_saved"]

        with watching(world, *arguments, environment={"PATH": f"{slow}:/usr/bin:/bin"}) as watch:
            watch.until(lambda: arguments or "watching" in watch.text(), "it watches")
            world.tick("A")
            watch.until(lambda: told(world, "a"), "the first tick")
            world.tick("B")
            watch.until(lambda: told(world, "b"), "the second tick")
            assert not saved(), "the watching waited for the checkpoint"
            watch.until(lambda: len(saved()) == 2, "both phases' checkpoints")
            assert sorted(saved()) == [("epic_completion", "one"), ("epic_completion", "two")]
            # Nothing is left behind, no zombie either, once it has looked again.
            children = pathlib.Path(f"/proc/{watch.process.pid}/task/{watch.process.pid}/children")
            watch.until(lambda: children.read_text(encoding="ascii") == "", "its children are gone")
            assert watch.end() == 0
            assert watch.errors() == ""


@test
def what_changed_before_it_began_is_recorded_first(world):
    world.track()
    world.tick("Dig")
    with watching(world) as watch:
        watch.until_said("task dig done")


@test
def an_interrupt_or_the_end_of_a_terminal_ends_it_with_0(world):
    world.track()
    for number in (signal.SIGINT, signal.SIGTERM):
        with watching(world) as watch:
            watch.until_said("watching plan.md\n")
            world.must("reopen", "survey")
            world.must("done", "survey")
            world.tick("Dig")
            watch.until_said("task dig done")  # so it is past its start and waits
            assert watch.end(number) == 0
            assert watch.errors() == ""
        world.must("reopen", "dig")


@test
def it_survives_writing_in_place_renaming_deleting_and_making_the_plan_again(world):
    world.track()
    with watching(world) as watch:
        watch.until_said("watching plan.md\n")
        world.plan.write_text(PLAN.replace("- [ ] Dig", "- [x] Dig"))  # in place
        watch.until(lambda: told(world, "dig"), "written in place")
        write(world.plan, PLAN.replace("- [ ] Dig", "- [x] Dig").replace("- [ ] Bricks", "- [x] Bricks"))
        watch.until(lambda: told(world, "bricks"), "replaced by a rename")
        world.plan.unlink()
        watch.until(lambda: "error" in watch.errors(), "the missing plan is told")
        assert watch.running()
        write(world.plan, PLAN)
        watch.until_said("task bricks reopened")
        away = world.root / "elsewhere.md"
        world.plan.rename(away)
        away.rename(world.plan)
        world.tick("Dig")
        watch.until(lambda: len(told(world, "dig")) == 2, "ticked after the plan was away")
        assert watch.errors().count("error") == 1, f"told once: {watch.errors()}"
        assert watch.end() == 0


@test
def a_half_written_plan_is_no_loss(world):
    world.track()
    with watching(world) as watch:
        watch.until_said("watching plan.md\n")
        for _ in range(20):
            with open(world.plan, "r+b") as file:
                file.truncate(0)
                file.flush()
                file.write(PLAN.encode()[:60])
                file.flush()
                file.write(PLAN.encode()[60:])
        world.tick("Dig")
        watch.until(lambda: told(world, "dig"), "the tick behind it is recorded")
        assert {e["event"] for e in world.events()} & {"task_removed", "plan_emptied"} == set()


@test
def every_tracked_plan_of_the_project_is_watched_and_one_that_comes_later(world):
    (world.root / ".git").mkdir()
    for name in ("a", "b"):
        (world.root / "plans" / name).mkdir(parents=True)
        (world.root / "plans" / name / "plan.md").write_text(PLAN)
        world.must("init", f"plans/{name}/plan.md")
    (world.root / "plans" / "notes").mkdir()
    (world.root / "plans" / "notes" / "plan.md").write_text("- [ ] no marker, never tracked\n")

    def ticks(name):
        path = world.root / "plans" / name / ".checkpoint" / "history.jsonl"
        return path.exists() and '"task_completed"' in path.read_text()

    ticked = PLAN.replace("- [ ] Dig", "- [x] Dig")
    with watching(world) as watch:
        watch.until_said("watching plans/a/plan.md\n")
        watch.until_said("watching plans/b/plan.md\n")
        for name in ("a", "b"):
            write(world.root / "plans" / name / "plan.md", ticked)
            watch.until(lambda name=name: ticks(name), f"plan {name}")
        (world.root / "plans" / "c").mkdir()
        write(world.root / "plans" / "c" / "plan.md", PLAN)
        watch.until_said("watching plans/c/plan.md\n")
        write(world.root / "plans" / "c" / "plan.md", ticked)
        watch.until(lambda: ticks("c"), "plan c")
        shutil.rmtree(world.root / "plans" / "a")
        watch.until(lambda: "plans/a was removed" in watch.errors(), "one folder is gone")
        assert watch.running() and watch.end() == 0
    assert not (world.root / "plans" / "notes" / ".checkpoint").exists()


@test
def a_named_plan_is_watched_alone(world):
    (world.root / ".git").mkdir()
    for name in ("a", "b"):
        (world.root / "plans" / name).mkdir(parents=True)
        (world.root / "plans" / name / "plan.md").write_text(PLAN)
        world.must("init", f"plans/{name}/plan.md")
    for arguments, environment in ((["--plan", "plans/a"], {}), ([], {"PLANKEEP_PLAN": "plans/a"})):
        with watching(world, *arguments, environment=environment) as watch:
            watch.until_said("watching plans/a/plan.md\n")
            write(world.root / "plans/b/plan.md", PLAN.replace("- [ ] Dig", "- [x] Dig"))
            write(world.root / "plans/a/plan.md", PLAN.replace("- [ ] Dig", "- [x] Dig"))
            watch.until_said("task dig done")
            assert watch.end() == 0
        assert "task_completed" not in (world.root / "plans/b/.checkpoint/history.jsonl").read_text()
        write(world.root / "plans/a/plan.md", PLAN)
        world.must("sync", "--plan", "plans/a")


@test
def it_ends_with_3_when_the_folder_vanishes(world):
    folder = world.root / "plans" / "a"
    folder.mkdir(parents=True)
    (folder / "plan.md").write_text(PLAN)
    world.must("init", str(folder))
    with watching(world, "--quiet") as watch:
        write(folder / "plan.md", PLAN.replace("- [ ] Dig", "- [x] Dig"))
        history = folder / ".checkpoint" / "history.jsonl"
        watch.until(lambda: '"task_completed"' in history.read_text(), "it watches")
        folder.rename(world.root / "moved")
        assert watch.process.wait(TIMEOUT) == 3
        assert watch.text() == "" and "no plan left to watch" in watch.errors()
    assert not folder.exists(), "nothing was made again"


@test
def with_nothing_to_watch_it_says_so_and_ends_with_3(world):
    for text in (None, "- [ ] no marker\n"):
        if text:
            world.plan.write_text(text)
        run = world.run("watch")
        assert run.returncode == 3 and run.stdout == b"" and run.stderr.startswith(b"plankeep: error: "), run
        assert not world.tracking.exists()
    run = world.run("watch", "--plan", "missing.md")
    assert run.returncode == 3 and run.stderr.startswith(b"plankeep: error: "), run


@test
def a_plan_that_is_a_link_is_watched_where_it_leads(world):
    real = world.root / "real"
    real.mkdir()
    (real / "shed.md").write_text(PLAN)
    world.plan.symlink_to("real/shed.md")
    world.must("init")
    with watching(world) as watch:
        watch.until_said("watching plan.md\n")
        write(real / "shed.md", PLAN.replace("- [ ] Dig", "- [x] Dig"))
        watch.until_said("task dig done")
        assert watch.end() == 0
    assert world.plan.is_symlink()


@test
def what_other_commands_record_is_not_said_twice(world):
    world.track()
    with watching(world) as watch:
        watch.until_said("watching plan.md\n")
        world.must("done", "dig", "--by", "main")
        world.tick("Bricks")
        watch.until_said("task bricks done")
        assert told(world, "dig") == ["main"]
        assert "task dig" not in watch.text(), watch.text()
        assert watch.end() == 0


@test
def it_ends_when_nobody_reads_its_output_any_more(world):
    world.track()
    reading, writing = os.pipe()
    process = subprocess.Popen([world.program, "watch"], cwd=world.root, env=world.environment,
                               stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert os.read(reading, 100).startswith(b"watching")
    os.close(reading)
    assert process.wait(TIMEOUT) == 0
    assert process.communicate()[1] == b""


@test
def a_plan_with_escape_sequences_is_printed_without_them(world):
    world.track(PLAN.replace("Dig", "Dig\x1b[2J\x1b]0;owned\x07\u202edeep"))
    with watching(world) as watch:
        watch.until_said("watching plan.md\n")
        text = world.plan.read_text(encoding="utf-8")
        write(world.plan, text.replace("- [ ] Dig", "- [x] Dig"))
        watch.until_said("task dig done")
        assert watch.end() == 0
        assert not set("\x1b\x07\u202e") & set(watch.text() + watch.errors())


@test
def json_of_its_help_and_completions_know_it(world):
    assert b"--quiet" in world.must("help", "watch").stdout
    assert b"watch\t" in world.must("completion", "--candidates", "commands").stdout
    for shell in ("bash", "zsh", "fish"):
        assert b"plankeep" in world.must("completion", shell).stdout
    assert json.loads(world.must("version", "--json").stdout)


if __name__ == "__main__":
    sys.exit(main(tests, __doc__))
