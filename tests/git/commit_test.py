#!/usr/bin/python3
"""plankeep commit in real repositories: what is committed, which phase it belongs to, and what becomes of the sidecars
when git rewrites commits (amend, rebase, squash, cherry-pick, reset, other branches)."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))

PLAN = """# Auth

## Build
<!-- CHECKPOINT: build -->
- [ ] Schema <!-- TASK: schema -->
- [ ] Tests pass <!-- ACCEPT: tests | verify: test -f a.txt -->

## Polish
<!-- CHECKPOINT: polish -->
- [ ] Icons <!-- TASK: icons -->

## Ship
<!-- CHECKPOINT: ship -->
- [ ] Notes <!-- TASK: notes -->
"""


class Repository:
    def __init__(self, base, *options, init=True):
        self.base = pathlib.Path(base)
        self.top = self.base / "auth"
        self.home = self.base / "home"
        self.home.mkdir()
        self.top.mkdir()
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"))}
        self.minute = 0
        self.environment = {"PATH": os.environ["PATH"], "PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
                            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_EDITOR": "true", "ASAN_OPTIONS":
                            os.environ.get("ASAN_OPTIONS", ""), **who}
        if init:
            self.git("init", "-q", "-b", "main", *options)

    def git(self, *words, status=0, cwd=None, **more):
        done = subprocess.run(["git", *words], cwd=cwd or self.top, env=self.environment, capture_output=True,
                              text=True, timeout=60, check=False, **more)
        if done.returncode != status:
            raise AssertionError(f"git {words}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def run(self, *words, status=0, cwd=None):
        done = subprocess.run([PROGRAM, *words], cwd=cwd or self.top, env=self.environment, capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != status:
            raise AssertionError(f"plankeep {words}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def json(self, *words, status=0, cwd=None):
        out = self.run(*words, "--json", status=status, cwd=cwd)
        return json.loads(out[out.index("{"):out.rindex("}") + 1])

    def write(self, name, text):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def begin(self):
        self.write("plan.md", PLAN)
        self.write("base.txt", "".join(f"line {i}\n" for i in range(30)))
        self.run("init")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "start")

    def work(self, task, name, text=None):
        """A phase's work, committed as its checkpoint."""
        self.write(name, text or name)
        self.run("done", task)
        return self.json("commit", "--all")

    def head(self, what="HEAD"):
        return self.git("rev-parse", what)

    def sidecar(self, sha, cwd=None):
        return json.loads(((cwd or self.top) / ".checkpoint/commits" / (sha + ".json")).read_text())

    def sidecars(self):
        folder = self.top / ".checkpoint/commits"
        return sorted(path.stem for path in folder.glob("*.json") if path.stem != "index") if folder.is_dir() else []

    def check(self, status=0, cwd=None):
        return self.json("status", "--check", status=status, cwd=cwd)

    def events(self, kind):
        lines = (self.top / ".checkpoint/history.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["event"] == kind]

    def last(self):
        """The last checkpoint as the program finds it: source and commit."""
        self.write("probe.txt", str(self.minute))
        self.minute += 1
        found = self.json("commit", "--all", "--dry-run")["previous"]
        (self.top / "probe.txt").unlink()
        return found["checkpointSource"], found.get("sha"), found.get("milestoneIndex")


class CommitTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="plankeep-commit-")
        self.addCleanup(self.place.cleanup)

    def repository(self, *options):
        repo = Repository(os.path.realpath(self.place.name), *options)
        repo.begin()
        return repo


class Committing(CommitTest):
    def test_the_sidecar_says_what_the_commit_is(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        repo.run("done", "schema")
        told = repo.json("commit", "--all", "--verify", "--yes")
        sha = repo.head()
        sidecar = repo.sidecar(sha)
        self.assertEqual(list(sidecar), ["schema_version", "sha", "run_id", "milestone_index", "milestone_title", "created_at",
                                         "tier", "verification_commands", "tree", "patch_id", "plan_id", "phase_id", "plan_path",
                                         "phase_complete"])
        self.assertEqual((sidecar["schema_version"], sidecar["sha"], sidecar["run_id"], sidecar["plan_id"]),
                         ("1.0.0", sha, "auth", "auth"))
        self.assertEqual((sidecar["milestone_index"], sidecar["milestone_title"], sidecar["phase_id"]), (0, "Build", "build"))
        self.assertEqual((sidecar["tier"], sidecar["verification_commands"]), ("tier2", ["test -f a.txt"]))
        self.assertEqual(sidecar["tree"], repo.head("HEAD^{tree}"))
        patch = repo.git("diff-tree", "-p", "HEAD")
        ids = repo.git("patch-id", "--stable", input=patch)
        self.assertEqual(sidecar["patch_id"], ids.split()[0])
        self.assertEqual((told["sha"], told["tier"], told["sidecarWritten"]), (sha, "tier2", True))
        self.assertEqual(repo.git("log", "-1", "--format=%s"), "chore(plankeep): checkpoint auth milestone 0")
        [event] = repo.events("checkpoint_complete")
        self.assertEqual({key: event[key] for key in ("milestone_index", "commit_sha", "tier", "sidecar_written", "phaseId")},
                         {"milestone_index": 0, "commit_sha": sha, "tier": "tier2", "sidecar_written": True,
                          "phaseId": "build"})
        self.assertNotIn(".checkpoint", repo.git("show", "--name-only", "HEAD"))

    def test_what_is_staged_is_committed_and_nothing_else(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        repo.write("b.txt", "b")
        repo.git("add", "a.txt")
        self.assertEqual(repo.json("commit")["files"], [{"change": "A", "path": "a.txt"}])
        self.assertEqual(repo.git("show", "--format=", "--name-only", "HEAD"), "a.txt")
        self.assertEqual(repo.git("status", "--porcelain"), "?? b.txt")
        head = repo.head()
        self.assertIn("nothing is staged", repo.run("commit", status=1))
        self.assertEqual(repo.head(), head)

    def test_a_dry_run_changes_nothing(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        head, history = repo.head(), (repo.top / ".checkpoint/history.jsonl").read_bytes()
        told = repo.json("commit", "--all", "--dry-run")
        self.assertEqual((told["committed"], told["sha"], told["tier"]), (False, None, None))
        self.assertEqual((repo.head(), repo.git("status", "--porcelain"), repo.sidecars()), (head, "?? a.txt", []))
        self.assertEqual((repo.top / ".checkpoint/history.jsonl").read_bytes(), history)

    def test_a_criterion_that_fails_refuses_the_commit(self):
        repo = self.repository()
        repo.run("done", "schema")
        head = repo.head()
        self.assertIn("not proven", repo.run("commit", "--all", "--verify", "--yes", status=1))
        self.assertEqual((repo.head(), repo.sidecars()), (head, []))
        repo.run("commit", "--all")
        self.assertEqual(repo.sidecar(repo.head())["tier"], "tier0")

    def test_commands_that_nobody_agreed_to_are_not_run(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        self.assertIn("not trusted", repo.run("commit", "--all", "--verify", status=1))
        self.assertEqual(repo.sidecars(), [])

    def test_evidence_of_files_that_are_left_out_proves_nothing(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        repo.git("add", "a.txt")
        repo.write("base.txt", "changed, and not staged\n")
        repo.run("done", "schema")
        repo.run("commit", "--verify", "--yes")
        self.assertEqual(repo.sidecar(repo.head())["tier"], "tier0")

    def test_the_phase_is_the_completed_one_without_a_commit_else_the_current_one(self):
        repo = self.repository()
        told = repo.work("schema", "x.txt")
        self.assertEqual(told["phaseId"], "build")  # its criterion is open: worked on
        repo.run("done", "tests")
        self.assertEqual(repo.json("commit", "--all")["phaseId"], "build")
        repo.write("y.txt", "y")
        self.assertEqual(repo.json("commit", "--all")["phaseId"], "polish")
        self.assertEqual(repo.work("icons", "z.txt")["milestoneIndex"], 1)
        repo.write("y.txt", "again")
        self.assertEqual(repo.json("commit", "--all", "--phase", "build")["milestoneIndex"], 0)
        self.assertIn("its phases: ", repo.run("commit", "--phase", "nobody", status=2))

    def test_another_run_has_its_own_line(self):
        repo = self.repository()
        repo.work("schema", "x.txt")
        repo.write("y.txt", "y")
        told = repo.json("commit", "--all", "--run", "spike one")
        self.assertEqual((told["previous"]["checkpointSource"], told["runId"]), ("none", "spike one"))
        self.assertIn("Plankeep-Plan: auth", repo.git("log", "-1", "--format=%b"))
        repo.write("z.txt", "z")
        repo.run("commit", "--all", "--run", "a\nb", status=2)

    def test_hooks_run_and_may_refuse(self):
        repo = self.repository()
        hook = repo.top / ".git/hooks/pre-commit"
        hook.write_text("#!/bin/sh\necho no way >&2\nexit 1\n")
        hook.chmod(0o755)
        repo.write("a.txt", "a")
        head = repo.head()
        self.assertIn("no way", repo.run("commit", "--all", status=1))
        self.assertEqual((repo.head(), repo.sidecars()), (head, []))
        hook.write_text("#!/bin/sh\necho formatted > a.txt\ngit add a.txt\n")
        repo.run("commit", "--all")
        self.assertEqual(repo.git("show", "HEAD:a.txt"), "formatted")
        self.assertEqual(repo.sidecar(repo.head())["tree"], repo.head("HEAD^{tree}"))

    def test_nothing_of_a_title_reaches_a_shell(self):
        repo = self.repository()
        text = (repo.top / "plan.md").read_text().replace("## Build", "## $(touch pwned) `touch pwned`; touch pwned")
        repo.write("plan.md", text.replace("# Auth", "# Auth\n"))
        repo.run("commit", "--all", "-m", "# not a comment\n$(touch pwned)")
        self.assertFalse((repo.top / "pwned").exists())
        self.assertIn("# not a comment", repo.git("log", "-1", "--format=%B"))
        self.assertIn("$(touch pwned)", repo.git("log", "-1", "--format=%B"))


class LeftAsItWas(CommitTest):
    """A commit that fails leaves the index to the byte as it was."""

    def half_staged(self):
        repo = self.repository()
        lines = (repo.top / "base.txt").read_text().splitlines()
        lines[0] = "FIRST"
        repo.write("base.txt", "\n".join(lines) + "\n")
        repo.git("add", "base.txt")
        lines[-1] = "LAST"
        repo.write("base.txt", "\n".join(lines) + "\n")
        repo.write("new file [1].txt", "new")
        return repo

    def index(self, repo):
        return (repo.top / ".git/index").read_bytes(), repo.git("diff", "--cached"), repo.git("status", "--porcelain")

    def hook(self, repo, name, text):
        path = repo.top / ".git/hooks" / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def test_a_hook_that_refuses(self):
        repo = self.half_staged()
        self.hook(repo, "pre-commit", "exit 1\n")
        before = self.index(repo)
        repo.run("commit", "--all", status=1)
        self.assertEqual(self.index(repo), before)
        (repo.top / ".git/hooks/pre-commit").unlink()
        told = repo.json("commit", "--all")
        self.assertEqual([file["path"] for file in told["files"]], ["base.txt", "new file [1].txt"])
        self.assertEqual(repo.git("status", "--porcelain"), "")
        self.assertEqual(repo.git("show", "HEAD:new file [1].txt"), "new")
        self.assertFalse((repo.top / ".git/plankeep/new-files").exists())

    def test_signing_that_fails(self):
        repo = self.half_staged()
        repo.git("config", "commit.gpgSign", "true")
        repo.git("config", "gpg.program", "false")
        before = self.index(repo)
        repo.run("commit", "--all", status=1)
        self.assertEqual(self.index(repo), before)

    def test_a_criterion_that_is_not_proven(self):
        repo = self.half_staged()
        before = self.index(repo)
        repo.run("commit", "--all", "--verify", "--yes", status=1)
        self.assertEqual(self.index(repo), before)

    def test_killed_while_a_hook_runs(self):
        repo = self.half_staged()
        # git is the hook's parent, and we are git's.
        self.hook(repo, "pre-commit", "kill -9 $(ps -o ppid= -p $PPID)\nexit 1\n")
        before = repo.git("diff", "--cached"), repo.git("status", "--porcelain")
        repo.run("commit", "--all", status=-9)
        deadline = time.monotonic() + 20
        while (repo.top / ".git/index.lock").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(repo.git("diff", "--cached"), before[0])
        self.assertIn("was interrupted", repo.run("doctor"))
        repo.run("doctor", "--repair")
        self.assertEqual((repo.git("diff", "--cached"), repo.git("status", "--porcelain")), before)
        (repo.top / ".git/hooks/pre-commit").unlink()
        repo.run("commit", "--all")
        self.assertEqual(repo.git("status", "--porcelain"), "")

    def test_what_somebody_else_stages_meanwhile_stays(self):
        repo = self.half_staged()
        text = (repo.top / "plan.md").read_text().replace("test -f a.txt", "git add base.txt; false")
        repo.write("plan.md", text)
        repo.run("commit", "--all", "--verify", "--yes", status=1)
        self.assertIn("+LAST", repo.git("diff", "--cached"))
        self.assertIn("?? \"new file", repo.git("status", "--porcelain"))

    def test_a_repository_inside_this_one(self):
        repo = self.repository()
        repo.git("init", "-q", "inner")
        repo.git("commit", "-q", "--allow-empty", "-m", "inner", cwd=repo.top / "inner")
        repo.run("commit", "--all")
        self.assertEqual(repo.git("ls-tree", "HEAD", "inner").split()[:2], ["160000", "commit"])

    def test_unresolved_conflicts_are_not_committed(self):
        repo = self.repository()
        repo.write("base.txt", "stashed\n")
        repo.git("stash")
        repo.write("base.txt", "committed\n")
        repo.git("commit", "-qam", "other")
        repo.git("stash", "pop", status=1)
        head = repo.head()
        for words in (["--all"], [], ["--all", "--dry-run"]):
            told = repo.run("commit", *words, status=1)
            self.assertIn("base.txt", told)
            self.assertIn("conflict", told)
        self.assertEqual((repo.head(), repo.git("status", "--porcelain")), (head, "UU base.txt"))

    def test_a_commit_encoding_of_the_repository(self):
        repo = self.repository()
        repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
        repo.write("a.txt", "a")
        repo.run("commit", "--all", "-m", "Grüße, 修复")
        self.assertIn("Grüße, 修复", repo.git("log", "-1", "--encoding=UTF-8", "--format=%B"))

    def test_a_hook_that_commits_again(self):
        repo = self.repository()
        self.hook(repo, "post-commit", "[ -f again ] && exit 0\ntouch again\ngit add again\ngit commit -qm again\n")
        repo.write("a.txt", "a")
        told = repo.json("commit", "--all")
        self.assertEqual(told["sha"], repo.head("HEAD~1"))
        self.assertEqual(repo.sidecars(), [repo.head("HEAD~1")])
        self.assertEqual(repo.sidecar(told["sha"])["tree"], repo.head("HEAD~1^{tree}"))


class Places(CommitTest):
    def test_an_unborn_branch(self):
        repo = Repository(os.path.realpath(self.place.name))
        repo.write("plan.md", PLAN)
        repo.run("init")
        self.assertEqual(repo.check()["checkpointSource"], "none")
        repo.run("commit", "--all")
        self.assertEqual(repo.sidecars(), [repo.head()])
        self.assertEqual(repo.git("rev-list", "--count", "HEAD"), "1")
        self.assertNotEqual(repo.sidecar(repo.head())["patch_id"], "")

    def test_a_detached_head(self):
        repo = self.repository()
        repo.git("checkout", "-q", "--detach")
        repo.work("schema", "a.txt")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))

    def test_a_sha256_repository(self):
        repo = self.repository("--object-format=sha256")
        repo.work("schema", "a.txt")
        self.assertEqual(len(repo.head()), 64)
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))
        repo.git("commit", "-q", "--amend", "-m", "other words")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))
        repo.run("doctor", "--repair")
        self.assertIn(repo.head(), repo.sidecars())

    def test_a_linked_work_tree(self):
        repo = self.repository()
        other = repo.base / "linked"
        repo.git("worktree", "add", "-q", "-b", "side", str(other))
        repo.run("init", cwd=other)
        (other / "a.txt").write_text("a")
        repo.run("done", "schema", cwd=other)
        told = repo.json("commit", "--all", cwd=other)
        self.assertEqual(told["sha"], repo.git("rev-parse", "side"))
        # The work trees of a repository have the repository's name.
        self.assertEqual(repo.sidecar(told["sha"], cwd=other)["run_id"], "auth")
        self.assertEqual(repo.sidecars(), [])
        self.assertNotEqual(repo.head(), told["sha"])

    def test_a_merge_or_rebase_in_progress_is_left_alone(self):
        repo = self.repository()
        repo.git("checkout", "-q", "-b", "side")
        repo.write("base.txt", "theirs\n")
        repo.git("commit", "-qam", "theirs")
        repo.git("checkout", "-q", "main")
        repo.write("base.txt", "ours\n")
        repo.git("commit", "-qam", "ours")
        repo.git("merge", "side", status=1)
        repo.write("base.txt", "merged\n")
        repo.git("add", "base.txt")
        self.assertIn("a merge is in progress", repo.run("commit", status=1))
        repo.git("merge", "--abort")
        repo.git("rebase", "side", status=1)
        self.assertIn("a rebase is in progress", repo.run("commit", status=1))
        repo.git("rebase", "--abort")
        repo.git("cherry-pick", "side", status=1)
        self.assertIn("a cherry-pick is in progress", repo.run("commit", status=1))

    def test_no_repository(self):
        repo = Repository(os.path.realpath(self.place.name), init=False)
        repo.write("plan.md", PLAN)
        repo.run("init")
        self.assertIn("not in a git repository", repo.run("commit", "--all", status=2))
        self.assertEqual(repo.check()["checkpointSource"], "none")

    def test_a_plan_that_git_ignores(self):
        repo = self.repository()
        repo.git("rm", "-q", "--cached", "plan.md")
        repo.write(".gitignore", "plan.md\n")
        repo.work("schema", "a.txt")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))


class Rewritten(CommitTest):
    def three(self):
        """Phases 0, 1 and 2, a checkpoint each."""
        repo = self.repository()
        repo.run("done", "tests")
        shas = [repo.work("schema", "a.txt")["sha"], repo.work("icons", "b.txt")["sha"], repo.work("notes", "c.txt")["sha"]]
        return repo, shas

    def relink(self, repo):
        self.assertIn("re-linked", repo.run("doctor", "--repair", status=0))

    def test_amended_words(self):
        repo, shas = self.three()
        repo.git("commit", "-q", "--amend", "-m", "words of my own")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 2))
        self.relink(repo)
        old, new = repo.sidecar(shas[2]), repo.sidecar(repo.head())
        self.assertEqual(new["relinked_from"], shas[2])
        self.assertEqual({key: old[key] for key in old if key != "sha"},
                         {key: new[key] for key in new if key not in ("sha", "relinked_from")})
        self.assertNotIn("re-linked", repo.run("doctor", "--repair"))
        self.assertEqual(repo.events("checkpoint_complete")[-1]["commit_sha"], repo.head())

    def test_amended_content_is_no_longer_verified(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        repo.run("done", "schema")
        repo.run("commit", "--all", "--verify", "--yes")
        self.assertEqual(repo.sidecar(repo.head())["tier"], "tier2")
        repo.write("forgotten.txt", "oh")
        repo.git("add", "-A")
        repo.git("commit", "-q", "--amend", "--no-edit")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))
        self.relink(repo)
        self.assertEqual((repo.sidecar(repo.head())["tier"], repo.sidecar(repo.head())["verification_commands"]),
                         ("tier0", []))

    def test_rebased(self):
        repo, shas = self.three()
        repo.git("branch", "work")
        repo.git("reset", "-q", "--hard", shas[0] + "~1")
        repo.write("base.txt", "another base\n")
        repo.git("commit", "-qam", "base")
        repo.git("checkout", "-q", "work")
        repo.git("rebase", "-q", "main")
        self.assertNotIn(repo.head(), shas)
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 2))
        self.relink(repo)
        for old, new in zip(shas, reversed(repo.git("rev-list", "-3", "HEAD").split())):
            self.assertEqual(repo.sidecar(new)["relinked_from"], old)
            self.assertEqual(repo.sidecar(new)["tree"], repo.head(new + "^{tree}"))
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 2))

    def test_squashed(self):
        repo, shas = self.three()
        repo.git("reset", "-q", "--soft", shas[0] + "~1")
        repo.git("commit", "-q", "-m", "all of it")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 2))
        self.relink(repo)
        self.assertEqual((repo.sidecar(repo.head())["relinked_from"], repo.sidecar(repo.head())["milestone_index"]),
                         (shas[2], 2))

    def test_merged_as_a_squash_in_another_branch(self):
        repo, shas = self.three()
        repo.git("branch", "work")
        repo.git("reset", "-q", "--hard", shas[0] + "~1")
        repo.git("merge", "-q", "--squash", "work")
        repo.git("commit", "-q", "-m", "squash")
        self.relink(repo)
        self.assertEqual(repo.sidecar(repo.head())["relinked_from"], shas[2])

    def test_picked_to_another_branch(self):
        repo, shas = self.three()
        repo.git("checkout", "-q", "-b", "other", shas[0] + "~1")
        repo.write("base.txt", "elsewhere\n")
        repo.git("commit", "-qam", "base")
        self.assertEqual(repo.last()[0], "none")
        repo.git("cherry-pick", shas[0])
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))
        self.relink(repo)
        self.assertEqual(repo.sidecar(repo.head())["relinked_from"], shas[0])
        repo.git("checkout", "-q", "main")
        self.assertEqual(repo.last(), ("sidecar", shas[2], 2))

    def test_reset_away_and_brought_back(self):
        repo, shas = self.three()
        repo.git("reset", "-q", "--hard", shas[0])
        repo.run("sync")
        self.assertEqual(repo.last(), ("sidecar", shas[0], 0))
        self.assertIsNone(repo.check()["drift"])
        self.assertNotIn("re-linked", repo.run("doctor", "--repair"))
        repo.git("reset", "-q", "--hard", shas[2])
        self.assertEqual(repo.last(), ("sidecar", shas[2], 2))

    def test_pruned(self):
        repo, shas = self.three()
        repo.git("reset", "-q", "--hard", shas[0])
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")
        self.assertEqual(repo.last(), ("sidecar", shas[0], 0))
        repo.run("doctor", "--repair")

    def test_without_sidecars_the_log_answers_and_the_next_commit_links(self):
        repo, shas = self.three()
        for path in (repo.top / ".checkpoint/commits").iterdir():
            path.unlink()
        self.assertEqual(repo.last(), ("git_log_run_specific", shas[2], 2))
        self.assertIn("no sidecar", repo.run("doctor"))
        repo.write("d.txt", "d")
        repo.run("commit", "--all")
        self.assertEqual(repo.sidecars(), sorted([*shas, repo.head()]))
        self.assertEqual(repo.sidecar(shas[1])["phase_id"], "polish")

    def test_the_log_of_the_older_tool(self):
        repo = self.repository()
        repo.git("commit", "-q", "--allow-empty", "-m", "chore(runr): checkpoint 20260101 milestone 1")
        repo.git("commit", "-q", "--allow-empty", "-m", "chore(runr): checkpoint 20260101 milestone 0")
        self.assertEqual(repo.last(), ("git_log_legacy", repo.head("HEAD~1"), 1))

    def test_events_that_were_never_written_are_added(self):
        repo, shas = self.three()
        history = repo.top / ".checkpoint/history.jsonl"
        before = [line for line in history.read_text().splitlines() if shas[2] not in line]
        history.write_text("\n".join(before) + "\n")
        repo.run("doctor", "--repair")
        self.assertEqual(repo.events("checkpoint_complete")[-1]["commit_sha"], shas[2])


class SquashMerged(CommitTest):
    """A branch with two finished phases, merged as one commit onto a main that moved on."""

    def branch(self, ticks=True):
        repo = self.repository()
        repo.run("done", "tests")
        repo.git("commit", "-qam", "ready")
        repo.git("checkout", "-q", "-b", "work")
        shas = [repo.work("schema", "a.txt")["sha"], repo.work("icons", "b.txt")["sha"]]
        repo.git("checkout", "-q", "main")
        repo.write("other.txt", "main moved on")
        lines = (repo.top / "base.txt").read_text()
        repo.write("base.txt", lines + "more\n")
        repo.git("add", "-A")
        repo.git("commit", "-qm", "other work")
        repo.git("merge", "-q", "--squash", "work")
        return repo, shas

    def bound_to(self, repo, sha):
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 1))
        self.assertIsNone(repo.check()["drift"])
        self.assertIn("re-linked", repo.run("doctor", "--repair"))
        sidecar = repo.sidecar(repo.head())
        self.assertEqual((sidecar["relinked_from"], sidecar["milestone_index"], sidecar["phase_id"], sidecar["tier"]),
                         (sha, 1, "polish", "tier0"))
        self.assertNotIn("re-linked", repo.run("doctor", "--repair"))

    def test_the_body_lists_the_checkpoints(self):
        repo, shas = self.branch()
        repo.git("commit", "-q", "--no-edit")
        self.assertIn("    chore(plankeep)", repo.git("log", "-1", "--format=%B"))
        self.bound_to(repo, shas[1])

    def test_the_body_as_a_forge_writes_it(self):
        repo, shas = self.branch()
        text = "".join("* " + repo.git("log", "-1", "--format=%B", sha) + "\n\n" for sha in shas)
        repo.git("commit", "-q", "-m", "Work (#7)\n\n" + text)
        self.bound_to(repo, shas[1])

    def test_a_message_that_says_nothing(self):
        repo, shas = self.branch()
        repo.git("commit", "-q", "-m", "Work (#7)")
        self.bound_to(repo, shas[1])

    def test_another_clone_knows_it_by_the_body(self):
        repo, _ = self.branch()
        repo.git("commit", "-q", "--no-edit")
        repo.git("clone", "-q", str(repo.top), str(repo.base / "copy"))
        found = repo.check(cwd=repo.base / "copy")
        self.assertEqual((found["checkpointSource"], found["sha"], found["milestoneIndex"]),
                         ("git_log_run_specific", repo.head(), 1))

    def test_a_branch_that_is_not_merged_is_no_checkpoint_here(self):
        repo, _ = self.branch()
        repo.git("reset", "-q", "--hard")
        self.assertEqual(repo.last()[0], "none")

    def test_amended_in_content_and_message(self):
        repo = self.repository()
        repo.run("done", "tests")
        repo.git("commit", "-qam", "ready")
        repo.work("schema", "a.txt")
        repo.write("more.txt", "more")
        repo.git("add", "-A")
        repo.git("commit", "-q", "--amend", "-m", "words of my own")
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))
        self.assertIsNone(repo.check()["drift"])


class OtherNames(CommitTest):
    """The run is the repository's, whatever its folder is called here."""

    def committed(self):
        repo = self.repository()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        return repo

    def found(self, repo, top, source):
        check = repo.check(cwd=top)
        self.assertEqual((check["checkpointSource"], check["sha"], check["milestoneIndex"], check["drift"]),
                         (source, repo.git("rev-parse", "HEAD", cwd=top), 0, None))

    def test_the_folder_was_renamed(self):
        repo = self.committed()
        moved = repo.base / "renamed"
        repo.top.rename(moved)
        self.found(repo, moved, "sidecar")
        (moved / "b.txt").write_text("b")
        repo.run("done", "icons", cwd=moved)
        self.assertEqual(repo.json("commit", "--all", cwd=moved)["phaseId"], "polish")
        self.assertEqual(repo.check(cwd=moved)["milestoneIndex"], 1)

    def test_the_folder_was_renamed_and_its_records_are_lost(self):
        repo = self.committed()
        moved = repo.base / "renamed"
        repo.top.rename(moved)
        shutil.rmtree(moved / ".checkpoint")
        self.found(repo, moved, "git_log_run_specific")

    def test_a_clone_under_another_name(self):
        repo = self.committed()
        copy = repo.base / "copy"
        repo.git("clone", "-q", str(repo.top), str(copy))
        self.found(repo, copy, "git_log_run_specific")
        repo.run("init", cwd=copy)
        repo.run("done", "icons", cwd=copy)
        self.assertEqual(repo.json("commit", "--all", cwd=copy)["runId"], "auth")
        self.assertIn("checkpoint auth milestone 1", repo.git("log", "-1", "--format=%s", cwd=copy))

    def test_a_linked_work_tree_knows_the_checkpoint(self):
        repo = self.committed()
        other = repo.base / "linked"
        repo.git("worktree", "add", "-q", "-b", "side", str(other))
        self.found(repo, other, "git_log_run_specific")

    def test_a_run_with_a_name_is_none_of_the_plans_own(self):
        repo = self.committed()
        repo.write("y.txt", "y")
        repo.run("commit", "--all", "--run", "spike")
        self.assertEqual(repo.check()["sha"], repo.head("HEAD~1"))
        self.assertEqual(repo.check()["checkpointSource"], "sidecar")


class Existing(CommitTest):
    """Binding a commit that is there."""

    def test_a_commit_by_hand(self):
        repo = self.repository()
        repo.run("done", "schema", "tests")
        repo.write("a.txt", "a")
        repo.git("add", "-A")
        repo.git("commit", "-qm", "by hand")
        head = repo.head()
        self.assertEqual(repo.check(status=1)["drift"]["checkpoint"], "no checkpoint")
        told = repo.json("commit", "--existing", "--dry-run")
        self.assertEqual((told["committed"], repo.sidecars()), (False, []))
        told = repo.json("commit", "--existing")
        self.assertEqual((told["existing"], told["sha"], told["phaseId"], told["sidecarWritten"]), (True, head, "build", True))
        self.assertEqual((repo.head(), repo.sidecars()), (head, [head]))
        self.assertEqual(repo.sidecar(head)["phase_complete"], True)
        self.assertEqual(repo.events("checkpoint_complete")[-1]["commit_sha"], head)
        self.assertIsNone(repo.check()["drift"])
        again = repo.json("commit", "--existing")
        self.assertEqual((again["sha"], again["sidecarWritten"]), (head, False))
        self.assertEqual(len(repo.events("checkpoint_complete")), 1)

    def test_one_further_back(self):
        repo = self.repository()
        repo.run("done", "schema", "tests")
        repo.git("commit", "-qam", "by hand")
        repo.git("commit", "-q", "--allow-empty", "-m", "later")
        told = repo.json("commit", "--existing", "HEAD~1")
        self.assertEqual((told["sha"], told["phaseId"]), (repo.head("HEAD~1"), "build"))

    def test_the_phase_may_be_named(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        repo.git("add", "-A")
        repo.git("commit", "-qm", "by hand")
        told = repo.json("commit", "--existing", "--phase", "polish")
        self.assertEqual((told["phaseId"], told["milestoneIndex"]), ("polish", 1))
        self.assertEqual(repo.sidecar(repo.head())["phase_complete"], False)
        repo.json("commit", "--existing", "--phase", "build")
        self.assertEqual(repo.sidecar(repo.head())["phase_id"], "build")

    def test_what_is_no_commit_of_this_branch(self):
        repo = self.repository()
        repo.git("checkout", "-q", "-b", "side")
        repo.git("commit", "-q", "--allow-empty", "-m", "side")
        repo.git("checkout", "-q", "main")
        self.assertIn("unknown commit", repo.run("commit", "--existing", "nothing", status=2))
        self.assertIn("unknown commit", repo.run("commit", "--existing", "HEAD:plan.md", status=2))
        self.assertIn("HEAD is not a descendant of", repo.run("commit", "--existing", "side", status=1))
        repo.run("commit", "--existing", "--all", status=2)
        repo.run("commit", "HEAD", status=2)
        self.assertEqual(repo.sidecars(), [])

    def test_doctor_names_it(self):
        repo = self.repository()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        repo.run("done", "icons")
        repo.git("commit", "-qam", "by hand")
        self.assertIn("plankeep commit --existing", repo.run("doctor"))
        repo.run("commit", "--existing")
        self.assertNotIn("drift", repo.run("status", "--check"))


class Drift(CommitTest):
    def test_ahead(self):
        repo = self.repository()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        self.assertIsNone(repo.check()["drift"])
        repo.run("done", "icons")
        told = repo.check(status=1)
        self.assertEqual((told["checkpointSource"], told["drift"]),
                         ("sidecar", {"plan": "milestone 1 (polish)", "checkpoint": "milestone 0 (build)",
                                      "source": "sidecar"}))
        self.assertIn("drift", repo.run("status", "--check", status=1))
        self.assertEqual(repo.events("drift_detected"), [])
        self.assertEqual(repo.json("status")["drift"]["source"], "history")
        repo.run("commit", "--all")
        self.assertIsNone(repo.check()["drift"])

    def test_behind_is_recorded_once(self):
        repo = self.repository()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        repo.work("icons", "b.txt")
        repo.run("reopen", "schema", "icons")
        self.assertEqual(repo.check(status=1)["drift"]["plan"], "milestone 0 (build)")
        for _ in range(3):
            repo.run("doctor", "--repair")
        repo.write("c.txt", "c")
        repo.run("commit", "--all")
        self.assertEqual(len(repo.events("drift_detected")), 1)

    def test_a_committed_phase_that_is_open_again(self):
        repo = self.repository()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        self.assertTrue(repo.sidecar(repo.head())["phase_complete"])
        repo.run("reopen", "schema")
        self.assertEqual(repo.check(status=1)["drift"], {"plan": "milestone 0 (build), open again",
                                                         "checkpoint": "milestone 0 (build)", "source": "sidecar"})
        repo.write("b.txt", "b")
        repo.run("commit", "--all")
        self.assertFalse(repo.sidecar(repo.head())["phase_complete"])
        self.assertIsNone(repo.check()["drift"])

    def test_completed_and_never_committed(self):
        repo = self.repository()
        self.assertIsNone(repo.check()["drift"])
        repo.run("done", "tests", "schema")
        self.assertEqual(repo.check(status=1)["drift"],
                         {"plan": "milestone 0 (build)", "checkpoint": "no checkpoint", "source": "none"})
        repo.run("commit", "--all")
        self.assertIsNone(repo.check()["drift"])

    def test_plain_status_never_asks_git(self):
        repo = self.repository()
        repo.work("schema", "a.txt")
        repo.environment["PATH"] = str(repo.home)
        self.assertEqual(repo.json("status")["checkpointSource"], "history")
        repo.run("status", "--check", status=4)


class Hooks(CommitTest):
    def hooked(self):
        repo = self.repository()
        repo.run("git-setup", "--hooks", "--local")
        return repo

    def test_an_ordinary_commit_that_completes_a_phase_gets_a_sidecar(self):
        repo = self.hooked()
        repo.write("a.txt", "a")
        repo.git("add", "-A")
        repo.git("commit", "-q", "-m", "no phase")
        self.assertEqual(repo.sidecars(), [])
        repo.run("done", "schema", "tests")
        repo.git("commit", "-qam", "feat: schema")
        self.assertEqual(repo.sidecars(), [repo.head()])
        self.assertEqual((repo.sidecar(repo.head())["milestone_index"], repo.sidecar(repo.head())["phase_id"]), (0, "build"))
        self.assertEqual(repo.last(), ("sidecar", repo.head(), 0))
        self.assertEqual(len(repo.events("checkpoint_complete")), 1)

    def test_our_own_commits_get_one_sidecar_and_one_event(self):
        repo = self.hooked()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        self.assertEqual(len(repo.sidecars()), 1)
        self.assertEqual(len(repo.events("checkpoint_complete")), 1)

    def test_amend_and_rebase_are_followed_at_once(self):
        repo = self.hooked()
        repo.run("done", "tests")
        first = repo.work("schema", "a.txt")["sha"]
        repo.write("more.txt", "more")
        repo.git("add", "-A")
        repo.git("commit", "-q", "--amend", "-m", "all new")
        self.assertEqual(repo.sidecar(repo.head())["relinked_from"], first)
        amended = repo.head()
        # post-commit and post-rewrite both tell of it; the history has it once.
        self.assertEqual([event["commit_sha"] for event in repo.events("checkpoint_complete")], [first, amended])
        repo.git("branch", "work")
        repo.git("reset", "-q", "--hard", "HEAD~1")
        repo.write("base.txt", "another\n")
        repo.git("commit", "-qam", "base")
        repo.git("checkout", "-q", "work")
        repo.git("rebase", "-q", "main")
        self.assertEqual(repo.sidecar(repo.head())["relinked_from"], amended)

    def test_an_interactive_squash_keeps_the_last_milestone(self):
        repo = self.hooked()
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        last = repo.work("icons", "b.txt")["sha"]
        repo.environment["GIT_SEQUENCE_EDITOR"] = "sed -i '2s/^pick/squash/'"
        repo.git("rebase", "-q", "-i", "HEAD~2")
        sidecar = repo.sidecar(repo.head())
        self.assertEqual((sidecar["relinked_from"], sidecar["milestone_index"]), (last, 1))

    def test_a_commit_that_names_a_session_checkpoint_is_linked_to_its_phase(self):
        repo = self.hooked()
        repo.run("done", "schema")
        repo.git("commit", "-qam", "feat: schema", "--trailer", "Entire-Checkpoint: a1b2c3d4e5f6")
        half = repo.head()
        repo.run("done", "tests")
        repo.git("commit", "-qam", "feat: tests", "--trailer", "Entire-Checkpoint: 00112233aabb",
                 "--trailer", "Entire-Checkpoint: 01HF7YAT00000G40R40M30E209")
        whole = repo.head()
        self.assertEqual(repo.sidecars(), [whole])
        self.assertEqual(repo.sidecar(whole)["entire_checkpoint"], "01HF7YAT00000G40R40M30E209")
        self.assertEqual([(event["sha"], event["entireCheckpoint"], event["phaseId"])
                          for event in repo.events("checkpoint_linked")],
                         [(half, "a1b2c3d4e5f6", "build"), (whole, "00112233aabb", "build"),
                          (whole, "01HF7YAT00000G40R40M30E209", "build")])
        self.assertIn("has session checkpoint a1b2c3d4e5f6, phase build", repo.run("log"))

    def test_boxes_of_several_phases_leave_the_phase_of_a_linked_commit_open(self):
        repo = self.hooked()
        plan = (repo.top / "plan.md").read_text().replace("## Polish", "- [ ] More <!-- TASK: more -->\n\n## Polish")
        repo.write("plan.md", plan.replace("- [ ] Icons", "- [ ] Fonts <!-- TASK: fonts -->\n- [ ] Icons"))
        repo.git("commit", "-qam", "more")
        repo.run("done", "schema", "fonts")
        repo.git("commit", "-qam", "both", "--trailer", "Entire-Checkpoint: a1b2c3d4e5f6")
        event, = repo.events("checkpoint_linked")
        self.assertEqual((event["sha"], "phaseId" in event), (repo.head(), False))

    def test_a_task_with_the_id_of_a_done_one_elsewhere_links_its_own_phase(self):
        repo = self.hooked()
        plan = (repo.top / "plan.md").read_text()
        repo.write("plan.md", plan.replace("- [ ] Icons", "- [ ] Schema <!-- TASK: schema -->\n- [ ] Icons"))
        repo.git("commit", "-qam", "more")
        repo.run("done", "build/schema")
        repo.git("commit", "-qam", "one", "--trailer", "Entire-Checkpoint: a1b2c3d4e5f6")
        repo.run("done", "polish/schema")
        repo.git("commit", "-qam", "other", "--trailer", "Entire-Checkpoint: 00112233aabb")
        self.assertEqual([event.get("phaseId") for event in repo.events("checkpoint_linked")], ["build", "polish"])

    def test_only_the_final_trailer_block_links_a_commit(self):
        repo = self.hooked()
        for message in ("subject\n\nEntire-Checkpoint: a1b2c3d4e5f6\n\nmore text\n",
                        "Entire-Checkpoint: a1b2c3d4e5f6",
                        "subject\n\nEntire-Checkpoint: a1b2c3\n",
                        "subject\n\nEntire-Checkpoint: 81HF7YAT00000G40R40M30E209\n",
                        "subject\n\nEntire-Checkpoint: 01hf7yat00000g40r40m30e209\n"):
            repo.write("plan.md", (repo.top / "plan.md").read_text() + "\ntext\n")
            repo.git("commit", "-qam", message)
        repo.write("other.txt", "no plan")
        repo.git("add", "-A")
        repo.git("commit", "-qm", "subject", "--trailer", "Entire-Checkpoint: a1b2c3d4e5f6")
        self.assertEqual(repo.events("checkpoint_linked"), [])
        repo.write("plan.md", (repo.top / "plan.md").read_text() + "\ntext\n")
        repo.git("commit", "-qam", "subject\r\n\r\nEntire-Checkpoint: a1b2c3d4e5f6\r\nSigned-off-by: Kim\r\n")
        self.assertEqual([event["entireCheckpoint"] for event in repo.events("checkpoint_linked")], ["a1b2c3d4e5f6"])

    def test_our_own_commits_are_linked_too_and_stay_so_when_amended(self):
        repo = self.hooked()
        hook = repo.top / ".git/hooks/prepare-commit-msg"
        hook.write_text('#!/bin/sh\ngit interpret-trailers --in-place --if-exists doNothing '
                        '--trailer "Entire-Checkpoint: a1b2c3d4e5f6" "$1"\n')
        hook.chmod(0o755)
        repo.run("done", "tests")
        repo.work("schema", "a.txt")
        self.assertEqual(repo.sidecar(repo.head())["entire_checkpoint"], "a1b2c3d4e5f6")
        self.assertEqual([event["sha"] for event in repo.events("checkpoint_linked")], [repo.head()])
        repo.write("a.txt", "more")
        repo.git("commit", "-qa", "--amend", "--no-edit")
        self.assertEqual(repo.sidecar(repo.head())["entire_checkpoint"], "a1b2c3d4e5f6")

    def test_a_hook_that_was_there_keeps_every_byte(self):
        repo = self.repository()
        hook = repo.top / ".git/hooks/post-commit"
        mine = b"#!/bin/bash\necho mine >> mine.log"
        hook.write_bytes(mine)
        hook.chmod(0o755)
        repo.run("git-setup", "--hooks", "--local")
        self.assertTrue(hook.read_bytes().startswith(mine))
        repo.run("git-setup", "--hooks", "--local", "--check")
        before = hook.read_bytes()
        repo.run("git-setup", "--hooks", "--local")
        self.assertEqual(hook.read_bytes(), before)
        repo.run("done", "schema", "tests")
        repo.git("commit", "-qam", "work")
        self.assertTrue((repo.top / "mine.log").exists())
        self.assertEqual(repo.sidecars(), [repo.head()])
        repo.run("git-setup", "--undo", "--local")
        self.assertEqual(hook.read_bytes(), mine)
        self.assertFalse((repo.top / ".git/hooks/post-rewrite").exists())

    def test_a_hook_that_is_no_shell_script_is_left_alone(self):
        repo = self.repository()
        hook = repo.top / ".git/hooks/post-rewrite"
        for text in ("#!/usr/bin/python3\n", "#!/bin/sh\nexit 0\n"):
            hook.write_text(text)
            hook.chmod(0o755)
            self.assertIn("git-hook post-rewrite", repo.run("git-setup", "--hooks", "--local", status=4))
            self.assertEqual(hook.read_text(), text)
            self.assertFalse((repo.top / ".git/hooks/post-commit").exists())

    def test_a_line_that_never_runs_is_not_called_present(self):
        repo = self.hooked()
        hook = repo.top / ".git/hooks/post-commit"
        made = hook.read_text()
        begin = "#!/bin/sh\n"
        hook.write_text(made.replace(begin, begin + "[ -f a ] || true\nexit 0\n"))
        for check in ((), ("--check",)):
            told = repo.run("git-setup", "--hooks", "--local", *check, status=4)
            self.assertIn("never run", told)
            self.assertIn("move plankeep's three lines", told)
        self.assertIn("post-commit always exits before plankeep's lines", repo.run("doctor"))
        hook.write_text(made + "exit 0\n")
        self.assertIn("present", repo.run("git-setup", "--hooks", "--local", "--check"))
        self.assertNotIn("git hooks", repo.run("doctor"))
        hook.chmod(0o644)
        self.assertIn("is not executable", repo.run("doctor"))
        hook.chmod(0o755)
        hook.write_text(begin + "exit 0\necho never\n")
        self.assertIn("add this before", repo.run("git-setup", "--hooks", "--local", status=4))

    def test_hooks_elsewhere(self):
        repo = self.repository()
        repo.git("config", "core.hooksPath", "my-hooks")
        repo.run("git-setup", "--hooks", "--local")
        self.assertTrue((repo.top / "my-hooks/post-commit").exists())
        self.assertFalse((repo.top / ".git/hooks/post-commit").exists())

    def test_a_hook_never_breaks_a_commit(self):
        repo = self.hooked()
        (repo.top / ".checkpoint/state.json").write_text("{")
        (repo.top / ".checkpoint/commits").write_text("in the way")
        (repo.top / "plan.md").write_text(PLAN.replace("[ ]", "[x]"))
        repo.git("commit", "-qam", "work")
        repo.git("commit", "-q", "--amend", "-m", "again")


class HookManagers(CommitTest):
    """Hooks that something else manages: our line goes where it runs, or it is said what to do."""

    def script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def bound_by_hand(self, repo):
        repo.run("done", "schema", "tests")
        repo.git("add", "-A")
        repo.git("commit", "-qm", "by hand")
        return repo.sidecars() == [repo.head()]

    def test_husky(self):
        repo = self.repository()
        inner = repo.top / ".husky/_"
        for name in ("post-commit", "post-rewrite"):
            self.script(inner / name, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
        self.script(inner / "h", '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n'
                                 '[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\n')
        (repo.top / ".husky/post-commit").write_text("echo mine > mine.log\n")
        repo.git("config", "core.hooksPath", ".husky/_")
        told = repo.json("git-setup", "--hooks", "--local")
        self.assertIn(str(repo.top / ".husky/post-commit"), [step["path"] for step in told["steps"]])
        self.assertEqual((inner / "post-commit").read_text().count("plankeep"), 0)
        self.assertTrue(self.bound_by_hand(repo))
        self.assertTrue((repo.top / "mine.log").exists())
        repo.run("git-setup", "--hooks", "--local", "--check")
        repo.run("git-setup", "--undo", "--local")
        self.assertEqual((repo.top / ".husky/post-commit").read_text(), "echo mine > mine.log\n")
        self.assertFalse((repo.top / ".husky/post-rewrite").exists())

    def test_husky_without_the_hook(self):
        repo = self.repository()
        self.script(repo.top / ".husky/_/h", "#!/bin/sh\n")
        repo.git("config", "core.hooksPath", ".husky/_")
        self.assertIn("npx husky", repo.run("git-setup", "--hooks", "--local", status=4))

    def test_the_pre_commit_framework(self):
        repo = self.repository()
        hook = repo.top / ".git/hooks/post-commit"
        text = ("#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n"
                'legacy="$(dirname "$0")/post-commit.legacy"\nif [ -x "$legacy" ]; then "$legacy" "$@"; fi\n'
                "if true; then\n    exec true\nfi\n")
        self.script(hook, text)
        repo.run("git-setup", "--hooks", "--local")
        self.assertEqual(hook.read_text(), text)
        self.assertTrue(self.bound_by_hand(repo))
        repo.run("git-setup", "--undo", "--local")
        self.assertFalse((repo.top / ".git/hooks/post-commit.legacy").exists())
        self.assertEqual(hook.read_text(), text)

    def test_lefthook(self):
        repo = self.repository()
        hook = repo.top / ".git/hooks/post-commit"
        text = '#!/bin/sh\ncall_lefthook()\n{\n  lefthook "$@"\n}\n\ncall_lefthook run "post-commit" "$@"\n'
        self.script(hook, text)
        self.assertIn("lefthook.yml", repo.run("git-setup", "--hooks", "--local", status=4))
        self.assertEqual(hook.read_text(), text)

    def test_hooks_of_every_repository(self):
        repo = self.repository()
        shared = repo.base / "shared-hooks"
        shared.mkdir()
        settings = repo.base / "gitconfig"
        settings.write_text(f"[core]\n\thooksPath = {shared}\n")
        repo.environment["GIT_CONFIG_GLOBAL"] = str(settings)
        self.assertIn("every repository", repo.run("git-setup", "--hooks", "--local", status=4))
        self.assertEqual(list(shared.iterdir()), [])
        repo.run("git-setup", "--local")
        repo.run("git-setup", "--undo", "--local")

    def test_undone_to_the_byte(self):
        repo = self.repository()
        config = repo.top / ".git/config"
        attributes = repo.top / ".gitattributes"
        attributes.write_bytes(b"")
        before = config.read_bytes()
        repo.run("git-setup")
        config.write_bytes(config.read_bytes() + b"# mine\n[alias]\n\ta = status\n")
        repo.run("git-setup", "--undo")
        self.assertEqual(config.read_bytes(), before + b"# mine\n[alias]\n\ta = status\n")
        self.assertEqual(attributes.read_bytes(), b"")
        attributes.unlink()
        repo.run("git-setup")
        repo.run("git-setup", "--undo")
        self.assertFalse(attributes.exists())


    def test_folders_that_setup_made_go_and_others_stay(self):
        repo = self.repository()
        hooks, info = repo.top / ".git/hooks", repo.top / ".git/info"
        for made in (True, False):
            for folder in (hooks, info):
                shutil.rmtree(folder, ignore_errors=True)
                if not made:
                    folder.mkdir()
            repo.run("git-setup", "--hooks", "--local")
            self.assertTrue((hooks / "post-commit").exists() and (info / "attributes").exists())
            repo.run("git-setup", "--undo", "--local")
            self.assertEqual((hooks.exists(), info.exists()), (not made, not made))


class Telling(CommitTest):
    """What is known of the last checkpoint commit without asking git."""

    def resumed(self, repo):
        return repo.run("resume")

    def started(self, repo):
        payload = {"session_id": "s-1", "cwd": str(repo.top), "hook_event_name": "SessionStart", "source": "startup"}
        # No git may be started on the way of a hook.
        done = subprocess.run([PROGRAM, "hook", "claude-code", "SessionStart"], cwd=repo.top, input=json.dumps(payload),
                              env={**repo.environment, "PATH": "/nowhere"}, capture_output=True, text=True, timeout=60,
                              check=True)
        return done.stdout

    def test_nothing_is_said_where_nothing_was_committed(self):
        repo = self.repository()
        repo.run("done", "schema")
        self.assertNotIn("checkpointSource", repo.json("status"))
        self.assertNotIn("Commit", repo.run("status"))
        self.assertNotIn("Drift", repo.run("status"))
        self.assertNotIn("Drift", self.resumed(repo))
        self.assertNotIn("checkpoint_commit_sha", json.loads((repo.top / ".checkpoint/state.json").read_text()))

    def test_status_resume_and_a_session_start_name_the_last_checkpoint(self):
        repo = self.repository()
        repo.work("schema", "a.txt")
        repo.run("verify", "--yes")
        sha = repo.head()
        state = json.loads((repo.top / ".checkpoint/state.json").read_text())
        self.assertEqual(state["checkpoint_commit_sha"], sha)
        self.assertEqual(state["checkpointCommit"]["milestoneIndex"], 0)
        told = repo.json("status")
        self.assertEqual((told["checkpointSource"], told["sha"], told["milestoneIndex"], told["phaseId"], told["drift"]),
                         ("history", sha, 0, "build", None))
        for text in (repo.run("status"), self.resumed(repo), self.started(repo)):
            self.assertIn(sha[:10], text)
            self.assertNotIn("Drift", text)

    def test_drift_is_told_without_git(self):
        repo = self.repository()
        repo.write("a.txt", "a")
        repo.run("done", "schema")
        repo.json("commit", "--all", "--verify", "--yes")
        repo.run("done", "icons")
        told = repo.json("status")
        self.assertEqual(told["drift"]["plan"], "milestone 1 (polish)")
        self.assertEqual(told["drift"]["source"], "history")
        for text in (repo.run("status"), self.resumed(repo), self.started(repo)):
            self.assertIn("Drift", text)
            self.assertIn("milestone 1 (polish)", text)
        self.assertEqual(repo.check(status=1)["drift"]["plan"], "milestone 1 (polish)")
        repo.write("b.txt", "b")
        repo.json("commit", "--all")
        self.assertIsNone(repo.json("status")["drift"])
        # The phase is open again.
        repo.run("reopen", "icons")
        self.assertIn("open again", repo.json("status")["drift"]["plan"])

    def test_status_says_what_its_check_says_after_a_squash_and_a_reset(self):
        repo = self.repository()
        base = repo.head()
        repo.work("schema", "a.txt")
        repo.work("icons", "b.txt")
        repo.git("reset", "-q", "--soft", base)
        repo.git("commit", "-qm", "squashed")
        self.assertEqual(repo.json("status")["sha"], repo.head())
        self.assertEqual(repo.check()["sha"], repo.head())
        repo.run("reopen", "icons")
        repo.git("reset", "-q", "--hard", base)
        self.assertIsNone(repo.check()["drift"])
        self.assertNotIn("sha", repo.json("status"))
        for text in (repo.run("status"), self.resumed(repo)):
            self.assertNotIn("Drift", text)

    def test_a_state_that_is_rebuilt_knows_it_still(self):
        repo = self.repository()
        repo.work("schema", "a.txt")
        before = repo.json("status")
        for name in ("state.json", "recovery.json"):
            (repo.top / ".checkpoint" / name).unlink(missing_ok=True)
        repo.run("sync")
        self.assertEqual(repo.json("status")["sha"], before["sha"])

    def test_the_highest_milestone_stays_the_last_one_and_an_amended_commit_takes_its_place(self):
        repo = self.repository()
        repo.work("icons", "b.txt")
        polish = repo.head()
        repo.write("c.txt", "c")
        repo.json("commit", "--all", "--phase", "build")
        self.assertEqual(repo.json("status")["sha"], polish)
        repo.write("d.txt", "d")
        repo.json("commit", "--all", "--phase", "ship")
        repo.git("commit", "-q", "--amend", "-m", "reworded")
        repo.run("doctor", "--repair")
        self.assertEqual(repo.json("status")["sha"], repo.head())

    def test_what_was_reset_away_is_forgotten_with_the_next_commit(self):
        repo = self.repository()
        repo.work("icons", "b.txt")
        repo.git("reset", "-q", "--hard", "HEAD~1")
        repo.run("sync")
        repo.write("c.txt", "c")
        repo.json("commit", "--all", "--phase", "build")
        self.assertEqual(repo.json("status")["sha"], repo.head())

    def test_a_run_of_its_own_is_asked_for_by_its_name(self):
        repo = self.repository()
        repo.work("schema", "a.txt")
        own = repo.head()
        repo.write("b.txt", "b")
        repo.run("done", "icons")
        repo.json("commit", "--all", "--run", "night", "--phase", "polish")
        night = repo.head()
        self.assertEqual(repo.json("status")["sha"], own)
        self.assertEqual(repo.check(status=1)["sha"], own)
        told = repo.json("status", "--check", "--run", "night")
        self.assertEqual((told["sha"], told["milestoneIndex"], told["checkpointSource"]), (night, 1, "sidecar"))
        nobody = repo.json("status", "--check", "--run", "day", status=1)
        self.assertEqual((nobody["checkpointSource"], "sha" in nobody), ("none", False))
        repo.run("status", "--run", "night", status=2)

    def test_a_pruned_commit_is_said_to_be_gone(self):
        repo = self.repository()
        repo.write("b.txt", "b")
        repo.json("commit", "--all", "--phase", "build")
        repo.git("reset", "-q", "--hard", "HEAD~1")
        self.assertIn("1 elsewhere", repo.run("doctor"))
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")
        told = repo.run("doctor")
        self.assertIn("1 no longer in git", told)
        self.assertNotIn("elsewhere", told)


if __name__ == "__main__":
    unittest.main()
