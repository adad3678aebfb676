"""A command on a large plan gets its memory in large pages, and in few steps (system/posix/posix_memory).

  large_pages_test.py PROGRAM

Looks at the system calls of the release program: a sanitized one has a heap of its own.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TASKS = 2500  # the state is larger than 256 KiB
# Without large pages `list --json` asks for heap some 50 times.
MOST_STEPS = 15


def main(program):
    if not shutil.which("strace"):
        print("skipped: strace is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as top:
        project = pathlib.Path(top, "project")
        project.mkdir()
        environment = {"HOME": top, "PATH": "/usr/bin:/bin"}
        project.joinpath("plan.md").write_text("# Long\n\n" + "".join(f"- [ ] Build part number {n}\n" for n in range(TASKS)))
        subprocess.run([program, "init", "-q"], cwd=project, env=environment, check=True)

        def calls(*words):
            trace = pathlib.Path(top, "trace")
            subprocess.run(["strace", "-qq", "-o", str(trace), "-e", "trace=brk,madvise", program, *words], cwd=project,
                           env=environment, check=True, stdout=subprocess.DEVNULL)
            lines = trace.read_text().splitlines()
            advised = [line for line in lines if re.search(r"madvise\(.*, 1\d{7}, MADV_HUGEPAGE\) = 0", line)]
            return sum(line.startswith("brk") for line in lines), len(advised)

        steps, advised = calls("list", "--json")
        assert advised == 1, f"the heap was advised {advised} times"
        assert steps <= MOST_STEPS, f"{steps} steps"
        # One that reads nothing large is left alone.
        assert calls("version")[1] == 0
    return 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
