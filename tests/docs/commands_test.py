"""docs/commands.md is what the program says, and the manual page knows every command.

  commands_test.py PROGRAM

With PLANKEEP_ACCEPT=1 the file is written instead of compared, and the run counts as skipped (77), never as passed.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
SKIPPED = 77


def generated(program):
    return subprocess.run(["bash", DOCS / "make_commands.sh", program], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, timeout=120, check=True).stdout.decode("utf-8")


def main(program):
    page = DOCS / "commands.md"
    text = generated(program)
    commands = re.findall(r"^## (.+)$", text, re.MULTILINE)
    if len(commands) < 30:
        print(f"the help lists too few commands: {commands}")
        return 1
    if os.environ.get("PLANKEEP_ACCEPT") == "1":
        page.write_bytes(text.encode("utf-8"))
        print("accepted, nothing compared")
        return SKIPPED
    failed = False
    wanted = page.read_bytes().decode("utf-8")
    if text != wanted:
        failed = True
        print("docs/commands.md differs from the program's help (PLANKEEP_ACCEPT=1 accepts):")
        print("".join(difflib.unified_diff(wanted.splitlines(True), text.splitlines(True), "docs/commands.md", "program")))
    # `.B git\-setup \fR...`: an entry for each command, with its dashes escaped or not.
    manual = (DOCS / "plankeep.1").read_text(encoding="utf-8").replace("\\-", "-")
    for command in commands:
        if not re.search(rf"^\.B {re.escape(command)}(?![\w-])", manual, re.MULTILINE):
            failed = True
            print(f"docs/plankeep.1 has no entry for {command}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
