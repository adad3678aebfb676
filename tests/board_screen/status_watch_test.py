"""`plankeep status --watch` on a terminal and in a pipe.

  status_watch_test.py PROGRAM
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

from tmux import LONGEST, Failed, Terminal, World, check, play, process_of


def on_terminal(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    try:
        for key, status in (("q", "0"), ("C-c", "0")):
            terminal.command(f"clear; stty -g > ../before; {program} status --watch; code=$?; stty -g > ../after; "
                             "echo ended $code")
            terminal.wait_for("Sign-in for the shop", "T006", without=("ended",))
            world.change("- [ ] T006", "- [x] T006")
            terminal.wait_for("5 of 9")
            terminal.tmux("resize-window", "-x", "60", "-y", "20")
            terminal.wait_for("5 of 9")
            terminal.keys("x", key)
            terminal.wait_for(f"ended {status}")
            before, after = ((world.base / name).read_text() for name in ("before", "after"))
            check(f"{key}: the modes are as before", before == after, before + after)
            terminal.tmux("resize-window", "-x", "80", "-y", "24")
            world.change("- [x] T006", "- [ ] T006")
            world.run(program, "sync")
        terminal.command(f"clear; TERM=dumb {program} status --watch; echo ended $?")
        terminal.wait_for("4 of 9")
        os.kill(process_of(world, [program, "status", "--watch"]), signal.SIGTERM)
        terminal.wait_for("ended 0")
    finally:
        terminal.close()


def ages(program, base):
    """What is shown grows older although nothing happens."""
    world = World(program, base)
    then = time.time() - 50
    world.environment["PLANKEEP_NOW"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(then))
    world.change("- [ ] T006", "- [x] T006")
    world.run(program, "sync")
    terminal = Terminal(world)
    try:
        terminal.command(f"unset PLANKEEP_NOW; clear; {program} status --watch")
        terminal.wait_for("5 of 9")
        # Within ten seconds; a machine that took longer to begin shows it at once.
        terminal.wait_for("1 min ago", without=("just now",))
        terminal.keys("q")
    finally:
        terminal.close()


class Piped:
    def __init__(self, world, *words):
        self.process = subprocess.Popen([world.program, "status", "--watch", *words], cwd=world.folder,
                                        env=world.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)

    def read_until(self, text):
        seen = b""
        while text.encode() not in seen:
            ready, _, _ = select.select([self.process.stdout], [], [], LONGEST)
            some = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not some:
                raise Failed(f"no {text!r}: {seen.decode()}")
            seen += some
        return seen.decode()


def piped(program, base):
    world = World(program, base)
    reader = Piped(world, "--short")
    first = reader.read_until("T006")
    check("no escapes in a pipe", "\x1b" not in first, repr(first))
    # Nothing that is shown changes: nothing is printed.
    os.utime(world.plan)
    world.change("- [ ] T006", "- [x] T006")
    second = reader.read_until("5 of 9")
    check("the new status comes once", second.count("5 of 9") == 1 and "4 of 9" not in second, second)
    reader.process.send_signal(signal.SIGINT)
    rest = reader.process.stdout.read()
    check("Ctrl-C ends it", reader.process.wait(timeout=LONGEST) == 0 and rest == b"", rest)

    reader = Piped(world, "--json")
    document = json.loads(reader.read_until("\n}\n"))
    check("JSON is the status", document["progress"]["completedTasks"] == 5, document)
    reader.process.stdout.close()
    world.change("- [x] T006", "- [ ] T006")
    check("a reader that went away ends it", reader.process.wait(timeout=LONGEST) == 0)

    reader = Piped(world)
    reader.read_until("T006")
    shutil.rmtree(world.folder)
    check("a folder that is removed ends it", reader.process.wait(timeout=LONGEST) == 3)
    reader.process.stdout.close()


def mistakes(program, base):
    world = World(program, base)
    for words in (["--all"], ["--check"]):
        answer = world.run(program, "status", "--watch", *words, check=False)
        check(f"--watch with {words}", "--watch cannot be combined" in answer, answer)
    answer = world.run(program, "status", "--watch", "--phase", "nowhere", check=False)
    check("an unknown phase ends it", "nowhere" in answer, answer)


if __name__ == "__main__":
    sys.exit(play((on_terminal, ages, piped, mistakes), "tmux"))
