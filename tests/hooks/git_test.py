"""The git hooks in hooks/git, run by git in a repository of their own.

  git_test.py PROGRAM
"""

import json
import os
import re
import shutil
import subprocess
import sys

from support import HOOKS, PLAN, collector, main, needs, snapshot

tests, test = collector()
SESSIONS = HOOKS.parent / "tests/cases/session/files/sessions.bundle"
NAMES = ["post-commit", "post-merge", "post-checkout"]


def repository(world, hooks=True):
    world.bin = world.base / "bin"
    world.bin.mkdir()
    (world.bin / "plankeep").symlink_to(world.program)
    world.environment.update(PATH=f"{world.bin}:/usr/bin:/bin", GIT_CONFIG_NOSYSTEM="1",
                             GIT_AUTHOR_NAME="A", GIT_AUTHOR_EMAIL="a@example.org",
                             GIT_COMMITTER_NAME="A", GIT_COMMITTER_EMAIL="a@example.org")
    git(world, "init", "-q", "-b", "main")
    git(world, "config", "core.hooksPath", str(HOOKS / "git") if hooks else "/dev/null")
    return world


def git(world, *arguments, environment=()):
    run = subprocess.run(["git", *arguments], cwd=world.root, env={**world.environment, **dict(environment)},
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                         timeout=60)
    assert run.returncode == 0, f"git {arguments} exits with {run.returncode}: {run.stderr!r}"
    return run.stdout + run.stderr


def commit(world, *options, **environment):
    git(world, "add", "-A")
    return git(world, "commit", "-q", "--allow-empty", "-m", "work", *options, **environment)


@test
def the_three_hooks_are_one_script_that_any_shell_can_read(_):
    texts = {(HOOKS / "git" / name).read_bytes() for name in NAMES}
    assert len(texts) == 1
    for name in NAMES:
        assert os.access(HOOKS / "git" / name, os.X_OK), name
    for shell in ("sh", "dash", "bash"):
        if shutil.which(shell):
            subprocess.run([shell, "-n", HOOKS / "git" / "post-commit"], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", HOOKS / "git" / "post-commit"], check=True)


@test
@needs("git")
def a_commit_records_what_was_ticked_and_says_nothing(world):
    repository(world).track()
    assert commit(world) == b""
    world.tick("Dig")
    assert not world.done("dig")
    assert commit(world) == b""
    assert world.done("dig")
    assert [e["by"] for e in world.events() if e["event"] == "task_completed" and e["taskId"] == "dig"] == ["external"]


@test
@needs("git")
def a_merge_and_a_checkout_record_what_they_bring(world):
    repository(world).track()
    commit(world)
    git(world, "checkout", "-q", "-b", "other")
    world.tick("Dig")
    commit(world)
    git(world, "checkout", "-q", "main")
    assert not world.done("dig"), "the checkout brought the open box back"
    git(world, "merge", "-q", "other")
    assert world.done("dig"), "the merge brought the tick"


@test
@needs("git")
def who_ticked_a_task_and_when_comes_back_with_its_branch_and_with_a_merge_of_it(world):
    # A minute for each step, since a reflog knows only seconds.
    minutes = iter(range(1, 60))

    def later(*arguments):
        now = f"2020-01-01T00:{next(minutes):02}:00Z"
        world.environment.update(PLANKEEP_NOW=now, GIT_COMMITTER_DATE=now)
        git(world, *arguments)

    repository(world, hooks=False)
    later("commit", "-q", "--allow-empty", "-m", "first")
    world.track()
    later("add", "-A")
    later("commit", "-q", "-m", "plan")

    def completion():
        state = json.loads((world.root / ".checkpoint/state.json").read_text(encoding="utf-8"))
        return next((task.get("completedAt"), task.get("completedBy")) for phase in state["phases"].values()
                    for name, task in phase["tasks"].items() if name == "dig")

    later("checkout", "-q", "-b", "other")
    world.must("done", "dig", "--by", "subagent:dev")
    before = completion()
    assert before[1] == "subagent:dev"
    later("commit", "-q", "-am", "dug")
    later("checkout", "-q", "main")
    world.must("sync")
    assert completion() == (None, None)
    later("checkout", "-q", "-")
    world.must("sync")
    assert completion() == before
    later("checkout", "-q", "main")
    world.must("sync")
    later("merge", "-q", "other")
    world.must("sync")
    assert completion() == before
    events = [e for e in world.events() if e["event"] in ("task_completed", "task_reopened")]
    assert [(e["event"], e.get("via")) for e in events] == [
        ("task_completed", None), ("task_reopened", "git"), ("task_completed", "restored"), ("task_reopened", "git"),
        ("task_completed", "restored")], events
    log = world.must("log", "--all").stdout.decode()
    assert "task dig reopened by git" in log, log
    world.must("log", "--verify")


@test
@needs("git")
def who_ticked_a_task_and_when_comes_back_whatever_git_wrote_it_with(world):
    # A minute for each step, since what is recorded in one moment cannot be told apart.
    minutes = iter(range(1, 60))

    def later(call, *arguments):
        now = f"2020-01-01T00:{next(minutes):02}:00Z"
        world.environment.update(PLANKEEP_NOW=now, GIT_COMMITTER_DATE=now)
        return call(*arguments)

    repository(world, hooks=False)
    later(world.track)
    later(commit, world)
    later(world.must, "done", "dig", "--by", "subagent:dev")

    def completion():
        state = json.loads((world.root / ".checkpoint/state.json").read_text(encoding="utf-8"))
        return next((task.get("completedAt"), task.get("completedBy")) for phase in state["phases"].values()
                    for name, task in phase["tasks"].items() if name == "dig")

    def after(*arguments):
        later(git, world, *arguments)
        later(world.must, "sync")
        return completion()

    before = completion()
    for back in (["stash", "apply"], ["checkout", "stash@{0}", "--", "plan.md"], ["stash", "pop"]):
        if back[1] != "pop":
            assert after("stash") == (None, None), back
        else:
            assert after("restore", "--source=HEAD", "--staged", "--worktree", "plan.md") == (None, None), back
        assert after(*back) == before, back
    git(world, "stash", "clear")
    later(commit, world)
    later(world.must, "reopen", "dig")
    assert after("restore", "plan.md") == before, "what was edited is discarded"
    assert after("checkout", "HEAD~1", "--", "plan.md") == (None, None)
    text = (world.root / "plan.md").read_text(encoding="utf-8")
    (world.root / "plan.md").write_text(text.replace("[ ] Dig", "[x] Dig"), encoding="utf-8")
    git(world, "add", "plan.md")
    later(world.must, "sync")
    assert completion()[1] == "external", "a tick that is made by hand is made now"


@test
@needs("git")
def every_plan_of_the_repository_is_recorded_whatever_its_folder_is_called(world):
    repository(world)
    folders = ["plans/a b", "plans/-x", "plans/--plan", "plans/$(touch made)", "plans/*", "plans/new\nline",
               "plans/deep/er/still", "docs/plans/c", "plans/;touch made2"]
    for folder in folders:
        (world.root / folder).mkdir(parents=True)
        (world.root / folder / "plan.md").write_text(PLAN)
        world.must("init", f"./{folder}/plan.md")
    for folder in folders:
        (world.root / folder / "plan.md").write_text(PLAN.replace("- [ ] Dig", "- [x] Dig"))
    assert commit(world) == b""
    for folder in folders:
        history = (world.root / folder / ".checkpoint/history.jsonl").read_text()
        assert '"task_completed"' in history, folder
    assert not (world.root / "made").exists() and not (world.root / "made2").exists()


def fetch_sessions(world):
    repository(world)
    git(world, "fetch", "-q", str(SESSIONS), "+refs/*:refs/*")


@test
@needs("git")
def what_a_session_checkpoint_says_is_shown_as_text(world):
    fetch_sessions(world)
    for words in (["list"], ["show", "bad0"], ["show", "bad0", "--prompts"], ["show", "bad0", "--files"],
                  ["show", "bad0", "--transcript"], ["check", "--deep"]):
        run = world.run("session", *words)
        said = run.stdout + run.stderr
        assert run.returncode in (0, 1), said
        assert said, words
        assert not any(byte < 32 and byte != 10 for byte in said), (words, said)
        assert "\u202e".encode() not in said, words


@test
@needs("git")
def reading_session_checkpoints_fetches_nothing_and_runs_nothing(world):
    fetch_sessions(world)
    git(world, "reset", "-q", "--hard", "work")
    git(world, "repack", "-adq")
    for pack in (world.root / ".git/objects/pack").glob("*.pack"):
        pack.rename(world.base / pack.name)
        for side in pack.parent.glob(pack.stem + ".*"):
            side.unlink()
        unpacked = subprocess.run(["git", "unpack-objects", "-q"], cwd=world.root, env=world.environment, timeout=60,
                                  input=(world.base / pack.name).read_bytes(), check=False)
        assert unpacked.returncode == 0
    for name in ("refs/entire/checkpoints/d0/bad0bad0bad0:0/full.jsonl", "work~1:a.txt"):
        blob = git(world, "rev-parse", name).decode().strip()
        (world.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    mark = world.base / "called"
    for key, value in (("remote.origin.url", f"ext::touch {mark}"), ("protocol.ext.allow", "always"),
                       ("remote.origin.promisor", "true"), ("core.fsmonitor", f"touch {mark}"),
                       ("core.pager", f"touch {mark}"), ("extensions.partialClone", "origin")):
        git(world, "config", key, value)
    before = snapshot(world.root / ".git/refs", world.root / ".git/config")
    for words in (["list"], ["show", "bad0"], ["show", "bad0", "--raw"], ["check", "--deep"], ["clean"],
                  ["list", "--pending"]):
        run = world.run("session", *words)
        assert run.returncode in (0, 1), (words, run.stderr)
    for words in (["why", "a.txt:1"], ["why", "a.txt"], ["resume", "bad0"]):
        world.run("session", *words)
    assert not mark.exists()
    assert snapshot(world.root / ".git/refs", world.root / ".git/config") == before


def said_by(session, *records):
    """Lines of a transcript at the hour of the hooks."""
    lines = [{"timestamp": session.environment["PLANKEEP_NOW"], **record} for record in records]
    return "".join(json.dumps(line) + "\n" for line in lines)


@test
@needs("git")
def sessions_go_into_git_as_data_and_nothing_is_run_or_fetched(world):
    repository(world).track()
    mark = world.base / "called"
    transcript = world.base / "transcript.jsonl"
    early, late = ({"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
                   for date in ("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"))
    commit(world, environment=early)
    world.hook("SessionStart", source="startup")
    name = "a\x1b[2J\u202eb.c"
    (world.root / name).write_text("x\n", encoding="utf-8")
    calls = [{"type": "tool_use", "id": f"t{number}", "name": "Write", "input": {"file_path": path, "content": "x\n"}}
             for number, path in enumerate((name, "../../out.c", "/etc/passwd", str(world.root) + "/../out.c", "x\n y"))]
    transcript.write_text(said_by(
        world, {"type": "user", "message": {"role": "user", "content": "do \x1b]0;it\x07 \u202e"}},
        {"type": "assistant", "message": {"role": "assistant", "id": "m", "model": "m\x1b[2J", "content": calls}},
        {"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call["id"], "content": "ok"} for call in calls]}}), encoding="utf-8")
    git(world, "add", "-A")
    git(world, "commit", "-q", "-m", "sub\x1b[2Jject\n\nEntire-Checkpoint: ../../x", environment=late)
    for key, value in (("remote.origin.url", f"ext::touch {mark}"), ("protocol.ext.allow", "always"),
                       ("remote.origin.promisor", "true"), ("core.fsmonitor", f"touch {mark}"),
                       ("core.pager", f"touch {mark}"), ("diff.external", f"touch {mark}"),
                       ("gpg.program", f"touch {mark}"), ("commit.gpgsign", "true")):
        git(world, "config", key, value)
    for layout in ("refs", "branch"):
        before = snapshot(world.root / ".git/config", world.root / ".git/refs/heads/main", world.root / ".git/index")
        for words in (["--dry-run"], [], ["--json"]):
            run = world.run("checkpoint", "export", "--to", "entire", "--all", "--layout", layout, *words)
            said = run.stdout + run.stderr
            assert run.returncode == 0 and b"s-1" in said, run
            assert not any(byte < 32 and byte != 10 for byte in said), said
            assert words == ["--json"] or "\u202e".encode() not in said, said
        assert snapshot(world.root / ".git/config", world.root / ".git/refs/heads/main", world.root / ".git/index") == before
    run = world.run("session", "check", "--deep")
    assert run.returncode == 0, run
    files = world.must("session", "list", "--all", "--json").stdout
    assert b"out.c" not in files and b"passwd" not in files, files
    assert not mark.exists() and not (world.base / "out.c").exists()
    # What is no file is read no more than what is not there.
    for place in ("fifo", "/dev/zero", str(world.base)):
        transcript.unlink(missing_ok=True)
        if place == "fifo":
            os.mkfifo(transcript)
        else:
            transcript.symlink_to(place)
        run = world.run("checkpoint", "export", "--to", "entire", "--all", "--json")
        assert run.returncode in (0, 1), run


@test
@needs("git")
def sessions_go_to_no_remote_that_names_a_program_and_no_password_is_printed(world):
    fetch_sessions(world)
    mark = world.base / "called"
    (world.root / ".plankeep.json").write_text('{"sessionsPush": "origin"}')
    git(world, "config", "protocol.ext.allow", "always")
    git(world, "config", "core.askPass", f"touch {mark}")
    world.environment.update(GIT_ALLOW_PROTOCOL="ext:https", SSH_ASKPASS=f"touch {mark}")
    for url in (f"ext::touch {mark}", "https://kim:s3cret@127.0.0.1:1/x", "--upload-pack=touch"):
        git(world, "config", "remote.origin.url", url)
        for words in (["push", "--yes"], ["push", "origin", "--yes", "--json"], ["fetch"], ["list", "--remote"]):
            run = world.run("session", *words)
            assert run.returncode == 4, (url, words, run.stderr)
            assert b"s3cret" not in run.stdout + run.stderr
    assert not mark.exists()



def plumb(world, *words, given):
    run = subprocess.run(["git", *words], cwd=world.root, env=world.environment, input=given, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False, timeout=60)
    assert run.returncode == 0, run.stderr
    return run.stdout.decode().strip()


def raw_tree(world, *entries):
    content = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(identity) for mode, name, identity in entries)
    return plumb(world, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=content)


@test
@needs("git")
def a_snapshot_of_a_session_brings_back_no_file_outside_of_the_work_tree(world):
    repository(world).track()
    commit(world)
    evil = plumb(world, "hash-object", "-w", "--stdin", given=b"evil\n")
    out = plumb(world, "hash-object", "-w", "--stdin", given=str(world.base).encode())
    inner = raw_tree(world, (b"100644", b"config", evil))
    tree = raw_tree(world, (b"40000", b"..", inner), (b"40000", b".git", inner), (b"40000", b"GIT~1", inner),
                    (b"120000", b"door", out), (b"40000", b"door", inner), (b"100644", b"sound", evil))
    made = plumb(world, "commit-tree", tree, given=b"Evil\n\nEntire-Session: s\nEntire-Metadata: .entire/metadata/s\n")
    before = snapshot(world.root / ".git/config")
    outside = sorted(path.name for path in world.base.iterdir())
    run = world.run("checkpoint", "import", "--from", "entire", made, "--json")
    assert run.returncode == 0, run.stderr
    identity = re.search(rb'"checkpoint": "(cp_[^"]+)"', run.stdout).group(1).decode()
    run = world.run("rewind", identity, "--files")
    assert run.returncode == 0, run.stderr
    assert (world.root / "sound").read_text() == "evil\n"
    assert not (world.root / "door").exists() and not (world.root / "config").exists()
    assert snapshot(world.root / ".git/config") == before
    assert sorted(path.name for path in world.base.iterdir()) == outside


@test
@needs("git")
def the_id_of_a_session_reaches_no_path_and_no_command(world):
    repository(world)
    home = world.base / "clients"
    home.mkdir()
    world.environment["CLAUDE_CONFIG_DIR"] = str(home)
    for number, evil in enumerate(("../../evil", "--help", "a;touch made", "$(touch made)", "..")):
        identity = f"bad00000000{number}"
        metadata = ('{"checkpoint_id":"%s","session_id":"%s","strategy":"manual-commit","agent":"Claude Code",'
                    '"created_at":"2026-11-20T10:00:00Z"}' % (identity, evil)).encode()
        blob = plumb(world, "hash-object", "-w", "--stdin", given=metadata)
        slot = raw_tree(world, (b"100644", b"full.jsonl", blob), (b"100644", b"metadata.json", blob))
        top = raw_tree(world, (b"40000", b"0", slot), (b"100644", b"metadata.json", blob))
        made = plumb(world, "commit-tree", top, given=b"x\n")
        git(world, "update-ref", f"refs/entire/checkpoints/{identity[-2:]}/{identity}", made)
        run = world.run("session", "resume", identity)
        assert run.returncode == 2, run.stdout
        assert b"claude" not in run.stdout
    assert not list(home.iterdir())


@test
@needs("git")
def a_branch_that_is_called_like_a_shadow_branch_is_never_removed(world):
    repository(world)
    commit(world)
    for name in ("entire/0123456-e3b0c4", "entire/0123456", "entire/work"):
        git(world, "branch", name)
    before = git(world, "for-each-ref")
    run = world.run("session", "clean", "--yes", "--older-than", "0s")
    assert run.returncode == 0, run.stderr
    assert git(world, "for-each-ref") == before


@test
@needs("git")
def without_a_plan_or_without_the_program_git_goes_on_and_nothing_appears(world):
    repository(world)
    (world.root / "notes.md").write_text("- [ ] no marker, no plan\n")
    assert commit(world) == b""
    assert not list(world.base.rglob(".checkpoint"))
    world.track()
    (world.bin / "plankeep").unlink()
    world.tick("Dig")
    assert commit(world) == b""
    assert not world.done("dig")


@test
@needs("git")
def plankeep_disable_switches_it_off(world):
    repository(world).track()
    world.tick("Dig")
    assert commit(world, environment={"PLANKEEP_DISABLE": "1"}) == b""
    assert not world.done("dig")


@test
@needs("git")
def a_program_that_fails_is_no_failure_of_git(world):
    repository(world).track()
    (world.bin / "plankeep").unlink()
    (world.bin / "plankeep").write_text("#!/bin/sh\necho noise; echo noise >&2; exit 4\n")
    (world.bin / "plankeep").chmod(0o755)
    assert commit(world) == b""
    assert git(world, "checkout", "-q", "-b", "other") == b""


@test
@needs("git")
def no_program_of_the_work_tree_is_run_however_path_leads_there(world):
    repository(world).track()
    inside = world.root / "tools"
    inside.mkdir()
    for folder in (world.root, inside):
        (folder / "plankeep").write_text(f"#!/bin/sh\ntouch '{world.base}/evil'\n")
        (folder / "plankeep").chmod(0o755)
    (world.base / "link").symlink_to(inside)
    real = "/usr/bin:/bin"
    for path in [f".:{real}", f":{real}", f"{real}:", f"tools:{real}", f"{world.root}:{real}", f"{inside}:{real}",
                 f"{world.bin}/../project/tools:{real}", f"{world.base}/link:{real}"]:
        commit(world, environment={"PATH": path})
        assert not (world.base / "evil").exists(), path
    # The test itself: outside the work tree the same program does run.
    (world.bin / "plankeep").unlink()
    shutil.copy(inside / "plankeep", world.bin / "plankeep")
    commit(world)
    assert (world.base / "evil").exists()


@test
@needs("git")
def links_of_the_work_tree_lead_nowhere(world):
    repository(world)
    outside = world.base / "outside"
    (outside / "plans").mkdir(parents=True)
    (outside / "plan.md").write_text(PLAN)
    (outside / "plans" / "plan.md").write_text(PLAN)
    before = snapshot(outside)
    for name in ("plans", "docs"):
        (world.root / name).symlink_to(outside)
        commit(world)
        (world.root / name).unlink()
    (world.root / "plans").mkdir()
    (world.root / "plans" / "link").symlink_to(outside)
    commit(world)
    assert snapshot(outside) == before


@test
@needs("git")
def copied_into_a_repository_s_own_hooks_it_works_the_same(world):
    repository(world, hooks=False).track()
    git(world, "config", "--unset", "core.hooksPath")
    for name in NAMES:
        shutil.copy(HOOKS / "git" / name, world.root / ".git" / "hooks" / name)
    world.tick("Dig")
    commit(world)
    assert world.done("dig")


@test
@needs("git")
def a_cloned_repository_cannot_have_sessions_written(world):
    repository(world, hooks=False)
    git(world, "config", "--unset", "core.hooksPath")
    (world.root / ".plankeep.json").write_text('{"sessions": "write"}')
    (world.root / "a.txt").write_text("a")
    before = snapshot(world.root / ".git/refs")
    for event, more in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "go on"}),
                        ("PostToolUse", {"tool_name": "Write", "tool_input": {"file_path": str(world.root / "a.txt")}}),
                        ("Stop", {}), ("SessionEnd", {"reason": "exit"})):
        payload = {"session_id": "../../s-1", "cwd": str(world.root), "transcript_path": "/etc/passwd",
                   "hook_event_name": event, **more}
        assert world.run("hook", "claude-code", event, stdin=json.dumps(payload)).returncode == 0
    assert snapshot(world.root / ".git/refs") == before
    assert not (world.root / ".git/plankeep/sessions").exists()
    commit(world)
    assert b"Entire-Checkpoint" not in git(world, "log", "-1")


@test
@needs("git")
def the_way_to_install_them_that_is_written_down_works_and_spares_hooks_that_are_there(world):
    repository(world, hooks=False).track()
    git(world, "config", "--unset", "core.hooksPath")
    own = world.root / ".git" / "hooks" / "post-merge"
    own.write_text("#!/bin/sh\necho mine\n")
    script = re.search(r"```sh\n(from=.*?)```", (HOOKS / "README.md").read_text(encoding="utf-8"), re.DOTALL).group(1)
    script = script.replace("/path/to/hooks/git", str(HOOKS / "git"))
    run = subprocess.run(["sh", "-eu", "-c", script], cwd=world.root, env=world.environment, check=True,
                         stdout=subprocess.PIPE, timeout=60)
    assert own.read_text() == "#!/bin/sh\necho mine\n" and b"post-merge is there" in run.stdout
    world.tick("Dig")
    commit(world)
    assert world.done("dig")


if __name__ == "__main__":
    sys.exit(main(tests, __doc__))
