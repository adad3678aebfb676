"""A real repository with a plan in it, and what must be the same before and after."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

PLAN = """# Build

## Ground
<!-- CHECKPOINT: ground -->
- [ ] Survey <!-- TASK: survey -->
- [ ] Dig <!-- TASK: dig -->

## Walls
<!-- CHECKPOINT: walls -->
- [ ] Bricks <!-- TASK: bricks -->
"""


class Project:
    """`root` is the work tree's top, `base` has the home beside it."""

    def __init__(self, program, base):
        self.program = program
        self.base = pathlib.Path(base).resolve()
        self.root = self.base / "project"
        self.plan = self.root / "plan.md"
        self.git_dir = self.root / ".git"
        self.seconds = 0

    def environment(self):
        return {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.base / "home"), "PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null",
                "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "Kim", "GIT_AUTHOR_EMAIL": "kim@example.org",
                "GIT_COMMITTER_NAME": "Kim", "GIT_COMMITTER_EMAIL": "kim@example.org",
                "GIT_CEILING_DIRECTORIES": str(self.base),
                "PLANKEEP_NOW": f"2026-11-20T10:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}.000Z"}

    def create(self, git=("init", "-q", "-b", "main")):
        self.root.mkdir(parents=True)
        (self.base / "home").mkdir()
        if git:
            self.git(*git)
        self.plan.write_text(PLAN)
        return self

    def copy(self, to):
        shutil.copytree(self.base, to, symlinks=True)
        other = Project(self.program, to)
        other.seconds = self.seconds
        return other

    def discard(self):
        """What does not go with `base`."""

    def start(self, **kwargs):
        self.create(**kwargs)
        self.keep("init")
        return self

    def run(self, *words, before=(), cwd=None, **options):
        self.seconds += 1
        return subprocess.run([*before, *words], cwd=cwd or self.root, env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False, **options)

    def git(self, *words, check=True):
        run = self.run("git", *words)
        if check and run.returncode != 0:
            raise AssertionError(f"git {words}: {run.stderr.decode()}")
        return run.stdout.decode()

    def try_keep(self, *words, **options):
        return self.run(self.program, *words, **options)

    def keep(self, *words):
        run = self.try_keep(*words)
        if run.returncode != 0:
            raise AssertionError(f"{words} exits with {run.returncode}: {run.stderr.decode()}")
        return run.stdout.decode()

    def checkpoint(self, *words):
        """A manual one; its id."""
        return json.loads(self.keep("checkpoint", "create", "--json", *words))["checkpoint"]["checkpoint_id"]

    def rewind(self, *words):
        return json.loads(self.keep("rewind", *words, "--json"))

    def write(self, name, text, mode=None):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        if mode is not None:
            path.chmod(mode)

    def commit(self, message="work"):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def events(self):
        lines = (self.plan.parent / ".checkpoint" / "history.jsonl").read_bytes().splitlines()
        return [json.loads(line) for line in lines]

    def rewound(self):
        return [event for event in self.events() if event["event"] == "rewound"]

    def state(self):
        return json.loads((self.plan.parent / ".checkpoint" / "state.json").read_bytes())

    def tree(self, without=()):
        """Every path of the work tree that is no repository's and not ours: what it is, and what is in it."""
        found = {}
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", ".checkpoint")]
            for name in [*files, *folders]:
                path = pathlib.Path(folder) / name
                relative = str(path.relative_to(self.root))
                status = path.lstat()
                if relative in without:
                    continue
                if stat.S_ISLNK(status.st_mode):
                    found[relative] = ("link", os.readlink(path))
                elif stat.S_ISREG(status.st_mode):
                    found[relative] = ("x" if status.st_mode & 0o100 else "f", path.read_bytes())
                elif stat.S_ISDIR(status.st_mode) and not any(path.iterdir()):
                    found[relative] = ("empty",)
        return found

    def users_own(self):
        """All of .git that belongs to the user: everything but objects and what is under our names."""
        found = {}
        for folder, folders, files in os.walk(self.git_dir):
            relative = pathlib.Path(folder).relative_to(self.git_dir)
            folders[:] = [name for name in folders
                          if str(relative / name) not in ("objects", "plankeep", "refs/plankeep")]
            for name in files:
                path = pathlib.Path(folder) / name
                found[str(relative / name)] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def leftovers(self):
        """What a rewind may not leave behind."""
        found = [path for path in (self.git_dir / "plankeep" / "rewind", self.root / ".plankeep-rewind") if path.exists()]
        return [str(path) for path in found]


class SeparateProject(Project):
    """Its git directory is on another file system than its work tree: in a folder of its own below `other`."""

    def __init__(self, program, base, other):
        super().__init__(program, base)
        self.other = pathlib.Path(other).resolve()
        self.git_dir = self.other / hashlib.sha256(str(self.base).encode()).hexdigest()[:16]

    def create(self, git=()):
        return super().create(git=("init", "-q", "-b", "main", "--separate-git-dir", str(self.git_dir), *git))

    def copy(self, to):
        shutil.copytree(self.base, to, symlinks=True)
        other = SeparateProject(self.program, to, self.other)
        other.seconds = self.seconds
        shutil.copytree(self.git_dir, other.git_dir, symlinks=True)
        (other.root / ".git").write_text(f"gitdir: {other.git_dir}\n")
        return other

    def discard(self):
        shutil.rmtree(self.git_dir)

    def tree(self, without=()):
        """Without the file that says where the git directory is."""
        return super().tree(without=[*without, ".git"])


def other_file_system(than):
    """A folder on another file system that can be written to; None when none of the usual places is one."""
    device = os.stat(than).st_dev
    for place in ("/dev/shm", os.environ.get("XDG_RUNTIME_DIR", ""), "/run/shm", "/var/tmp", os.getcwd()):
        if place and os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK) and os.stat(place).st_dev != device:
            return place
    return None


def kill_session(session):
    """Every process of it, at once as far as that goes: a program and all that it started."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((process / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                os.kill(int(process.name), signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            pass


def law(project):
    """Why the state is not what plan and history give; empty when it is."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
    from support import comparable
    kept = comparable(project.state())
    tracking = project.plan.parent / ".checkpoint"
    for path in [tracking / "state.json", *tracking.glob("recovery*.json")]:
        path.unlink(missing_ok=True)
    project.keep("sync")
    rebuilt = comparable(project.state())
    return [f"{key}: kept {kept.get(key)!r}, rebuilt {rebuilt.get(key)!r}"
            for key in sorted(kept.keys() | rebuilt.keys()) if kept.get(key) != rebuilt.get(key)]


def quoted(text):
    """As a journal has it."""
    return "".join(c if "!" <= c <= "~" and c != "%" else f"%{ord(c):02X}" for c in text)


class ProjectTest(unittest.TestCase):
    """Each test makes as many projects as it wants; they go with it."""

    program = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-rewind-")
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name)
        self.count = 0

    def project(self, **kwargs):
        self.count += 1
        base = self.base / str(self.count)
        base.mkdir()
        return Project(self.program, base).start(**kwargs)


def run_tests():
    """Of the module that is run, with the program as its first argument."""
    ProjectTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
