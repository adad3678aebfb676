"""The terminal is as it was before, whichever way the board ends; and what is on disk is whole.

  ways_out_test.py PROGRAM
"""

import json
import os
import shutil
import signal
import sys

from tmux import PLAN, Terminal, World, check, gone, play, process_of


class Shell:
    """A shell that compares the terminal's modes before and after a command."""

    def __init__(self, world, terminal):
        self.world = world
        self.terminal = terminal
        self.count = 0

    def begin(self, command):
        for name in ("before", "after", "status"):
            (self.world.base / name).unlink(missing_ok=True)
        # A word that is not on the screen yet, and not in the line that is typed.
        self.count += 1
        base = self.world.base
        self.terminal.command(f"clear; stty -a > {base}/before; {command}; echo $? > {base}/status; stty -a > {base}/after; "
                              f"echo rea''dy {self.count}")

    def end(self):
        self.terminal.wait_for(f"ready {self.count}\n")
        before, after = ((self.world.base / name).read_text() for name in ("before", "after"))
        return before == after, int((self.world.base / "status").read_text())

    def check(self, what, status):
        same, code = self.end()
        check(f"{what}: the modes are as before", same,
              (self.world.base / "before").read_text() + (self.world.base / "after").read_text())
        check(f"{what}: status {status}", code == status, code)
        styled = self.terminal.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").strip()
        check(f"{what}: screen, cursor and mouse are back", styled == "0 1 0", styled)


def quits(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    shell = Shell(world, terminal)
    words = [program, "board"]
    try:
        shell.begin(f"{program} board")
        terminal.wait_for("T006", "? help")
        terminal.keys("q")
        shell.check("q", 0)
        shell.begin(f"{program} board")
        terminal.wait_for("T006", "? help")
        terminal.keys("C-c")
        shell.check("Ctrl-C", 128 + signal.SIGINT)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            shell.begin(f"{program} board")
            terminal.wait_for("T006", "? help")
            terminal.keys("a")
            terminal.wait_for("Add task:")
            os.kill(process_of(world, words), number)
            shell.check(number.name, 128 + number)
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
            shell.begin(f"ulimit -c 0; {program} board")
            terminal.wait_for("T006", "? help")
            os.kill(process_of(world, words), number)
            shell.check(number.name, 128 + number)
    finally:
        terminal.close()


def stops(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    terminal.command("exec bash --norc --noprofile -i")
    terminal.wait_for("$")
    terminal.command(f"clear; stty -a > ../before; {program} board; stty -a > ../after; echo rea''dy")
    try:
        terminal.wait_for("T006", "? help")
        terminal.keys("C-z")
        terminal.wait_for("Stopped")
        terminal.command("stty -a > ../stopped; echo loo''ked")
        terminal.wait_for("looked\n")
        modes = lambda name: (world.base / name).read_text()
        check("stopped: the shell has its modes", modes("before") == modes("stopped"), modes("stopped"))
        # Something else happens meanwhile, and is seen.
        world.change("- [ ] T008", "- [x] T008")
        terminal.command("fg")
        terminal.wait_for("✓ T008", "? help")
        terminal.keys("q")
        terminal.wait_for("$", without=("? help",))
        terminal.command("stty -a > ../after; echo once ''more")
        terminal.wait_for("once more\n")
        check("and after it went on and ended", modes("before") == modes("after"), modes("after"))
    finally:
        terminal.close()


def stopped_by_others(program, base):
    """SIGSTOP gives no warning: the shell takes the terminal as it was left, and sets modes of its own."""
    for command, ready, after in (("board", "? help", "✓ T008"), ("status --watch --all-tasks", "T009", "✓ T008")):
        world = World(program, base / command.split()[0])
        terminal = Terminal(world)
        words = command.split()
        terminal.command("exec bash --norc --noprofile -i")
        terminal.wait_for("$")
        terminal.command(f"clear; stty -a > ../before; {program} {command}; echo en''ded")
        state = lambda: terminal.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").strip()
        modes = lambda name: (world.base / name).read_text()
        try:
            terminal.wait_for("T006", ready)
            at_first = state()
            process = process_of(world, [program, *words])
            os.kill(process, signal.SIGSTOP)
            terminal.wait_for("Stopped")
            terminal.command("tput rmcup; tput cnorm; clear; echo loo''ked")
            terminal.wait_for("looked\n")
            world.change("- [ ] T008", "- [x] T008")
            terminal.command("fg")
            terminal.wait_for(after, ready, without=("looked",))
            check(f"{command}: screen, cursor and mouse are taken again", state() == at_first, (state(), at_first))
            if command == "board":
                # Keys come one by one, and are not echoed.
                terminal.keys("/")
                terminal.type("hash")
                terminal.wait_for("/hash", "T005", without=("T009",))
                terminal.keys("Enter", "Escape")
                terminal.wait_for("T009")
            terminal.keys("q")
            gone(process)
            terminal.wait_for("$", without=(ready,))
            terminal.command("stty -a > ../after; clear; echo once ''more")
            terminal.wait_for("once more\n")
            check(f"{command}: and it ends with the shell's modes", modes("before") == modes("after"), modes("after"))
        finally:
            terminal.close()


def vanishes(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    shell = Shell(world, terminal)
    try:
        shell.begin(f"{program} -C {world.folder} board")
        terminal.wait_for("T006", "? help")
        world.plan.unlink()
        terminal.wait_for("T006", "cannot be read")
        world.plan.write_text("# Back\n\n- [ ] again\n")
        terminal.wait_for("again")
        shutil.rmtree(world.folder)
        shell.check("the folder is removed", 3)
        # rmtree takes the plan first: a look in between finds no plan, and its folder still there.
        said = terminal.screen()
        check("and it is said", "was removed" in said or "is missing" in said, said)
    finally:
        terminal.close()


def closed(program, base):
    """A terminal that goes away ends the board, and is no busy loop."""
    world = World(program, base)
    terminal = Terminal(world)
    terminal.command(f"{program} board")
    terminal.wait_for("T006", "? help")
    process = process_of(world, [program, "board"])
    terminal.close()
    gone(process)


def killed(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    try:
        for count in range(5):
            terminal.command(f"clear; {program} board")
            terminal.wait_for("T006", "? help")
            process = process_of(world, [program, "board"])
            terminal.keys("Space")
            terminal.wait_for("\ndone\n")
            terminal.keys("u")
            terminal.wait_for("\nundone\n")
            # Wherever it is by then.
            terminal.keys(*["Space", "Space"] * count)
            os.kill(process, signal.SIGKILL)
            gone(process)
            # What no program can put right: the modes are still those of the board, so Enter is no line feed.
            # Keys that it did not read any more are the shell's.
            terminal.keys("C-j")
            terminal.type(f"stty sane; printf '\\033[?1049l\\033[?25h\\033[?1000l'; clear; echo rea''dy {count}")
            terminal.keys("C-j")
            terminal.wait_for(f"ready {count}\n")
            for line in world.history().splitlines():
                json.loads(line)
            json.loads((world.folder / ".checkpoint" / "state.json").read_text())
            text = world.plan.read_text(encoding="utf-8")
            check("the plan is whole", text.count("- [") == 10 and text.startswith("# Sign-in")
                  and text.endswith("<!-- TASK: T009 -->\n"), text)
            world.run(program, "sync")
            recorded = world.history()
            answer = world.run(program, "sync")
            check("the records agree with it", world.history() == recorded, answer)
            status = json.loads(world.run(program, "status", "--json"))
            check("as do the numbers", status["progress"]["completedTasks"] == text.count("- [x]"), status)
            answer = world.run(program, "log", "--verify")
            check("the history's chain holds", "intact" in answer, answer)
            # Back to the beginning, wherever the kill came.
            world.plan.write_text(PLAN, encoding="utf-8")
            world.run(program, "sync")
    finally:
        terminal.close()


def refused(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    shell = Shell(world, terminal)
    try:
        for name in ("dumb", "unknown", "no-such-terminal", ""):
            shell.begin(f"TERM='{name}' {program} board")
            shell.check(f"TERM={name!r}", 3)
            check("with a reason", "error:" in terminal.screen(), terminal.screen())
        for line in (f"{program} board < /dev/null", f"{program} board | cat; false", f"{program} board --json"):
            shell.begin(line)
            same, code = shell.end()
            check(f"{line}: refused", same and code != 0, code)
            check(f"{line}: with a reason", "plankeep: error:" in terminal.screen(), terminal.screen())
        # Where no terminfo is installed, the descriptions that are compiled in do.
        for name in ("xterm-kitty", "alacritty-direct", "tmux-256color", "screen-256color", "xterm-256color"):
            nowhere = "TERMINFO=/nowhere TERMINFO_DIRS=/nowhere"
            shell.begin(f"{nowhere} TERM={name} {program} board")
            terminal.wait_for("T006", "? help")
            terminal.keys("Down", "q")
            shell.check(f"{name} without terminfo", 0)
    finally:
        terminal.close()


if __name__ == "__main__":
    sys.exit(play((quits, stops, stopped_by_others, vanishes, closed, killed, refused), "tmux", "bash"))
