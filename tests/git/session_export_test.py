"""checkpoint export --to entire in real repositories: sessions with their hooks and transcripts, commits, both layouts.

  session_export_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from session_project import SESSION, Session, SessionProject  # noqa: E402

PROGRAM = ""
# In two pieces, so that nobody who looks for keys in sources finds one here.
SECRET = "ghp" + "_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
LAYOUTS = ("refs", "branch")


def lines(prefix, count):
    return "".join(f"{prefix} {number}\n" for number in range(count))


class ExportTest(unittest.TestCase):
    def project(self, **options):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-export-")
        self.addCleanup(folder.cleanup)
        project = SessionProject(PROGRAM, folder.name, **options)
        project.write("a.txt", lines("old", 4))
        project.commit("first")
        return project

    def shown(self, project, which):
        return json.loads(project.run("session", "show", which, "--json"))["checkpoint"]

    def stored(self, project, commit, name):
        place = f"refs/entire/checkpoints/{commit['checkpoint'][-2:]}/{commit['checkpoint']}:"
        if commit["layout"] == "branch":
            place = f"refs/heads/entire/checkpoints/v1:{commit['checkpoint'][:2]}/{commit['checkpoint'][2:]}/"
        return project.git("cat-file", "blob", place + name)

    def one_commit(self, project, text="Add main"):
        """A session that writes one file, and the commit of it."""
        session = Session(project)
        session.prompt(text)
        session.write("main.c", lines("agent", 3))
        session.stop()
        return session, project.commit("main")

    def test_a_commit_of_agent_and_person_has_the_numbers_of_both(self):
        for layout, percentage in (("refs", 65.4), ("branch", 68.2)):
            with self.subTest(layout=layout):
                project = self.project()
                # The plan is not one of the files: its ticks would be a person's lines.
                project.write(".gitignore", ".checkpoint/\nplan.md\n")
                project.git("rm", "-q", "--cached", "plan.md")
                project.commit("no plan")
                session = Session(project)
                session.prompt("Add main")
                session.write("main.c", lines("agent", 10))
                session.edit("a.txt", "old 0\nold 1\n", "")
                session.stop()
                project.write("main.c", project.read("main.c") + lines("person", 3))
                session.prompt("Go on")
                session.edit("main.c", "person 2\n", "person 2\n" + lines("more", 5))
                session.stop()
                text = project.read("main.c").replace("agent 0\n", "changed 0\n").replace("agent 1\n", "changed 1\n")
                project.write("main.c", text)
                project.write("notes.md", lines("note", 4))
                project.run("done", "schema")
                sha = project.commit("Main and notes")
                before = project.digest()
                done = project.export("--all", "--layout", layout)
                self.assertEqual(project.digest(), before)
                self.assertEqual(done["warnings"], [])
                self.assertEqual(done["commits_looked_at"], 3)
                self.assertEqual([one["sha"] for one in done["commits"]], [sha])
                commit = done["commits"][0]
                self.assertEqual(commit["layout"], layout)
                one = commit["sessions"][0]
                self.assertEqual((one["status"], one["agent_percentage"]), ("written", percentage))
                self.assertEqual(one["files_touched"], ["a.txt", "main.c"])
                self.assertEqual(commit["lines"], {"agent": 13, "person": 3, "unknown": 6})
                project.git("fsck", "--strict", "--no-dangling")

                shown = self.shown(project, commit["checkpoint"])
                self.assertEqual(shown["problems"], [])
                self.assertEqual(shown["plan"]["lines"], commit["lines"])
                self.assertEqual(shown["plan"]["tasks_done"], ["schema"])
                self.assertEqual(shown["sessions"][0]["attribution"]["agent_percentage"], percentage)
                self.assertEqual(shown["sessions"][0]["prompts"], ["Add main", "Go on"])
                self.assertEqual(shown["sessions"][0]["session_id"], SESSION)
                self.assertIn("lines: agent 13, person 3, unknown 6", project.run("session", "show", commit["checkpoint"]))
                self.assertIn(commit["checkpoint"], project.run("session", "list"))
                raw = project.run("session", "show", commit["checkpoint"], "--raw")
                self.assertEqual(raw, session.transcript.read_text(encoding="utf-8"))
                self.assertIn("no problems", project.run("session", "check", "--deep", "--secrets"))

                refs = project.git("for-each-ref")
                again = project.export("--all", "--layout", layout)
                self.assertEqual([one["status"] for one in again["commits"][0]["sessions"]], ["unchanged"])
                self.assertEqual(project.git("for-each-ref"), refs)

    def test_what_is_not_staged_counts_in_no_share(self):
        def partly(work, layout, later):
            project = self.project()
            session = Session(project)
            session.prompt("Add main")
            session.write("main.c", lines("agent", 3))
            work(project, session)
            project.seconds += 1
            project.git("commit", "-q", "-m", "partly")
            if later:
                session.prompt("Go on")
                session.stop()
            commit = project.export("--all", "--layout", layout)["commits"][0]
            numbers = self.shown(project, commit["checkpoint"])["sessions"][0]["attribution"]
            return commit["lines"], commit["sessions"][0]["agent_percentage"], numbers["total_committed"]

        def person(project, session):
            session.stop()
            project.git("add", "main.c")
            project.write("main.c", project.read("main.c") + lines("person", 2))
            session.prompt("More")
            session.write("b.c", lines("b", 2))
            session.stop()
            project.git("add", "b.c")

        def agent(project, session):
            project.git("add", "main.c")
            session.write("main.c", lines("agent", 3) + lines("more", 2))
            session.stop()

        def removed(project, session):
            session.stop()
            project.write("main.c", lines("agent", 2))
            project.git("add", "main.c")

        for layout in LAYOUTS:
            for later in (False, True):
                with self.subTest(layout=layout, later=later):
                    whole = {"agent": 5, "person": 0, "unknown": 0}
                    self.assertEqual(partly(person, layout, later), (whole, 100, 5))
                    self.assertEqual(partly(agent, layout, later), ({**whole, "agent": 3}, 100, 3))
                    # Taken out before the commit is another thing: the older formula counts it in the total.
                    self.assertEqual(partly(removed, layout, later)[1], 66.7 if layout == "refs" else 100)

    def test_what_an_agent_left_uncommitted_is_not_a_persons(self):
        project = self.project()
        session = Session(project)
        session.prompt("Add both")
        session.write("x.c", lines("x", 3))
        session.write("y.c", lines("y", 3))
        session.stop()
        project.git("add", "x.c")
        project.seconds += 1
        project.git("commit", "-q", "-m", "x alone")
        project.write("y.c", project.read("y.c") + lines("person", 2))
        session.prompt("Go on")
        session.write("z.c", lines("z", 2))
        session.stop()
        project.commit("y and z")
        commits = project.export("--all")["commits"]
        self.assertEqual([one["lines"] for one in commits], [{"agent": 3, "person": 0, "unknown": 0},
                                                             {"agent": 2, "person": 2, "unknown": 3}])

    def test_a_project_that_was_opened_through_a_link_knows_its_lines(self):
        project = self.project()
        real, link = project.root, project.base / "link"
        link.symlink_to(real)
        project.root = link
        session = Session(project)
        session.prompt("Add both")
        session.write("main.c", lines("agent", 3))
        session.write("gone/b.c", lines("more", 2))
        session.stop()
        project.commit("both")
        (real / "gone" / "b.c").unlink()
        (real / "gone").rmdir()
        kept = session.transcript.rename(project.base / "kept.jsonl")
        commit = project.export("--all", "--dry-run", status=1)["commits"][0]
        self.assertEqual(commit["sessions"][0]["files_touched"], ["gone/b.c", "main.c"])
        kept.rename(session.transcript)
        commit = project.export("--all")["commits"][0]
        self.assertEqual(commit["lines"], {"agent": 5, "person": 0, "unknown": 0})
        self.assertEqual(commit["sessions"][0]["files_touched"], ["gone/b.c", "main.c"])
        self.assertEqual(commit["sessions"][0]["agent_percentage"], 100.0)

    def test_no_secret_is_stored_or_told_and_each_is_counted(self):
        for layout in LAYOUTS:
            for object_format in ("sha1", "sha256"):
                with self.subTest(layout=layout, object_format=object_format):
                    project = self.project(object_format=object_format)
                    session = Session(project)
                    session.prompt("Use " + SECRET)
                    session.write("main.c", "token = " + SECRET + "\n")
                    session.stop("It is \\u0067" + SECRET[1:])
                    project.commit("main")
                    dry = project.export("--all", "--layout", layout, "--dry-run")
                    self.assertEqual(dry["commits"][0]["sessions"][0]["status"], "would_write")
                    self.assertEqual(project.git("for-each-ref", "refs/entire", "refs/heads/entire"), "")
                    told = project.run("checkpoint", "export", "--to", "entire", "--all", "--layout", layout)
                    self.assertIn("redacted: ", told)
                    self.assertNotIn(SECRET, told)
                    one = project.export("--all", "--layout", layout)["commits"][0]["sessions"][0]
                    self.assertEqual(one["redacted"], dry["commits"][0]["sessions"][0]["redacted"])
                    self.assertGreaterEqual(one["redacted"]["total"], 3)
                    names = ("refs/entire/checkpoints",) if layout == "refs" else ("refs/heads/entire/checkpoints/v1",)
                    for ref in project.git("for-each-ref", "--format=%(refname)", *names).split():
                        for blob in project.git("ls-tree", "-r", "--format=%(objectname)", ref).split():
                            self.assertNotIn(SECRET[1:], project.git("cat-file", "blob", blob))

    def test_a_session_without_its_transcript_is_kept_from_our_own_records(self):
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                project = self.project()
                session, _ = self.one_commit(project)
                session.transcript.unlink()
                done = project.export("--all", "--layout", layout, status=1)
                self.assertIn("gone or empty", done["warnings"][0])
                one = done["commits"][0]["sessions"][0]
                self.assertEqual((one["status"], one["transcript"], one["prompts"]), ("written", False, 1))
                self.assertEqual(one["files_touched"], ["main.c"])
                self.assertNotIn("agent_percentage", one)
                self.assertIn("not known", one["attribution_unknown"])
                shown = self.shown(project, done["commits"][0]["checkpoint"])
                self.assertEqual(shown["sessions"][0]["prompts"], ["Add main"])
                self.assertIn("gone or empty", shown["plan"]["transcript_left_out"])
                self.assertNotIn("transcript", shown["sessions"][0])

    def test_a_second_export_changes_nothing_when_some_transcripts_are_gone(self):
        project = self.project()
        sessions = [Session(project, name) for name in ("first", "second", "third")]
        for session in sessions:
            session.prompt("Write")
            session.write(session.name + ".c", lines(session.name, 2))
            session.stop()
        project.commit("all")
        sessions[0].transcript.unlink()
        sessions[1].transcript.write_text('{"type": "user"}\n', encoding="utf-8")
        commit = project.export("--all", status=1)["commits"][0]
        self.assertEqual([one["status"] for one in commit["sessions"]], ["written"] * 3)
        told = self.shown(project, commit["checkpoint"])["plan"]["transcript_left_out"]
        self.assertIn("gone or empty", told)
        self.assertIn("does not say when", told)
        refs = project.git("for-each-ref")
        again = project.export("--all", status=1)["commits"][0]
        self.assertEqual([one["status"] for one in again["sessions"]], ["unchanged"] * 3)
        self.assertEqual(project.git("for-each-ref"), refs)

    def test_what_was_written_with_the_transcript_stays_when_it_is_gone(self):
        project = self.project()
        session, _ = self.one_commit(project)
        project.export("--all")
        refs = project.git("for-each-ref")
        session.transcript.unlink()
        done = project.export("--all", status=1)
        one = done["commits"][0]["sessions"][0]
        self.assertEqual((one["status"], one["reason"]),
                         ("left_out", "it was written when the transcript was still there"))
        self.assertEqual(project.git("for-each-ref"), refs)

    def test_sessions_that_the_state_has_forgotten_are_found_by_the_history(self):
        project = self.project()
        session, _ = self.one_commit(project)
        session.end()
        for number in range(25):
            Session(project, f"later-{number}").end()
        state = json.loads((project.root / ".checkpoint/state.json").read_text(encoding="utf-8"))
        self.assertNotIn(SESSION, state["sessions"])
        done = project.export(SESSION)
        self.assertEqual([one["session_id"] for one in done["commits"][0]["sessions"]], [SESSION])
        self.assertTrue(done["commits"][0]["sessions"][0]["transcript"])

    def test_a_commit_within_a_turn_has_no_number_but_a_reason(self):
        project = self.project()
        session = Session(project)
        session.prompt("Write and commit")
        session.write("main.c", lines("agent", 3))
        project.commit("main")
        session.stop()
        commit = project.export("--all")["commits"][0]
        self.assertNotIn("agent_percentage", commit["sessions"][0])
        self.assertEqual(commit["sessions"][0]["attribution_unknown"],
                         "no snapshot of the session was taken on the commit's parent")
        self.assertEqual(commit["lines"], {"agent": 3, "person": 0, "unknown": 0})
        self.assertNotIn("attribution", self.shown(project, commit["checkpoint"])["sessions"][0])

    def test_a_snapshot_that_is_gone_gives_no_number(self):
        project = self.project()
        session = Session(project)
        session.prompt("Add main")
        session.write("main.c", lines("agent", 3))
        session.stop()
        # Another tree than the commit's.
        project.write("main.c", lines("mine", 3))
        project.commit("main")
        self.assertIn("agent_percentage", project.export("--all", "--dry-run")["commits"][0]["sessions"][0])
        for ref in project.git("for-each-ref", "--format=%(refname)", "refs/plankeep").split():
            project.git("update-ref", "-d", ref)
        project.git("-c", "gc.reflogExpire=now", "gc", "-q", "--prune=now")
        one = project.export("--all")["commits"][0]["sessions"][0]
        self.assertEqual(one["attribution_unknown"], "git no longer has the snapshot")

    def test_an_id_is_a_checkpoint_or_a_session(self):
        project = self.project()
        session, first = self.one_commit(project)
        project.seconds += 60
        other = Session(project, "9999aaaa-other")
        other.prompt("Change it")
        other.write("other.c", lines("other", 2))
        other.stop()
        second = project.commit("other")
        newest = project.run("checkpoint", "create", "--json")
        checkpoint = json.loads(newest)["checkpoint"]["checkpoint_id"] if "checkpoint_id" in newest else "last"
        self.assertEqual([one["sha"] for one in project.export(checkpoint, "--dry-run")["commits"]], [second])
        self.assertEqual([one["sha"] for one in project.export(SESSION, "--dry-run")["commits"]], [first])
        done = project.export("9999", "--all")
        self.assertEqual([(one["sha"], [s["session_id"] for s in one["sessions"]]) for one in done["commits"]],
                         [(second, ["9999aaaa-other"])])
        self.assertEqual([one["sha"] for one in project.export("--commit", first, "--commit", second)["commits"]],
                         [first, second])
        project.export("8888", "--all", status=2)
        project.export("--since", "1s", "--dry-run")

    def test_the_settings_say_how_much_of_a_transcript_is_kept(self):
        picture = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4000}}]
        for extent in ("full", "slice", "none"):
            with self.subTest(extent=extent):
                project = self.project()
                own = project.home / ".config" / "plankeep"
                own.mkdir(parents=True, exist_ok=True)
                (own / "config.json").write_text(json.dumps({"sessionTranscripts": extent, "sessionImages": "keep"}))
                # A project can have less kept, not more.
                project.write(".plankeep.json", json.dumps({"sessionTranscripts": "full"}))
                session, _ = self.one_commit(project)
                session.prompt("Again")
                session.say("user", picture)
                session.write("main.c", lines("second", 3))
                session.stop()
                project.commit("second")
                session.prompt("And again")
                session.write("main.c", lines("third", 3))
                session.stop()
                session.end()
                project.commit("third")
                commits = project.export("--all")["commits"]
                self.assertEqual(len(commits), 3)
                whole = session.transcript.read_text(encoding="utf-8")
                if extent == "none":
                    self.assertEqual([one["sessions"][0]["transcript"] for one in commits], [False] * 3)
                    self.assertEqual(self.shown(project, commits[1]["checkpoint"])["sessions"][0]["prompts"], ["Again"])
                    continue
                second = self.stored(project, commits[1], "0/full.jsonl")
                self.assertIn("A" * 4000, second)
                self.assertEqual('"Add main"' in second, extent == "full")
                start = self.shown(project, commits[1]["checkpoint"])["sessions"][0]["transcript"]["first_line"]
                self.assertEqual(start == 0, extent == "slice")
                # The session is over: its last checkpoint has all of it.
                self.assertEqual(self.stored(project, commits[2], "0/full.jsonl"), whole)
                metadata = [json.loads(self.stored(project, one, "0/metadata.json")) for one in commits]
                self.assertEqual([one["token_usage"]["api_call_count"] for one in metadata], [1, 1, 1])

    def test_pictures_are_taken_out_unless_the_person_keeps_them(self):
        project = self.project()
        project.write(".plankeep.json", json.dumps({"sessionImages": "keep"}))  # a project cannot say that
        session = Session(project)
        session.say("user", [{"type": "image", "source": {"type": "base64", "data": "A" * 4000}}])
        session.prompt("Add main")
        session.write("main.c", lines("agent", 3))
        session.stop()
        project.commit("main")
        commit = project.export("--all")["commits"][0]
        self.assertEqual(commit["sessions"][0]["redacted"]["pictures"], 1)
        self.assertNotIn("A" * 4000, self.stored(project, commit, "0/full.jsonl"))

    def test_two_sessions_of_a_commit_stand_side_by_side_and_foreign_keys_stay(self):
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                project = self.project()
                session = Session(project)
                session.prompt("Add main")
                session.write("main.c", lines("agent", 3))
                session.stop()
                other = Session(project, "other-session")
                other.prompt("Add other")
                other.write("other.c", lines("other", 2))
                other.stop()
                project.commit("both")
                commit = project.export("--all", "--layout", layout)["commits"][0]
                self.assertEqual(commit["lines"], {"agent": 5, "person": 0, "unknown": 0})
                self.assertEqual(commit["sessions"][1]["attribution_unknown"], "another session worked between two turns")
                shown = self.shown(project, commit["checkpoint"])
                self.assertEqual([one["session_id"] for one in shown["sessions"]], [SESSION, "other-session"])
                self.assertEqual(shown["files_touched"], ["main.c", "other.c"])
                self.rewrite(project, commit, "plankeep/plan.json",
                             lambda text: text.replace("{\n", '{\n  "mood": "good",\n', 1).replace(
                                 '"history_events": ', '"history_events": 9'))
                project.export("--all", "--layout", layout)
                link = json.loads(self.stored(project, commit, "plankeep/plan.json"))
                self.assertEqual(link["mood"], "good")
                self.assertEqual(link["lines"], commit["lines"])

    def rewrite(self, project, commit, name, change):
        """Another tool's commit on the ref that changes one file."""
        text = change(self.stored(project, commit, name))
        ref = f"refs/entire/checkpoints/{commit['checkpoint'][-2:]}/{commit['checkpoint']}"
        path = name
        if commit["layout"] == "branch":
            ref = "refs/heads/entire/checkpoints/v1"
            path = f"{commit['checkpoint'][:2]}/{commit['checkpoint'][2:]}/{name}"
        index = {**project.environment(), "GIT_INDEX_FILE": str(project.base / "index")}

        def git(*words, given=None):
            return subprocess.run(["git", *words], cwd=project.root, env=index, input=given, check=True, timeout=60,
                                  stdout=subprocess.PIPE, text=True).stdout.strip()

        git("read-tree", ref)
        blob = git("hash-object", "-w", "--stdin", given=text)
        git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        git("update-ref", ref, git("commit-tree", git("write-tree"), "-p", ref, "-m", "theirs"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
