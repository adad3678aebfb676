"""Who did it, with the real program: commands in a session's shell, a subagent's, on a terminal, and --by.

  actor_test.py PROGRAM
"""

import json
import os
import pathlib
import pty
import subprocess
import sys

from support import PLAN, TIMEOUT, collector, main

tests, test = collector()


def session(world, text=PLAN):
    """A session whose process is ours: what we run next runs below it."""
    world.track(text)
    world.hook("SessionStart", source="startup", environment={"CLAUDE_PID": str(os.getpid())})


def session_with_two_plans(world):
    """The second one's file."""
    subprocess.run(["git", "init", "-q"], cwd=world.root, check=True)
    other = world.root / "plans" / "wall.md"
    other.parent.mkdir()
    other.write_text("# Wall\n\n- [ ] Stones\n- [ ] Mortar\n")
    session(world)
    world.must("init", "plans/wall.md")
    return other


def shells_noted(world):
    """The folder of the project: the state home's, where there is no git."""
    folders = list(pathlib.Path(world.environment["HOME"]).glob(".local/state/plankeep/shells-*"))
    return [entry.name for folder in folders for entry in folder.iterdir()]


def shell(world, event, **who):
    extra = {"tool_name": "Bash", "tool_input": {"command": "true"}, "tool_use_id": "t1"} if event == "PreToolUse" else {"tool_calls": []}
    world.hook(event, environment={"CLAUDE_PID": str(os.getpid())}, **who, **extra)


def who_did(world, task):
    return [event.get("by") for event in world.events() if event.get("taskId") == task and event["event"] == "task_completed"]


@test
def a_command_in_a_subagents_shell_is_the_subagents(world):
    session(world)
    agent = {"agent_id": "a1", "agent_type": "coder"}
    world.hook("SubagentStart", **agent)
    shell(world, "PreToolUse", **agent)
    world.must("done", "dig")
    assert who_did(world, "dig") == ["subagent:coder"], world.events()
    shell(world, "PostToolBatch", **agent)
    world.must("done", "bricks")
    assert who_did(world, "bricks") == ["main"], world.events()
    world.hook("SubagentStop", **agent)
    stopped = [event for event in world.events() if event["event"] == "subagent_stopped"]
    assert [event["completedTasks"] for event in stopped] == [["dig"]], stopped


@test
def a_subagent_may_be_named_behind_its_command(world):
    session(world)
    agent = {"agent_id": "a1", "agent_type": "coder"}
    world.hook("SubagentStart", **agent)

    def call(event, **fields):
        raw = json.dumps({**world.payload(event, **fields), **agent})
        world.hook(event, raw=raw, environment={"CLAUDE_PID": str(os.getpid())})

    call("PreToolUse", tool_name="Bash", tool_input={"command": "true" + " " * 100_000}, tool_use_id="t1")
    world.must("done", "dig")
    assert who_did(world, "dig") == ["subagent:coder"], world.events()
    call("PostToolBatch", tool_calls=[])
    assert shells_noted(world) == []


@test
def with_several_agents_in_the_shell_nobody_is_named(world):
    session(world)
    shell(world, "PreToolUse", agent_id="a1", agent_type="coder")
    shell(world, "PreToolUse", agent_id="a2", agent_type="scout")
    world.must("done", "dig")
    assert who_did(world, "dig") == ["external"], world.events()


@test
def a_tick_by_a_shell_command_says_how_it_came(world):
    session(world)
    agent = {"agent_id": "a1", "agent_type": "coder"}
    shell(world, "PreToolUse", **agent)
    world.tick("Dig")
    shell(world, "PostToolBatch", **agent)
    ticks = [event for event in world.events() if event["event"] == "task_completed" and event["taskId"] == "dig"]
    assert [(tick["by"], tick.get("via")) for tick in ticks] == [("subagent:coder", "shell")], world.events()
    assert not any(event["event"] == "checksum_mismatch" for event in world.events()), world.events()
    # What is not ours alone leaves nothing behind.
    world.hook("SessionEnd", reason="other")
    assert not (world.tracking / "shells").exists()
    assert shells_noted(world) == []


@test
def every_command_that_records_something_knows_who_runs_it(world):
    subprocess.run(["git", "init", "-q"], cwd=world.root, check=True)
    session(world, "# Shed\n\n- [ ] Dig <!-- TASK: dig -->\n- [ ] Bricks <!-- TASK: bricks -->\n- [ ] Roof\n"
                   "- [ ] It stands <!-- ACCEPT: stands | verify: true -->\n")
    agent = {"agent_id": "a1", "agent_type": "coder"}
    world.hook("SubagentStart", **agent)
    shell(world, "PreToolUse", **agent)
    world.must("claim", "dig")
    world.must("release", "dig")
    world.must("next", "--claim")
    world.must("annotate")
    world.must("verify", "--yes")
    world.must("add", "Paint")
    world.must("archive")
    by = {(event["event"], event.get("by")) for event in world.events() if "by" in event}
    wanted = {"task_claimed", "task_released", "acceptance_met", "task_added", "plan_archived"}
    assert {name for name, _ in by} >= wanted, by
    assert {who for _, who in by} == {"subagent:coder"}, by


@test
def a_command_on_a_second_plan_is_the_subagents_too(world):
    other = session_with_two_plans(world)
    agent = {"agent_id": "a1", "agent_type": "coder"}
    shell(world, "PreToolUse", **agent)
    world.must("done", "stones", "--plan", "plans/wall.md")
    history = (other.parent / ".checkpoint" / "wall.md" / "history.jsonl").read_text().splitlines()
    ticks = [event for event in map(json.loads, history) if event["event"] == "task_completed"]
    assert [tick["by"] for tick in ticks] == ["subagent:coder"], ticks


@test
def further_commands_are_about_the_plan_that_the_session_worked_in_last(world):
    session_with_two_plans(world)
    shell(world, "PreToolUse")

    def what_is_next():
        return world.must("next").stdout.decode()

    world.must("done", "stones", "--plan", "plans/wall.md")
    assert "mortar" in what_is_next(), what_is_next()
    world.must("claim", "dig", "--plan", "plan.md")
    assert "dig" in what_is_next(), what_is_next()
    # Who only looks does not go there.
    world.must("status", "--plan", "plans/wall.md")
    world.must("sync", "--plan", "plans/wall.md")
    assert "dig" in what_is_next(), what_is_next()
    world.must("note", "On it", "--plan", "plans/wall.md")
    assert "mortar" in what_is_next(), what_is_next()


@test
def by_takes_actors_only(world):
    world.track()
    for refused in ("kim", "robot:x", "subagent:", "team:a b", "person:\x1b[31m"):
        run = world.run("done", "dig", "--by", refused)
        assert run.returncode == 2, (refused, run)
        assert b"main, external, person[:NAME], subagent:TYPE, team:ID" in run.stderr, run.stderr
        assert b"\x1b" not in run.stderr, run.stderr
        assert world.run("sync", "--by", refused).returncode == 2
    for taken in ("main", "external", "person", "person:Kim", "subagent:coder", "team:blue"):
        world.must("done", "dig", "--by", taken)
        world.must("reopen", "dig", "--by", taken)
        assert who_did(world, "dig")[-1] == taken


@test
def outside_of_sessions_it_is_main_and_on_a_terminal_a_person(world):
    world.track()
    world.must("done", "dig")
    assert who_did(world, "dig") == ["main"]
    leader, follower = pty.openpty()
    try:
        subprocess.run([world.program, "done", "bricks"], cwd=world.root, env=world.environment, check=True,
                       timeout=TIMEOUT, stdin=follower, stdout=follower, stderr=follower)
    finally:
        os.close(follower)
        os.close(leader)
    assert who_did(world, "bricks") == ["person"], world.events()


def call_tool(world, name, **arguments):
    """What the client's model is given of it: the structured part, as a text."""
    calls = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": arguments}},
    ]
    run = world.must("mcp", stdin="".join(json.dumps(call) + "\n" for call in calls))
    result = json.loads(run.stdout.splitlines()[1])["result"]
    text = json.dumps(result["structuredContent"]) if "structuredContent" in result else result["content"][0]["text"]
    return {"tool_name": "mcp__plankeep__" + name, "tool_input": arguments, "tool_use_id": "t1", "tool_response": text}


@test
def what_a_subagent_claims_through_a_tool_is_the_subagents(world):
    session(world)
    agent = {"agent_id": "a1", "agent_type": "coder"}
    here = {"CLAUDE_PID": str(os.getpid())}
    world.hook("SubagentStart", **agent)

    def holders():
        return {lease["taskId"]: lease["by"] for lease in world.state()["leases"]}

    # The server cannot know who calls; the client's hook says so.
    calls = [call_tool(world, "claim_task"), call_tool(world, "claim_task", id="bricks")]
    assert holders() == {"dig": "main", "bricks": "main"}, world.events()
    world.hook("PostToolBatch", environment=here, **agent, tool_calls=calls)
    assert holders() == {"dig": "subagent:coder", "bricks": "subagent:coder"}, world.events()
    # It is no stranger to its own tasks afterwards.
    answer = call_tool(world, "complete_task", ids=["dig"])
    assert "done_by_another" not in answer["tool_response"], answer
    answer = call_tool(world, "claim_task", id="bricks", release=True)
    assert '"result": "released"' in answer["tool_response"], answer
    assert [event["by"] for event in world.events() if event["event"] == "task_released"] == ["subagent:coder"]
    # What the main thread claims stays its own, and so does what a call names somebody for.
    calls = [call_tool(world, "claim_task", id="bricks")]
    world.hook("PostToolBatch", environment=here, tool_calls=calls)
    assert holders() == {"bricks": "main"}, world.events()


@test
def a_subagent_may_be_named_behind_its_calls(world):
    session(world)
    agent = {"agent_id": "a1", "agent_type": "coder"}
    here = {"CLAUDE_PID": str(os.getpid())}
    world.hook("SubagentStart", **agent)
    calls = [call_tool(world, "complete_task", ids=["dig"])]
    assert who_did(world, "dig") == ["main"], world.events()
    calls.append({"tool_name": "Read", "tool_input": {"file_path": "x"}, "tool_response": "x" * 100_000})
    raw = json.dumps({**world.payload("PostToolBatch", tool_calls=calls), **agent})
    assert raw.index("tool_calls") < raw.index("agent_id")
    world.hook("PostToolBatch", raw=raw, environment=here)
    corrected = [(event["from"], event["by"]) for event in world.events() if event["event"] == "task_attributed"]
    assert corrected == [("main", "subagent:coder")], world.events()


@test
def an_actor_that_a_tool_names_is_looked_at_too(world):
    world.track()
    calls = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
         "params": {"name": "complete_task", "arguments": {"ids": ["dig"], "actor": "robot"}}},
    ]
    run = world.must("mcp", stdin="".join(json.dumps(call) + "\n" for call in calls))
    assert b"must be one of main, external" in run.stdout, run.stdout
    assert who_did(world, "dig") == []


if __name__ == "__main__":
    sys.exit(main(tests, __doc__))
