"""Kills `checkpoint export --to entire` (SIGKILL) at every system call that changes a file or starts a process, and
refuses these calls (ENOSPC, EIO), in both layouts; and lets every git that it starts run into the same errors.

  export_killed.py PROGRAM

git, once it runs, ends by itself. Behind each fault: the user's branch, index, work tree and configuration are what they
were; each session checkpoint is whole or not there, each session in it with its transcript; no ref is locked; an export
that says that all went well has written all; and the next export completes it to the very trees that an export without a
fault writes.
"""

import functools
import json
import pathlib
import subprocess
import sys
import tempfile

from injection import CHANGING, strace_or_exit, wait_for_processes
from support import arguments_or_exit, guarded, is_crash, run_all, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from session_project import Session, SessionProject  # noqa: E402

LAYOUTS = ("refs", "branch")
PROCESSES = "fork vfork clone clone3 pipe2".split()
# Each time every process that git starts meets its first, second, ... call of the kind.
IN_GIT = [(name, when) for name in ("write", "fsync", "link", "rename", "openat") for when in range(1, 9)]
EXPORT = ("checkpoint", "export", "--to", "entire", "--all")


class World(SessionProject):
    def run_traced(self, layout, *before):
        return subprocess.run([*before, self.program, *EXPORT, "--layout", layout], cwd=self.root, env=self.environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              check=False)

    def trees(self):
        """What the refs hold; the commits differ in their times and numbers."""
        told = self.git("for-each-ref", "--format=%(refname) %(tree)", "refs/entire", "refs/heads/entire")
        return sorted(told.splitlines())

    def stored(self):
        """session -> its transcript, by checkpoint."""
        listed = json.loads(self.run("session", "list", "--all", "--json"))["checkpoints"]
        found = {}
        for one in listed:
            for session in one["sessions"]:
                name = session["session_id"]
                found[one["id"], name] = self.run("session", "show", one["id"], "--raw", "--session", name)
        return found


def locks(world):
    """Not the files that are locked by flock: those stay, and nobody holds them."""
    return [str(path) for path in (world.root / ".git").rglob("*.lock")
            if path.parent.name != "entire-persistent-ref-locks" and path.parent.name != "plankeep"
            and not path.name.startswith("entire-checkpoint-push-queue")]


def findings_after(world, layout, expected, run, git_was_hit=False):
    digest, whole, trees = expected
    wait_for_processes(world.root)
    found = []
    if is_crash(run) and run.returncode != -9:
        found.append(f"exits with {run.returncode}: {run.stderr!r}")
    if world.digest() != digest:
        found.append("something of the user's has changed")
    if git_was_hit:
        for lock in locks(world):  # git's own, where it could not clean up
            pathlib.Path(lock).unlink()
    elif locks(world):
        found.append(f"locks are left: {locks(world)}")
    check = json.loads(subprocess.run([world.program, "session", "check", "--deep", "--json"], cwd=world.root,
                                      env=world.environment(), stdout=subprocess.PIPE, timeout=60,
                                      check=False).stdout)
    if check["findings"]:
        found.append(f"half of a checkpoint: {check['findings']}")
    for key, transcript in world.stored().items():
        if whole.get(key) != transcript:
            found.append(f"{key} is not what it should be")
    if run.returncode == 0 and world.trees() != trees:
        found.append("says that all went well, and has not written all")
    again = world.run_traced(layout)
    if again.returncode != 0:
        return found + [f"the next export exits with {again.returncode}: {again.stderr!r}"]
    if world.trees() != trees:
        found.append("the next export does not complete it")
    if world.stored() != whole:
        found.append("not every session is there in the end")
    if locks(world):
        found.append(f"locks are left in the end: {locks(world)}")
    world.git("fsck", "--strict", "--no-dangling")
    return found


def attempt(templates, item):
    layout, fault, name, when = item
    template, expected = templates[layout]
    with tempfile.TemporaryDirectory(dir=template.base.parent) as folder:
        world = template.copy(pathlib.Path(folder) / "world")
        trace = world.base / "trace"
        follow = ["-f"] if fault.startswith("git ") else []
        kind = fault.removeprefix("git ")
        run = world.run_traced(layout, "strace", "-qq", *follow, "-o", str(trace), "-e", "trace=" + name, "-e",
                               f"inject={name}:{kind}:when={when}")
        if kind == "signal=KILL" and run.returncode != -9:
            return [f"was to be killed, exits with {run.returncode}: {run.stderr!r}"]
        if kind == fault and kind != "signal=KILL" and "(INJECTED)" not in trace.read_text(errors="replace"):
            return ["the call did not come"]
        return findings_after(world, layout, expected, run, bool(follow))


def calls_of(world, layout):
    """(name, when) of the calls of our own process that change something, in order."""
    trace = world.base / "trace"
    names = [*CHANGING, *PROCESSES, "openat", "exit_group"]
    run = world.run_traced(layout, "strace", "-qq", "-o", str(trace), "-e", "trace=" + ",".join(names))
    if run.returncode != 0:
        raise AssertionError(f"export exits with {run.returncode}: {run.stderr!r}")
    counts, found = {}, []
    for line in trace.read_text(errors="replace").splitlines():
        name = line.split("(", 1)[0]
        if name not in names:  # a signal
            continue
        counts[name] = counts.get(name, 0) + 1
        if name != "openat" or "O_CREAT" in line:
            found.append((name, counts[name]))
    return found


def template_world(program, base):
    world = World(program, base)
    world.absolute = False
    world.write("a.txt", "one\n")
    world.commit("first")
    first = Session(world)
    first.prompt("Write main")
    first.write("main.c", "int main;\n")
    first.stop()
    world.commit("main")
    second = Session(world, "second-session")
    second.prompt("Write more")
    second.write("more.c", "int more;\n")
    second.stop()
    first.prompt("And the rest")
    first.write("rest.c", "int rest;\n")
    first.stop()
    world.commit("more and rest")
    return world


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        base = pathlib.Path(base)
        template = template_world(program, base / "template")
        templates, items = {}, []
        for layout in LAYOUTS:
            whole = template.copy(base / ("whole-" + layout))
            if whole.run_traced(layout).returncode != 0:
                sys.exit("export fails without a fault")
            templates[layout] = (template, (whole.digest(), whole.stored(), whole.trees()))
            calls = calls_of(template.copy(base / ("trial-" + layout)), layout)
            items += [(layout, "signal=KILL", *call) for call in calls]
            items += [(layout, error, *call) for call in calls for error in ("error=ENOSPC", "error=EIO")
                      if call[0] in CHANGING]
            items += [(layout, "git " + error, *call) for call in IN_GIT for error in ("error=ENOSPC", "error=EIO")]
            print(f"{layout}: {len(calls)} calls, {len(whole.stored())} sessions")
            if len(calls) < 20 or calls[-1][0] != "exit_group" or len(whole.stored()) != 3:
                sys.exit("that cannot be all of them")
        tried, bad = run_all(functools.partial(guarded, functools.partial(attempt, templates)), items)
    print(f"{tried} faults, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
