"""The session in the README is what the program prints.

  readme_test.py PROGRAM

The plan is the README's first `markdown` block; of its `console` block each line after "$ " is run by sh, and what is
printed has to follow. With PLANKEEP_ACCEPT=1 the block is written instead of compared, and the run counts as skipped.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
SKIPPED = 77


def played(program, plan, commands):
    with tempfile.TemporaryDirectory() as top:
        folder = pathlib.Path(top).resolve() / "password-reset"
        folder.mkdir()
        (folder / "plan.md").write_text(plan, encoding="utf-8")
        programs = folder.parent / "bin"
        programs.mkdir()
        (programs / "plankeep").symlink_to(program)
        environment = {"HOME": str(folder.parent / "home"), "PATH": f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                       "COLUMNS": "100", "PLANKEEP_NOW": "2026-11-20T16:59:10Z", "PLANKEEP_CHECKPOINTS": "wait"}
        for command in commands:
            run = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
            yield f"$ {command}\n{run.stdout.decode('utf-8')}"


def main(program):
    text = README.read_bytes().decode("utf-8")
    plan = re.search(r"^```markdown\n(.*?)^```", text, re.DOTALL | re.MULTILINE).group(1)
    session = re.search(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    commands = re.findall(r"^\$ (.+)$", session.group(1), re.MULTILINE)
    if len(commands) < 5:
        print(f"too few commands: {commands}")
        return 1
    printed = "".join(played(program, plan, commands))
    if os.environ.get("PLANKEEP_ACCEPT") == "1":
        README.write_bytes((text[:session.start(1)] + printed + text[session.end(1):]).encode("utf-8"))
        print("accepted, nothing compared")
        return SKIPPED
    if printed == session.group(1):
        return 0
    print("README.md differs from what the program prints (PLANKEEP_ACCEPT=1 accepts):")
    print("".join(difflib.unified_diff(session.group(1).splitlines(True), printed.splitlines(True), "README.md", "program")))
    return 1


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
