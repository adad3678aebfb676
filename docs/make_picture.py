#!/usr/bin/env python3
"""Makes docs/terminal.svg: a terminal session of the real program.

  python3 docs/make_picture.py build/release/bin/plankeep > docs/terminal.svg

Each command runs on a terminal of its own (a pty of 80 columns), in a temporary folder with a home of its own, so the
picture holds no path, user or host name. The clock is fixed, so the same program makes the same picture; tests/docs
compares. Only the colours that the program uses are drawn: bold, dim, reversed, red, green, yellow, cyan.
"""

import os
import pathlib
import pty
import re
import sys
import tempfile
from xml.sax.saxutils import escape

COLUMNS, ROWS = 80, 24
PLAN = """\
# Password reset

## Phase 1: Tokens
<!-- CHECKPOINT: tokens -->

- [x] Table for reset tokens <!-- TASK: token-table -->
- [ ] Redeem a token once <!-- TASK: redeem | after: token-table -->
- [ ] A token works only once <!-- ACCEPT: single-use -->

## Phase 2: Interface
<!-- CHECKPOINT: interface -->

- [ ] Ask for a reset <!-- TASK: ask | after: redeem -->
"""
SESSION = [["init"], ["status"], ["done", "redeem", "single-use"], ["next"]]

BACKGROUND, FOREGROUND = "#16181d", "#d7dae0"
COLOURS = {"31": "#f0717a", "32": "#8cc570", "33": "#e5c07b", "36": "#5fb8c2"}
CHARACTER, LINE, MARGIN, SIZE = 8.4, 19, 18, 14


def on_a_terminal(program, arguments, folder):
    """What one command writes to its terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        environment = {"HOME": str(folder.parent / "home"), "PATH": "/usr/bin:/bin", "TERM": "xterm-256color",
                       "LC_ALL": "C.UTF-8", "COLUMNS": str(COLUMNS), "PLANKEEP_CHECKPOINTS": "off",
                       "PLANKEEP_NOW": "2026-11-20T16:00:00Z"}
        os.execve(program, ["plankeep", *arguments], environment)
    said = b""
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            read = b""
        if not read:
            break
        said += read
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = said.decode("utf-8").replace("\r\n", "\n")
    if status != 0:
        sys.exit(f"plankeep {' '.join(arguments)} ended with {status}:\n{text}")
    return text.rstrip("\n").split("\n")


def spans(line, codes):
    """`line` as (codes, text) pairs. `codes` are those in force: one for each kind of look, kept for the next line."""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            for code in part[2:-1].split(";"):
                if code in ("", "0"):
                    codes.clear()
                elif code in ("22", "27", "39"):
                    for kind in {"22": ("1", "2"), "27": ("7",), "39": ("colour",)}[code]:
                        codes.pop(kind, None)
                else:
                    codes["colour" if code in COLOURS else code] = code
        elif part:
            yield dict(codes), part


def drawn(line, row, codes):
    """One line. Every word has its column, so that a font of another width cannot shift what is below each other."""
    behind, pieces, column = [], [], 0
    for look, text in spans(line, codes):
        style = ' font-weight="bold"' if "1" in look else ""
        style += ' opacity="0.6"' if "2" in look else ""
        if "7" in look:
            behind.append(f'<rect x="{MARGIN + column * CHARACTER:g}" y="{MARGIN + row * LINE - 2}" '
                          f'width="{len(text) * CHARACTER:g}" height="{LINE}"/>')
            style += f' fill="{BACKGROUND}"'
        elif "colour" in look:
            style += f' fill="{COLOURS[look["colour"]]}"'
        for word in re.finditer(r"\S+(?: \S+)*", text):
            x = MARGIN + (column + word.start()) * CHARACTER
            width = len(word.group()) * CHARACTER
            pieces.append(f'<tspan x="{x:g}" textLength="{width:g}"{style}>{escape(word.group())}</tspan>')
        column += len(text)
    text = f'<text y="{MARGIN + 12 + row * LINE}">{"".join(pieces)}</text>' if pieces else ""
    return "".join(behind) + text


def terminal_picture(title, lines):
    """A terminal that shows these lines; with the escape sequences for their looks."""
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    if len(plain) > ROWS or max(map(len, plain)) > COLUMNS:
        sys.exit(f"{max(map(len, plain))} columns and {len(plain)} lines do not fit into {COLUMNS} by {ROWS}")
    width = 2 * MARGIN + COLUMNS * CHARACTER
    height = 2 * MARGIN + len(plain) * LINE
    codes = {}
    picture = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" '
        f'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="{SIZE}" '
        f'fill="{FOREGROUND}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        *filter(None, (drawn(line, row, codes) for row, line in enumerate(lines))),
        "</svg>",
    ]
    return "\n".join(picture) + "\n"


def main(program):
    lines = []
    with tempfile.TemporaryDirectory() as top:
        folder = pathlib.Path(top).resolve() / "password-reset"
        folder.mkdir()
        (folder / "plan.md").write_text(PLAN, encoding="utf-8")
        for arguments in SESSION:
            lines.append(f"\x1b[36m$\x1b[0m \x1b[1mplankeep {' '.join(arguments)}\x1b[0m")
            lines += on_a_terminal(program, arguments, folder)
    commands = ", ".join(arguments[0] for arguments in SESSION)
    sys.stdout.write(terminal_picture(f"plankeep in a terminal: {commands}", lines))


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
