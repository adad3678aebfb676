"""The law of going back, in random repositories: whatever was in the work tree before a rewind is in it afterwards, or in
a checkpoint that plankeep names; and git is as it was.

  law_test.py PROGRAM [--kind KIND] [--steps N] [--seconds S] [--seed N]

A step is a rewind of any kind, an undo, a redo, a refusal, or a rewind that is killed (all of it together with its git
at some moment, or the program alone at some system call) and then repaired; between steps a person edits, commits,
stages, ignores and reconfigures at random. After each step:

- every file and link that was there before, ignored ones included, is there with the same bytes and mode, or the safety
  checkpoint that the step names holds it;
- what the target holds is there as it was then, bytes and modes, unless it is listed as left as it is;
- branches, tags and stash are as they were; HEAD and index too, except with --head, where they are the checkpoint's;
- what was killed is as before or as after; nothing of ours is left over;
- now and then: git gc --prune=now and git fsck are content, and all of it still holds behind them.

Without --steps a sample of --seconds (30) that moves on with each commit; PLANKEEP_WHOLE=1: 2,000 steps of each kind.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time

from rewind_support import Project, kill_session

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from rotation import rotation, whole  # noqa: E402

OURS = (".git", ".checkpoint")
MOVE_HEAD = ("head", "files_and_head")  # the second: what an undo of the plan alone leaves to be undone
MODES = (0o644, 0o600, 0o640, 0o755, 0o700, 0o444)
NAMES = ("a.txt", "b.up", "dir/c.txt", "dir/d.env", "dir", "deep/er/e.txt", "deep/er", "x.o", "k.env", "in/one.txt",
         "in/two.o", "ü ñ", "build/out.o")
RULES = ("*.o\n", "*.env\n", "*.o\n*.env\n", "dir/\n", "/deep\n", "", "*\n!.gitignore\n!plan.md\n", "build/\n")
ATTRIBUTES = ("", "* text=auto\n", "*.txt text eol=crlf\n", "*.up filter=up\n", "*.txt ident\n*.up filter=up\n")
# What each kind does often beside writing and removing files.
KINDS = ("ignore", "folders", "sparse", "attributes", "modes", "exclude", "two_plans", "index")
KILLED_AT = ("renameat2", "renameat", "unlinkat", "fsync", "fdatasync", "mkdirat", "write", "vfork", "clone", "clone3")


class Broken(AssertionError):
    pass


def look(project):
    """Every file and link: what it is, its permissions, its bytes."""
    found = {}
    for folder, folders, files in os.walk(project.root):
        folders[:] = [name for name in folders if name not in OURS]
        for name in [*files, *folders]:
            path = pathlib.Path(folder) / name
            status = path.lstat()
            relative = str(path.relative_to(project.root))
            if stat.S_ISLNK(status.st_mode):
                found[relative] = ("link", 0, os.readlink(path).encode())
            elif stat.S_ISREG(status.st_mode):
                found[relative] = ("file", stat.S_IMODE(status.st_mode), path.read_bytes())
    return found


def of_git(project):
    return {"HEAD": project.git("rev-parse", "-q", "--verify", "HEAD", check=False),
            "branch": project.git("symbolic-ref", "-q", "HEAD", check=False),
            "branches": project.git("for-each-ref", "refs/heads", "refs/tags"),
            "stash": project.git("stash", "list"),
            # The bits as stored: otherwise git clears skip-worktree for files that exist.
            "index": project.git("-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-z", "--stage", "-v")}


def ticks(project, plan):
    """When and by whom, of the tasks of the other plan; None where its text is not the one that was recorded last."""
    path = plan.parent / ".checkpoint" / "state.json"
    if not path.exists() or not plan.is_file():
        return None
    state = json.loads(path.read_bytes())
    if state["checksum"] != "sha256:" + hashlib.sha256(plan.read_bytes()).hexdigest()[:16]:
        return None  # git brought another text of it, and nobody has looked since
    return {name: (task["done"], task.get("completedAt"), task.get("completedBy"))
            for phase in state["phases"].values() for name, task in phase["tasks"].items()}


class Law:
    def __init__(self, program, base, kind, seed):
        self.rng = random.Random(f"{kind} {seed}")
        self.kind = kind
        self.p = p = Project(program, base)
        p.start()
        self.other = p.root / "plans/b/plan.md"
        p.write(".gitignore", "*.o\n.checkpoint\n")
        p.write("base.txt", "base\n")
        p.write("in/one.txt", "in\n")
        p.write("out/far.txt", "far\n")
        p.git("config", "filter.up.clean", "tr a-z A-Z")
        p.git("config", "filter.up.smudge", "tr A-Z a-z")
        if kind == "exclude":
            exclude = p.git_dir / "info/exclude"
            exclude.unlink(missing_ok=True)
            exclude.symlink_to(p.base / "exclude")
            (p.base / "exclude").write_text("*.env\n")
        if kind == "two_plans":
            p.write("plans/b/plan.md", "# B\n<!-- CHECKPOINT: one -->\n- [ ] X <!-- TASK: x -->\n- [ ] Y <!-- TASK: y -->\n")
            p.keep("init", "plans/b/plan.md")
        p.commit()
        self.known = {}  # checkpoint: what was there then
        self.journal = []  # for whoever looks into a failure
        self.pending = []
        self.steps = 0

    def then(self):
        return {"tree": look(self.p), "git": of_git(self.p), "ticks": ticks(self.p, self.other)}

    # --- what a person does between the steps ---

    def clear(self, path):
        """Nothing is there, and no file is in its way."""
        if path.is_dir() and not path.is_symlink():
            for inside in path.rglob("*"):
                if inside.name in OURS:
                    return False
            shutil.rmtree(path)
        elif path.is_symlink() or path.exists():
            path.unlink()
        for parent in path.relative_to(self.p.root).parents:
            above = self.p.root / parent
            if above != self.p.root and (above.is_symlink() or above.is_file()):
                above.unlink()
        return True

    def edit(self):
        rng, p = self.rng, self.p
        act = rng.random()
        if act < 0.45:
            path = p.root / rng.choice(NAMES)
            self.note("write", path.name)
            if not self.clear(path):
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            if rng.random() < 0.1:
                path.symlink_to(rng.choice(["base.txt", "nowhere", "dir"]))
            else:
                path.write_bytes(rng.choice([b"one\n", b"two\r\nlines\r\n", b"$Id$\n", b"", rng.randbytes(40)]))
                path.chmod(rng.choice(MODES) if self.kind == "modes" or rng.random() < 0.2 else 0o644)
        elif act < 0.55:
            path = p.root / rng.choice((*NAMES, "base.txt"))
            self.note("remove", path.name)
            self.clear(path)
        elif act < 0.62:
            self.note("tick")
            p.try_keep(rng.choice(["done", "reopen"]), rng.choice(["survey", "dig", "bricks"]), "--plan", "plan.md")
        elif act < 0.72:
            self.note("commit")
            p.git("add", "-A", check=False)
            p.git("commit", "-q", "--allow-empty", "-m", "work", check=False)
        elif act < 0.80:
            self.of_git_only()
        else:
            self.of_kind()

    def of_git_only(self):
        rng, p = self.rng, self.p
        path = rng.choice((*NAMES, "base.txt", "plan.md"))
        words = rng.choice([("add", "--", path), ("add", "-f", "--", path), ("add", "-N", "--", path),
                            ("rm", "-r", "-q", "--cached", "--", path), ("update-index", "--assume-unchanged", "base.txt"),
                            ("update-index", "--no-assume-unchanged", "base.txt"), ("stash", "push", "-q"),
                            ("branch", "-f", "side"), ("checkout", "-q", "-B", "side"), ("checkout", "-q", "main"),
                            ("reset", "-q")])
        self.note("git", *words)
        p.git(*words, check=False)

    def of_kind(self):
        rng, p = self.rng, self.p
        self.note(self.kind)
        if self.kind in ("ignore", "folders", "index"):
            p.write(rng.choice([".gitignore", ".gitignore", "dir/.gitignore"]) if (p.root / "dir").is_dir()
                    and not (p.root / "dir").is_symlink() else ".gitignore", rng.choice(RULES))
        elif self.kind == "sparse":
            p.git(*rng.choice([("sparse-checkout", "set", "in"), ("sparse-checkout", "set", "in", "dir"),
                               ("sparse-checkout", "disable")]), check=False)
        elif self.kind == "attributes":
            p.write(".gitattributes", rng.choice(ATTRIBUTES))
            p.git("config", "core.autocrlf", rng.choice(["true", "false", "input"]))
        elif self.kind == "modes":
            files = [name for name, (what, _, _) in look(p).items() if what == "file"]
            (p.root / rng.choice(files)).chmod(rng.choice(MODES))
        elif self.kind == "exclude":
            (p.base / "exclude").write_text(rng.choice(RULES))
        elif self.kind == "two_plans":
            p.try_keep(rng.choice(["done", "reopen"]), rng.choice("xy"), "--plan", "plans/b/plan.md",
                       "--by", rng.choice(["main", "subagent:other"]))

    def note(self, *words):
        self.journal.append(" ".join(words))

    # --- the steps ---

    def step(self):
        self.steps += 1
        for _ in range(self.rng.randrange(0, 4)):
            self.edit()
        if not self.known or self.rng.random() < 0.25:
            self.checkpoint()
        act = self.rng.random()
        if act < 0.5:
            self.rewind(*self.somewhere())
        elif act < 0.7:
            self.rewind("--undo")
        elif act < 0.78:
            self.rewind("--redo")
        elif act < 0.84:
            self.refused()
        else:
            self.killed(*self.somewhere())
        if self.rng.random() < 0.06:
            self.collect()

    def checkpoint(self):
        now = self.then()
        made = self.p.try_keep("checkpoint", "create", "--json", "--plan", "plan.md")
        if made.returncode != 0:
            raise Broken(f"checkpoint create: {made.stderr!r}")
        name = json.loads(made.stdout)["checkpoint"]["checkpoint_id"]
        self.note("checkpoint", name)
        self.known[name] = now

    def somewhere(self):
        name = self.rng.choice(sorted(self.known)[-12:])
        return name, self.rng.choice(["--all", "--all", "--files", "--plan", "--head", "--head"])

    def rewind(self, *words):
        before = self.then()
        self.note("rewind", *words)
        run = self.p.try_keep("rewind", *words, "--json", "--of", "plan.md")
        if run.returncode not in (0, 1):
            return self.unchanged(before, run)
        if run.returncode == 1 and words[0] not in ("--undo", "--redo"):
            raise Broken(f"exit 1: {run.stderr!r}")
        told = json.loads(run.stdout)
        now = self.then()
        self.nothing_lost(before, now, told)
        self.went_there(before, now, told)
        if told["from"] is not None:
            self.known[told["from"]] = before
        return None

    def unchanged(self, before, run):
        """A refusal, with words."""
        now = self.then()
        if not run.stderr.strip():
            raise Broken(f"exit {run.returncode} without a word")
        if run.returncode < 0 or b"Sanitizer" in run.stderr:
            raise Broken(f"crashed: {run.stderr!r}")
        self.same("refused, and changed", before, now)
        # Everything that can be refused here, so that no other failure hides among them.
        allowed = (b"there is no rewind to", b"holds no", b"is no longer in the repository", b"there was no commit",
                   b"in the middle of", b"cannot be in a snapshot")
        if not any(words in run.stderr for words in allowed):
            raise Broken(f"exit {run.returncode}: {run.stderr!r}")

    def same(self, what, one, other):
        for key in ("tree", "git"):
            differs = sorted(name for name in one[key].keys() | other[key].keys() if one[key].get(name) != other[key].get(name))
            if differs:
                raise Broken(f"{what}: {[(name, one[key].get(name), other[key].get(name)) for name in differs]}")

    def held(self, name):
        """path: the id of its content, of a checkpoint."""
        shown = json.loads(self.p.keep("checkpoint", "show", name, "--json", "--plan", "plan.md"))
        moment = shown["checkpoint"].get("moment", shown["checkpoint"])
        snapshot = moment.get("snapshot")
        if snapshot is None:
            return {}, moment
        found = {}
        for line in self.p.git("ls-tree", "-r", "-z", snapshot["commit"]).split("\0"):
            if line:
                facts, path = line.split("\t", 1)
                found[path] = facts.split(" ")[2]
        return found, moment

    def nothing_lost(self, before, now, told):
        gone = {path for path, entry in before["tree"].items() if now["tree"].get(path) != entry}
        if not gone:
            return
        if told["from"] is None:
            raise Broken(f"changed {sorted(gone)} and names no safety checkpoint")
        held, moment = self.held(told["from"])
        for path in sorted(gone):
            content = before["tree"][path][2]
            if held.get(path) == hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest():
                continue
            if path == "plan.md" and moment.get("planDigest") == hashlib.sha256(content).hexdigest():
                continue
            raise Broken(f"lost: {path}, {before['tree'][path]}, now {now['tree'].get(path)}; {told}")

    def went_there(self, before, now, told):
        what, name = told["what"], told["to"]["checkpoint"]
        for key in ("branches", "stash") if what in MOVE_HEAD else of_git(self.p):
            if before["git"][key] != now["git"][key]:
                raise Broken(f"{key}: {before['git'][key]!r}, now {now['git'][key]!r}")
        if name not in self.known:
            return
        then = self.known[name]
        if what not in ("files", "files_and_head") and now["tree"].get("plan.md", (0, 0, 0))[2] != then["tree"]["plan.md"][2]:
            raise Broken("the plan is not as it was then")
        if what == "plan":
            return
        kept = [entry["path"] for entry in told["kept"]]
        # What a sparse checkout leaves out comes with it, not with a rewind.
        kept += [line[2:] for line in self.p.git("ls-files", "-z", "-t").split("\0") if line.startswith("S ")]
        for path in self.held(name)[0]:
            if path == "plan.md" or path not in then["tree"]:
                continue
            if any(path == one or one.endswith("/") and path.startswith(one) for one in kept):
                continue
            if now["tree"].get(path) != then["tree"][path]:
                raise Broken(f"{path} was {then['tree'][path]}, is {now['tree'].get(path)}; {told}")
        if what in MOVE_HEAD:
            self.head_is(before, now, then, told)
        if then["ticks"] is not None and "plans/b/plan.md" in [entry["path"] for entry in told["files"]]:
            if not told["otherPlans"]:
                raise Broken("the other plan went back and is not named")
            done = {task: tick for task, tick in then["ticks"].items() if tick[0]}
            if {task: tick for task, tick in (now["ticks"] or {}).items() if tick[0]} != done:
                raise Broken(f"the other plan's ticks: {done}, now {now['ticks']}")

    def head_is(self, before, now, then, told):
        if now["git"]["HEAD"] != then["git"]["HEAD"]:
            raise Broken(f"HEAD was {then['git']['HEAD']}, is {now['git']['HEAD']}")
        if now["git"]["branch"] not in (then["git"]["branch"], ""):
            raise Broken(f"HEAD was on {then['git']['branch']}, is on {now['git']['branch']}")
        if told["to"]["type"] == "pre_rewind" and self.saved_index(told) and now["git"]["index"] != then["git"]["index"]:
            raise Broken(f"the index was {then['git']['index']!r}, is {now['git']['index']!r}")
        if told.get("leftBehind") and told["leftBehind"]["commit"] not in before["git"]["HEAD"]:
            raise Broken(f"left behind: {told['leftBehind']}")

    def saved_index(self, told):
        """Whether the safety checkpoint is one of a rewind with --head."""
        return any(event["from"] == told["to"]["checkpoint"] and event["what"] in MOVE_HEAD for event in self.p.rewound())

    def refused(self):
        sign = self.p.git_dir / self.rng.choice(["MERGE_HEAD", "CHERRY_PICK_HEAD", "BISECT_LOG"])
        self.note("refused", sign.name)
        sign.write_text(self.p.git("rev-parse", "HEAD"))
        before = self.then()
        name, what = self.somewhere()
        run = self.p.try_keep("rewind", name, "--all" if what == "--plan" else what, "--of", "plan.md")
        if run.returncode in (0, 1):
            raise Broken(f"not refused: {run.stdout!r}")
        self.unchanged(before, run)
        sign.unlink()

    def killed(self, *words):
        before = self.then()
        words = ("rewind", *words, "--of", "plan.md")
        elsewhere = self.p.base.parent / "copy"
        shutil.rmtree(elsewhere, ignore_errors=True)
        copy = self.p.copy(elsewhere)
        if self.kind == "exclude":
            (copy.git_dir / "info/exclude").unlink()
            (copy.git_dir / "info/exclude").symlink_to(copy.base / "exclude")
        start = time.monotonic()
        whole_run = copy.try_keep(*words)
        patience = time.monotonic() - start
        if whole_run.returncode not in (0, 1):
            return
        after = {"tree": look(copy), "git": of_git(copy)}
        if self.rng.random() < 0.6:
            self.note("kill", *words)
            run = subprocess.Popen([self.p.program, *words], cwd=self.p.root, env=self.p.environment(), start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.rng.uniform(0.02, patience))
            kill_session(run.pid)
            run.wait()
            for lock in ("index.lock", "HEAD.lock"):  # as a person does whose git was killed
                (self.p.git_dir / lock).unlink(missing_ok=True)
        else:
            name, when = self.rng.choice(KILLED_AT), self.rng.randrange(1, 12)
            self.note("kill at", name, str(when), *words)
            self.p.run("strace", "-qq", "-o", "/dev/null", "-e", "trace=" + name, "-e", f"inject={name}:signal=KILL:when={when}",
                       self.p.program, *words)
        told = len(self.p.rewound())
        repair = self.p.try_keep("doctor", "--repair", "--plan", "plan.md")
        if repair.returncode not in (0, 1):
            raise Broken(f"doctor --repair: {repair.returncode} {repair.stderr!r}")
        if left := [*self.p.leftovers(), *self.p.root.glob("*.plankeep-tmp"), *self.p.root.glob(".*.plankeep-tmp")]:
            raise Broken(f"left over: {left}; {repair.stderr!r}")
        now = self.then()
        for one in (before, after):
            if now["tree"] == one["tree"] and now["git"] == one["git"]:
                return
        self.same(f"neither as before ({told} rewinds told) nor as after; {repair.stderr!r}", before, now)

    def collect(self):
        self.note("gc")
        self.p.git("gc", "-q", "--prune=now")
        checked = self.p.run("git", "fsck", "--no-dangling", "--no-progress")
        if checked.returncode != 0 or b"missing" in checked.stdout or b"broken" in checked.stdout:
            raise Broken(f"git fsck: {checked.stdout!r} {checked.stderr!r}")
        self.p.git("status", "--porcelain")


def run_kind(program, kind, seed, steps, deadline):
    """Steps in one repository after the other; how many were done, and what was broken."""
    done = 0
    world = 0
    while done < steps and time.monotonic() < deadline:
        name = f"{seed}-{world}"
        world += 1
        with tempfile.TemporaryDirectory(prefix="plankeep-law-") as folder:
            law = None
            base = pathlib.Path(folder) / "world"
            base.mkdir()
            try:
                law = Law(program, base, kind, name)
                for _ in range(min(40, steps - done)):
                    if time.monotonic() > deadline:
                        break
                    law.step()
                    done += 1
            except (AssertionError, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
                print(f"FAILED {kind}, seed {name}: {type(error).__name__}: {error}")
                print("  " + "\n  ".join(law.journal[-30:] if law else []))
                return done, True
    return done, False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed")
    given = parser.parse_args()
    program = os.path.abspath(given.program)
    seed = given.seed or f"{rotation():x}"
    steps = given.steps or (2000 if whole() else 1 << 30)
    bad = False
    kinds = [given.kind] if given.kind else KINDS
    for kind in kinds:
        deadline = float("inf") if given.steps or whole() else time.monotonic() + given.seconds / len(kinds)
        done, broken = run_kind(program, kind, seed, steps, deadline)
        bad = bad or broken
        print(f"{kind}: {done} steps, seed {seed}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
