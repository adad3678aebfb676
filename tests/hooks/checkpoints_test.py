"""Checkpoints that hooks leave to a process of their own: the hook is gone at once, the checkpoint comes.

  checkpoints_test.py PROGRAM
"""

import datetime
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

from support import TIMEOUT, collector, main, wait_until

tests, test = collector()

TWO = ("# P\n\n## One\n<!-- CHECKPOINT: one -->\n- [ ] A <!-- TASK: a -->\n\n"
       "## Two\n<!-- CHECKPOINT: two -->\n- [ ] B <!-- TASK: b -->\n- [ ] C <!-- TASK: c -->\n")


def left_to_itself(world):
    """As people run it: nothing switches the checkpoints off, and the clock goes."""
    del world.environment["PLANKEEP_CHECKPOINTS"]
    del world.environment["PLANKEEP_NOW"]


def checkpoints(world):
    listed = world.run("checkpoint", "list", "--json", environment={"PLANKEEP_CHECKPOINTS": "off"})
    assert listed.returncode == 0, listed.stderr
    return json.loads(listed.stdout)["checkpoints"]


def saved(world):
    return [event for event in world.events() if event["event"] == "checkpoint_saved"]


def no_problem(world):
    log = world.tracking / "errors.log"
    assert not log.exists(), log.read_text(encoding="utf-8")


@test
def a_turn_ends_at_once_and_its_checkpoint_comes(world):
    world.track()
    left_to_itself(world)
    world.hook("SessionStart", source="startup")
    world.hook("Stop", stop_hook_active=False, last_assistant_message="Well.")
    wait_until(lambda: len(saved(world)) == 1, "the turn's checkpoint")
    kept = checkpoints(world)
    assert [one["checkpoint_type"] for one in kept] == ["turn"], kept
    no_problem(world)


def said(world, kind, uuid, content, when=None):
    moment = datetime.datetime.fromtimestamp(when or time.time(), datetime.timezone.utc)
    now = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    with open(world.base / "transcript.jsonl", "a", encoding="utf-8") as transcript:
        transcript.write(json.dumps({"type": kind, "uuid": uuid, "isSidechain": False, "timestamp": now,
                                     "message": {"role": kind, "content": content}}) + "\n")


def kept_turns(world):
    """Ends of turns, newest first; what was kept before a prompt is none."""
    return [one for one in checkpoints(world) if one["turn"] is not None]


def last_of(world, kind):
    wanted = kept_turns(world) if kind == "turn" else checkpoints(world)
    newest = next(one for one in wanted if one["checkpoint_type"] == kind)
    shown = world.run("checkpoint", "show", newest["checkpoint_id"], "--json")
    return json.loads(shown.stdout)["checkpoint"]


@test
def the_message_that_ended_the_turn_is_written_after_the_hook_and_found_all_the_same(world):
    """As Claude Code 2.1.329 does it; and the next prompt, which waited, comes at once."""
    world.track()
    left_to_itself(world)
    said(world, "user", "prompt-1", "Do it.")
    said(world, "assistant", "edit-1", [{"type": "tool_use", "id": "t", "name": "Edit", "input": {}}])
    said(world, "user", "result-1", [{"type": "tool_result", "tool_use_id": "t", "content": "fine"}])
    late = json.dumps({"type": "assistant", "uuid": "answer-1", "isSidechain": False,
                       "timestamp": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
                       "message": {"role": "assistant", "content": [{"type": "text", "text": "Well."}]}})
    world.hook("Stop", stop_hook_active=False, last_assistant_message="Well.")
    time.sleep(0.2)
    with open(world.base / "transcript.jsonl", "a", encoding="utf-8") as transcript:
        transcript.write(late + "\n")
    said(world, "user", "prompt-2", "Go on.")
    wait_until(lambda: len(saved(world)) == 1, "the turn's checkpoint")
    assert last_of(world, "turn")["moment"]["messageId"] == "answer-1"
    no_problem(world)
    # And so it is the id to go back by.
    world.must("rewind", "--message", "answer-1", "--dry-run")


@test
def a_quick_answer_is_not_taken_for_the_one_of_the_turn_before(world):
    """Nothing of the second turn is in the transcript when its hook is called."""
    world.track()
    left_to_itself(world)
    for turn in (1, 2):
        said_late = [("user", f"prompt-{turn}", "Do it."), ("assistant", f"answer-{turn}", "Well.")]
        world.hook("UserPromptSubmit", prompt="Do it.")
        moment = time.time()
        world.hook("Stop", stop_hook_active=False, last_assistant_message=f"Well {turn}.")
        time.sleep(0.3)
        for kind, uuid, text in said_late:
            said(world, kind, uuid, text, moment - 0.01)
        wait_until(lambda: len(kept_turns(world)) == turn, "the turn's checkpoint")
        assert last_of(world, "turn")["moment"]["messageId"] == f"answer-{turn}"
        time.sleep(1.2)  # the same at the same moment would be the same hook, installed twice
    no_problem(world)


@test
def every_message_of_a_turn_leads_to_the_newest_checkpoint_before_it(world):
    world.track()
    left_to_itself(world)
    world.hook("UserPromptSubmit", prompt="Do it.")
    wait_until(lambda: checkpoints(world), "what was there before the prompt")
    before = checkpoints(world)[0]["checkpoint_id"]
    said(world, "user", "prompt-1", "Do it.")
    said(world, "assistant", "answer-1", [{"type": "text", "text": "Well."}])
    world.hook("Stop", stop_hook_active=False, last_assistant_message="Well.")
    wait_until(lambda: len(kept_turns(world)) == 1, "the turn's checkpoint")
    first = kept_turns(world)[0]["checkpoint_id"]
    said(world, "user", "prompt-2", "Go on.")
    said(world, "assistant", "edit-2", [{"type": "tool_use", "id": "toolu_2", "name": "Edit", "input": {}}])
    for message in ("answer-1", "prompt-2", "edit-2", "toolu_2"):
        found = world.must("rewind", "--message", message, "--dry-run", "--json")
        assert json.loads(found.stdout)["to"]["checkpoint"] == first, found.stdout
    found = world.must("rewind", "--message", "prompt-1", "--dry-run", "--json")
    assert json.loads(found.stdout)["to"]["checkpoint"] == before, found.stdout
    nobody = world.run("rewind", "--message", "toolu_9", "--dry-run")
    assert nobody.returncode == 2, nobody
    assert b"toolu_9" in nobody.stderr, nobody.stderr


def said_after(world, parent, kind, uuid, content):
    """As Claude Code writes it: every line says what it follows."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    with open(world.base / "transcript.jsonl", "a", encoding="utf-8") as transcript:
        transcript.write(json.dumps({"parentUuid": parent, "isSidechain": False, "type": kind, "uuid": uuid,
                                     "timestamp": now, "message": {"role": kind, "content": content}}) + "\n")
    return uuid


def call_of(name):
    return [{"type": "tool_use", "id": name, "name": "Edit", "input": {}}]


def context_of(done):
    return json.loads(done.stdout or b"{}").get("hookSpecificOutput", {}).get("additionalContext", "")


def two_turns_and_an_edited_prompt(world):
    """Gives the checkpoint of the first turn's end; what the second turn did is still there."""
    world.track()
    left_to_itself(world)
    last = None
    for turn in (1, 2):
        world.hook("UserPromptSubmit", prompt=f"Do {turn}.")
        last = said_after(world, last, "user", f"prompt-{turn}", f"Do {turn}.")
        last = said_after(world, last, "assistant", f"call-{turn}", call_of(f"toolu_{turn}"))
        assert "edited" not in context_of(world.hook("PostToolBatch", tool_calls=[]))
        last = said_after(world, last, "assistant", f"answer-{turn}", [{"type": "text", "text": "Well."}])
        world.hook("Stop", stop_hook_active=False, last_assistant_message=f"Well {turn}.")
        wait_until(lambda: len(kept_turns(world)) == turn, "the turn's checkpoint")
        time.sleep(1.2)
    first = kept_turns(world)[1]["checkpoint_id"]
    world.hook("UserPromptSubmit", prompt="Do 2, but well.")
    edited = said_after(world, "answer-1", "user", "prompt-2b", "Do 2, but well.")
    said_after(world, edited, "assistant", "call-2b", call_of("toolu_2b"))
    return first


@test
def an_edited_message_is_reported_once_with_the_checkpoint_that_fits(world):
    first = two_turns_and_an_edited_prompt(world)
    told = context_of(world.hook("PostToolBatch", tool_calls=[]))
    assert f"plankeep rewind {first}" in told and "Ask the user" in told, told
    assert "edited" not in context_of(world.hook("PostToolBatch", tool_calls=[]))
    # And the command does it.
    world.must("rewind", first, "--dry-run")
    no_problem(world)


@test
def whether_an_edited_message_is_reported_is_a_setting(world):
    settings = world.root / ".plankeep.json"
    first = two_turns_and_an_edited_prompt(world)
    settings.write_text('{"rewindOnEdit": "off"}', encoding="utf-8")
    assert "edited" not in context_of(world.hook("PostToolBatch", tool_calls=[]))
    settings.write_text('{"rewindOnEdit": "auto"}', encoding="utf-8")
    told = context_of(world.hook("PostToolBatch", tool_calls=[]))
    assert f"before you go on: plankeep rewind {first}" in told and "Ask" not in told, told
    no_problem(world)


@test
def a_turn_knows_how_full_its_window_was(world):
    """As the status line told it last: the hook of a turn's end does not say."""
    world.track()
    left_to_itself(world)
    world.hook("SessionStart", source="startup")
    told = {**world.payload("x"), "context_window": {"used_percentage": 41, "context_window_size": 200000}}
    world.run("statusline", "claude-code", stdin=json.dumps(told))
    world.hook("Stop", stop_hook_active=False, last_assistant_message="Well.")
    wait_until(lambda: len(saved(world)) == 1, "the turn's checkpoint")
    assert last_of(world, "turn")["context_window_percent"] == 41
    no_problem(world)


@test
def an_answer_that_is_never_written_holds_up_no_checkpoint(world):
    world.track()
    left_to_itself(world)
    said(world, "user", "prompt-1", "Do it.")
    world.hook("Stop", stop_hook_active=False, last_assistant_message="Well.")
    wait_until(lambda: len(saved(world)) == 1, "the turn's checkpoint")
    assert last_of(world, "turn")["moment"]["messageId"] == "prompt-1"
    no_problem(world)


@test
def nobody_who_reads_what_the_hook_says_waits_for_the_checkpoint(world):
    world.track()
    left_to_itself(world)
    world.hook("SessionStart", source="startup")
    # Its git takes its time; what the hook wrote to ends with the hook all the same.
    slow = world.base / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nsleep 3\nexit 128\n", encoding="utf-8")
    (slow / "git").chmod(0o755)
    (world.root / ".git").mkdir()
    environment = {**world.environment, "PATH": f"{slow}:/usr/bin:/bin"}
    payload = json.dumps(world.payload("Stop", stop_hook_active=False, last_assistant_message="Well.")).encode()
    reading, writing = os.pipe()
    process = subprocess.Popen([world.program, "hook", "claude-code", "Stop"], cwd=world.root, env=environment,
                               stdin=subprocess.PIPE, stdout=writing, stderr=writing)
    os.close(writing)
    process.communicate(payload, timeout=TIMEOUT)
    assert os.read(reading, 1) == b""
    os.close(reading)
    assert not saved(world), "the hook waited for the checkpoint"
    wait_until(lambda: len(saved(world)) == 1, "the checkpoint behind a slow git")


@test
def a_phase_that_a_command_completes_gets_its_checkpoint(world):
    world.track("# P\n\n## One\n<!-- CHECKPOINT: one -->\n- [ ] A <!-- TASK: a -->\n\n"
                "## Two\n<!-- CHECKPOINT: two -->\n- [ ] B <!-- TASK: b -->\n")
    left_to_itself(world)
    world.must("done", "a")
    wait_until(lambda: len(saved(world)) == 1, "the phase's checkpoint")
    assert saved(world)[0]["phaseId"] == "one" and saved(world)[0]["type"] == "epic_completion", saved(world)
    no_problem(world)


def completions(world):
    return [event["phaseId"] for event in saved(world) if event["type"] == "epic_completion"]


def nothing_comes(world):
    """What is asked for is there before the command's caller goes on."""
    world.environment["PLANKEEP_CHECKPOINTS"] = "wait"


@test
def whoever_sees_the_last_tick_of_a_phase_first_asks_for_its_checkpoint(world):
    """The tick is an edit from outside that nobody told of."""
    for ask in (("sync",), ("next", "--claim"), ("claim", "b"), ("claim", "b", "release"), ("checkpoint", "create"),
                ("note", "A note."), ("annotate",), ("restore", "1", "--lost"), ("rewind", "last", "--files"),
                ("commit", "--all"), ("doctor", "--repair")):
        world.root = world.base / "-".join(ask).replace(" ", "-").replace(".", "")
        world.root.mkdir()
        world.plan, world.tracking = world.root / "plan.md", world.root / ".checkpoint"
        subprocess.run(["git", "init", "-q", "."], cwd=world.root, check=True, env=world.environment)
        for name in ("user.name", "user.email"):
            subprocess.run(["git", "config", name, "kim@example.org"], cwd=world.root, check=True, env=world.environment)
        world.environment["PLANKEEP_CHECKPOINTS"] = "off"
        world.track(TWO + "- [ ] D <!-- TASK: d -->\n")
        (world.root / "code").write_text("then", encoding="utf-8")
        world.must("checkpoint", "create")
        (world.root / "code").write_text("now", encoding="utf-8")
        if ask[0] == "restore":
            world.plan.write_text(TWO, encoding="utf-8")
            world.must("sync")
        if ask[-1] == "release":
            world.must("claim", "b")
            ask = ("release", "b")
        nothing_comes(world)
        world.tick("A")
        world.must(*ask)
        assert completions(world) == ["one"], (ask, saved(world))
        no_problem(world)


@test
def going_back_to_where_a_phase_was_complete_is_no_completion(world):
    world.track(TWO)
    nothing_comes(world)
    world.must("done", "a")
    world.must("checkpoint", "create")
    assert completions(world) == ["one"]
    # With rewind: open again, and back; and back from there.
    world.must("reopen", "a")
    world.must("rewind", "last")
    assert world.done("a")
    world.must("rewind", "--undo")
    world.must("rewind", "--redo")
    assert world.done("a") and completions(world) == ["one"], saved(world)
    # With restore: the text of then, with the ticks of then.
    world.plan.write_text(TWO.replace("- [ ] C <!-- TASK: c -->\n", ""), encoding="utf-8")
    world.must("sync")
    assert not world.done("a")
    world.must("restore", "1")
    assert world.done("a") and completions(world) == ["one"], saved(world)
    # Whoever ticks the task once more completes the phase once more.
    world.must("reopen", "a")
    world.must("done", "a")
    assert completions(world) == ["one", "one"], saved(world)


@test
def a_phase_that_was_complete_when_tracking_began_comes_back_without_a_checkpoint(world):
    world.track(TWO.replace("[ ] A", "[x] A"))
    nothing_comes(world)
    world.must("checkpoint", "create")
    world.must("reopen", "a")
    world.must("rewind", "last")
    assert world.done("a") and completions(world) == [], saved(world)


@test
def a_last_tick_that_goes_back_unseen_is_no_completion(world):
    world.track(TWO)
    nothing_comes(world)
    world.must("checkpoint", "create")
    world.tick("A")
    world.must("rewind", "last")
    assert not world.done("a") and completions(world) == [], saved(world)


def repository(world, text=TWO):
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=world.root, check=True, env=world.environment)
    for name in ("user.name", "user.email"):
        subprocess.run(["git", "config", name, "kim@example.org"], cwd=world.root, check=True, env=world.environment)
    world.track(text)


def commit(world, message, date=None):
    environment = {**world.environment, **({"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date} if date else {})}
    subprocess.run(["git", "add", "-A"], cwd=world.root, check=True, env=environment)
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", message], cwd=world.root, check=True, env=environment)


def all_of(world, kind):
    """Oldest first."""
    kept = [one for one in checkpoints(world) if one["checkpoint_type"] == kind]
    shown = [world.run("checkpoint", "show", one["checkpoint_id"], "--json") for one in reversed(kept)]
    return [json.loads(one.stdout)["checkpoint"] for one in shown]


@test
def the_record_of_a_phase_is_about_the_moment_when_it_was_completed(world):
    """The process that makes it looks at the plan later, when the phase may be open again."""
    world.track(TWO.replace("- [ ] C <!-- TASK: c -->\n", ""))
    subprocess.run(["git", "init", "-q", "."], cwd=world.root, check=True, env=world.environment)
    left_to_itself(world)
    rounds = 10
    for _ in range(rounds):
        for task in ("a", "b"):
            world.must("done", task)
            world.must("reopen", task)
    wait_until(lambda: len(completions(world)) == 2 * rounds, "the records of the phases")
    for record in all_of(world, "epic_completion"):
        phase = record["work_state"]["current_epic"]
        assert phase["status"] == "completed", record
        assert record["work_state"]["prd_status"]["epic_status"] == "completed", record
        tasks = {task["id"]: task["state"] for task in record["moment"]["todoSnapshot"]}
        task = {"one": "a", "two": "b"}[phase["epic_id"]]
        assert tasks[task] == "done", (phase, tasks)
        named = [file["path"] for file in record["work_state"]["files_modified"]]
        assert not any(".plankeep-tmp" in name for name in named), named
    no_problem(world)


@test
def a_turn_is_about_the_plan_at_its_end_although_its_checkpoint_is_made_later(world):
    world.track(TWO)
    (world.root / ".git").mkdir()
    # What the process that was left behind starts first takes long enough for an edit to come before it.
    slow = world.base / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nsleep 1\nexit 128\n", encoding="utf-8")
    (slow / "git").chmod(0o755)
    world.must("done", "b")
    before = world.plan.read_bytes()
    left_to_itself(world)
    world.environment["PATH"] = f"{slow}:/usr/bin:/bin"
    world.hook("SessionStart", source="startup")
    world.hook("Stop", stop_hook_active=False, last_assistant_message="Well.")
    world.must("reopen", "b", environment={"PLANKEEP_CHECKPOINTS": "off"})
    wait_until(lambda: len(saved(world)) == 1, "the turn's checkpoint")
    turn = last_of(world, "turn")
    assert turn["moment"]["planDigest"] == hashlib.sha256(before).hexdigest(), turn["moment"]
    assert {task["id"]: task["state"] for task in turn["moment"]["todoSnapshot"]}["b"] == "done", turn["moment"]
    assert turn["work_state"]["prd_status"]["epic_status"] == "pending", turn["work_state"]
    # It counts the history up to then, and the next one goes on from there.
    lines = (world.tracking / "history.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = [json.loads(line)["event"] for line in lines]
    assert turn["sequence_num"] == kinds.index("task_reopened"), (turn["sequence_num"], kinds)
    world.must("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": "off"})
    assert last_of(world, "manual")["sequence_num"] == len(lines), (last_of(world, "manual"), len(lines))


@test
def the_record_of_a_phase_names_the_commits_since_it_began(world):
    repository(world)
    commit(world, "long ago", "2020-01-01T00:00:00Z")
    world.environment["PLANKEEP_CHECKPOINTS"] = "wait"
    world.must("start", "b")
    for number in range(25):
        commit(world, f"work {number}")
    world.must("done", "b", "c")
    work = last_of(world, "epic_completion")["work_state"]
    subjects = [one["subject"] for one in work["commits"]]
    assert subjects == [f"work {number}" for number in range(24, 24 - len(subjects), -1)], subjects
    assert len(subjects) + work["commits_more"] == 25 and len(subjects) >= 5, work
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=world.root, check=True, env=world.environment,
                          capture_output=True, text=True).stdout.strip()
    assert work["commits"][0]["sha"] == head, work
    # Nothing to hold the branch against: counted since the plan was tracked.
    assert work["git_status"]["commit_count"] == 25, work["git_status"]


@test
def new_files_are_counted_one_by_one_and_named_exactly(world):
    repository(world)
    commit(world, "start")
    (world.root / "build").mkdir()
    for name in ("a", "b", "c"):
        (world.root / "build" / name).write_text(name, encoding="utf-8")
    (world.root / "odd\nname\t.txt").write_text("odd", encoding="utf-8")
    (world.root / os.fsdecode(b"old-\xe9.txt")).write_text("old", encoding="utf-8")
    (world.root / ".plan.md.plankeep-tmp").write_text("half", encoding="utf-8")
    world.must("checkpoint", "create")
    work = last_of(world, "manual")["work_state"]
    assert work["git_status"]["untracked_files"] == 5, work
    assert [file["path"] for file in work["files_modified"]] == ["build/a", "build/b", "build/c", "odd\nname\t.txt",
                                                                 "old-\ufffd.txt"], work


@test
def what_the_process_finds_changed_is_left_to_a_hook_that_can_tell_of_it(world):
    world.track(TWO)
    left_to_itself(world)
    world.hook("SessionStart", source="startup")
    # As the hook of a turn's end starts it, but a moment later: the plan has gone on by then.
    world.tick("A")
    with_text = subprocess.run([world.program, "after-hook", str(world.plan), "Stop", "s-1", "",
                                "2026-11-20T15:00:00.000Z", "", "turn"], cwd=world.root, env=world.environment,
                               stdin=subprocess.DEVNULL, check=False)
    assert with_text.returncode == 0
    assert len(saved(world)) == 1, saved(world)
    assert not [event for event in world.events() if event["event"] == "task_completed"], world.events()
    said = world.hook("UserPromptSubmit", prompt="go on").stdout
    assert b"One" in said and b"complete" in said, said
    wait_until(lambda: [one["checkpoint_type"] for one in checkpoints(world)].count("epic_completion") == 1,
               "the phase's checkpoint")
    no_problem(world)


@test
def a_checkpoint_during_a_subagents_command_credits_the_subagent(world):
    world.track(TWO)
    world.hook("SessionStart", source="startup")
    agent = {"agent_id": "a1", "agent_type": "coder"}
    world.hook("SubagentStart", **agent)
    world.hook("PreToolUse", tool_name="Bash", tool_input={"command": "true"}, tool_use_id="t1", **agent)
    world.tick("A")
    world.must("checkpoint", "create")
    done = next(event for event in world.events() if event["event"] == "task_completed")
    assert (done["by"], done.get("via")) == ("subagent:coder", "shell"), done


@test
def many_turns_at_once_lose_no_checkpoint(world):
    world.track()
    left_to_itself(world)
    for session in range(8):
        world.hook("SessionStart", source="startup", session_id=f"s-{session}")
    payloads = [json.dumps(world.payload("Stop", session_id=f"s-{session}", stop_hook_active=False,
                                         last_assistant_message=f"Turn of {session}.")).encode() for session in range(8)]
    running = [subprocess.Popen([world.program, "hook", "claude-code", "Stop"], cwd=world.root, env=world.environment,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in payloads]
    for process, payload in zip(running, payloads):
        process.communicate(payload, timeout=TIMEOUT)
        assert process.returncode == 0
    wait_until(lambda: len(saved(world)) == 8, "eight checkpoints")
    kept = checkpoints(world)
    assert len({one["checkpoint_id"] for one in kept}) == 8, kept
    assert sorted(event["checkpointId"] for event in saved(world)) == sorted(one["checkpoint_id"] for one in kept)


@test
def a_process_that_is_killed_while_it_makes_one_leaves_records_in_order(world):
    world.track()
    left_to_itself(world)
    world.hook("SessionStart", source="startup")
    for delay in (0, 0.001, 0.002, 0.004, 0.008, 0.016):
        process = subprocess.Popen([world.program, "after-hook", str(world.plan), "Stop", "s-1", "",
                                    "2026-11-20T15:00:00.000Z", "", "turn"],
                                   cwd=world.root, env=world.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    world.must("sync")
    world.must("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": "off"})
    kept = {one["checkpoint_id"] for one in checkpoints(world)}
    # Never an event without its record.
    assert {event["checkpointId"] for event in saved(world)} <= kept, (kept, saved(world))
    world.must("doctor")


if __name__ == "__main__":
    sys.exit(main(tests, __doc__))
