"""What the program does on a terminal: colours, width, the pager, an interrupt.

  terminal_test.py PROGRAM
"""

import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

PROGRAM = os.path.abspath(sys.argv[1])
LONG = "a title that goes on and on until it is much wider than any terminal of eighty columns can show at once"
failures = []


def check(what, fact, seen=""):
    if not fact:
        failures.append(what)
        print("FAILED:", what, repr(seen)[:1500])


def plan(tasks=3, phases=1):
    text = "# Plan\n"
    for p in range(phases):
        text += f"\n<!-- CHECKPOINT: phase-{p} -->\n## Phase {p}\n\n"
        text += "".join(f"- [ ] {LONG} <!-- TASK: task-{p}-{t} -->\n" for t in range(tasks))
    return text


def on_terminal(folder, *arguments, columns=80, rows=24, keys=None, after=0.0, send=None, once=None,
                **variables):
    """Exit status and all that came on the terminal. `once`: (bytes, what is called when they have come)."""
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8",
                   "PLANKEEP_CHECKPOINTS": "off"}
    for name, value in variables.items():
        environment[name] = value
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], cwd=folder, env=environment, stdin=terminal, stdout=terminal,
                               stderr=terminal, start_new_session=True,
                               preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(terminal)
    began = time.monotonic()
    seen = b""
    sent = False
    while time.monotonic() - began < 30:
        if not sent and time.monotonic() - began >= after:
            sent = True
            if keys is not None:
                os.write(main, keys)
            if send is not None:
                os.killpg(process.pid, send)
        ready, _, _ = select.select([main], [], [], 0.05)
        if not ready:
            continue
        try:
            some = os.read(main, 65536)
        except OSError:
            break
        if not some:
            break
        seen += some
        if once is not None and once[0] in seen:
            once[1]()
            once = None
    os.close(main)
    return process.wait(timeout=10), seen.decode("utf-8", "replace").replace("\r\n", "\n"), time.monotonic() - began


def piped(folder, *arguments, errors=subprocess.PIPE, **variables):
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"], **variables}
    result = subprocess.run([PROGRAM, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=errors, timeout=60, check=False)
    return result.returncode, result.stdout.decode()


def colours(folder):
    _, text, _ = on_terminal(folder, "status")
    check("a terminal is coloured", "\x1b[" in text, text)
    for variables in ({"TERM": "dumb"}, {"NO_COLOR": "1"}, {"CLICOLOR": "0"}):
        _, text, _ = on_terminal(folder, "status", **variables)
        check(f"no colour with {variables}", "\x1b[" not in text, text)
    _, text, _ = on_terminal(folder, "status", "--no-color")
    check("no colour with --no-color", "\x1b[" not in text, text)
    _, text, _ = on_terminal(folder, "--color=always", "status", NO_COLOR="1")
    check("--color always is stronger than NO_COLOR", "\x1b[" in text, text)
    _, text = piped(folder, "status", FORCE_COLOR="1")
    check("FORCE_COLOR colours a pipe", "\x1b[" in text, text)
    _, text = piped(folder, "status", LC_ALL="C")
    check("a locale without Unicode gets ASCII", text.isascii(), text)


def width(folder):
    _, text, _ = on_terminal(folder, "status", "--no-color")
    check("nothing is wider than the terminal", all(len(line) <= 80 for line in text.split("\n")), text)
    check("COLUMNS is obeyed", any(len(line) > 80 for line in
                                   on_terminal(folder, "status", "--no-color", COLUMNS="150")[1].split("\n")))
    for columns in (40, 50, 52):
        _, text = piped(folder, "status", "--help", COLUMNS=str(columns))
        check(f"help fits {columns} columns", all(len(line) <= columns for line in text.split("\n")), text)
    (folder / "plan.md").write_text(plan().replace("## Phase 0", "## " + LONG))
    _, text, _ = on_terminal(folder, "list", "--no-color")
    check("a phase's title in a list is cut on a terminal, its id and count are not",
          all(len(line.rstrip("\r")) <= 80 for line in text.split("\n")) and "  phase-0  0/3" in text, text)
    check("and in a pipe nothing is", LONG + "  phase-0  0/3" in piped(folder, "list")[1])
    (folder / "plan.md").write_text(plan())
    for command in ("status", "next", "parse", "graph", "log"):
        _, text = piped(folder, command)
        check(f"{command} cuts nothing in a pipe", "…" not in text and (command == "log" or LONG in text), text)


def fits(folder):
    for phases, tasks in ((1, 300), (30, 10), (300, 1), (2, 150)):
        (folder / "plan.md").write_text(plan(tasks, phases).replace("- [ ]", "- [x]", phases * tasks // 3))
        _, text, _ = on_terminal(folder, "status", "--no-color", PAGER="echo paged; cat")
        lines = text.rstrip("\n").split("\n")
        check(f"{phases} x {tasks} tasks fit", len(lines) < 24 and "33.3%" in lines[1] and "paged" not in text, text)
        check("with the current task", any(line.startswith("▸") for line in lines), text)
        _, text = piped(folder, "status", "--all-tasks")
        check("--all-tasks shows all", text.count("○ task-") + text.count("✓ task-") == phases * tasks, text)
    (folder / "plan.md").write_text(plan())


def pager(folder):
    shown = folder / "shown"
    catch = f"cat > {shown}; echo paged"
    code, text, _ = on_terminal(folder, "parse", PAGER=catch)
    check("long output goes through the pager", "paged" in text and "task-1-29" in shown.read_text(), text)
    check("the pager gets what the terminal would", "\x1b[" in shown.read_text())
    check("its end is ours", code == 0, code)
    shown.unlink()
    for arguments, variables in ((("next",), {}), (("--no-pager", "parse"), {}), (("parse", "--no-pager"), {}),
                                 (("parse", "--json"), {}), (("export",), {})):
        _, text, _ = on_terminal(folder, *arguments, PAGER=catch, **variables)
        check(f"no pager for {arguments}", not shown.exists() and "paged" not in text, text)
    for command in ("", "cat", "/no/such/pager", "no-such-pager --with words"):
        code, text, _ = on_terminal(folder, "parse", PAGER=command)
        check(f"PAGER={command!r} falls back", code == 0 and "task-1-29" in text, text)
    code, text, _ = on_terminal(folder, "parse", PAGER="head -1")
    check("a pager that has seen enough is fine", code == 0 and "plan.md" in text and "error" not in text, text)
    code, text, _ = on_terminal(folder, "lint", "--strict", PAGER=catch)
    check("the exit status is the command's", code == 1, (code, text))
    code, text, _ = on_terminal(folder, "parse", PAGER="echo \"LESS=$LESS\"; cat > /dev/null")
    check("less is told to leave short texts and colours alone", "LESS=FRX" in text, text)
    code, text, _ = on_terminal(folder, "parse", PAGER="trap 'echo caught' INT; cat > /dev/null; sleep 1; echo end",
                                keys=b"\x03", after=0.5)
    check("Ctrl-C is the pager's", "caught" in text and code == 0, (code, text))


def interrupts(folder):
    marked = folder / "verified"
    marked.mkdir()
    subprocess.run(["git", "init", "-q", str(marked)], check=True)
    (marked / "plan.md").write_text("# P\n\n<!-- CHECKPOINT: a -->\n## A\n\n- [ ] t <!-- TASK: t -->\n"
                                    "- [ ] c <!-- ACCEPT: c | verify: sleep 30 -->\n")
    piped(marked, "init")
    code, text, lasted = on_terminal(marked, "verify", "--yes", keys=b"\x03", after=1.5)
    check("verify ends with 130", code == 130, (code, text))
    check("and soon", lasted < 4, lasted)
    code, text, _ = on_terminal(marked, "verify", keys=b"\x03", after=0.7)
    check("so does its question", code == 130, (code, text))
    code, text, _ = on_terminal(marked, "rewind", keys=b"\x03", after=0.7)
    check("rewind without checkpoints says so", code in (2, 130), (code, text))
    code, text, _ = on_terminal(marked, "log", "--follow", keys=b"\x03", after=0.7)
    check("log --follow ends quietly", code == 0, (code, text))


def progress(folder):
    """A git that waits until it may go on: what is shown meanwhile does not depend on the time that anything takes."""
    work = folder / "worked"
    work.mkdir()
    gate = folder / "gate"
    tools = folder / "tools"
    tools.mkdir()
    git = tools / "git"
    git.write_text(f"#!/bin/sh\ncase \" $* \" in *' diff-files '*) while [ ! -e {gate} ]; do sleep 0.05; done;; esac\n"
                   f"PATH={os.environ['PATH']} exec git \"$@\"\n")
    git.chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    (work / "plan.md").write_text(plan())
    piped(work, "init")
    words = b"looking for changed files"
    code, text, _ = on_terminal(work, "checkpoint", "create", once=(words, gate.touch), PATH=path)
    check("long work is told on a terminal", words.decode() in text and code == 0, text)
    check("and taken off it at its end", "\r\x1b[K" in text[text.rfind(words.decode()):], text)
    create = ("checkpoint", "create")
    for name, run in {"a pipe": lambda: piped(work, *create, errors=subprocess.STDOUT, PATH=path),
                      "TERM=dumb": lambda: on_terminal(work, *create, PATH=path, TERM="dumb")[:2],
                      "--quiet": lambda: on_terminal(work, *create, "-q", PATH=path)[:2]}.items():
        # No line opens the gate, so a clock does: long after a line would have come.
        gate.unlink()
        opener = threading.Timer(1.5, gate.touch)
        opener.start()
        code, text = run()
        opener.join()
        check(f"no progress with {name}", words.decode() not in text and code == 0, text)


def main():
    with tempfile.TemporaryDirectory() as base:
        folder = pathlib.Path(base).resolve() / "project"
        folder.mkdir()
        (folder / "plan.md").write_text(plan())
        piped(folder, "init")
        colours(folder)
        width(folder)
        fits(folder)
        interrupts(folder)
        progress(folder)
        (folder / "plan.md").write_text(plan(30, 2))
        (folder / "plan.md").write_text(plan(30, 2) + "- [?] no marker\n")
        pager(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
