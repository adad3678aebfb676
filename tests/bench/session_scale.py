#!/usr/bin/python3
"""Prints what sessions in git cost at scale: repositories with many session checkpoints in both layouts, long transcripts,
many sessions of one commit. Each row in seconds or milliseconds, and in units of one `git --version` of the same run (g)
where that says something; what is stored is filled in by `git fast-import`, whose time is printed, too. It measures and
does not judge.

  session_scale.py PROGRAM [COUNT...]      an optimised PROGRAM; 100 1000 10000 25000 100000 checkpoints by default
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from session_project import Session, SessionProject  # noqa: E402

MIB = 1 << 20
CHUNK = 52428800  # Entire cuts transcripts there


class Measure:
    def __init__(self, world, program):
        self.world, self.program = world, program
        self.g = statistics.median(self.run("git", "--version")[0] for _ in range(25))

    def run(self, *words, status=(0,)):
        """Seconds, and the most memory in MiB, of it or of a git that it starts."""
        with open(os.devnull, "r+b") as nothing:
            start = time.perf_counter()
            child = subprocess.Popen(words, cwd=self.world.root, env=self.world.environment(), stdin=nothing, stdout=nothing,
                                     stderr=nothing)
            _, ended, used = os.wait4(child.pid, 0)
            spent = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(ended)
        if child.returncode not in status:
            raise AssertionError(f"{words} exits with {child.returncode}")
        return spent, used.ru_maxrss / 1024

    def row(self, name, words, runs=9, status=(0,)):
        measured = [self.run(self.program, *words, status=status) for _ in range(runs)]
        spent = statistics.median(one for one, _ in measured)
        print(f"{name:58} {spent * 1e3:10.1f} ms = {spent / self.g:7.1f} g, {max(most for _, most in measured):6.0f} MiB",
              flush=True)


def fill(world, count, layout):
    start = time.perf_counter()
    with subprocess.Popen(["/usr/bin/python3", "-B", str(HERE / "fill_sessions.py"), str(count), layout],
                          stdout=subprocess.PIPE) as made:
        subprocess.run(["git", "fast-import", "--quiet", "--done"], cwd=world.root, env=world.environment(), stdin=made.stdout,
                       check=True)
    return time.perf_counter() - start


def written(world, session, number):
    """A commit that a session worked on."""
    session.prompt(f"Write part {number}")
    session.write(f"part{number}.c", f"int part{number};\n")
    session.stop()
    return world.commit(f"part {number}")


def many(program, base, count, layout):
    world = SessionProject(program, base)
    session = Session(world)
    commits = [written(world, session, number) for number in range(3)]
    spent = fill(world, count, layout)
    measure = Measure(world, program)
    print(f"-- {count} checkpoints, layout {layout}: git fast-import {spent:.1f} s, g = {measure.g * 1e3:.2f} ms", flush=True)
    if layout == "refs" and count in (1000, 25000):
        measure.row("list -n 20, cold, loose refs", ("session", "list", "-n", "20"), 1)
        measure.row("list -n 20, loose refs", ("session", "list", "-n", "20"))
    world.git("pack-refs", "--all")
    (world.root / ".git/plankeep/sessions.db").unlink(missing_ok=True)
    measure.row("list -n 20, cold", ("session", "list", "-n", "20"), 1)
    measure.row("list -n 20", ("session", "list", "-n", "20"))
    listed = json.loads(world.run("session", "list", "-n", "3", "--json"))["checkpoints"]
    measure.row("show", ("session", "show", listed[0]["id"]))
    for commit in commits:
        measure.row("export of one commit",
                    ("checkpoint", "export", "--to", "entire", "--commit", commit, "--layout", layout), 1)


def transcript(session, size):
    """Grows to so many bytes: what a client wrote."""
    line = json.dumps({"type": "assistant", "timestamp": session.project.environment()["PLANKEEP_NOW"],
                       "message": {"role": "assistant", "content": [{"type": "text", "text": "words " * 150}]}}) + "\n"
    with open(session.transcript, "a", encoding="utf-8") as file:
        for _ in range(max(0, size - session.transcript.stat().st_size) // len(line)):
            file.write(line)


def long(program, base, size):
    world = SessionProject(program, base)
    session = Session(world)
    session.prompt("Write main")
    transcript(session, size)
    session.write("main.c", "int main;\n")
    session.stop()
    world.commit("main")
    measure = Measure(world, program)
    print(f"-- a transcript of {session.transcript.stat().st_size / MIB:.0f} MiB, g = {measure.g * 1e3:.2f} ms", flush=True)
    measure.row("export", ("checkpoint", "export", "--to", "entire", "--commit", "HEAD"), 1, (0, 1))
    measure.row("the same again", ("checkpoint", "export", "--to", "entire", "--commit", "HEAD"), 1, (0, 1))
    shown = json.loads(world.run("session", "list", "--json"))["checkpoints"][0]["id"]
    read(measure, shown, size)


def read(measure, identity, size):
    measure.row("show --raw", ("session", "show", identity, "--raw"), 3, (0, 1))
    measure.row("show --transcript --all", ("session", "show", identity, "--transcript", "--all"), 1, (0, 1))
    measure.row("check --deep", ("session", "check", "--deep"), 1, (0, 1))


def stored(program, base, size):
    """One that somebody else has stored, in parts."""
    world = SessionProject(program, base)
    world.commit("first")
    identity = "01HF7YAT00000G40R40M30E209"
    line = (json.dumps({"type": "user", "message": {"role": "user", "content": "words " * 150}}) + "\n").encode()
    part = line * (CHUNK // len(line))
    whole = {"checkpoint_id": identity, "strategy": "manual-commit", "checkpoints_count": 1, "files_touched": [],
             "sessions": [{"metadata": "/0/metadata.json", "transcript": "/0/full.jsonl", "prompt": ""}]}
    one = {"checkpoint_id": identity, "session_id": "s", "strategy": "manual-commit", "created_at": "2026-11-20T10:00:00Z",
           "checkpoints_count": 1, "files_touched": [], "agent": "Claude Code", "model": ""}
    files = {"metadata.json": json.dumps(whole).encode(), "0/metadata.json": json.dumps(one).encode()}
    for number in range(size // len(part)):
        files["0/full.jsonl" + (f".{number:03}" if number else "")] = part[:-1]
    start = time.perf_counter()
    with subprocess.Popen(["git", "fast-import", "--quiet", "--done"], cwd=world.root, env=world.environment(),
                          stdin=subprocess.PIPE) as git:
        git.stdin.write(f"commit refs/entire/checkpoints/09/{identity}\ncommitter A <a@example.org> 1760000000 +0000\n"
                        "data 2\nx\n".encode())
        for name, content in files.items():
            git.stdin.write(f"M 100644 inline {name}\ndata {len(content)}\n".encode() + content + b"\n")
        git.stdin.write(b"\ndone\n")
    spent = time.perf_counter() - start
    measure = Measure(world, program)
    print(f"-- a stored transcript of {size // MIB} MiB: git fast-import {spent:.1f} s, g = {measure.g * 1e3:.2f} ms",
          flush=True)
    read(measure, identity, size)


def together(program, base, count):
    world = SessionProject(program, base)
    world.commit("first")
    for number in range(count):
        session = Session(world, f"session-{number}")
        session.prompt(f"Write part {number}")
        session.write(f"part{number}.c", f"int part{number};\n")
        session.stop()
    world.commit("all")
    measure = Measure(world, program)
    print(f"-- {count} sessions of one commit, g = {measure.g * 1e3:.2f} ms", flush=True)
    measure.row("export", ("checkpoint", "export", "--to", "entire", "--commit", "HEAD"), 1)
    shown = json.loads(world.run("session", "list", "--json"))["checkpoints"][0]["id"]
    measure.row("show", ("session", "show", shown))


def main():
    program = os.path.realpath(sys.argv[1])
    counts = [int(word) for word in sys.argv[2:]] or [100, 1000, 10000, 25000, 100000]
    cases = [(many, count, layout) for count in counts for layout in ("refs", "branch")]
    cases += [(together, 22), (long, 5 * MIB), (long, 50 * MIB), (long, 500 * MIB), (stored, 500 * MIB)]
    for run, *how in cases:
        with tempfile.TemporaryDirectory() as folder:
            run(program, pathlib.Path(folder).resolve() / "world", *how)


if __name__ == "__main__":
    main()
