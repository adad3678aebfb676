#!/usr/bin/python3
"""Round trips between plankeep and the real Entire program, in repositories and homes of their own: what one of them
writes, the other one reads, and neither loses anything of the other.

  PLANKEEP_ENTIRE=/path/to/entire entire_round_trips.py PROGRAM [NAME...]

For each operation a line is printed, as in the table of tests/interop/README.md. Without PLANKEEP_ENTIRE it is skipped.
Entire's usage figures are switched off; what else it would send ends at this machine.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from session_project import Session, SessionProject  # noqa: E402

SKIPPED = 77
BRANCH = "entire/checkpoints/v1"
TRAILER = re.compile(r"^Entire-Checkpoint: ([0-9a-f]{12})$", re.M)
SUMMARY = {"intent": "to greet", "outcome": "greeted", "learnings": {"repo": [], "code": [], "workflow": []},
           "friction": [], "open_items": []}
ENTIRE_EVENTS = {"SessionStart": "session-start", "UserPromptSubmit": "user-prompt-submit", "Stop": "stop",
                 "SessionEnd": "session-end"}


class World(SessionProject):
    """plankeep has the pinned clock of its tests. Entire takes the time of the machine, so times are not compared."""

    def __init__(self, program, entire, base):
        self.programs = pathlib.Path(base) / "bin"
        self.programs.mkdir(parents=True)
        (self.programs / "entire").symlink_to(entire)  # its hooks look for it on the PATH
        super().__init__(program, base)
        nowhere = "http://127.0.0.1:9"
        self.extra = {"PATH": f"{self.programs}:{os.environ['PATH']}", "ENTIRE_TELEMETRY_OPTOUT": "1", "PAGER": "cat",
                      # No question at a terminal that the test may have: a person is there and says the default.
                      "ENTIRE_TEST_TTY": "1",
                      **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), nowhere)}
        # Entire looks for the author in the configuration only.
        self.git("config", "user.name", "Kim")
        self.git("config", "user.email", "kim@example.org")
        self.results = []
        self.commit("base")

    def entire(self, *words, given=b"", status=0):
        done = subprocess.run([self.programs / "entire", *words], cwd=self.root, env=self.environment(), input=given,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False,
                              start_new_session=True)
        if status is not None and done.returncode != status:
            raise AssertionError(f"entire {words} exits with {done.returncode}: {done.stdout!r} {done.stderr!r}")
        return done.stdout

    def enable(self):
        self.entire("enable", "--agent", "claude-code", "--strategy", "manual-commit", "--telemetry=false")
        # Its settings are not what the sessions work on.
        with open(self.root / ".git/info/exclude", "a", encoding="utf-8") as file:
            file.write(".entire/\n.claude/\n")

    def same(self, operation, told, expected):
        """One line of the table."""
        good = told == expected
        self.results.append(good)
        print(f"  {'ok' if good else 'FINDING'}: {operation}", flush=True)
        if not good:
            print(f"    told:     {told!r}"[:2000], f"    expected: {expected!r}"[:2000], sep="\n", flush=True)

    def blob(self, name, revision=BRANCH):
        return subprocess.run(["git", "cat-file", "blob", f"{revision}:{name}"], cwd=self.root, env=self.environment(),
                              check=True, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

    def raw(self, identity, session):
        return self.run("session", "show", identity, "--raw", "--session", session).encode()

    def id_of(self, revision="HEAD"):
        """The one id that a commit names."""
        found = TRAILER.findall(self.git("log", "-1", "--format=%B", revision))
        if len(found) != 1:
            raise AssertionError(f"{revision} names {found}")
        return found[0]

    def listed(self):
        return {one["id"]: one for one in json.loads(self.run("session", "list", "--all", "--json"))["checkpoints"]}

    def shown(self, identity):
        return json.loads(self.run("session", "show", identity, "--json"))["checkpoint"]

    def trees(self, revision=BRANCH):
        """id -> tree of each session checkpoint on the branch."""
        found = {}
        for line in self.git("ls-tree", "-r", "-d", revision).splitlines():
            tree, path = line.split(" ")[2].split("\t")
            if re.fullmatch(r"[0-9a-f]{2}/[0-9a-f]{10}", path):
                found[path.replace("/", "")] = tree
        return found

    def explained(self, identity):
        """id and session, as Entire reads them."""
        text = self.entire("explain", "--checkpoint", identity, "--no-pager").decode()
        return re.findall(r"^(?:Checkpoint|Session): (\S+)", text, re.M)

    def sound(self, operation):
        checked = json.loads(self.run("session", "check", "--deep", "--json"))
        self.same(f"{operation}: `plankeep session check --deep` finds nothing", checked["findings"], [])
        done = subprocess.run(["git", "fsck", "--full", "--strict"], cwd=self.root, env=self.environment(), timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        told = [line for line in done.stdout.decode().splitlines() if not line.startswith("dangling ")]
        self.same(f"{operation}: `git fsck --strict` finds nothing", (done.returncode, told), (0, []))


class EntireSession(Session):
    """A session of Claude Code that calls Entire's hooks."""

    def hook(self, event, **fields):
        payload = {"session_id": self.name, "transcript_path": str(self.transcript), "hook_event_name": event, **fields}
        if event == "Stop":
            # Claude Code notes the call in the transcript; Entire waits for that line, with the machine's time in it.
            now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
            line = {"type": "progress", "timestamp": now.replace("+00:00", "Z"),
                    "data": {"type": "hook_progress", "command": "entire hooks claude-code stop"}}
            with open(self.transcript, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        self.project.entire("hooks", "claude-code", ENTIRE_EVENTS[event], given=json.dumps(payload).encode())


def digest(data):
    """Of what is too long to be printed."""
    return len(data), hashlib.sha256(data).hexdigest()


def turn(session, path, text, prompt):
    session.prompt(prompt)
    session.write(path, text)
    session.stop()


def compare_with_branch(world, identity, operation):
    """Everything that plankeep tells about a session checkpoint is what stands in the repository."""
    folder = f"{identity[:2]}/{identity[2:]}"
    root = json.loads(world.blob(f"{folder}/metadata.json"))
    one = world.shown(identity)
    told = [one["id"], one["strategy"], one["branch"], one["checkpoints_count"], one["files_touched"], one["problems"]]
    world.same(f"{operation}: `session show --json`, root", told,
               [identity, root["strategy"], root["branch"], root["checkpoints_count"], root["files_touched"], []])
    for slot, session in enumerate(one["sessions"]):
        data = json.loads(world.blob(f"{folder}/{slot}/metadata.json"))
        told = [session["slot"], session["session_id"], session["agent"], session["checkpoints_count"],
                session["files_touched"], session["token_usage"]["input_tokens"], session["prompts"]]
        prompts = world.blob(f"{folder}/{slot}/prompt.txt").decode().split("\n\n---\n\n")
        world.same(f"{operation}: `session show --json`, session {slot}", told,
                   [slot, data["session_id"], data["agent"], data["checkpoints_count"], data["files_touched"],
                    data["token_usage"]["input_tokens"], prompts])
        world.same(f"{operation}: `session show --raw`, session {slot}", world.raw(identity, data["session_id"]),
                   world.blob(f"{folder}/{slot}/full.jsonl"))
    world.same(f"{operation}: number of sessions", len(one["sessions"]), len(root["sessions"]))


def entire_writes(world):
    """Entire writes, plankeep reads."""
    world.enable()
    first = EntireSession(world, "11111111-aaaa-4aaa-8aaa-000000000001")
    turn(first, "one.txt", "one\n", "write one")
    commits = {}
    commits[world.commit("one turn")] = None
    first.prompt("write two and three")
    first.write("two.txt", "two\n")
    world.extra["ENTIRE_TEST_TTY"] = "0"  # the client commits, nobody is there
    in_turn = [world.commit("in a turn")]
    first.write("three.txt", "three\n")
    in_turn.append(world.commit("again in the turn"))
    world.extra["ENTIRE_TEST_TTY"] = "1"
    first.stop()
    for commit in in_turn:
        if TRAILER.search(world.git("log", "-1", "--format=%B", commit)):
            commits[commit] = None
        else:
            print("  left out: a commit in a turn, which this version does not link")
    second = EntireSession(world, "22222222-aaaa-4aaa-8aaa-000000000002")
    turn(first, "four.txt", "four\n", "write four")
    turn(second, "five.txt", "f\u00fcnf \U0001f600\n", "write f\u00fcnf \U0001f600")
    commits[world.commit("two sessions")] = None
    world.write("by-hand.txt", "a person's\n")
    by_hand = world.commit("by hand")
    for session in (first, second):
        session.end()
    for commit in commits:
        commits[commit] = world.id_of(commit)
    before = world.git("for-each-ref")
    listed = world.listed()
    stored = world.trees()
    world.same("`session list --json`: every id of the branch", sorted(listed), sorted(stored))
    world.same("`session list --json`: every id of a trailer is there", sorted(set(commits.values()) - set(listed)), [])
    told = {commit["sha"]: identity for identity, one in listed.items() for commit in one["commits"]}
    world.same("`session list --json`: the commits that name them", {key: value for key, value in told.items()
                                                                     if key != by_hand}, commits)
    for commit, identity in commits.items():
        compare_with_branch(world, identity, f"of {world.git('log', '-1', '--format=%s', commit).strip()!r}")
    both = world.shown(commits[list(commits)[-1]])
    world.same("two sessions in one commit", sorted(one["session_id"] for one in both["sessions"]),
               [first.name, second.name])
    world.sound("Entire's data")
    identity = commits[list(commits)[-1]]
    (world.home / ".claude").mkdir(exist_ok=True)  # the client has run here
    world.run("session", "resume", identity, "--session", second.name)
    restored = list((world.home / ".claude/projects").rglob(second.name + ".jsonl"))
    world.same("`session resume`: the transcript", [path.read_bytes() for path in restored],
               [world.raw(identity, second.name)])
    world.same("reading changes no ref", world.git("for-each-ref"), before)


def entire_snapshots(world):
    """Entire takes snapshots of a running session; plankeep restores the files from them."""
    world.enable()
    session = EntireSession(world)
    turn(session, "notes.txt", "first\n", "begin the notes")
    turn(session, "notes.txt", "first\nsecond\n", "go on with the notes")
    shadows = [name for name in world.git("for-each-ref", "--format=%(refname:short)", "refs/heads/entire").split()
               if name != BRANCH]
    tips = world.git("log", "--format=%H", shadows[0]).split()
    pending = json.loads(world.run("session", "list", "--pending", "--json"))["branches"]
    world.same("`session list --pending`: branch and session", [(one["branch"], one["session_id"]) for one in pending],
               [(name, session.name) for name in shadows])
    world.same("`session list --pending`: its snapshots", [one["commit"] for one in pending[0]["snapshots"]],
               tips[:len(pending[0]["snapshots"])])
    world.write("notes.txt", "spoiled\n")
    restored = 0
    for tip in tips:
        if subprocess.run(["git", "cat-file", "-e", tip + ":notes.txt"], cwd=world.root, env=world.environment(),
                          stderr=subprocess.DEVNULL, timeout=60, check=False).returncode != 0:
            continue
        imported = json.loads(world.run("checkpoint", "import", "--from", "entire", tip, "--json"))
        world.run("rewind", imported["imported"][0]["checkpoint"], "--files")
        world.same("`checkpoint import --from entire`, `rewind`: the file of a snapshot",
                   world.read("notes.txt").encode(), world.blob("notes.txt", tip))
        restored += 1
    world.same("a snapshot for each turn", restored, 2)
    world.same("the shadow branch is untouched", world.git("rev-parse", shadows[0]).strip(), tips[0])


def prepare_plankeep(world):
    """A commit recorded by export into the branch, and one that the hooks recorded."""
    session = Session(world)
    turn(session, "one.txt", "one\n", "write one")
    world.commit("exported")
    world.export("--commit", "HEAD", "--layout", "branch")
    exported = next(iter(world.trees()))
    world.run("git-setup", "--sessions", "--local")
    session.prompt("write two, \u00fc and \U0001f600")
    world.write("two.txt", "\u00fc \U0001f600\n")
    call = {"file_path": str(world.root / "two.txt"), "content": "\u00fc \U0001f600\n"}
    session.tool("Write", **call)
    session.hook("PostToolUse", tool_name="Write", tool_input=call, tool_response={"filePath": call["file_path"]})
    world.commit("linked")
    session.stop()
    return session, exported, world.id_of()


def plankeep_writes(world):
    """plankeep writes (export and hooks, layout branch), Entire reads."""
    session, exported, linked = prepare_plankeep(world)
    world.same("both are on the branch", sorted(world.trees()), sorted((exported, linked)))
    for kind, identity, path in (("exported", exported, "one.txt"), ("linked", linked, "two.txt")):
        folder = f"{identity[:2]}/{identity[2:]}"
        transcript = world.blob(f"{folder}/0/full.jsonl")
        text = world.entire("explain", "--checkpoint", identity, "--no-pager").decode()
        world.same(f"{kind}: `entire explain --checkpoint`", world.explained(identity), [identity, session.name])
        world.same(f"{kind}: `entire explain`, author", re.findall(r"^Author: (.*)$", text, re.M),
                   ["Kim <kim@example.org>"])
        world.same(f"{kind}: `entire explain`, files", (re.findall(r"^Files: \((\d+)\)", text, re.M),
                                                        re.findall(r"^  - (\S+)$", text, re.M)), (["1"], [path]))
        world.same(f"{kind}: `entire explain --checkpoint` by 4 characters", world.explained(identity[:4]),
                   [identity, session.name])
        world.same(f"{kind}: `entire explain --raw-transcript`",
                   world.entire("explain", "--checkpoint", identity, "--raw-transcript"), transcript)
        world.entire("explain", "--checkpoint", identity, "--full", "--no-pager")
    told = world.entire("explain", "--commit", "HEAD", "--no-pager").decode()
    world.same("`entire explain --commit HEAD`", re.findall(r"^Checkpoint: (\S+)", told, re.M), [linked])
    points = json.loads(world.entire("rewind", "--list"))
    world.same("`entire rewind --list`", [(one["condensation_id"], one["is_logs_only"], one["session_id"])
                                          for one in points], [(linked, True, session.name)])
    world.entire("resume", "main", "--force")
    restored = list((world.home / ".claude/projects").rglob(session.name + ".jsonl"))
    world.same("`entire resume`: the transcript", [path.read_bytes() for path in restored],
               [world.blob(f"{linked[:2]}/{linked[2:]}/0/full.jsonl")])


def plankeep_snapshots(world):
    """plankeep puts snapshots of a running session onto the shadow branch; Entire lists them and goes back to one. Entire
    lists only sessions that its own hooks have seen, so they have been called at the session's start."""
    world.enable()
    ours, theirs = Session(world), EntireSession(world)
    theirs.transcript = ours.transcript
    world.write("notes.txt", "before\n")
    world.git("add", "notes.txt")
    world.git("commit", "-q", "-m", "with notes")
    theirs.hook("UserPromptSubmit", prompt="begin")
    written = []
    for number, text in enumerate(("first\n", "first\nsecond \u00fc \U0001f600\n")):
        prompt = f"write {number} \u00fc"
        ours.prompt(prompt)
        ours.write("notes.txt", text)
        ours.write(f"folder/{number}.txt", text)
        ours.stop()
        told, = world.export("--pending")["pending"]
        world.same(f"`checkpoint export --to entire --pending`, turn {number}",
                   (told["session_id"], told["status"]), (ours.name, "written"))
        written.append((told["commit"], told["subject"], text))
    points = [one for one in json.loads(world.entire("rewind", "--list")) if not one["is_logs_only"]]
    world.same("`entire rewind --list`: commit, subject and session of each snapshot",
               [(one["id"], one["message"], one["session_id"]) for one in points],
               [(commit, subject, ours.name) for commit, subject, _ in reversed(written)])
    world.write("notes.txt", "spoiled\n")
    for commit, _, text in reversed(written):  # Entire drops the snapshots after the one that it goes back to
        world.entire("rewind", "--to", commit)
        world.same("`entire rewind --to`: the files of the snapshot", (world.read("notes.txt"), world.read("folder/0.txt")),
                   (text, "first\n"))
    world.sound("snapshots")


def entire_updates(world):
    """Entire adds a summary to what plankeep wrote."""
    session, exported, linked = prepare_plankeep(world)
    # Entire asks Claude Code for the summary: a stand-in answers.
    stand_in = world.programs / "claude"
    answer = json.dumps({"type": "result", "result": json.dumps(SUMMARY)})
    stand_in.write_text(f"#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{answer}\nEND\n", encoding="utf-8")
    stand_in.chmod(0o755)
    before = world.trees()
    folder = f"{linked[:2]}/{linked[2:]}"
    plan = world.blob(f"{folder}/plankeep/plan.json")
    transcript = world.blob(f"{folder}/0/full.jsonl")
    world.entire("explain", "--checkpoint", linked, "--generate", "--no-pager")
    after = world.trees()
    world.same("`entire explain --generate`: the other checkpoint stays", after[exported], before[exported])
    world.same("`entire explain --generate`: this one is another", after[linked] != before[linked], True)
    world.same("plankeep/plan.json survives it", world.blob(f"{folder}/plankeep/plan.json"), plan)
    world.same("the transcript survives it", world.raw(linked, session.name), transcript)
    one = world.shown(linked)
    world.same("`session show`: the summary", (one["sessions"][0]["summary"]["intent"],
                                               one["sessions"][0]["summary"]["outcome"]), ("to greet", "greeted"))
    world.same("`session show`: the plan", "plan" in one, True)
    world.sound("updated")


def entire_adds(world):
    """Entire adds a session of its own to a session checkpoint that plankeep wrote, by an amended commit."""
    session, exported, linked = prepare_plankeep(world)
    folder = f"{linked[:2]}/{linked[2:]}"
    kept = {path: world.blob(f"{folder}/{path}") for path in ("plankeep/plan.json", "0/full.jsonl", "0/metadata.json",
                                                               "0/prompt.txt")}
    world.enable()
    theirs = EntireSession(world, "aaaaaaaa-aaaa-4aaa-8aaa-00000000000a")
    turn(theirs, "three.txt", "three\n", "write three")
    world.git("add", "-A")
    world.git("commit", "-q", "--amend", "--no-edit")
    world.same("the amended commit keeps its trailer", world.id_of(), linked)
    one = world.shown(linked)
    world.same("`session show`: both sessions, in their slots", [(part["slot"], part["session_id"])
                                                                for part in one["sessions"]],
               [(0, session.name), (1, theirs.name)])
    world.same("all of the first one and plankeep/plan.json survive", {path: world.blob(f"{folder}/{path}")
                                                                       for path in kept}, kept)
    world.same("`session show --json`: the files of both", sorted(one["files_touched"]), ["three.txt", "two.txt"])
    world.same("`session show --raw`: of each", [world.raw(linked, part["session_id"]) for part in one["sessions"]],
               [world.blob(f"{folder}/{slot}/full.jsonl") for slot in (0, 1)])
    before = world.blob(f"{folder}/1/full.jsonl")
    world.export("--commit", "HEAD")
    world.same("a later export leaves Entire's session alone", world.blob(f"{folder}/1/full.jsonl"), before)
    world.same("a later export leaves the other session checkpoint alone", exported in world.trees(), True)
    world.sound("added")


def in_turns(world):
    """Both write into one branch in turns."""
    world.enable()
    theirs = EntireSession(world, "33333333-aaaa-4aaa-8aaa-000000000003")
    ours = Session(world, "44444444-aaaa-4aaa-8aaa-000000000004")
    written = {}  # id -> (session, transcript)
    trees = {}
    tips = [world.git("rev-parse", BRANCH).strip()]
    kept = True
    for number in range(6):
        session = (theirs, ours)[number % 2]
        turn(session, f"{number}.txt", f"{number}\n", f"write {number}")
        world.commit(f"commit {number}")
        if session is ours:
            world.export("--commit", "HEAD")
        now = world.trees()
        new = set(now) - set(trees)
        if len(new) != 1:
            raise AssertionError(f"commit {number}: new are {new}")
        kept = kept and all(now.get(key) == tree for key, tree in trees.items())
        identity = new.pop()
        written[identity] = (session.name, world.raw(identity, session.name))
        trees = now
        tips.append(world.git("rev-parse", BRANCH).strip())
    world.same("six writes in turns: none changes what was there", kept, True)
    for older, newer in zip(tips, tips[1:]):
        world.git("merge-base", "--is-ancestor", older, newer)
    world.same("six writes in turns: each builds on the one before", world.git("rev-list", "--count", BRANCH).strip(),
               str(int(world.git("rev-list", "--count", tips[0])) + 6))
    world.same("plankeep lists all", sorted(world.listed()), sorted(written))
    for identity, (name, transcript) in written.items():
        world.same(f"of {name[:4]}: Entire reads it", world.explained(identity), [identity, name])
        world.same(f"of {name[:4]}: `--raw-transcript`",
                   world.entire("explain", "--checkpoint", identity, "--raw-transcript"), transcript)
    world.sound("written in turns")


def pushing(world):
    """Both push to one remote from two clones, and merge what the other one pushed."""
    remote = world.base.parent / "remote.git"
    world.git("init", "-q", "--bare", str(remote))
    world.git("remote", "add", "origin", str(remote))
    world.enable()
    theirs = EntireSession(world, "77777777-aaaa-4aaa-8aaa-000000000007")
    turn(theirs, "first.txt", "1\n", "write the first")
    world.commit("first")
    world.git("push", "-q", "origin", "main")
    there = ["ls-tree", "-r", "-d", BRANCH]
    world.same("`git push`: Entire's hook pushes the branch", world.git("-C", str(remote), *there), world.git(*there))
    other = world.copy(world.base.parent / "copy")
    turn(theirs, "second.txt", "2\n", "write the second")
    world.commit("second")
    world.git("push", "-q", "origin", "main")
    ours = Session(other, "88888888-aaaa-4aaa-8aaa-000000000008")
    turn(ours, "other.txt", "o\n", "write another")
    other.commit("other")
    other.export("--commit", "HEAD")
    other.run("session", "push", "origin", "--yes")
    expected = {**world.trees(), **other.trees()}
    world.same("`session push` merges with what Entire pushed", len(expected), 3)
    world.git("fetch", "-q", "origin", f"{BRANCH}:refs/seen")
    world.same("`session push`: the remote has all", world.trees("refs/seen"), expected)
    turn(theirs, "third.txt", "3\n", "write the third")
    world.commit("third")
    world.git("push", "-q", "origin", "main")
    expected.update(world.trees())
    world.git("fetch", "-q", "origin", f"{BRANCH}:refs/seen")
    world.same("`git push`: Entire's hook merges with what plankeep pushed", (world.trees("refs/seen"), len(expected)),
               (expected, 4))
    identity = next(iter(set(other.listed()) - {key for key, one in world.listed().items()
                                                if one["sessions"][0]["session_id"] == theirs.name}))
    world.same("Entire reads what plankeep pushed", world.explained(identity), [identity, ours.name])
    other.run("session", "fetch", "origin")
    world.same("`session fetch`: all are listed", sorted(other.listed()), sorted(expected))
    world.sound("pushed")


def in_parts(world):
    """A transcript of more than 50 MiB is stored in several files, by each of them."""
    world.enable()
    filler = "lorem ipsum dolor sit amet " * 4000
    for kind, name in ((Session, "99999999-aaaa-4aaa-8aaa-000000000009"),
                       (EntireSession, "99999999-bbbb-4aaa-8aaa-000000000009")):
        session = kind(world, name)
        session.prompt("write a lot")
        for _ in range(520):
            session.say("assistant", [{"type": "text", "text": filler}])
        session.write(f"{name}.txt", "1\n")
        session.stop()
        world.commit(name)
        if kind is Session:
            world.export("--commit", "HEAD")
    for identity, one in world.listed().items():
        name = one["sessions"][0]["session_id"]
        folder = f"{identity[:2]}/{identity[2:]}/0"
        parts = [world.blob(f"{folder}/{part}") for part in ("full.jsonl", "full.jsonl.001")]
        whole = b"\n".join(parts)
        world.same(f"of {name[:13]}: `session show --raw`", digest(world.raw(identity, name)), digest(whole))
        world.same(f"of {name[:13]}: `--raw-transcript`",
                   digest(world.entire("explain", "--checkpoint", identity, "--raw-transcript")), digest(whole))
    world.same("both are stored", len(world.listed()), 2)
    world.sound("in parts")


def side_by_side(world):
    """The hooks of both in one repository, with one session that calls both."""
    world.run("git-setup", "--sessions", "--local")
    world.enable()
    ours, theirs = Session(world), EntireSession(world)
    theirs.transcript = ours.transcript
    for number in range(3):
        ours.prompt(f"write {number}")
        theirs.hook("UserPromptSubmit", prompt=f"write {number}")
        world.write(f"{number}.txt", f"{number}\n")
        call = {"file_path": str(world.root / f"{number}.txt"), "content": f"{number}\n"}
        ours.tool("Write", **call)
        ours.hook("PostToolUse", tool_name="Write", tool_input=call, tool_response={"filePath": call["file_path"]})
        theirs.stop()
        ours.hook("Stop", stop_hook_active=False, last_assistant_message="Done.")
        world.commit(f"commit {number}")
        identity = world.id_of()  # refuses two
        one = world.shown(identity)
        world.same(f"commit {number}: one trailer, one checkpoint, one session",
                   [session["session_id"] for session in one["sessions"]], [ours.name])
    world.same("three commits, three checkpoints", len(world.listed()), 3)
    world.sound("side by side")
    world.entire("disable", "--uninstall", "--force")
    hook = world.root / ".git/hooks/prepare-commit-msg"
    if not hook.exists() or "plankeep" not in hook.read_text(encoding="utf-8"):
        print("  left out: `entire enable` of this version replaces other hooks for good; they are put back")
    # Again in any case: the layout of new ids is chosen when this runs, and the branch is there only since then.
    world.run("git-setup", "--sessions", "--local")
    call = {"file_path": str(world.root / "last.txt"), "content": "last\n"}
    ours.prompt("write the last")
    world.write("last.txt", "last\n")
    ours.tool("Write", **call)
    ours.hook("PostToolUse", tool_name="Write", tool_input=call, tool_response={"filePath": call["file_path"]})
    world.commit("the last")
    world.same("afterwards plankeep links commits",
               [one["session_id"] for one in world.shown(world.id_of())["sessions"]], [ours.name])


def cleaning(world):
    """Entire's clean, doctor and reset find nothing of plankeep's to remove."""
    session, exported, linked = prepare_plankeep(world)
    turn(session, "three.txt", "three\n", "write three")
    world.commit("of its own ref")
    world.export("--commit", "HEAD", "--layout", "refs")
    world.enable()
    transcripts = [world.raw(identity, session.name) for identity in (exported, linked)]

    def state():
        notes = world.root / ".git/plankeep"
        return (world.git("for-each-ref"), world.digest(), sorted(world.listed()),
                sorted(str(path.relative_to(notes)) for path in notes.rglob("*") if "sessions.db" not in path.name))

    before = state()
    for words in (("clean",), ("clean", "--force"), ("doctor",), ("doctor", "--force"), ("reset", "--force"),
                  ("status", "--detailed"), ("disable",)):
        if f"\n  {words[0]} " not in world.entire("help").decode():
            print(f"  left out: this version has no `entire {words[0]}`")
            continue
        world.entire(*words)
        world.same(f"`entire {' '.join(words)}` changes nothing of plankeep's", state(), before)
    world.same("the transcripts afterwards", [world.raw(identity, session.name) for identity in (exported, linked)],
               transcripts)
    world.entire("disable", "--uninstall", "--force")
    world.same("`entire disable --uninstall`: the session checkpoints stay", sorted(world.listed()), before[2])
    world.sound("after cleaning")


def at_once(world):
    """Both write at the same moment. Entire sets the branch without looking; what plankeep lost so comes back."""
    hers = []
    for number in range(8):
        session = Session(world, f"99999999-aaaa-4aaa-8aaa-{number:012}")
        turn(session, f"hers-{number}.txt", f"{number}\n", f"write hers {number}")
        hers.append(world.commit(f"hers {number}"))
    world.enable()
    done = []

    def export():
        for commit in hers:
            environment = {**world.environment(), "PLANKEEP_CHECKPOINTS": "off"}
            told = subprocess.run([world.program, "checkpoint", "export", "--to", "entire", "--commit", commit, "--layout",
                                   "branch", "--json"], cwd=world.root, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
            done.append(json.loads(told.stdout)["commits"][0]["checkpoint"])

    writer = threading.Thread(target=export, daemon=True)
    session = EntireSession(world)
    theirs = []
    for number in range(100):
        if number == 1:
            writer.start()
        if number > 1 and not writer.is_alive():
            break
        turn(session, f"theirs-{number}.txt", f"{number}\n", f"write theirs {number}")
        theirs.append(world.id_of(world.commit(f"theirs {number}")))
    writer.join()
    lost = set(done) - set(world.listed())
    again = world.export("--commit", hers[0], "--layout", "branch")
    # Entire's writer takes no lock of git's: one of its own can be replaced while git has the ref locked.
    print(f"  {len(lost)} of plankeep's {len(done)} and {len(set(theirs) - set(world.listed()))} of Entire's {len(theirs)} "
          "were thrown away; put back: " + str(len(again["put_back"])))
    world.same("every session checkpoint of plankeep's is there in the end", sorted(set(done) - set(world.listed())), [])
    world.same("the transcripts", [digest(world.raw(one, f"99999999-aaaa-4aaa-8aaa-{number:012}"))
                                   for number, one in enumerate(done)],
               [digest((world.base / f"99999999-aaaa-4aaa-8aaa-{number:012}.jsonl").read_bytes())
                for number in range(len(done))])
    world.sound("both at once")


TESTS = (entire_writes, entire_snapshots, plankeep_writes, plankeep_snapshots, entire_updates, entire_adds, in_turns,
         pushing, side_by_side, cleaning, in_parts, at_once)


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program = os.path.abspath(sys.argv[1])
    entire = os.environ.get("PLANKEEP_ENTIRE")
    if not entire:
        print("skipped: round trips with Entire (PLANKEEP_ENTIRE does not name its program)")
        return SKIPPED
    if shutil.which("git") is None:
        print("skipped: round trips with Entire (no git)")
        return SKIPPED
    wanted = [test for test in TESTS if len(sys.argv) == 2 or test.__name__ in sys.argv[2:]]
    compared = findings = 0
    for test in wanted:
        print(f"{test.__name__.replace('_', ' ')}: {test.__doc__}", flush=True)
        with tempfile.TemporaryDirectory(prefix="plankeep-entire-", ignore_cleanup_errors=True) as base:
            world = None
            try:
                world = World(program, os.path.abspath(entire), pathlib.Path(base).resolve() / "world")
                test(world)
            except Exception as error:  # each test is told of, whatever broke in it
                findings += 1
                print("  FINDING: it did not come to its end")
                traceback.print_exc(file=sys.stdout)
                if isinstance(error, subprocess.CalledProcessError):
                    print(error.stdout, error.stderr)
            results = world.results if world else []
            compared += len(results)
            findings += results.count(False)
    print(f"{len(wanted)} round trips, {compared} comparisons, {findings} findings")
    return 1 if findings or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
