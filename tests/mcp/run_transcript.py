#!/usr/bin/python3
"""Runs one conversation with `plankeep mcp` that is kept as data.

  run_transcript.py PROGRAM CASE

A case is a folder:

    files/    what stands in the project at the start (may be missing)
    in        what a client writes to standard input, as it is; in the middle of it lines "#put FILE TEXT" change a file
              of the project when everything before has been answered (\\n in TEXT is a line feed)
    out       what the server writes to standard output

Hermetic: an environment of our own, HOME beside the project, a fixed clock. The project folder is <root>.

PLANKEEP_ACCEPT=1 writes `out` instead of comparing (tests/support/golden.py).
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import golden  # noqa: E402

NOW = "2026-11-20T15:43:50.123Z"
PING = b'{"jsonrpc":"2.0","id":"the runner waits","method":"ping"}\n'


def put(root, line):
    _, name, text = line.split(" ", 2)
    (root / name).write_text(text.replace("\\n", "\n"), encoding="utf-8")


def run(program, case):
    with tempfile.TemporaryDirectory(prefix="plankeep-mcp-") as base:
        base = pathlib.Path(base).resolve()
        root = base / "project"
        if (case / "files").is_dir():
            shutil.copytree(case / "files", root)
        else:
            root.mkdir()
        (base / "home").mkdir()
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(base / "home"), "PLANKEEP_NOW": NOW}
        server = subprocess.Popen([program, "mcp"], cwd=root, env=environment, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = []
        for line in (case / "in").read_bytes().splitlines(keepends=True):
            line = line.replace(b"<root>", str(root).encode())
            if not line.startswith(b"#put "):
                server.stdin.write(line)
                continue
            server.stdin.write(PING)
            server.stdin.flush()
            while True:
                answer = server.stdout.readline()
                if not answer or b"the runner waits" in answer:
                    break
                said.append(answer)
            put(root, line.decode("utf-8").rstrip("\n"))
        rest, errors = server.communicate(timeout=60)
        said.append(rest)
        if errors or server.returncode != 0:
            sys.exit(f"status {server.returncode}, standard error: {errors.decode('utf-8', 'replace')}")
        return b"".join(said).decode("utf-8").replace(str(root), "<root>")


def main():
    program, case = sys.argv[1], pathlib.Path(sys.argv[2])
    return golden.compare(case / "out", run(program, case))


if __name__ == "__main__":
    sys.exit(main())
