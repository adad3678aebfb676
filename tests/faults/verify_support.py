"""What the tests of `verify` share: a project with commands, and whether anything of a run is left."""

import os
import pathlib
import subprocess
import time

from support import PREPARED, World

PLAN = """# Build a shed

## Ground
<!-- CHECKPOINT: ground -->
- [x] Dig <!-- TASK: dig -->
- [ ] It is level <!-- ACCEPT: level | verify: sleep 0.05; echo level -->
## Roof
<!-- CHECKPOINT: roof -->
- [ ] Tiles <!-- TASK: tiles -->
- [x] It is tight <!-- ACCEPT: tight | verify: sleep 0.05; echo "it drips"; exit 3 -->
- [ ] It holds <!-- ACCEPT: holds | verify: echo holds -->
- [ ] It stands <!-- ACCEPT: stands | verify: trap '' TERM; sleep 600 & echo $!; wait; sleep 600 -->
"""
# How long what is left of a run may take to go: the two seconds it is given, and a slow machine.
PATIENCE = 60
MARK = "PLANKEEP_TEST_MARK"


class Project(World):
    """`mark` stands in the environment of every process that a run starts."""

    mark = ""

    def copy(self, to):
        copied = super().copy(to)
        return Project(copied.program, copied.base)

    def environment(self, now=PREPARED):
        return {**super().environment(now), "PATH": os.environ["PATH"], MARK: str(self.base)}

    def evidence(self):
        """The criteria with evidence: id -> (met, exit status)."""
        return {name: (entry["met"], entry["evidence"]["exitStatus"])
                for phase in self.state()["phases"].values() for name, entry in phase["acceptance"].items()
                if "evidence" in entry}

    def left(self):
        """The processes of a run that are still there. Those that ended and wait for nobody count as gone."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"{MARK}={self.base}".encode() in (process / "environ").read_bytes().split(b"\0"):
                    found.append(int(process.name))
            except OSError:
                pass
        return found

    def nothing_left(self):
        end = time.monotonic() + PATIENCE
        while self.left():
            if time.monotonic() > end:
                return ["processes are left: " + str(self.left())]
            time.sleep(0.02)
        return []


def project(program, base):
    world = Project(program, base)
    world.root.mkdir(parents=True)
    (world.base / "home").mkdir()
    world.decoy.write_text(PLAN)
    world.plan.write_text(PLAN)
    (world.root / "source").write_text("x\n")
    git = {"HOME": str(world.base / "home"), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    for arguments in (["init", "-q"], ["add", "-A"],
                      ["-c", "user.name=Kim", "-c", "user.email=kim@example.org", "commit", "-qm", "start"]):
        subprocess.run(["git", *arguments], cwd=world.root, env=git, check=True)
    world.must("init")
    return world
