#!/usr/bin/env python3
"""Makes docs/board.svg: `plankeep board` on a terminal of 80 columns and 24 rows.

  python3 docs/make_board_picture.py build/release/bin/plankeep > docs/board.svg

The plan is examples/plans/marked-feature. tmux is the terminal (exit status 77 where it is not installed); the clock is fixed,
so the same program makes the same picture. tests/docs compares.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from make_picture import COLUMNS, ROWS, terminal_picture

PLAN = pathlib.Path(__file__).resolve().parents[1] / "examples" / "plans" / "marked-feature" / "plan.md"
SKIPPED, LONGEST = 77, 60


def screen(program, top):
    """What stands on the screen once the board has drawn itself, with the escape sequences for the looks."""
    folder = top / "searches"
    folder.mkdir()
    shutil.copy(PLAN, folder / "plan.md")
    environment = {"HOME": str(top / "home"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PLANKEEP_CHECKPOINTS": "off",
                   "PLANKEEP_NOW": "2026-11-20T16:00:00Z", "TZ": "UTC", "TMUX_TMPDIR": str(top), "SHELL": "/bin/sh"}
    run = {"cwd": folder, "env": environment, "stdin": subprocess.DEVNULL, "timeout": LONGEST}
    subprocess.run([program, "init", "-q"], check=True, stdout=subprocess.DEVNULL, **run)
    tmux = ["tmux", "-S", str(top / "tmux"), "-f", "/dev/null", "-u"]

    def shown(*how):
        return subprocess.run([*tmux, "capture-pane", "-p", *how], check=True, stdout=subprocess.PIPE, **run).stdout.decode()

    subprocess.run([*tmux, "set-option", "-g", "status", "off", ";", "new-session", "-d", "-x", str(COLUMNS), "-y",
                    str(ROWS), "exec " + program + " board"], check=True, **run)
    try:
        end = time.monotonic() + LONGEST
        # All of it is there when the last row is, and when the next look sees the same.
        while "? help" not in shown() or shown() != shown():
            if time.monotonic() > end:
                sys.exit(f"the board never came:\n{shown()}")
            time.sleep(0.05)
        return shown("-e")
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, stderr=subprocess.DEVNULL, **run)


def main(program):
    if shutil.which("tmux") is None:
        print("tmux is not installed", file=sys.stderr)
        return SKIPPED
    with tempfile.TemporaryDirectory() as top:
        text = screen(program, pathlib.Path(top).resolve())
    sys.stdout.write(terminal_picture("plankeep board: a plan in a terminal", text.rstrip("\n").split("\n")))
    return 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
