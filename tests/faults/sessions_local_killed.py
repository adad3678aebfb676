"""Kills what plankeep does with sessions in one repository, at every call that changes a file or starts a process, and
refuses these calls (ENOSPC, EIO): `session clean`, `session resume`, `checkpoint import --from entire`, `checkpoint export
--to entire --pending`, and the hooks that link commits.

  sessions_local_killed.py PROGRAM [WORD]   (WORD: only the cases whose names have it)

git, once it runs, ends by itself; in some cases each git meets the error too. Behind each fault: the user's branch, index,
work tree, configuration and HEAD are what they were, or what the commit makes of them; a commit is always made, and its
message is the user's, with a whole trailer or none; the repository is sound, and `session check` finds nothing; what was
recorded before is there; what `session clean` took away is in a bundle that can be read; a command that says that all went
well has done all; and the next run of it ends where one without a fault ends, with no lock and no temporary file.
"""

import copy
import functools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from injection import CHANGING, strace_or_exit, wait_for_processes
from support import guarded, is_crash, run_all, temporary_base

for folder in ("schemas", "support"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))
from session_project import SESSION, Session, SessionProject  # noqa: E402
from validate_tree import Schemas, check_tree  # noqa: E402

SCHEMAS = Schemas()
DAY = 86400
TRACED = [*CHANGING, *"fork vfork clone clone3 pipe2 openat exit_group".split()]
# Each git that the program starts meets its first, second, ... call of the kind.
IN_GIT = [(name, when) for name in ("write", "fsync", "link", "rename") for when in (1, 2, 3)]
ERRORS = ("error=ENOSPC", "error=EIO")
TEMPORARY = "*.plankeep-tmp"
LISTS = [f".{name}.plankeep-tmp" for name in ("plans.json", "entire-written", "entire-checkpoint-push-queue.jsonl")]
TRAILERS = "Entire-Metadata: .entire/metadata/{0}\nEntire-Session: {0}\n"

# What git's hooks call in place of the program: one of them runs under strace.
HOOKED = """#!/bin/sh
[ "$2" = "$STRUCK" ] || exec {program} "$@"
exec strace -qq $FOLLOW -o "$TRACE" -e "trace=$CALLS" ${{FAULT:+-e "inject=$FAULT"}} {program} "$@"
"""


class World(SessionProject):
    def traced(self, arguments, options=()):
        before = ["strace", "-qq", "-o", str(self.base / "trace"), *options] if options else []
        return subprocess.run([*before, self.program, *arguments], cwd=self.root, env=self.environment(), timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def users(self):
        """What none of these commands may change."""
        return (self.digest(), self.git("rev-parse", "HEAD"), self.git("for-each-ref", "refs/tags", "refs/remotes"),
                sorted(path.name for path in self.root.iterdir()))

    def shadow(self, session, end, tree=None):
        """A shadow branch as Entire's tools make them."""
        base = self.git("rev-parse", "--short=7", "main").strip()
        made = self.git("commit-tree", tree or self.shadow_tree, "-m", "Work", "-m", TRAILERS.format(session)).strip()
        self.git("update-ref", f"refs/heads/entire/{base}-{end}", made)

    def trees(self):
        told = self.git("for-each-ref", "--format=%(refname) %(tree)", "refs/entire", "refs/heads/entire")
        return sorted(told.splitlines())

    def tips(self):
        told = self.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/entire", "refs/heads/entire")
        return dict(line.split() for line in told.splitlines())

    def stored(self):
        """The session checkpoints: id -> the transcripts of its sessions."""
        listed = json.loads(self.run("session", "list", "--all", "--json", "-n", "100"))["checkpoints"]
        return {one["id"]: {session["session_id"]: self.run("session", "show", one["id"], "--raw", "--session",
                                                            session["session_id"]) for session in one["sessions"]}
                for one in listed}

    def queue(self):
        path = self.root / ".git/entire-checkpoint-push-queue.jsonl"
        return sorted(set(path.read_text().splitlines())) if path.exists() else []

    def unsound(self):
        """Why the repository or what sessions stored in it is not sound."""
        run = subprocess.run(["git", "fsck", "--strict", "--no-dangling"], cwd=self.root, env=self.environment(),
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        found = [f"git fsck: {run.stdout!r}"] if run.returncode != 0 else []
        check = json.loads(self.traced(("session", "check", "--deep", "--json")).stdout)
        return found + [f"session check: {one}" for one in check["findings"]]

    def left(self):
        """Temporary files and locks. Those that are locked by flock stay, and nobody holds them."""
        git = self.root / ".git"
        # A list has one temporary name, which its next write takes again.
        found = [path for path in self.base.rglob(TEMPORARY)
                 if path.name not in LISTS and path.parent.name != "commit-links"]
        found += [*git.rglob("tmp_*"), *git.rglob("*.idx.tmp*")]
        found += [path for path in git.rglob("*.lock")
                  if path.parent.name not in ("entire-persistent-ref-locks", "plankeep") and
                  not path.name.startswith("entire-checkpoint-push-queue")]
        return sorted(str(path.relative_to(self.base)) for path in found)

    def clear_up_behind_git(self):
        """What a git leaves that met the errors: its own, and gc removes it."""
        git = self.root / ".git"
        for path in [*git.rglob("tmp_*"), *git.rglob("*.lock")]:
            if path.is_file() and path.parent.name != "plankeep":
                path.unlink()


# --- session clean -------------------------------------------------------------------------------------------------------


def worked(program, base, layout, transcript=""):
    """Two commits of two sessions that ended, each with a session checkpoint."""
    world = World(program, base)
    world.absolute = False
    world.write("a.txt", "one\n")
    world.commit("first")
    world.shadow_tree = ""
    for name, file in ((SESSION, "main.c"), ("second-session", "more.c")):
        session = Session(world, name)
        session.prompt("Write " + file)
        session.write(file, "int a;\n" + transcript)
        session.stop()
        session.end()
        world.git("add", "-A")
        if not world.shadow_tree:
            world.shadow_tree = world.git("write-tree").strip()
            world.shadow(SESSION, "e3b0c4")
            world.shadow(SESSION, "e3b0c5")
        world.commit(file)
    world.export("--all", "--layout", layout)
    if len(world.stored()) != 2:
        raise AssertionError(f"stored is {world.stored()}")
    world.seconds += 40 * DAY
    return world


def with_unsaved_shadow(world):
    world.write("unsaved.txt", "in no commit\n")
    world.git("add", "unsaved.txt")
    tree = world.git("write-tree").strip()
    world.git("rm", "-q", "-f", "unsaved.txt")
    world.shadow(SESSION, "e3b0c6", tree)
    return world


class Case:
    """One command and its laws."""

    hooks = ("",)

    def prepare(self, world):
        """What a copy needs before the command runs."""

    def __init__(self, name, world, arguments):
        self.name, self.world, self.arguments = name, world, arguments
        self.expected = None

    def run(self, world, hook="", options=()):
        return world.traced(self.arguments, options)

    def undisturbed(self, base):
        world = self.world.copy(base)
        self.prepare(world)
        run = self.run(world)
        if run.returncode != 0:
            raise AssertionError(f"{self.name} fails without a fault: {run.stderr!r}")
        self.expected = self.result(world)

    def again(self, world, first):
        """The next run. Gives findings."""
        run = self.run(world)
        return [] if run.returncode == 0 else [f"the next run exits with {run.returncode}: {run.stderr!r}"]

    def findings(self, world, hook, run, before):
        found = self.right_after(world, run)
        if world.users() != before:
            found.append("something of the user's has changed")
        found += world.unsound()
        if run.returncode == 0 and (now := self.result(world)) != self.expected:
            found.append(f"says that all went well: {now}, not {self.expected}")
        found += self.again(world, run)
        if (now := self.result(world)) != self.expected:
            found.append(f"in the end: {now}, not {self.expected}")
        if world.users() != before:
            found.append("something of the user's has changed in the end")
        if world.left():
            found.append(f"left: {world.left()}")
        return found + world.unsound() + self.at_last(world)

    def at_last(self, world):
        return []


class Clean(Case):
    def result(self, world):
        stored = world.stored()  # rebuilds a cache that was taken away
        return world.trees(), stored

    def right_after(self, world, run):
        return self.lost(world)

    def at_last(self, world):
        """A push of what is still there waits, as before."""
        named = {json.loads(line)["ref"] for line in world.queue()}
        before = {json.loads(line)["ref"] for line in self.world.queue()}
        lacks = {ref for ref in world.tips() if ref in before} - named
        return [f"the push queue lacks {lacks}"] if lacks else []

    def lost(self, world):
        """What is gone, and in no bundle."""
        saved = set()
        for bundle in (world.root / ".git/plankeep/removed").glob("*.bundle"):
            if self.sound(world, bundle):
                saved.update(world.git("bundle", "list-heads", str(bundle)).splitlines())
        now = world.tips()
        found = []
        for ref, tip in self.world.tips().items():
            if now.get(ref) != tip and f"{tip} {ref}" not in saved:
                found.append(f"{ref} is {now.get(ref, 'gone')}, and no bundle has it")
        return found

    def sound(self, world, bundle):
        return subprocess.run(["git", "bundle", "verify", "-q", str(bundle)], cwd=world.root, env=world.environment(),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False).returncode == 0

    def again(self, world, first):
        gone = self.removed_already(world)
        run = self.run(world)
        if run.returncode != (2 if gone else 0):
            return [f"the next run exits with {run.returncode}: {run.stderr!r}"]
        return self.lost(world)

    def removed_already(self, world):
        """A checkpoint that is named and not there is a mistake."""
        named = self.arguments[2]
        return not named.startswith("-") and named not in world.stored()


# --- session resume ------------------------------------------------------------------------------------------------------


class Resume(Case):
    """`least`: how much of the transcript the client has."""

    def __init__(self, name, world, least):
        identity, texts = next((one, texts) for one, texts in world.stored().items() if SESSION in texts)
        super().__init__(name, world, ("session", "resume", identity))
        self.least = least
        self.whole = texts[SESSION].encode()

    def prepare(self, world):
        # The folder's name is made of the project's, which each copy has elsewhere.
        folder = "".join(letter if letter.isalnum() else "-" for letter in str(world.root))
        place = world.home / ".claude/projects" / folder / (SESSION + ".jsonl")
        if not self.least:
            (world.home / ".claude").mkdir()
            return
        place.parent.mkdir(parents=True)
        place.write_bytes(self.whole[:self.least])

    def files(self, world):
        found = {}
        for path in sorted((world.home / ".claude").rglob("*")):
            if path.is_file():
                found[path.name] = path.read_bytes()
        return found

    def result(self, world):
        return self.files(world), world.trees(), world.queue()

    def right_after(self, world, run):
        whole = self.whole
        found = []
        for name, text in self.files(world).items():
            if name.endswith(".plankeep-tmp"):
                if run.returncode >= 0:
                    found.append(f"{name} is left by a program that was not killed")
            elif name != SESSION + ".jsonl":
                found.append(f"a file {name} was made")
            elif not whole.startswith(text) or len(text) < self.least:
                found.append("the client's transcript is no beginning of what was stored, or has lost something")
        if self.least and SESSION + ".jsonl" not in self.files(world):
            found.append("the client's transcript is gone")
        return found


# --- checkpoint import ---------------------------------------------------------------------------------------------------


class Import(Case):
    def again(self, world, first):
        found = super().again(world, first)
        kept = sum(one["snapshot"] for one in self.checkpoints(world))
        refs = len(self.snapshots(world))
        # Refused, it takes away the snapshot, though the record may be there.
        if refs < kept and first.returncode <= 0:
            found.append(f"{refs} snapshots are kept for {kept} checkpoints")
        return found

    def at_last(self, world):
        """What was kept for a record that was never made goes with the cleanup."""
        world.seconds += 400 * DAY
        world.run("checkpoint", "cleanup", "--older-than", "1d", "--all")
        left = self.snapshots(world)
        return [f"snapshots are left: {left}"] if left else []

    def snapshots(self, world):
        return world.git("for-each-ref", "--format=%(refname)", "refs/plankeep").splitlines()

    def checkpoints(self, world):
        return json.loads(world.run("checkpoint", "list", "-n", "100", "--json"))["checkpoints"]

    def result(self, world):
        """What the newest checkpoint holds."""
        imported = [one for one in self.checkpoints(world) if one["metadata"]["trigger"] == "import"]
        if not imported:
            return None
        shown = world.run("rewind", imported[0]["checkpoint_id"], "--files", "--dry-run")
        return shown.replace(imported[0]["checkpoint_id"], "ID")

    def right_after(self, world, run):
        before, now = ({one["checkpoint_id"] for one in self.checkpoints(one_world)} for one_world in (self.world, world))
        return [f"checkpoint {one} is gone" for one in before - now]


# --- checkpoint export --pending ------------------------------------------------------------------------------------------


class Pending(Case):
    """A running session has a snapshot on its shadow branch already, and makes another one."""

    def result(self, world):
        return world.trees()

    def right_after(self, world, run):
        """The branch is what it was, or has one snapshot more; nothing else of its kind has changed."""
        found = []
        for ref, tip in self.world.tips().items():
            behind = world.git("rev-list", f"{tip}..{ref}").split() if ref in world.tips() else None
            if behind is None or world.git("merge-base", tip, ref).strip() != tip or len(behind) > 1:
                found.append(f"{ref} has lost something, or has {behind} on top")
        return found + [f"there is a new ref {ref}" for ref in world.tips().keys() - self.world.tips().keys()]

    def at_last(self, world):
        """No other session checkpoints, and what waits for a push is what waited before."""
        return [] if world.queue() == self.world.queue() else ["the push queue has changed"]


def running(program, base):
    world = World(program, base)
    world.absolute = False
    world.write("a.txt", "one\n")
    world.commit("first")
    session = Session(world)
    for number in range(2):
        session.prompt(f"Write {number}")
        session.write("main.c", f"int a{number};\n")
        session.stop()
        if not number:
            world.export("--pending")
    return world


# --- the linking of commits ----------------------------------------------------------------------------------------------


class Link(Case):
    def __init__(self, name, world, words, hooks, session):
        super().__init__(name, world, words)
        self.hooks, self.session = hooks, session
        self.before = world.stored()
        self.earlier = {one: self.shown(world, one) for one in self.before}

    def run(self, world, hook="", options=()):
        told = {word.split("=", 1)[0]: word.split("=", 1)[1] for word in options if "=" in word}
        world.extra = {"HOOKED": str(world.base / "hooked"), "GIT_EDITOR": str(world.base / "editor")}
        traced = {"STRUCK": hook, "TRACE": str(world.base / "trace"), "FOLLOW": "-f" if "-f" in options else "",
                  "CALLS": told.get("trace", ""), "FAULT": told.get("inject", "")}
        return subprocess.run(["git", *self.arguments], cwd=world.root, env={**world.environment(), **traced}, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def undisturbed(self, base):
        world = self.world.copy(base)
        run = self.run(world)
        if run.returncode != 0 or not self.ids(world):
            raise AssertionError(f"{self.name} fails without a fault: {run.stderr!r} {self.ids(world)}")
        self.expected = self.commit_of(world), self.shown(world, self.ids(world)[0])

    def ids(self, world):
        return world.git("log", "-1", "--format=%(trailers:key=Entire-Checkpoint,valueonly)").split()

    def commit_of(self, world):
        """What a hook that fails may not change."""
        text = [line for line in world.git("log", "-1", "--format=%T %P%n%B").splitlines()
                if not line.startswith("Entire-Checkpoint: ")]
        while text and not text[-1]:
            text.pop()
        return text, world.git("status", "--porcelain"), (world.root / ".git/config").read_bytes()

    def shown(self, world, identity):
        one = json.loads(world.run("session", "show", identity, "--json"))["checkpoint"]
        return one["files_touched"], [session["session_id"] for session in one["sessions"]]

    def linked(self, world):
        lines = (world.root / ".checkpoint/history.jsonl").read_text().splitlines()
        return [(event["sha"], event["entireCheckpoint"]) for event in map(json.loads, lines)
                if event["event"] == "checkpoint_linked"]

    def session_in(self, world):
        session = copy.copy(self.session)
        session.project = world
        session.transcript = world.base / self.session.transcript.name
        return session

    def may_show(self, identity, hook):
        """An amended commit brings its id along: without the note of the first hook its record stays what it was."""
        known = self.earlier.get(identity)
        return [self.expected[1], known] if hook == "prepare-commit-msg" and known else [self.expected[1]]

    def missing(self, world, hook, when):
        """What the commit names and is not recorded."""
        ids, before = self.ids(world), self.before
        stored = world.stored()
        found = [f"{when}: of {one}, recorded before, something is gone" for one, transcripts in before.items()
                 if stored.get(one, {}).keys() != transcripts.keys() or
                 not all(stored[one][session].startswith(text) for session, text in transcripts.items())]
        if set(stored) != {*before, *ids}:
            found.append(f"{when}: the commit names {ids}, recorded are {sorted(stored)}, before {sorted(before)}")
        elif ids and self.shown(world, ids[0]) not in self.may_show(ids[0], hook):
            found.append(f"{when}: {self.shown(world, ids[0])}, not {self.expected[1]}")
        told = self.linked(world)
        if len(told) != len(set(told)):
            found.append(f"{when}: told twice: {told}")
        head = world.git("rev-parse", "HEAD").strip()
        # Rewritten by git and not told to us, it is the old commit that the history knows.
        if ids and (head, ids[0]) not in told and hook != "post-rewrite":
            found.append(f"{when}: the history does not tell of {ids[0]}: {told}")
        return found

    def findings(self, world, hook, run, before):
        found = []
        if run.returncode != 0:
            return [f"git commit exits with {run.returncode}: {run.stderr!r}"]
        commit = self.commit_of(world)
        if commit != self.expected[0]:
            found.append(f"the commit is {commit}, not {self.expected[0]}")
        body = world.git("log", "-1", "--format=%B")
        if len(self.ids(world)) != body.count("Entire-Checkpoint") or len(self.ids(world)) > 1:
            found.append(f"the message is {body!r}")
        found += world.unsound()
        session = self.session_in(world)
        session.hook("Stop", stop_hook_active=False, last_assistant_message="Done.")
        found += self.missing(world, hook, "at the end of the turn")
        # A note without a commit stays for a day, in which an editor may be open.
        links = world.root / ".git/plankeep/commit-links"
        for path in links.glob("*") if links.exists() else []:
            os.utime(path, (world.now().timestamp() - 2 * DAY,) * 2)
        session.hook("Stop", stop_hook_active=False, last_assistant_message="Done.")
        # Life goes on.
        session.prompt("One more")
        write(session, "next.txt", "next\n")
        world.git("add", "-A")
        world.git("commit", "-q", "-m", "next")
        ids = self.ids(world)
        if len(ids) != 1 or ids[0] not in world.stored():
            found.append(f"the next commit names {ids}, recorded are {sorted(world.stored())}")
        # A note that was only begun is passed over by all readers, and nobody takes it away yet.
        if links.exists() and [path for path in links.iterdir() if not path.match(TEMPORARY)] != []:
            found.append(f"two days and a commit later there is {os.listdir(links)} in commit-links")
        if (world.root / ".git/plankeep/commit-msg").exists():
            found.append("a message waits for an editor that was closed")
        if world.left():
            found.append(f"left: {world.left()}")
        found += check_tree(SCHEMAS, world.root)
        return found + world.unsound()


def write(session, name, text):
    """With the hook that tells us of it."""
    session.write(name, text)
    path = str(session.project.root / name)
    session.hook("PostToolUse", tool_name="Write", tool_input={"file_path": path, "content": text},
                 tool_response={"filePath": path})


def linking(program, base, staged=True):
    world = World(program, base)
    world.absolute = False
    (world.base / "hooked").write_text(HOOKED.format(program=shlex.quote(program)))
    (world.base / "hooked").chmod(0o755)
    (world.base / "editor").write_text('#!/bin/sh\necho "from the editor" >"$1"\n')
    (world.base / "editor").chmod(0o755)
    world.write("a.txt", "one\n")
    world.commit("first")
    world.run("git-setup", "--sessions", "--local")
    for hook in ("prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"):
        path = world.root / ".git/hooks" / hook
        text = path.read_text()
        if shlex.quote(program) not in text:
            raise AssertionError(f"the hook does not call the program: {text}")
        path.write_text(text.replace(shlex.quote(program), '"$HOOKED"'))
    world.extra = {"HOOKED": str(world.base / "hooked")}
    session = Session(world)
    session.prompt("Write main")
    write(session, "main.c", "int main;\n")
    world.commit("main")
    session.stop()
    if staged:
        session.prompt("Write more")
        write(session, "more.c", "int more;\n")
        world.git("add", "-A")
    return world, session


# --- all of it -----------------------------------------------------------------------------------------------------------


def cases_in(program, base):
    refs = with_unsaved_shadow(worked(program, base / "refs", "refs"))
    branch = worked(program, base / "branch", "branch")
    cases = [Clean("clean shadow branches", refs, ("session", "clean", "--yes"))]
    for name, world in (("clean refs", refs), ("clean branch", branch)):
        cases.append(Clean(name, world, ("session", "clean", sorted(world.stored())[0], "--yes")))
    long = worked(program, base / "long", "refs", "".join(f"int a{number};\n" for number in range(12000)))
    cases += [Resume("resume", long, 0), Resume("resume a beginning", long, 1000)]
    branch = next(name for name in long.tips() if name.endswith("e3b0c4")).removeprefix("refs/heads/")
    cases.append(Import("import", long, ("checkpoint", "import", "--from", "entire", branch)))
    cases.append(Pending("pending", running(program, base / "pending"),
                         ("checkpoint", "export", "--to", "entire", "--pending")))
    world, session = linking(program, base / "link")
    both = ("prepare-commit-msg", "post-commit")
    cases.append(Link("link commit -m", world, ("commit", "-q", "-m", "more"), both, session))
    cases.append(Link("link commit", world, ("commit", "-q"), ("prepare-commit-msg", "commit-msg", "post-commit"), session))
    cases.append(Link("link commit --amend", world, ("commit", "-q", "--amend", "--no-edit"), (*both, "post-rewrite"),
                      session))
    world, session = linking(program, base / "rebase", staged=False)
    cases.append(Link("link rebase", world, ("rebase", "-q", "--force-rebase", "HEAD~1"), ("post-rewrite",), session))
    return cases


def calls_of(case, hook, base):
    """(name, when) of the calls of our own process that change something, in order."""
    world = case.world.copy(base)
    case.prepare(world)
    run = case.run(world, hook, ("-e", "trace=" + ",".join(TRACED)))
    if run.returncode != 0:
        raise AssertionError(f"{case.name} exits with {run.returncode}: {run.stderr!r}")
    counts, found = {}, []
    for line in (world.base / "trace").read_text(errors="replace").splitlines():
        name = line.split("(", 1)[0]
        if name not in TRACED:  # a signal
            continue
        counts[name] = counts.get(name, 0) + 1
        if name != "openat" or "O_CREAT" in line:
            found.append((name, counts[name]))
    if found[-1][0] != "exit_group":
        raise AssertionError(f"{case.name} {hook}: that cannot be all of them: {found}")
    return found


def attempt(cases, item):
    number, hook, fault, name, when = item
    case = cases[number]
    with tempfile.TemporaryDirectory(dir=case.world.base.parent) as folder:
        world = case.world.copy(pathlib.Path(folder) / "world")
        case.prepare(world)
        before = world.users()
        kind = fault.removeprefix("git ")
        options = ["-f"] if kind != fault else []
        run = case.run(world, hook, (*options, "-e", "trace=" + name, "-e", f"inject={name}:{kind}:when={when}"))
        trace = (world.base / "trace").read_text(errors="replace")
        if kind == fault and "(INJECTED)" not in trace and "killed by SIGKILL" not in trace:
            return [f"the call did not come: {run.returncode}"]
        wait_for_processes(world.root)
        found = [f"exits with {run.returncode}: {run.stderr!r}"] if is_crash(run) and run.returncode != -9 else []
        if kind != fault:
            world.clear_up_behind_git()
        return [f"{case.name}: {one}" for one in found + case.findings(world, hook, run, before)]


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    program, word = os.path.abspath(sys.argv[1]), "".join(sys.argv[2:])
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base)
        cases = [case for case in cases_in(program, base) if word in case.name]
        items = []
        for number, case in enumerate(cases):
            case.undisturbed(base / f"whole-{number}")
            for hook in case.hooks:
                calls = calls_of(case, hook, base / f"trial-{number}-{hook}")
                items += [(number, hook, "signal=KILL", *call) for call in calls]
                items += [(number, hook, error, *call) for call in calls for error in ERRORS
                          if call[0] in CHANGING or call[0] == "openat"]
                items += [(number, hook, "git " + error, *call) for call in IN_GIT for error in ERRORS]
                print(f"{case.name}{hook and ', ' + hook}: {len(calls)} calls", flush=True)
        tried, bad = run_all(functools.partial(guarded, functools.partial(attempt, cases)), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
