"""Hooks killed and refused at every system call, and payloads made by an enemy.

  hooks_killed.py PROGRAM

Four hooks of Claude Code: SessionStart after a crash, PostToolUse of a subagent that ticked a box, SubagentStop with a
claim that does not hold (the first, which sends it back, and the second), SessionEnd. Each is

- killed (SIGKILL) at the entry of every call that changes a file or a pipe, and at its exit;
- given an error (ENOSPC, EIO) at each of these calls and at each that opens, looks at or reads a file, its payload
  included; those that change one also from that moment on.

With an error it exits with 0, prints nothing or a whole reply, and one line at most on standard error. Then the same hook
comes again, as clients do, and a plain sync: what was acknowledged is there, everything is there once, the files are
valid and the state equals the one rebuilt from plan and history.

Payloads without end, of 100 MB, none at all, and no place to answer to: the same promises, and no record is harmed.
"""

import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from hooks import broken_promises, payload
from injection import CHANGING, READING, calls_of, inject, strace_or_exit
from support import (FAULTY, PREPARED, REPAIRED, SUBJECT, World, arguments_or_exit, broken_law, guarded, invalid_files,
                     is_crash, run_all, temporary_base, ticked, tracked_world)

OLD, SESSION = "11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"
AGENT = ("a00000000000000aa", "general-purpose")
# What a hook waits for its payload, and what a slow machine needs beside it.
PATIENCE, SLACK = 5, 25


class HookScenario:
    """One hook to break. `expected`: what must stand in the history once in the end, as (event, key, value)."""

    def __init__(self, name, event, recorded, prepare, expected, session=SESSION, agent=None, says=False, **fields):
        self.name, self.arguments, self.prepare, self.expected = name, ("hook", "claude-code", event), prepare, expected
        self.says = says  # it has something to say when nothing goes wrong
        self.payload = lambda world: payload(world, recorded, session, agent, **{
            key: value(world) if callable(value) else value for key, value in fields.items()})

    def call(self, world, now):
        return world.run(*self.arguments, payload=self.payload(world), now=now)

    def missing(self, world):
        """What is not in the history once, as lines."""
        events, found = world.events(), []
        for event, key, value in self.expected:
            times = sum(told["event"] == event and told.get(key) == value for told in events)
            if times != 1:
                found.append(f"{event} of {value}: {times} times")
        return found

    def findings_after(self, world, template, acknowledged):
        """The hook comes again, then a sync; looks at everything."""
        found = []
        if acknowledged:
            found += ["acknowledged and not there: " + line for line in self.missing(world)]
        again = self.call(world, REPAIRED)
        found += ["again: " + line for line in broken_promises(again)]
        if again.stderr:
            found.append(f"again, without a fault, it complains: {again.stderr!r}")
        run = world.run("sync", now=REPAIRED)
        if run.returncode != 0:
            return found + [f"sync behind the fault exits with {run.returncode}: {run.stderr!r}"]
        found += invalid_files(world)
        if found:
            return found
        if not world.history().startswith(template.history()):
            found.append("events that were there before are gone")
        if world.plan.read_bytes() != template.plan.read_bytes() or world.decoy.read_bytes() != template.decoy.read_bytes():
            found.append("a plan was changed")
        return found + self.missing(world) + broken_law(world)


def hook(world, event, recorded, session=SESSION, agent=None, environment=(), **fields):
    """One hook of the time before the fault."""
    run = subprocess.run([world.program, "hook", "claude-code", event], cwd=world.root, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, input=payload(world, recorded, session, agent, **fields), check=False,
                         env={**world.environment(PREPARED), **dict(environment)})
    found = broken_promises(run) + ([run.stderr.decode()] if run.stderr else [])
    if found:
        raise AssertionError(f"{event} before the fault: {found}")


def crashed(world):
    """A session with an agent in flight whose client is gone."""
    client = subprocess.Popen(["/bin/sleep", "600"], stdin=subprocess.DEVNULL)
    try:
        pid = {"CLAUDE_PID": str(client.pid)}.items()
        hook(world, "SessionStart", "SessionStart-startup", OLD, environment=pid)
        hook(world, "SubagentStart", "SubagentStart", OLD, AGENT, environment=pid)
    finally:
        client.kill()
        client.wait()


def agent_runs(world):
    hook(world, "SessionStart", "SessionStart-startup")
    hook(world, "SubagentStart", "SubagentStart", agent=AGENT)


def agent_ticked(world):
    agent_runs(world)
    world.tick()


def agent_was_sent_back(world):
    agent_runs(world)
    hook(world, "SubagentStop", "SubagentStop", agent=AGENT, last_assistant_message=CLAIM)


def session_has_words(world):
    hook(world, "SessionStart", "SessionStart-startup")
    hook(world, "Stop", "Stop", last_assistant_message="The beams are up, tiles come next.")


CLAIM = f"Tasks completed:\n- {SUBJECT}\n"
SCENARIOS = [
    HookScenario("SessionStart after a crash", "SessionStart", "SessionStart-resume", crashed,
                 [("session_crash", "sessionId", OLD), ("session_recovered", "sessionId", OLD)], says=True),
    HookScenario("a subagent's tick", "PostToolUse", "PostToolUse-Edit-subagent", agent_ticked,
                 [("task_completed", "taskId", SUBJECT), ("task_completed", "agentId", AGENT[0]),
                  ("phase_completed", "phaseId", "roof")], agent=AGENT, says=True,
                 tool_input=lambda world: {"file_path": str(world.plan), "old_string": "[ ]", "new_string": "[x]"}),
    HookScenario("SubagentStop that is sent back", "SubagentStop", "SubagentStop", agent_runs,
                 [("subagent_started", "agentId", AGENT[0])], agent=AGENT, says=True, last_assistant_message=CLAIM),
    HookScenario("SubagentStop that is recorded", "SubagentStop", "SubagentStop-active", agent_was_sent_back,
                 [("subagent_stopped", "agentId", AGENT[0])], agent=AGENT, last_assistant_message=CLAIM),
    HookScenario("SessionEnd", "SessionEnd", "SessionEnd-other", session_has_words,
                 [("session_ended", "sessionId", SESSION), ("note_saved", "by", None)]),
]


def kill(program, templates, item):
    number, name, when, _ = item
    scenario, template = SCENARIOS[number], World(program, templates[number])
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[number]).parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        run, came = inject(world, scenario.arguments, name, "signal=KILL", when, scenario.payload(world))
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        if run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}"]
        # At its exit everything was answered: the client may rely on it.
        return scenario.findings_after(world, template, acknowledged=name == "exit_group")


def break_call(program, templates, item):
    number, name, when, error, _ = item
    scenario, template = SCENARIOS[number], World(program, templates[number])
    with tempfile.TemporaryDirectory(dir=pathlib.Path(templates[number]).parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        run, came = inject(world, scenario.arguments, name, "error=" + error, when, scenario.payload(world))
        if not came:
            return [f"the call did not come; exit status {run.returncode}"]
        if is_crash(run):
            return [f"crashed: exit status {run.returncode}, {run.stderr!r}"]
        found = broken_promises(run) + ["at once: " + finding for finding in invalid_files(world)]
        return found + scenario.findings_after(world, template, acknowledged=False)


def errors_at(calls):
    for name, when, line in calls:
        # No system reports a full disk for a look or a read.
        for error in ("EIO",) if name in READING and "O_CREAT" not in line else ("ENOSPC", "EIO"):
            yield name, str(when), error, line
        if name in CHANGING:
            yield name, f"{when}+", "ENOSPC", line


def inject_everywhere(program, base, tracked):
    """Kills and errors. Gives how many items had findings."""
    templates, kills, errors = [], [], []
    for number, scenario in enumerate(SCENARIOS):
        template = tracked.copy(base / f"template-{number}")
        scenario.prepare(template)
        templates.append(str(template.base))
        trial = template.copy(base / f"trial-{number}")
        plain = template.copy(base / f"plain-{number}")
        run = scenario.call(plain, FAULTY)
        wrong = broken_promises(run) + scenario.missing(plain)
        if wrong or run.stderr or bool(run.stdout) != scenario.says:
            sys.exit(f"{scenario.name} without a fault: {wrong}, {run.stdout!r}, {run.stderr!r}")
        calls = calls_of(trial, scenario.arguments, [*CHANGING, *READING, "exit_group"], scenario.payload(trial))
        changing = [call for call in calls if call[0] in (*CHANGING, "exit_group") or "O_CREAT" in call[2]]
        kills += [(number, *call) for call in changing]
        variants = [(number, *variant) for variant in errors_at(call for call in calls if call[0] != "exit_group")]
        errors += variants
        print(f"{scenario.name}: killed at {len(changing)} calls, {len(variants)} errors at {len(calls) - 1}")
        if len(changing) < 8 or changing[-1][0] != "exit_group" or len(calls) < 20:
            sys.exit("that cannot be all of them")
    tried, bad = run_all(functools.partial(guarded, functools.partial(kill, program, templates)), kills)
    print(f"{tried} kills, {bad} with findings", flush=True)
    tried, broken = run_all(functools.partial(guarded, functools.partial(break_call, program, templates)), errors)
    print(f"{tried} errors injected, {broken} with findings", flush=True)
    return bad + broken


# --- payloads made by an enemy ------------------------------------------------------------------------------------------

HOSTILE_EVENTS = {"SessionStart": "SessionStart-startup", "UserPromptSubmit": "UserPromptSubmit",
                  "PostToolUse": "PostToolUse-Edit", "SubagentStop": "SubagentStop", "SessionEnd": "SessionEnd-other"}
GIANT = 100 << 20


def feed(process, parts, pause=0.0):
    """Writes the parts until they end or nobody reads; whether the process took them all."""
    try:
        for part in parts:
            process.stdin.write(part)
            process.stdin.flush()
            if pause:
                time.sleep(pause)
            if process.poll() is not None:
                return False
        return True
    except BrokenPipeError:
        return False


def start(world, event, stdin=subprocess.PIPE):
    return subprocess.Popen([world.program, "hook", "claude-code", event], cwd=world.root, env=world.environment(),
                            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process):
    """Waits for the end, with standard input left as it is."""
    stdin, process.stdin = process.stdin, None
    out, err = process.communicate(timeout=PATIENCE + SLACK)
    if stdin:
        try:
            stdin.close()
        except BrokenPipeError:
            pass
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def zeros(world, event):
    with open("/dev/zero", "rb") as zero:
        return finish(start(world, event, zero))


def never_ends(world, event):
    process = start(world, event)
    feed(process, [payload(world, HOSTILE_EVENTS[event], SESSION)[:60]])
    return finish(process)


def drips_for_ever(world, event):
    process = start(world, event)
    body = payload(world, HOSTILE_EVENTS[event], SESSION)[:60]
    feed(process, [body] + [b"x"] * 600, pause=0.05)
    return finish(process)


def giant(world, event):
    process = start(world, event)
    # The giant comes first, so that no event can do without reading it.
    body = payload(world, HOSTILE_EVENTS[event], SESSION)
    feed(process, [b'{"more":"', *[b"x" * (1 << 20)] * (GIANT >> 20), b'",', body[1:]])
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.stdin = None
    return finish(process)


def in_a_shell(world, event, script):
    return subprocess.run(["/bin/sh", "-c", script, "sh", world.program, event], cwd=world.root, env=world.environment(),
                          input=payload(world, HOSTILE_EVENTS[event], SESSION), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=PATIENCE + SLACK, check=False)


def closed_input(world, event):
    return in_a_shell(world, event, 'exec "$1" hook claude-code "$2" <&-')


def closed_output(world, event):
    return in_a_shell(world, event, 'exec "$1" hook claude-code "$2" >&-')


def everything_closed(world, event):
    return in_a_shell(world, event, 'exec "$1" hook claude-code "$2" <&- >&- 2>&-')


def full_output(world, event):
    return in_a_shell(world, event, 'exec "$1" hook claude-code "$2" >/dev/full')


def nobody_reads(world, event):
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen([world.program, "hook", "claude-code", event], cwd=world.root, env=world.environment(),
                               stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    _, err = process.communicate(payload(world, HOSTILE_EVENTS[event], SESSION), timeout=PATIENCE + SLACK)
    return subprocess.CompletedProcess(process.args, process.returncode, b"", err)


def folder_as_input(world, event):
    folder = os.open(world.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return finish(start(world, event, folder))
    finally:
        os.close(folder)


# Each with whether the hook gets its payload and so has to do its work.
HOSTILE = {zeros: False, never_ends: False, drips_for_ever: False, giant: False, closed_input: False,
           folder_as_input: False, everything_closed: False, closed_output: True, full_output: True, nobody_reads: True}
# Of these events every one is to be found in the history.
RECORDED = ("SessionStart", "PostToolUse", "SubagentStop", "SessionEnd")


def attack(base, template, item):
    """The run, the world it ran in and how long it took."""
    act, event = item
    world = template.copy(base / f"{act.__name__}-{event}")
    began = time.monotonic()
    try:
        run = act(world, event)
    except subprocess.TimeoutExpired:
        run = None
    return run, world, time.monotonic() - began


def judge(template, item, result):
    act, event = item
    run, world, took = result
    if run is None:
        return ["hangs"]
    found = broken_promises(run) + invalid_files(world)
    if not world.history().startswith(template.history()):
        found.append("events that were there before are gone")
    if not HOSTILE[act]:
        # That somebody called, and that the payload could not be read, is noted there.
        changed = [str(path) for path in world.tracking.rglob("*") if path.is_file() and path.name not in ("errors.log", "hooks.log") and
                   path.read_bytes() != (template.tracking / path.relative_to(world.tracking)).read_bytes()]
        if changed:
            found.append(f"changed {changed} without having a payload")
        if run.stdout:
            found.append(f"answers what nobody asked: {run.stdout!r}")
    if HOSTILE[act] and event in RECORDED and world.history() == template.history():
        found.append("did not do its work")
    if act in (never_ends, drips_for_ever) and (took < PATIENCE - 1 or b"timed out" not in run.stderr):
        found.append(f"did not wait for it, or does not say so: {took:.1f} s, {run.stderr!r}")
    sync = world.run("sync", now=REPAIRED)
    if sync.returncode != 0:
        found.append(f"sync behind it exits with {sync.returncode}: {sync.stderr!r}")
    return found + broken_law(world)


def attack_all(program, base, tracked):
    template = tracked.copy(base / "attacked")
    agent_runs(template)
    template.tick()
    items = [(act, event) for act in HOSTILE for event in HOSTILE_EVENTS]
    # Those that wait wait side by side; in threads, because it is the program that works and not this.
    with ThreadPoolExecutor(max_workers=10) as pool:
        results = list(pool.map(functools.partial(attack, base, template), items))
    bad = 0
    for item, result in zip(items, results):
        found = guarded(lambda _: judge(template, item, result), None)
        bad += bool(found)
        for finding in found:
            print(f"FAILED {item[0].__name__}, {item[1]}: {finding}")
    print(f"{len(items)} hostile payloads, {bad} with findings", flush=True)
    return bad


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base)
        tracked = tracked_world(program, base / "tracked")
        bad = attack_all(program, base, tracked)
        bad += inject_everywhere(program, base, tracked)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
