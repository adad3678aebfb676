"""What the fault tests of hooks share: recorded payloads of Claude Code, and what every hook promises."""

import json
import pathlib

PAYLOADS = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "hooks" / "claude-code"
RECORDED_PROJECT, RECORDED_HOME = "/home/dev/project", "/home/dev"


def payload(world, name, session, agent=None, **fields):
    """A recorded payload, moved to this place and session, with fields set. `agent`: (id, type)."""
    text = (PAYLOADS / (name + ".json")).read_text(encoding="utf-8")
    text = text.replace(RECORDED_PROJECT, str(world.root)).replace(RECORDED_HOME, str(world.base / "home"))
    body = {**json.loads(text), "session_id": session}
    if agent:
        # In the recorded order: who acts stands before what was done.
        rest = {key: value for key, value in body.items() if key not in ("agent_id", "agent_type")}
        body = {}
        for key, value in rest.items():
            if key == "hook_event_name":
                body["agent_id"], body["agent_type"] = agent
            body[key] = value
    body.update(fields)
    return json.dumps(body, separators=(",", ":")).encode() + b"\n"


def broken_promises(run):
    """What a hook did to its host that it must not do, whatever happened to it."""
    found = []
    if run.returncode != 0:
        found.append(f"exits with {run.returncode}: {run.stderr!r}")
    if run.stdout:
        try:
            whole = isinstance(json.loads(run.stdout), dict)
        except ValueError:
            whole = False
        if not whole:
            found.append(f"standard output is no whole reply: {run.stdout[:300]!r}")
    lines = run.stderr.split(b"\n")
    if lines.pop() != b"" or len(lines) > 1 or any(not line.startswith(b"plankeep: ") for line in lines):
        found.append(f"standard error is not one line of ours: {run.stderr[:500]!r}")
    return found
