"""What a checkpoint or a rewind acknowledges is on disk: every object and ref that it makes under the git directory is
synced before it gets its name.

  snapshots_synced.py PROGRAM

The calls are traced, not the disk: a file counts as synced when it was, or when the file that it is a new name of was.
"""

import os
import pathlib
import re
import subprocess
import sys

from injection import strace_or_exit
from support import arguments_or_exit, temporary_base

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rewind"))
from rewind_support import Project  # noqa: E402

SYNC = re.compile(r"(?:fsync|fdatasync|sync_file_range)\(\d+<([^>]+)>")
NAMED = re.compile(r'(?:link|rename)(?:at2?)?\((?:\w+<([^>]*)>, )?"([^"]+)", (?:\w+<([^>]*)>, )?"([^"]+)"')
CALLS = "link,linkat,rename,renameat,renameat2,fsync,fdatasync,sync_file_range"


def never_synced(project, *words):
    """Objects and refs that the command leaves in the git directory and that were never synced."""
    trace = project.base / "trace"
    run = project.try_keep(*words, before=("strace", "-f", "-y", "-o", str(trace), "-e", f"trace={CALLS}"))
    if run.returncode != 0:
        raise AssertionError(f"{words}: {run.returncode}: {run.stderr!r}")

    def absolute(folder, name):
        return os.path.realpath(os.path.join(folder or project.root, name))

    synced, made = set(), []
    for line in trace.read_text(errors="replace").splitlines():
        if found := SYNC.search(line):
            synced.add(os.path.realpath(found[1]))
        if not (found := NAMED.search(line)) or not line.endswith("= 0"):
            continue
        source, target = absolute(found[1], found[2]), absolute(found[3], found[4])
        if source in synced:
            synced.add(target)
        elif "/objects/" in target or "/refs/" in target:
            made.append(target)
    return [path for path in made if os.path.exists(path)]


def objects(project):
    return project.git("count-objects", "-v")


def check(program, base):
    findings = []
    base.mkdir()
    project = Project(program, base).start()
    project.write("work.c", "int old;\n")
    project.commit()

    def expect_none(*words):
        for path in never_synced(project, *words):
            findings.append(f"{' '.join(words)}: never synced: {path}")

    expect_none("checkpoint", "create")
    target = project.checkpoint()
    project.write("work.c", "int a_day_of_work;\n")
    project.write("new.c", "int new_work;\n")
    project.git("add", "work.c")
    before = objects(project)
    expect_none("rewind", target, "--dry-run")
    if objects(project) != before:
        findings.append("rewind --dry-run leaves objects behind")
    expect_none("after-hook", str(project.plan), "Stop", "s-1", "", "2026-11-20T15:00:00.000Z", "", "turn")
    expect_none("rewind", target, "--files")
    expect_none("rewind", "--undo")
    return findings


def main():
    program = arguments_or_exit(__doc__)
    strace_or_exit()
    with temporary_base() as base:
        findings = check(program, pathlib.Path(base).resolve() / "w")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
