"""An idle board and an idle `status --watch` sleep: nothing wakes them but keys, signals and changed files.

  idle_test.py PROGRAM

Told by system calls, not by time: strace is attached, then a change is made; of the calls that are traced all belong
to that change. A loop that looks now and then would have made calls before it.
"""

import subprocess
import sys
import time

from tmux import LONGEST, SKIPPED, Terminal, World, check, play, process_of

# So long a sleeping process is watched. Not a limit: whatever wakes up within it is one wake-up too many.
QUIET = 3


def traced(process, log, during):
    strace = subprocess.Popen(["strace", "-f", "-p", str(process), "-o", str(log)], stderr=subprocess.PIPE)
    line = strace.stderr.readline().decode()
    if "attached" not in line:
        strace.kill()
        print("strace cannot attach:", line)
        sys.exit(SKIPPED)
    try:
        during()
    finally:
        strace.terminate()
        strace.wait(timeout=LONGEST)
    return log.read_text().splitlines()


def wake_ups(lines):
    """What the process did: of the call that it sleeps in only the beginning is there."""
    return [line for line in lines if "<unfinished" not in line and "<detached" not in line
            and "restart_syscall" not in line and "poll(" not in line.split("resumed")[0]]


def sleeps(program, base, words, ready):
    world = World(program, base)
    terminal = Terminal(world)
    try:
        terminal.command(f"{program} {' '.join(words)}")
        terminal.wait_for(*ready)
        process = process_of(world, [program, *words])
        quiet = traced(process, base / "quiet", lambda: time.sleep(QUIET))
        check(f"{words}: no call while nothing happens", not wake_ups(quiet), "\n".join(quiet))
        check(f"{words}: it sleeps in one poll", sum("poll(" in line for line in quiet) <= 1, "\n".join(quiet))

        def change():
            world.change("- [ ] T008", "- [x] T008")
            terminal.wait_for("✓ T008")

        busy = traced(process, base / "busy", change)
        check(f"{words}: a change wakes it", wake_ups(busy))
        terminal.keys("q")
        terminal.wait_for("$")
    finally:
        terminal.close()


def board(program, base):
    sleeps(program, base, ["board"], ("T006", "? help"))


def status(program, base):
    sleeps(program, base, ["status", "--watch", "--all-tasks"], ("T006", "T009"))


if __name__ == "__main__":
    sys.exit(play((board, status), "tmux", "strace"))
