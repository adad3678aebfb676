#!/usr/bin/python3
"""git-setup --sessions in real repositories: which commits get the trailer Entire-Checkpoint, what is written behind
them, and what stays out of people's way.

  session_link_test.py PROGRAM
"""

import contextlib
import datetime
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from session_project import Session, SessionProject  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
TRAILER = re.compile(r"^Entire-Checkpoint: ([0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{12})$", re.M)


class Repository:
    """A repository with the hooks, in which sessions of Claude Code work. What would be done behind a hook's back is done
    in it, so that nothing has to be waited for."""

    def __init__(self, base, setup=("--sessions", "--local")):
        self.base = pathlib.Path(base).resolve()
        self.top = self.base / "shop"
        self.home = self.base / "home"
        self.home.mkdir()
        self.top.mkdir()
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"))}
        self.environment = {"PATH": os.environ["PATH"], "PLANKEEP_CHECKPOINTS": "wait", "HOME": str(self.home),
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_EDITOR": "true",
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), **who}
        self.git("init", "-q", "-b", "main")
        self.write("base.txt", "base\n")
        self.git("add", "-A")
        # Long ago: git counts seconds, and what a session does in the second of a commit is that commit's.
        self.git("commit", "-q", "-m", "start", environment={"GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"})
        if setup is not None:
            self.run("git-setup", *setup)

    def git(self, *words, status=0, cwd=None, environment=(), **more):
        done = subprocess.run(["git", *words], cwd=cwd or self.top, env={**self.environment, **dict(environment)},
                              capture_output=True, text=True, timeout=120, check=False, start_new_session=True,
                              **{"input": "", **more})
        if status is not None and done.returncode != status:
            raise AssertionError(f"git {words}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def run(self, *words, status=0, cwd=None, given="", environment=()):
        done = subprocess.run([PROGRAM, *words], cwd=cwd or self.top, env={**self.environment, **dict(environment)},
                              capture_output=True, text=True, timeout=120, input=given, check=False)
        if done.returncode != status:
            raise AssertionError(f"plankeep {words}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def write(self, name, text, top=None):
        path = (top or self.top) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def transcript(self, session):
        return self.base / f"{session}.jsonl"

    def say(self, session, **record):
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with open(self.transcript(session), "a", encoding="utf-8") as file:
            file.write(json.dumps({"timestamp": now, "sessionId": session, **record}) + "\n")

    def hook(self, event, session, cwd=None, environment=(), **payload):
        payload = {"session_id": session, "transcript_path": str(self.transcript(session)),
                   "cwd": str(cwd or self.top), "hook_event_name": event, **payload}
        return self.run("hook", "claude-code", event, given=json.dumps(payload), cwd=cwd, environment=environment)

    def prompt(self, session, text="do it", cwd=None):
        self.say(session, type="user", message={"role": "user", "content": text})
        self.hook("UserPromptSubmit", session, cwd=cwd, prompt=text)

    def edit(self, session, name, text, cwd=None):
        top = cwd or self.top
        self.write(name, text, top)
        call = {"file_path": str(top / name), "content": text}
        self.say(session, type="assistant", message={"role": "assistant", "id": "m", "content": [
            {"type": "tool_use", "id": "t", "name": "Write", "input": call}]})
        self.say(session, type="user", message={"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "ok"}]})
        self.hook("PostToolUse", session, cwd=cwd, tool_name="Write", tool_input=call,
                  tool_response={"filePath": str(top / name)})

    def work(self, session, name, text="x\n", cwd=None):
        """A prompt, and an edit that is staged."""
        self.prompt(session, f"write {name}", cwd)
        self.edit(session, name, text, cwd)
        self.git("add", "-A", cwd=cwd)

    def message(self, revision="HEAD", cwd=None):
        return self.git("log", "-1", "--format=%B", revision, cwd=cwd)

    def ids(self, revision="HEAD", cwd=None):
        told = self.git("log", "-1", "--format=%(trailers:key=Entire-Checkpoint,valueonly)", revision, cwd=cwd)
        return told.split()

    def checkpoints(self):
        return {one["id"]: one for one in json.loads(self.run("session", "list", "--json", "-n", "100"))["checkpoints"]}

    def shown(self, identity):
        return json.loads(self.run("session", "show", identity, "--json"))["checkpoint"]

    def own(self, name, git_dir=None):
        return (git_dir or self.top / ".git") / "plankeep" / name

    def editor(self, script):
        path = self.base / "editor"
        path.write_text("#!/bin/sh\n" + script, encoding="utf-8")
        path.chmod(0o755)
        return {"GIT_EDITOR": str(path)}


class LinkTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = folder.name

    def repository(self, **more):
        return Repository(self.base, **more)

    def only_id(self, repository, revision="HEAD", cwd=None):
        ids = repository.ids(revision, cwd)
        self.assertEqual(len(ids), 1, repository.message(revision, cwd))
        return ids[0]

    def nothing_waits(self, repository, git_dir=None):
        self.assertFalse(repository.own("commit-links", git_dir).exists())
        self.assertFalse(repository.own("commit-msg", git_dir).exists())

    # -- who gets a trailer

    def test_a_commit_of_a_sessions_files_is_linked_and_written_up(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "add a")
        identity = self.only_id(repository)
        self.assertEqual(repository.message(), f"add a\n\nEntire-Checkpoint: {identity}")
        shown = repository.shown(identity)
        self.assertEqual([one["session_id"] for one in shown["sessions"]], ["s-1"])
        self.assertEqual(shown["files_touched"], ["a.txt"])
        self.assertIn("write a.txt", repository.run("session", "show", identity, "--prompts"))
        self.nothing_waits(repository)

    def test_other_peoples_files_are_not_linked(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("reset", "-q")
        repository.write("mine.txt", "mine\n")
        repository.git("add", "mine.txt")
        repository.git("commit", "-q", "-m", "mine")
        self.assertEqual(repository.ids(), [])
        # What is committed by hand later is linked then, and once.
        repository.git("add", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        self.only_id(repository)
        repository.write("a.txt", "by hand\n")
        repository.git("commit", "-q", "-a", "-m", "by hand")
        self.assertEqual(repository.ids(), [])

    def test_commit_all_and_commit_of_single_files_have_an_index_of_their_own(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "first")
        repository.prompt("s-1")
        repository.edit("s-1", "a.txt", "more\n")
        repository.git("commit", "-q", "-a", "-m", "all")
        self.only_id(repository)
        repository.work("s-1", "b.txt")
        repository.write("base.txt", "mine\n")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "only mine", "base.txt")
        self.assertEqual(repository.ids(), [])
        repository.git("commit", "-q", "-m", "only the session's", "b.txt")
        self.only_id(repository)

    def test_a_session_that_ended_is_linked_when_its_work_is_committed(self):
        repository = self.repository()
        repository.work("s-1", "dir/a b.txt")
        repository.hook("SessionEnd", "s-1", reason="exit")
        self.assertFalse(repository.own("sessions").exists())
        self.assertEqual(os.listdir(repository.own("ended-sessions")), ["s-1"])
        repository.git("commit", "-q", "-m", "later")
        identity = self.only_id(repository)
        self.assertEqual(repository.shown(identity)["sessions"][0]["session_id"], "s-1")

    def test_two_sessions_in_one_commit_are_one_checkpoint(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.work("s-2", "b.txt")
        repository.work("s-3", "c.txt")
        repository.git("reset", "-q", "c.txt")
        repository.git("commit", "-q", "-m", "both")
        identity = self.only_id(repository)
        self.assertEqual(sorted(one["session_id"] for one in repository.shown(identity)["sessions"]), ["s-1", "s-2"])

    def test_a_deleted_file_and_a_renamed_one_are_the_sessions(self):
        repository = self.repository()
        repository.work("s-1", "a.txt", "".join(f"{i}\n" for i in range(50)))
        repository.git("mv", "a.txt", "b.txt")
        repository.git("commit", "-q", "-m", "renamed before it was committed")
        self.assertEqual(repository.ids(), [])
        repository.edit("s-1", "b.txt", "y\n")
        repository.git("add", "-A")
        repository.git("mv", "b.txt", "c.txt")
        repository.git("commit", "-q", "-m", "renamed")
        self.only_id(repository)

    # -- editors and messages

    def test_an_editor_gets_its_message_without_a_trailer_and_the_commit_has_one(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        seen = repository.base / "seen"
        repository.git("commit", "-q", environment=repository.editor(f'cp "$1" {seen}; echo "from the editor" > "$1"\n'))
        self.assertNotIn("Entire-Checkpoint", seen.read_text())
        identity = self.only_id(repository)
        self.assertEqual(repository.message(), f"from the editor\n\nEntire-Checkpoint: {identity}")
        self.assertIn(identity, repository.checkpoints())
        self.nothing_waits(repository)

    def test_an_empty_message_ends_the_commit_as_ever(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        before = repository.git("rev-parse", "HEAD")
        for options in ([], ["--verbose"], ["--no-verify"]):
            repository.git("commit", *options, status=1, environment=repository.editor("exit 0\n"))
            repository.git("commit", *options, status=1, environment=repository.editor(': > "$1"\n'))
        # With a message that is there already, and is taken out.
        repository.git("commit", "-e", "-m", "unwanted", status=1, environment=repository.editor(': > "$1"\n'))
        self.assertEqual(repository.git("rev-parse", "HEAD"), before)
        self.assertEqual(repository.checkpoints(), {})
        repository.git("commit", "-q", "-m", "now")
        self.only_id(repository)
        self.nothing_waits(repository)

    def test_a_template_that_is_left_as_it_is_ends_the_commit_as_ever(self):
        repository = self.repository()
        repository.write("../template", "Why:\n\nTicket:\n")
        repository.git("config", "commit.template", str(repository.base / "template"))
        repository.work("s-1", "a.txt")
        repository.git("commit", status=1, environment=repository.editor("exit 0\n"))
        repository.git("commit", "-q", environment=repository.editor('echo "because" >> "$1"\n'))
        self.only_id(repository)

    def test_what_a_killed_hook_began_is_gone_with_the_next_commit(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        begun = repository.own(".commit-msg.plankeep-tmp")
        begun.write_text("{", encoding="utf-8")
        repository.git("commit", "-q", "-m", "no editor")
        self.only_id(repository)
        self.assertFalse(begun.exists())
        self.nothing_waits(repository)

    def test_an_editor_without_the_commit_msg_hook_makes_a_commit_without_a_trailer(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "--no-verify", environment=repository.editor('echo words > "$1"\n'))
        self.assertEqual(repository.message(), "words")
        repository.prompt("s-1")
        repository.edit("s-1", "a.txt", "more\n")
        repository.git("commit", "-q", "--no-verify", "-a", "-m", "no editor")
        self.only_id(repository)

    def test_trailers_of_others_stay_in_one_block(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-s", "-m", "subject\n\nbody", "--trailer", "Reviewed-by: Ada <ada@example.org>")
        identity = self.only_id(repository)
        self.assertEqual(repository.message().split("\n\n")[-1].splitlines(), [
            "Signed-off-by: Kim <kim@example.org>", "Reviewed-by: Ada <ada@example.org>", f"Entire-Checkpoint: {identity}"])

    # -- what git does by itself

    def test_amend_keeps_the_id_and_brings_its_record_up_to_date(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        identity = self.only_id(repository)
        repository.work("s-1", "b.txt")
        repository.git("commit", "-q", "--amend", "--no-edit")
        self.assertEqual(self.only_id(repository), identity)
        shown = repository.shown(identity)
        self.assertEqual(shown["files_touched"], ["a.txt", "b.txt"])
        self.assertEqual(len(shown["sessions"]), 1)
        repository.git("-c", "commit.sessionTrailer=false", "commit", "-q", "--amend", "-m", "without it")
        self.assertEqual(repository.ids(), [])
        self.nothing_waits(repository)

    def test_a_commit_that_is_amended_with_another_message_keeps_its_id(self):
        # Written long before it is committed: then it is known at once, and nothing has to be waited for.
        old = "--date=2026-02-02T00:00:00+01:00"
        for how in (("-m", "other words"), ("-F", "-"), ("-m", "other words", "-m", "Reviewed-by: Ada <ada@example.org>")):
            with self.subTest(how), contextlib.ExitStack() as stack:
                repository = Repository(stack.enter_context(tempfile.TemporaryDirectory()))
                repository.work("s-1", "a.txt")
                repository.git("commit", "-q", old, "-m", "a")
                identity = self.only_id(repository)
                repository.git("commit", "-q", "--amend", *how, input="other words\n")
                self.assertEqual(repository.message().splitlines()[0], "other words")
                self.assertEqual(self.only_id(repository), identity)
                # More of the session comes into the same record.
                repository.work("s-1", "b.txt")
                repository.git("commit", "-q", "--amend", "-m", "both")
                self.assertEqual(self.only_id(repository), identity)
                self.assertEqual(repository.shown(identity)["files_touched"], ["a.txt", "b.txt"])
                # Also when no session runs any more.
                repository.hook("SessionEnd", "s-1", reason="exit")
                self.assertFalse(repository.own("sessions").exists())
                repository.git("commit", "-q", "--amend", "-m", "after the session")
                self.assertEqual(self.only_id(repository), identity)
                repository.git("commit", "-q", "--amend", "-m", f"named\n\nEntire-Checkpoint: {identity}")
                self.assertEqual(repository.message(), f"named\n\nEntire-Checkpoint: {identity}")
                # A commit of its own, and one by somebody else at the same time, are none of these.
                repository.git("commit", "-q", "--allow-empty", "-m", "another")
                self.assertEqual(repository.ids(), [])
                repository.git("commit", "-q", "--allow-empty", "-m", "Ada's", old, environment={"GIT_AUTHOR_NAME": "Ada"})
                self.assertEqual(repository.ids(), [])
                self.nothing_waits(repository)

    def test_a_commit_that_follows_at_once_is_not_taken_for_an_amendment(self):
        repository = self.repository()
        ids = []
        for name in ("a", "b", "c"):
            repository.work("s-1", f"{name}.txt")
            repository.git("commit", "-q", "-m", name)
            ids.append(self.only_id(repository))
        self.assertEqual(len(set(ids)), 3)

    def test_a_commit_that_lost_its_trailer_is_found_by_the_plans_history(self):
        repository = self.repository()
        repository.write("plan.md", "# P\n\n## A\n- [ ] one <!-- TASK: one -->\n")
        repository.run("init")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "plan")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        identity = self.only_id(repository)
        repository.git("-c", "commit.sessionTrailer=false", "commit", "-q", "--amend", "-m", "in other words")
        self.assertEqual(repository.ids(), [])
        self.assertEqual(repository.shown("HEAD")["id"], identity)
        told = {one["name"]: one["message"] for one in json.loads(repository.run("doctor", "--json"))["checks"]}
        self.assertIn("the plan's history does", told["last commit"])
        repository.git("commit", "-q", "--allow-empty", "-m", "nothing")
        repository.run("session", "show", "HEAD", status=2)

    def test_an_id_in_the_diff_below_a_message_is_no_link(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "add a")
        identity = self.only_id(repository)
        repository.work("s-1", "notes.txt", "Entire-Checkpoint: 0123456789ab\n")
        repository.git("commit", "-q", "--amend", "-v")
        self.assertEqual(repository.ids(), [identity])
        self.assertEqual(sorted(repository.shown(identity)["files_touched"]), ["a.txt", "notes.txt"])
        self.nothing_waits(repository)
        repository.work("s-1", "b.txt", "Entire-Checkpoint: 0123456789ab\n")
        repository.git("commit", "-q", "-v", environment=repository.editor('sed -i "1s/^/add b/" "$1"\n'))
        self.assertNotEqual(self.only_id(repository), identity)
        self.assertIn(self.only_id(repository), repository.checkpoints())

    def test_merges_reverts_cherry_picks_and_rebases_get_none_of_their_own(self):
        repository = self.repository()
        repository.git("checkout", "-q", "-b", "side")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        identity = self.only_id(repository)
        # The session goes on with the same files, so nothing but the rule keeps the ids away.
        repository.edit("s-1", "a.txt", "x\n")
        repository.git("checkout", "-q", "main")
        repository.write("main.txt", "main\n")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "main goes on")
        repository.edit("s-1", "a.txt", "x\n")
        os.unlink(repository.top / "a.txt")
        repository.git("merge", "-q", "--no-ff", "--no-edit", "side")
        self.assertEqual(repository.ids(), [])
        repository.git("revert", "--no-edit", "-m", "1", "HEAD")
        self.assertEqual(repository.ids(), [])
        repository.git("revert", "--no-edit", "HEAD")
        self.assertEqual(repository.ids(), [])
        repository.git("checkout", "-q", "-b", "picks", "main~3")
        repository.git("cherry-pick", "side")
        self.assertEqual(self.only_id(repository), identity)
        repository.git("-c", "commit.sessionTrailer=false", "commit", "-q", "--amend", "-m", "picked without an id")
        repository.edit("s-1", "a.txt", "x\n")
        repository.git("rebase", "-q", "-i", "--force-rebase", "HEAD~1",
                       environment={"GIT_SEQUENCE_EDITOR": "sed -i s/^pick/reword/"})
        self.assertEqual(repository.ids(), [])
        self.assertEqual(list(repository.checkpoints()), [identity])

    def test_rebase_with_squash_keeps_every_id(self):
        repository = self.repository()
        ids = []
        for name in ("a", "b", "c"):
            repository.work("s-1", f"{name}.txt")
            repository.git("commit", "-q", "-m", name)
            ids.append(self.only_id(repository))
        repository.git("rebase", "-q", "-i", "HEAD~3", environment={"GIT_SEQUENCE_EDITOR": "sed -i '2,$s/^pick/squash/'"})
        self.assertEqual(TRAILER.findall(repository.message()), ids)
        self.assertEqual(sorted(repository.checkpoints()), sorted(ids))

    def test_a_squash_merge_inherits_the_ids_of_what_it_brings(self):
        repository = self.repository()
        repository.git("checkout", "-q", "-b", "side")
        ids = []
        for name in ("a", "b"):
            repository.work("s-1", f"{name}.txt")
            repository.git("commit", "-q", "-m", name)
            ids.append(self.only_id(repository))
        repository.write("c.txt", "by hand\n")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "c")
        repository.git("checkout", "-q", "main")
        before = repository.git("rev-parse", "HEAD")
        for how in (("--no-edit",), ("-m", "all of it"), ("-F", "c.txt"), ("-C", "side"), ("-e", "-m", "all of it")):
            with self.subTest(how):
                repository.git("reset", "-q", "--hard", before)
                repository.git("merge", "-q", "--squash", "side")
                # A path alone: git forgets the squash merge in any other reset.
                repository.git("reset", "-q", "b.txt")
                repository.git("commit", "-q", *how)
                (repository.top / "b.txt").unlink()
                self.assertEqual(repository.ids(), ids[:1])
        repository.write("c.txt", "by hand, later\n")
        repository.git("commit", "-q", "-a", "-m", "later")
        self.assertEqual(repository.ids(), [])

    # -- where

    def test_linked_work_trees_have_notes_of_their_own(self):
        repository = self.repository()
        tree = repository.base / "tree"
        repository.git("worktree", "add", "-q", str(tree), "-b", "side")
        own = repository.top / ".git" / "worktrees" / "tree"
        repository.work("s-1", "a.txt")
        repository.edit("s-1", "b.txt", "b\n", cwd=tree)
        repository.git("add", "-A", cwd=tree)
        repository.git("commit", "-q", "-m", "b", cwd=tree)
        linked = self.only_id(repository, cwd=tree)
        repository.git("commit", "-q", "-m", "a")
        main = self.only_id(repository)
        self.assertNotEqual(linked, main)
        self.assertEqual({linked, main}, set(repository.checkpoints()))
        self.assertEqual(repository.shown(linked)["sessions"][0]["session_id"], "s-1")
        self.nothing_waits(repository)
        self.nothing_waits(repository, own)
        # A path of the same name in the other tree is another file.
        repository.edit("s-1", "c.txt", "c\n", cwd=tree)
        repository.write("c.txt", "by hand\n")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "c by hand")
        self.assertEqual(repository.ids(), [])

    def test_a_detached_head_and_a_first_commit_are_linked(self):
        repository = self.repository()
        repository.git("checkout", "-q", "--detach")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "detached")
        identity = self.only_id(repository)
        self.assertNotIn("branch", [key for key in repository.shown(identity) if repository.shown(identity)[key]])
        repository.git("checkout", "-q", "--orphan", "new")
        repository.git("rm", "-q", "-r", "--cached", ".")
        repository.work("s-1", "first.txt")
        repository.git("commit", "-q", "-m", "root")
        self.only_id(repository)

    def test_a_commit_from_a_folder_below_the_top(self):
        repository = self.repository()
        repository.work("s-1", "deep/er/a.txt")
        repository.git("commit", "-q", "-m", "deep", cwd=repository.top / "deep" / "er")
        self.assertIn(self.only_id(repository), repository.checkpoints())

    def test_the_layout_that_entire_uses_is_used(self):
        repository = self.repository(setup=None)
        repository.write(".entire/settings.json", json.dumps({"checkpoints": {"primary": {"type": "git-branch"}}}))
        repository.run("git-setup", "--sessions", "--local")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        identity = self.only_id(repository)
        self.assertRegex(identity, "^[0-9a-f]{12}$")
        self.assertIn(f"{identity[:2]}/{identity[2:]}/0/full.jsonl",
                      repository.git("ls-tree", "-r", "--name-only", "entire/checkpoints/v1").splitlines())
        # Changed later: the next commit but one knows.
        shutil.rmtree(repository.top / ".entire")
        repository.git("branch", "-D", "entire/checkpoints/v1")
        for name in ("b", "c"):
            repository.work("s-1", f"{name}.txt")
            repository.git("commit", "-q", "-m", name)
        self.assertIn(self.only_id(repository), repository.checkpoints())

    def test_a_branch_that_is_begun_after_the_setup_is_used_at_once(self):
        repository = self.repository()

        def doctor():
            checks = json.loads(repository.run("doctor", "--json"))["checks"]
            return [check["message"] for check in checks if "ref of its own" in check["message"]]

        self.assertEqual(doctor(), [])
        empty = repository.git("mktree")
        begun = repository.git("commit-tree", empty, "-m", "Initialize metadata branch")
        repository.git("update-ref", "refs/heads/entire/checkpoints/v1", begun)
        self.assertEqual(len(doctor()), 1)
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        self.assertRegex(self.only_id(repository), "^[0-9a-f]{12}$")
        self.assertIn(self.only_id(repository), repository.checkpoints())
        self.assertEqual(doctor(), [])

    def test_what_a_killed_hook_left_is_removed(self):
        repository = self.repository()
        links = repository.own("commit-links")
        links.mkdir()
        left = links / ".01HF7YAT00000G40R40M30E209.plankeep-tmp"
        left.write_text("torn", encoding="utf-8")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        self.assertTrue(left.exists(), "somebody may be writing it")
        os.utime(left, (left.stat().st_mtime - 7200,) * 2)
        repository.work("s-1", "b.txt")
        repository.git("commit", "-q", "-m", "b")
        self.assertFalse(links.exists())

    # -- switches

    def test_switches_turn_it_off(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")

        def commit(**more):
            repository.git("commit", "-q", "--allow-empty", "-m", "try", **more)
            ids = repository.ids()
            repository.git("reset", "-q", "--soft", "HEAD~1")
            return ids

        self.assertEqual(commit(environment={"PLANKEEP_DISABLE": "1"}), [])
        repository.git("config", "commit.sessionTrailer", "false")
        self.assertEqual(commit(), [])
        repository.git("config", "commit.sessionTrailer", "true")
        for value in ("off", "read"):
            repository.write(".plankeep.json", json.dumps({"sessions": value}))
            self.assertEqual(commit(), [])
        repository.write(".plankeep.json", json.dumps({"sessions": "write"}))
        self.assertEqual(len(commit()), 1)

    def test_where_nothing_was_set_up_or_it_is_off_nothing_is_noted(self):
        repository = self.repository(setup=None)
        repository.write(".plankeep.json", json.dumps({"sessions": "write"}))
        repository.work("s-1", "a.txt")
        self.assertFalse((repository.top / ".git" / "plankeep" / "sessions").exists())
        repository.run("git-setup", "--sessions", "--local")
        repository.write(".plankeep.json", json.dumps({"sessions": "off"}))
        repository.work("s-1", "a.txt")
        self.assertFalse(repository.own("sessions").exists())

    def test_entires_hooks_link_commits_themselves(self):
        repository = self.repository()
        hook = repository.top / ".git" / "hooks" / "prepare-commit-msg"
        text = hook.read_text()
        hook.write_text("#!/bin/sh\nentire hooks git prepare-commit-msg \"$1\" \"$2\" 2>/dev/null || true\n" +
                        text.split("\n", 1)[1])
        repository.work("s-1", "a.txt")

        def ids():
            repository.work("s-1", "a.txt", "x\n")
            repository.git("commit", "-q", "--allow-empty", "-m", "try")
            found = repository.ids()
            repository.git("reset", "-q", "--soft", "HEAD~1")
            return found

        repository.write(".entire/settings.json", json.dumps({"enabled": True}))
        self.assertEqual(ids(), [])
        repository.write(".entire/settings.local.json", json.dumps({"enabled": False}))
        self.assertEqual(len(ids()), 1)
        shutil.rmtree(repository.top / ".entire")
        self.assertEqual(len(ids()), 1)

    def test_a_commit_that_entire_links_is_told_of_in_the_plans_history(self):
        for ours_first in (False, True):
            with self.subTest(ours_first=ours_first), contextlib.ExitStack() as stack:
                repository = Repository(stack.enter_context(tempfile.TemporaryDirectory()))
                repository.write("plan.md", "# P\n\n## Build <!-- CHECKPOINT: build -->\n- [ ] one <!-- TASK: one -->\n- [ ] two\n")
                repository.write(".entire/settings.json", json.dumps({"enabled": True}))
                repository.run("init")
                repository.git("add", "-A")
                repository.git("commit", "-q", "-m", "plan")
                hook = repository.top / ".git" / "hooks" / "prepare-commit-msg"
                ours = hook.read_text().split("\n", 1)[1]
                theirs = ('# entire hooks git prepare-commit-msg\ncase "$(head -n 1 "$1")" in *unlinked*) ;; *)\n'
                          'git interpret-trailers --in-place --trailer "Entire-Checkpoint: a1b2c3d4e5f6" "$1" ;; esac\n')
                hook.write_text("#!/bin/sh\n" + (ours + theirs if ours_first else theirs + ours))
                repository.prompt("s-1")
                repository.edit("s-1", "a.txt", "x\n")
                repository.edit("s-1", "plan.md", (repository.top / "plan.md").read_text().replace("[ ] one", "[x] one"))
                repository.git("add", "-A")
                repository.git("commit", "-q", "-m", "one")
                self.assertEqual(repository.ids(), ["a1b2c3d4e5f6"])
                history = repository.top / ".checkpoint" / "history.jsonl"

                def told():
                    events = [json.loads(line) for line in history.read_text().splitlines()]
                    return [(one["sha"], one["entireCheckpoint"], one.get("phaseId")) for one in events
                            if one["event"] == "checkpoint_linked"]

                linked = (repository.git("rev-parse", "HEAD"), "a1b2c3d4e5f6", "build")
                self.assertEqual(told(), [linked])
                self.assertEqual(repository.checkpoints(), {})
                self.nothing_waits(repository)
                # What they did not link is not theirs, and what was linked once waits no longer.
                repository.write("a.txt", "by hand\n")
                repository.git("commit", "-q", "-a", "-m", "by hand", environment={"PLANKEEP_CHECKPOINTS": "off"})
                self.nothing_waits(repository)
                repository.work("s-1", "b.txt")
                repository.git("commit", "-q", "-m", "unlinked", environment={"PLANKEEP_CHECKPOINTS": "off"})
                self.assertEqual(len(os.listdir(repository.own("commit-links"))), 1)
                repository.hook("Stop", "s-1")
                self.nothing_waits(repository)
                self.assertEqual(told(), [linked])

    # -- crashes and others at the same time

    def test_what_was_interrupted_is_done_by_the_next_turns_end(self):
        for event, more in (("Stop", {}), ("SessionStart", {"source": "startup"}), ("SessionEnd", {"reason": "exit"})):
            with self.subTest(event), contextlib.ExitStack() as stack:
                repository = Repository(stack.enter_context(tempfile.TemporaryDirectory()))
                repository.work("s-1", "a.txt")
                # Killed between the hook and the writer.
                repository.git("commit", "-q", "-m", "a", environment={"PLANKEEP_CHECKPOINTS": "off"})
                identity = self.only_id(repository)
                self.assertEqual(repository.checkpoints(), {})
                self.assertEqual(os.listdir(repository.own("commit-links")), [identity])
                repository.hook(event, "s-1", **more)
                self.assertEqual(list(repository.checkpoints()), [identity])
                self.nothing_waits(repository)

    def test_the_next_commit_writes_what_was_interrupted_too(self):
        repository = self.repository()
        for name, how in (("a", "off"), ("b", "wait")):
            repository.work("s-1", f"{name}.txt")
            repository.git("commit", "-q", "-m", name, environment={"PLANKEEP_CHECKPOINTS": how})
        self.assertEqual(sorted(repository.checkpoints()), sorted(repository.ids("HEAD~1") + repository.ids()))

    def test_what_is_edited_before_the_record_is_written_waits_for_the_next_commit(self):
        repository = self.repository()
        repository.work("s-1", "a.txt", "one\n")
        repository.git("commit", "-q", "-m", "one", environment={"PLANKEEP_CHECKPOINTS": "off"})
        repository.edit("s-1", "a.txt", "one\ntwo\n")
        repository.run("after-commit", str(repository.top))
        repository.git("commit", "-q", "-am", "two")
        both = [self.only_id(repository, "HEAD~1"), self.only_id(repository)]
        self.assertEqual(sorted(repository.checkpoints()), sorted(both))
        # What was edited after the last of them is not told of by it either.
        repository.write("a.txt", "one\ntwo\nby hand\n")
        repository.git("commit", "-q", "-am", "three")
        self.assertEqual(repository.ids(), [])

    def test_commits_that_follow_each_other_quickly_have_a_record_each(self):
        repository = self.repository()
        ids = []
        for text in ("1", "2", "3"):
            repository.work("s-1", "a.txt", text + "\n")
            how = "wait" if text == "3" else "off"
            repository.git("commit", "-q", "-m", text, environment={"PLANKEEP_CHECKPOINTS": how})
            ids.append(self.only_id(repository))
        self.assertEqual(sorted(repository.checkpoints()), sorted(ids))
        self.nothing_waits(repository)

    def test_killed_before_the_note_was_removed_it_is_done_again_and_changes_nothing(self):
        repository = self.repository()
        repository.write("plan.md", "# P\n\n- [ ] a <!-- TASK: a -->\n")
        repository.run("init")
        repository.hook("SessionStart", "s-1", source="startup")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a", environment={"PLANKEEP_CHECKPOINTS": "off"})
        links = repository.own("commit-links")
        kept = {name: (links / name).read_bytes() for name in os.listdir(links)}

        def everything():
            return repository.git("for-each-ref"), (repository.top / ".checkpoint" / "history.jsonl").read_text()

        repository.run("after-commit", str(repository.top))
        self.nothing_waits(repository)
        before = everything()
        links.mkdir()
        for name, text in kept.items():
            (links / name).write_bytes(text)
        repository.run("after-commit", str(repository.top))
        self.nothing_waits(repository)
        self.assertEqual(everything(), before)
        # A note whose commit was never made stays for a day, in which an editor may be open.
        links.mkdir()
        note = links / "01HF7YAT00000G40R40M30E209"
        note.write_text("session s-1\n")
        repository.run("after-commit", str(repository.top))
        self.assertTrue(note.exists())
        os.utime(note, (note.stat().st_mtime - 2 * 86400,) * 2)
        repository.run("after-commit", str(repository.top))
        self.nothing_waits(repository)

    def test_a_process_of_its_own_writes_it(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a", environment={"PLANKEEP_CHECKPOINTS": ""})
        identity = self.only_id(repository)
        # Held by that process while it works; had by us when it has ended, whenever that is.
        repository.run("after-commit", str(repository.top))
        self.assertEqual(list(repository.checkpoints()), [identity])

    def test_the_end_of_a_turn_completes_the_transcript(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        identity = self.only_id(repository)
        repository.say("s-1", type="assistant", message={"role": "assistant", "id": "m2", "content": [
            {"type": "text", "text": "That was all of it."}]})
        self.assertNotIn("That was all", repository.run("session", "show", identity, "--raw"))
        repository.hook("Stop", "s-1")
        self.assertIn("That was all", repository.run("session", "show", identity, "--raw"))
        # The next turn is the next commit's.
        repository.prompt("s-1", "another turn")
        repository.hook("Stop", "s-1")
        self.assertNotIn("another turn", repository.run("session", "show", identity, "--raw"))

    def sliced(self):
        """A project whose clock is the test's, where each checkpoint has only its own lines."""
        project = SessionProject(PROGRAM, self.base)
        project.write(".plankeep.json", json.dumps({"sessionTranscripts": "slice"}))
        project.commit("start")
        project.run("git-setup", "--sessions", "--local")
        return project

    def write_in(self, session, name):
        session.write(name, "x\n")
        call = {"file_path": session.named(name), "content": "x\n"}
        session.hook("PostToolUse", tool_name="Write", tool_input=call, tool_response={"filePath": call["file_path"]})

    def test_the_last_slice_becomes_whole_when_the_session_ends(self):
        project = self.sliced()
        session = Session(project)
        ids, first_line = [], 0
        for name in ("a", "b"):
            session.prompt(f"write {name}")
            self.write_in(session, f"{name}.txt")
            project.commit(name)
            ids += project.git("log", "-1", "--format=%(trailers:key=Entire-Checkpoint,valueonly)").split()
            first_line = first_line or len(session.transcript.read_text().splitlines())
            session.stop(f"That was {name}.")
        raw = [project.run("session", "show", one, "--raw") for one in ids]
        self.assertIn("write a", raw[0])
        self.assertNotIn("write a", raw[1])
        self.assertNotIn("That was b.", raw[1])
        session.end()
        self.assertEqual(project.run("session", "show", ids[0], "--raw"), raw[0])
        self.assertEqual(project.run("session", "show", ids[1], "--raw"), session.transcript.read_text())
        part = project.run("session", "show", ids[1], "--transcript")
        self.assertIn("That was b.", part)
        self.assertIn("write b", part)
        self.assertNotIn("write a", part)
        shown = json.loads(project.run("session", "show", ids[1], "--json"))["checkpoint"]
        self.assertEqual((shown["problems"], shown["sessions"][0]["transcript"]["first_line"]), ([], first_line))
        self.assertIn("no problems", project.run("session", "check", "--deep"))

    def test_a_commit_after_the_end_of_a_session_has_the_whole_transcript(self):
        project = self.sliced()
        session = Session(project)
        for name in ("a", "b"):
            session.prompt(f"write {name}")
            self.write_in(session, f"{name}.txt")
            if name == "a":
                project.commit(name)
            session.stop()
        session.end()
        project.commit("b")
        self.assertEqual(project.run("session", "show", "HEAD", "--raw"), session.transcript.read_text())

    def test_commits_at_once_in_several_work_trees_are_all_written(self):
        repository = self.repository()
        trees = []
        for number in range(4):
            tree = repository.base / f"tree{number}"
            repository.git("worktree", "add", "-q", str(tree), "-b", f"side{number}")
            repository.work(f"s-{number}", f"{number}.txt", cwd=tree)
            trees.append(tree)
        running = [subprocess.Popen(["git", "commit", "-q", "-m", "at once"], cwd=tree, env=repository.environment,
                                    stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) for tree in trees]
        for one in running:
            _, errors = one.communicate(timeout=120)
            self.assertEqual(one.returncode, 0, errors)
        ids = [self.only_id(repository, cwd=tree) for tree in trees]
        self.assertEqual(sorted(repository.checkpoints()), sorted(ids))

    # -- secrets and strangers

    def test_secrets_do_not_reach_git_and_names_are_names(self):
        repository = self.repository()
        secret = "ghp" + "_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
        repository.prompt("s-1", f"use {secret}")
        repository.edit("s-1", "a\nb \\ ä.txt", "x\n")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "a")
        raw = repository.run("session", "show", self.only_id(repository), "--raw")
        self.assertNotIn(secret, raw)
        self.assertIn("REDACTED", raw)
        for session in ("../../up", "a/b", ".", "\n"):
            repository.hook("UserPromptSubmit", session, prompt="x")
        self.assertEqual([name for name in os.listdir(repository.own("sessions")) if name != "s-1"], [])

    def test_what_the_hooks_look_for_goes_with_the_last_session(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.work("s-2", "b.txt")
        repository.hook("SessionEnd", "s-2", reason="exit")
        self.assertTrue(repository.own("sessions").exists())
        self.assertTrue(repository.own("ended-paths").exists())
        repository.git("commit", "-q", "-m", "both")
        self.only_id(repository)
        repository.hook("SessionEnd", "s-1", reason="exit")
        self.assertFalse(repository.own("sessions").exists())

    def started(self, repository, *words):
        """The programs that git's hooks start, by their file names; strace tells."""
        if shutil.which("strace") is None or "ASAN_OPTIONS" in os.environ:
            self.skipTest("needs strace, and a program that is not sanitized")
        trace = pathlib.Path(self.base) / "trace"
        traced = ["strace", "-f", "-qq", "-s", "1000", "-o", str(trace), "-e", "trace=execve", "-e", "signal=none"]
        run = subprocess.run([*traced, "git", *words], cwd=repository.top, env=repository.environment, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        if b"ptrace" in run.stderr.lower():
            self.skipTest("nothing may be traced here")
        self.assertEqual(run.returncode, 0, run.stderr)
        names = []
        for path, given in re.findall(r'execve\("([^"]+)", \[(.*?)\]', trace.read_text()):
            name = path.rsplit("/", 1)[-1]
            known = [word for word in ("commit", "maintenance", "diff", "config") if f'"{word}"' in given]
            names.append(name if name != "git" else " ".join([name, *known]))
        return names

    def test_a_hook_starts_git_only_where_its_files_do_not_tell(self):
        repository = self.repository()
        repository.environment["PLANKEEP_CHECKPOINTS"] = "off"
        program = os.path.basename(PROGRAM)
        hooks = ["prepare-commit-msg", "commit-msg", "post-commit"]
        repository.write("own.txt", "x\n")
        repository.git("add", "-A")
        commit = ("commit", "-q", "-m", "work")

        def told():
            return [name for name in self.started(repository, *commit) if name not in ("git commit", "git maintenance")]

        self.assertEqual(told(), hooks)  # no session: no program at all
        repository.work("s-1", "dir/a.txt")
        self.assertEqual(told(), [hooks[0], program, hooks[1], hooks[2], program])
        self.only_id(repository)
        repository.write("own.txt", "y\n")
        repository.git("add", "-A")
        (repository.own("commit-links") / self.only_id(repository)).unlink()
        repository.own("commit-links").rmdir()
        self.assertEqual(told(), [hooks[0], program, *hooks[1:]])
        repository.git("gc", "-q")
        repository.work("s-1", "dir/a.txt", "y\n")
        self.assertEqual(told(), [hooks[0], program, "git diff", hooks[1], hooks[2], program])
        self.only_id(repository)
        repository.git("config", "commit.sessionTrailer", "true")
        repository.work("s-1", "dir/a.txt", "z\n")
        self.assertEqual(told(), [hooks[0], program, "git config", hooks[1], hooks[2], program])

    def test_nobody_waits_for_the_writer(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        # It waits for the lock that we hold, and is there when the commit is made.
        own = repository.own("commit-links.lock")
        own.touch(mode=0o600)
        with open(own, "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            del repository.environment["PLANKEEP_CHECKPOINTS"]
            repository.git("commit", "-q", "-m", "work")
            identity = self.only_id(repository)
            self.assertTrue((repository.own("commit-links") / identity).exists())
        for _ in range(600):
            if not repository.own("commit-links").exists():
                break
            time.sleep(0.1)
        self.assertEqual(repository.shown(identity)["sessions"][0]["session_id"], "s-1")

    def test_a_session_without_a_transcript_has_a_record_without_one(self):
        repository = self.repository()
        repository.work("s-1", "a.txt")
        repository.transcript("s-1").unlink()
        repository.git("commit", "-q", "-m", "a")
        shown = repository.shown(self.only_id(repository))
        self.assertEqual(shown["files_touched"], ["a.txt"])

    # -- the plan

    def test_the_plan_of_the_session_tells_of_the_checkpoint(self):
        repository = self.repository()
        repository.write("plan.md", "# P\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] a <!-- TASK: a -->\n"
                                    "- [ ] b <!-- TASK: b -->\n")
        repository.run("init")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "plan", environment={"GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"})
        repository.hook("SessionStart", "s-1", source="startup")
        repository.work("s-1", "a.txt")
        repository.run("done", "a")
        repository.git("commit", "-q", "-a", "-m", "a")
        identity = self.only_id(repository)

        def linked():
            lines = (repository.top / ".checkpoint" / "history.jsonl").read_text().splitlines()
            return [json.loads(line) for line in lines if '"checkpoint_linked"' in line]

        self.assertEqual(len(linked()), 1)
        self.assertEqual(linked()[0]["entireCheckpoint"], identity)
        self.assertEqual(repository.shown(identity)["plan"]["tasks_done"], ["a"])
        before = repository.git("rev-parse", "HEAD")
        repository.git("commit", "-q", "--amend", "-m", f"reworded\n\nEntire-Checkpoint: {identity}")
        after = repository.git("rev-parse", "HEAD")
        self.assertEqual([one["sha"] for one in linked()], [before, after])

    def test_the_record_behind_a_commit_says_what_an_export_says(self):
        repository = self.repository()
        repository.write("plan.md", "# P\n\n- [ ] a <!-- TASK: a -->\n")
        repository.write(".gitignore", ".checkpoint/\n")
        repository.run("init")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "plan", environment={"GIT_COMMITTER_DATE": "2026-01-02T00:00:00Z"})
        repository.hook("SessionStart", "s-1", source="startup")
        repository.work("s-1", "a.txt", "1\n2\n")
        repository.hook("Stop", "s-1")
        repository.write("a.txt", "1\n2\nby hand\n")
        repository.work("s-1", "b.txt", "3\n")
        repository.hook("Stop", "s-1")
        repository.git("commit", "-q", "-m", "work")
        shown = repository.shown(self.only_id(repository))
        self.assertEqual(shown["plan"]["lines"], {"agent": 3, "person": 1, "unknown": 0})
        self.assertEqual(shown["sessions"][0]["attribution"]["agent_percentage"], 75)
        told = repository.run("checkpoint", "export", "--to", "entire", "--commit", "HEAD")
        self.assertIn("already there", told)
        self.assertNotIn("written", told)

    def test_an_amendment_by_another_session_keeps_the_lines_of_the_first(self):
        repository = self.repository()
        repository.write("plan.md", "# P\n\n- [ ] a <!-- TASK: a -->\n")
        repository.write(".gitignore", ".checkpoint/\n")
        repository.run("init")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "plan", environment={"GIT_COMMITTER_DATE": "2026-01-02T00:00:00Z"})
        for session in ("s-1", "s-2"):
            repository.hook("SessionStart", session, source="startup")
        repository.work("s-1", "a.txt", "1\n2\n")
        repository.hook("Stop", "s-1")
        repository.git("commit", "-q", "-m", "work")
        identity = self.only_id(repository)
        repository.work("s-2", "b.txt", "3\n")
        repository.hook("Stop", "s-2")
        repository.git("commit", "-q", "--amend", "--no-edit")
        self.assertEqual(self.only_id(repository), identity)
        shown = repository.shown(identity)
        self.assertEqual(shown["plan"]["lines"], {"agent": 3, "person": 0, "unknown": 0})
        self.assertEqual([one["session_id"] for one in shown["sessions"]], ["s-1", "s-2"])
        self.nothing_waits(repository)

    def test_a_commit_for_two_plans_is_listed_with_both(self):
        repository = self.repository()
        for name in ("api", "web"):
            repository.write(f"plans/{name}/plan.md", f"# {name}\n\n- [ ] {name} <!-- TASK: {name} -->\n")
            repository.run("init", "--plan", f"plans/{name}")
        repository.write(".gitignore", ".checkpoint/\n")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "plans", environment={"GIT_COMMITTER_DATE": "2026-01-02T00:00:00Z"})
        repository.work("s-1", "a.txt")
        for name in ("api", "web"):
            repository.run("done", name, "--plan", f"plans/{name}")
        repository.git("commit", "-q", "-a", "-m", "both")
        identity = self.only_id(repository)
        for name in ("api", "web"):
            listed = json.loads(repository.run("session", "list", "--json", "--plan", f"plans/{name}"))["checkpoints"]
            self.assertEqual([one["id"] for one in listed], [identity], name)

    def test_plankeep_commit_is_linked_too_and_its_sidecar_names_the_checkpoint(self):
        repository = self.repository(setup=("--sessions", "--hooks", "--local"))
        repository.write("plan.md", "# P\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] a <!-- TASK: a -->\n")
        repository.run("init")
        repository.git("add", "-A")
        repository.git("commit", "-q", "-m", "plan", environment={"GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"})
        for off in (False, True):
            with self.subTest(off=off):
                if off:
                    repository.write(".plankeep.json", json.dumps({"sessions": "off"}))
                    repository.git("reset", "-q", "--hard", "HEAD~1")
                repository.hook("SessionStart", "s-1", source="startup")
                repository.work("s-1", f"a{off}.txt")
                repository.run("done", "a")
                repository.run("commit", "--all")
                sha = repository.git("rev-parse", "HEAD")
                sidecar = json.loads((repository.top / ".checkpoint" / "commits" / f"{sha}.json").read_text())
                self.assertEqual(sidecar["phase_id"], "build")
                if off:
                    self.assertEqual(repository.ids(), [])
                    self.assertNotIn("entire_checkpoint", sidecar)
                else:
                    identity = self.only_id(repository)
                    self.assertEqual(sidecar["entire_checkpoint"], identity)
                    self.assertEqual(repository.shown(identity)["plan"]["phase_id"], "build")

    # -- doctor

    def test_doctor_says_whether_commits_are_linked_and_why_the_last_one_is_not(self):
        repository = self.repository(setup=None)

        def told():
            done = json.loads(repository.run("doctor", "--json"))
            return {check["name"]: check["message"] for check in done["checks"]}

        self.assertNotIn("sessions", told())
        repository.write(".plankeep.json", json.dumps({"sessions": "write"}))
        self.assertIn("hooks are missing", told()["sessions"])
        repository.run("git-setup", "--sessions", "--local")
        self.assertIn("are linked to sessions", told()["sessions"])
        self.assertIn("no known session", told()["last commit"])
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "--no-verify", environment=repository.editor('echo words > "$1"\n'))
        self.assertIn("though a session wrote its files", told()["last commit"])
        repository.work("s-1", "b.txt")
        repository.git("commit", "-q", "-m", "b", environment={"PLANKEEP_CHECKPOINTS": "off"})
        self.assertIn("not written yet", told()["last commit"])
        repository.hook("Stop", "s-1")
        self.assertEqual(told()["last commit"], "names a session checkpoint")
        repository.git("revert", "--no-edit", "HEAD")
        self.assertIn("reverts get none", told()["last commit"])
        repository.hook("SessionEnd", "s-1", reason="exit")
        ended = repository.own("ended-sessions") / "s-1"
        days = 27
        os.utime(ended, (ended.stat().st_mtime - days * 86400 - 60,) * 2)
        done = json.loads(repository.run("doctor", "--json"))
        self.assertTrue(any("forgotten in 3 days" in check["message"] for check in done["checks"]), done)
        (repository.top / ".git" / "hooks" / "commit-msg").unlink()
        self.assertIn("not all of git's hooks", told()["sessions"])
        repository.write(".plankeep.json", json.dumps({"sessions": "off"}))
        self.assertIn('"off"', told()["sessions"])

    # -- installing

    def test_setup_and_undo_leave_other_peoples_hooks_as_they_were(self):
        repository = self.repository(setup=None)
        hooks = repository.top / ".git" / "hooks"
        hook = hooks / "commit-msg"
        mine = f"#!/bin/sh\ncp \"$1\" {repository.base}/mine\n"
        hook.write_text(mine)
        hook.chmod(0o755)
        before = sorted(name for name in os.listdir(hooks) if not name.endswith(".sample"))
        repository.run("git-setup", "--sessions", "--local")
        self.assertIn("present", repository.run("git-setup", "--sessions", "--local", "--check"))
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", environment=repository.editor('echo words > "$1"\n'))
        self.only_id(repository)
        self.assertEqual((repository.base / "mine").read_text().splitlines()[0], "words")
        repository.run("git-setup", "--hooks", "--local")
        for name in ("post-commit", "post-rewrite"):
            self.assertEqual((hooks / name).read_text().count(">>> plankeep"), 1)
            self.assertIn("--sessions", (hooks / name).read_text())
        repository.work("s-1", "b.txt")
        repository.git("commit", "-q", "-m", "b")
        self.assertIn(self.only_id(repository), repository.checkpoints())
        repository.run("git-setup", "--undo", "--local")
        self.assertEqual(hook.read_text(), mine)
        self.assertEqual(sorted(name for name in os.listdir(hooks) if not name.endswith(".sample")), before)
        self.assertFalse(repository.own("link-sessions").exists())
        repository.work("s-1", "c.txt")
        repository.git("commit", "-q", "-m", "c")
        self.assertEqual(repository.ids(), [])

    def test_a_hooks_folder_of_the_repositorys_own_and_husky(self):
        repository = self.repository(setup=None)
        repository.git("config", "core.hooksPath", "hooks")
        (repository.top / "hooks").mkdir()
        repository.run("git-setup", "--sessions", "--local")
        repository.work("s-1", "a.txt")
        repository.git("commit", "-q", "-m", "a")
        self.only_id(repository)
        husky = repository.top / ".husky" / "_"
        husky.mkdir(parents=True)
        for name in ("prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"):
            (husky / name).write_text('#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
            (husky / name).chmod(0o755)
        (husky / "h").write_text('n=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\n'
                                 'sh -e "$s" "$@"\nexit $?\n')
        repository.git("config", "core.hooksPath", ".husky/_")
        repository.run("git-setup", "--sessions", "--local")
        repository.work("s-1", "b.txt")
        repository.git("commit", "-q", environment=repository.editor('echo words > "$1"\n'))
        self.assertIn(self.only_id(repository), repository.checkpoints())


if __name__ == "__main__":
    unittest.main()
