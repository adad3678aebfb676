"""The board on real terminals: its screens at three sizes, and what its keys do to the plan.

  screens_test.py PROGRAM

Screens stand in golden/; PLANKEEP_ACCEPT=1 writes them, and such a run counts as skipped.
"""

import difflib
import os
import pathlib
import sys
import time

from tmux import LONGEST, SKIPPED, Terminal, World, check, failures, play

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
ACCEPT = os.environ.get("PLANKEEP_ACCEPT") == "1"


def compare(name, terminal, *texts, without=()):
    """Once these texts are on the screen. It may be caught half drawn: it is looked at until it is as expected."""
    path = GOLDEN / f"{name}.txt"
    screen = terminal.wait_for(*texts, without=without)
    if ACCEPT:
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(screen, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    end = time.monotonic() + LONGEST
    while screen != expected and time.monotonic() < end:
        time.sleep(0.05)
        screen = terminal.screen()
    if screen != expected:
        failures.append(name)
        print("".join(difflib.unified_diff(expected.splitlines(True), screen.splitlines(True), name, "now")))


def sizes(program, base):
    for columns, rows in ((40, 10), (80, 24), (200, 50)):
        world = World(program, base / f"{columns}")
        terminal = Terminal(world, columns, rows)
        size = f"{columns}x{rows}"
        try:
            terminal.command(f"clear; {program} board")
            compare(f"plan-{size}", terminal, "T006", "? help", without=("$ ",))
            terminal.keys("?")
            compare(f"help-{size}", terminal, "Keys", "Esc back")
            terminal.keys("Escape")
            terminal.wait_for("T006")
            terminal.keys("/")
            terminal.type("hash")
            terminal.keys("Enter")
            compare(f"filter-{size}", terminal, "/hash", "T005", "? help", without=("T008", "T006"))
            terminal.keys("Escape")
            terminal.wait_for("T006", without=("/hash",))
            terminal.keys("Enter")
            compare(f"details-{size}", terminal, "Details", "plan.md:12")
            terminal.keys("Escape")
            terminal.wait_for("T006")
            terminal.keys("2")
            compare(f"log-{size}", terminal, "2026-11-20")
            terminal.keys("q")
            terminal.wait_for("$")
        finally:
            terminal.close()


def changes(program, base):
    world = World(program, base, git=True)
    terminal = Terminal(world)
    text = lambda: world.plan.read_text(encoding="utf-8")
    before = text()
    try:
        terminal.command(f"{program} board")
        terminal.wait_for("> ", "T006")
        terminal.keys("Space")
        terminal.wait_for("\ndone\n")
        check("Space ticks", "- [x] T006" in text(), text())
        check("under the name of a person", '"by":"person"' in world.history(), world.history())
        terminal.keys("u")
        terminal.wait_for("undone")
        check("u unticks", text() == before, text())
        terminal.keys("a")
        terminal.wait_for("Add task:")
        terminal.type("写测试 with q and u")
        terminal.keys("Enter")
        terminal.wait_for("added ")
        check("a adds a step beside the step", "  - [ ] T010 写测试 with q and u" in text(), text())
        terminal.keys("u")
        terminal.wait_for("undone")
        check("u takes it away again, to the byte", text() == before, text())
        terminal.keys("d")
        terminal.wait_for("Decision:")
        terminal.type("Argon2")
        terminal.keys("Enter")
        terminal.wait_for("Reason")
        terminal.keys("Enter")
        terminal.wait_for("decision recorded")
        check("d decides", "<!-- DECISION: Argon2 -->" in text(), text())
        terminal.keys("b")
        terminal.wait_for("Blocker:")
        terminal.type("no key")
        terminal.keys("Enter")
        terminal.wait_for("1 blocker")
        terminal.keys("n")
        terminal.wait_for("Note:")
        terminal.type("look at T007")
        terminal.keys("Enter")
        terminal.wait_for("note saved")
        check("n leaves a note", "note_saved" in world.history(), world.history())
        terminal.keys("c")
        terminal.wait_for("claimed by person")
        # An error of a use case is said in place.
        terminal.keys("j", "c")
        terminal.wait_for("T004", "wait")
        # From outside, and marked until its time is over.
        world.change("- [ ] T008", "- [x] T008")
        terminal.wait_for("*    ✓ T008")
        terminal.wait_for("✓ T008", without=("*    ✓ T008",))
        # Verify asks as ever.
        terminal.keys("j", "v")
        terminal.wait_for("echo all well", "[y]es, [t]rust and run, [N]o")
        terminal.keys("n")
        terminal.wait_for("nothing was run")
        check("nothing ran", "acceptance_met" not in world.history(), world.history())
        terminal.keys("v")
        terminal.wait_for("[y]es")
        terminal.keys("y")
        terminal.wait_for("Verify", "tests", "Esc back")
        check("v verifies", "acceptance_met" in world.history(), world.history())
        terminal.keys("Escape")
        terminal.wait_for("◆ tests")
        terminal.keys("q")
        terminal.wait_for("$")
    finally:
        terminal.close()


def rewinds(program, base):
    world = World(program, base, git=True)
    (world.folder / "code.txt").write_text("first\n")
    world.run(program, "checkpoint", "create", "--note", "before")
    world.change("- [ ] T008", "- [x] T008")
    (world.folder / "code.txt").write_text("second\n")
    world.run(program, "sync")
    terminal = Terminal(world)
    try:
        terminal.command(f"{program} board")
        terminal.wait_for("T008")
        terminal.keys("R")
        terminal.wait_for("before")
        terminal.keys("R")
        seen = terminal.wait_for("Rewind? [y]es, [N]o", "code.txt")
        check("the dry run is a diff", "-- [x] T008" in seen and "+- [ ] T008" in seen, seen)
        terminal.keys("n")
        terminal.wait_for("nothing changed")
        check("n changes nothing", (world.folder / "code.txt").read_text() == "second\n")
        terminal.keys("R")
        terminal.wait_for("Rewind?")
        terminal.keys("y")
        terminal.wait_for("rewound; u undoes it")
        check("plan and files are back", (world.folder / "code.txt").read_text() == "first\n"
              and "- [ ] T008" in world.plan.read_text(encoding="utf-8"))
        terminal.keys("u")
        terminal.wait_for("undone")
        check("and forth again", (world.folder / "code.txt").read_text() == "second\n"
              and "- [x] T008" in world.plan.read_text(encoding="utf-8"))
        terminal.keys("q")
        terminal.wait_for("$")
    finally:
        terminal.close()


def looks(program, base):
    world = World(program, base)
    terminal = Terminal(world, NO_COLOR="1")
    try:
        terminal.command(f"{program} board")
        terminal.wait_for("T006")
        styled = terminal.styled()
        check("NO_COLOR: no colour, but the row of the cursor is told apart",
              "\x1b[32m" not in styled and "\x1b[0;7m" in styled, repr(styled))
        terminal.keys("q")
        terminal.wait_for("$")
    finally:
        terminal.close()
    terminal = Terminal(world, LC_ALL="C")
    try:
        terminal.command(f"clear; {program} board")
        seen = terminal.wait_for("T006", "? help")
        check("a locale without Unicode gets ASCII", seen.isascii(), seen)
        terminal.keys("q")
        terminal.wait_for("$")
    finally:
        terminal.close()


def resizing(program, base):
    world = World(program, base)
    terminal = Terminal(world)
    try:
        terminal.command(f"{program} board")
        terminal.wait_for("T006", "? help")
        for columns, rows in ((20, 10), (300, 100), (40, 10), (5, 2), (80, 24)):
            terminal.tmux("resize-window", "-x", str(columns), "-y", str(rows))
            terminal.wait_for("T006" if columns >= 40 else "Compare" if columns == 20 else "")
        terminal.wait_for("T006", "? help  q quit  Space tick")
        terminal.keys("q")
        terminal.wait_for("$")
    finally:
        terminal.close()


if __name__ == "__main__":
    status = play((sizes, changes, rewinds, looks, resizing), "tmux", "git")
    sys.exit(SKIPPED if ACCEPT and status == 0 else status)
