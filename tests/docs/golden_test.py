"""What in docs/ is made from the program is what the program says now.

  golden_test.py PROGRAM commands    docs/commands.md; and docs/plankeep.1 has an entry for every command
  golden_test.py PROGRAM picture     docs/terminal.svg
  golden_test.py PROGRAM report      docs/report.svg
  golden_test.py PROGRAM board       docs/board.svg; skipped (77) where there is no tmux

PLANKEEP_ACCEPT=1 writes the file instead of comparing (tests/support/golden.py).
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import golden  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
SKIPPED = 77
MADE = {
    "commands": ("commands.md", ["bash", DOCS / "make_commands.sh"]),
    "picture": ("terminal.svg", ["/usr/bin/python3", "-B", DOCS / "make_picture.py"]),
    "report": ("report.svg", ["/usr/bin/python3", "-B", DOCS / "make_report_picture.py"]),
    "board": ("board.svg", ["/usr/bin/python3", "-B", DOCS / "make_board_picture.py"]),
}


def without_entry(commands):
    """Those of `commands` that the manual page does not explain."""
    manual = (DOCS / "plankeep.1").read_text(encoding="utf-8").replace("\\-", "-")
    return [command for command in commands if not re.search(rf"^\.B {re.escape(command)}(?![\w-])", manual, re.MULTILINE)]


def main(program, what):
    name, maker = MADE[what]
    made = subprocess.run([*maker, program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=120, check=False)
    if made.returncode == SKIPPED:
        return SKIPPED
    made.check_returncode()
    text = made.stdout.decode("utf-8")
    if text.count("\n") < 20:
        print(f"too little for {name}:\n{text}")
        return 1
    status = golden.compare(DOCS / name, text)
    if what == "commands":
        commands = re.findall(r"^## (.+)$", text, re.MULTILINE)
        missing = without_entry(commands)
        if len(commands) < 30 or missing:
            status = 1
            print(f"{len(commands)} commands, without an entry in docs/plankeep.1: {missing}")
    return status


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
