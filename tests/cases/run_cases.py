#!/usr/bin/python3
"""Runs one end-to-end case against the real program.

  run_cases.py PROGRAM CASE

A case is a folder:

    cmd        what to do, a line each (below); '#' begins a comment
    files/     what stands in the project folder at the start (may be missing)
    expected   the transcript: each line of cmd with what it printed

Lines of cmd:

    plankeep ARGS...            runs the program; its stdout, stderr ("err| ") and exit status (if not 0) are noted
    env NAME=VALUE              for the following runs; an empty value removes it
    now TIME                    sets the program's clock
    cd FOLDER                   relative to the project folder
    put FILE TEXT               writes a file; \\n, \\r and \\xHH count
    append FILE TEXT
    replace FILE OLD NEW        in a file, once, as an editor would
    delete FILE
    folder FOLDER
    link FILE TARGET
    show FILE                   notes the file's content; bytes that are not printable as \\xHH
    tree                        notes the names of all files
    git ARGS...                 runs git in the current folder, with nobody's configuration and a fixed time
    damaged                     the records are meant to be damaged at the end: their schemas are not checked

Hermetic: an environment of our own, HOME beside the project, a fixed clock, no terminal. What depends on the place is
masked: the project folder is <root>, the home folder <home>, the program <program>, a plan's stamp (time and inode of a file) is left out, and
how long a command ran and when a file was changed is <time>, the machine's name is <host>, sizes that depend on it
are <size>; the digits of a plan's path in a ref are <path>.

PLANKEEP_ACCEPT=1 writes `expected` instead of comparing (tests/support/golden.py).
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import golden  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schemas"))
from validate_tree import Schemas, check_text, check_tree  # noqa: E402

NOW = "2026-11-20T15:43:50.123Z"
TIMEOUT = 60
# Commands whose --json has the schema of another command; every other schema has its command's name.
SAME_SCHEMA = {"uninstall": "install", "new": "status", "init": "status", **{
    name: "changes" for name in ["sync", "done", "reopen", "start", "decide", "block", "unblock", "note", "add"]}}


class Case:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.schemas = Schemas()
        self.lines = []
        self.check = True

    def run(self):
        with tempfile.TemporaryDirectory(prefix="plankeep-case-") as base:
            base = pathlib.Path(base).resolve()
            self.root = base / "project"
            self.home = base / "home"
            self.home.mkdir()
            source = self.folder / "files"
            if source.is_dir():
                shutil.copytree(source, self.root, symlinks=True)
            else:
                self.root.mkdir()
            self.cwd = self.root
            self.environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.home), "PLANKEEP_NOW": NOW}
            for line in (self.folder / "cmd").read_text(encoding="utf-8").splitlines():
                if line.strip() and not line.startswith("#"):
                    self.step(line)
            self.check_records()
        return "\n".join(self.lines) + "\n"

    def step(self, line):
        words = shlex.split(line)
        verb, rest = words[0], words[1:]
        self.lines.append("$ " + line)
        getattr(self, "do_" + verb)(*rest)

    def path(self, name):
        return self.cwd / name

    def do_plankeep(self, *arguments):
        result = subprocess.run([self.program, *arguments], cwd=self.cwd, env=self.environment, timeout=TIMEOUT,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.note(result.stdout, "")
        self.note(result.stderr, "err| ")
        if result.returncode != 0:
            self.lines.append("status " + str(result.returncode))
        if "--json" in arguments and result.stdout:
            self.check_output(arguments, result.stdout)

    def do_git(self, *arguments):
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"), ("DATE", "2026-11-20T15:00:00Z"))}
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
                       "GIT_CONFIG_GLOBAL": "/dev/null", **who}
        subprocess.run(["git", "-c", "init.defaultBranch=main", *arguments], cwd=self.cwd, env=environment,
                       timeout=TIMEOUT, check=True, stdout=subprocess.DEVNULL)

    def do_env(self, setting):
        name, _, value = setting.partition("=")
        if value:
            self.environment[name] = value.replace("<root>", str(self.root))
        else:
            self.environment.pop(name, None)

    def do_now(self, time):
        self.environment["PLANKEEP_NOW"] = time

    def do_cd(self, folder):
        self.cwd = (self.root / folder).resolve()

    def do_put(self, name, text):
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_bytes(unescape(text))

    def do_append(self, name, text):
        with open(self.path(name), "ab") as file:
            file.write(unescape(text))

    def do_replace(self, name, old, new):
        before = self.path(name).read_bytes()
        if unescape(old) not in before:
            sys.exit(f"{self.folder.name}: {name} does not hold {old!r}")
        self.path(name).write_bytes(before.replace(unescape(old), unescape(new), 1))

    def do_delete(self, name):
        self.path(name).unlink()

    def do_folder(self, name):
        self.path(name).mkdir(parents=True)

    def do_link(self, name, target):
        self.path(name).symlink_to(target)

    def do_show(self, name):
        self.note(self.path(name).read_bytes(), "  ")

    def do_tree(self):
        for path in sorted(self.root.rglob("*")):
            if not path.is_dir() or path.is_symlink():
                self.lines.append("  " + path.relative_to(self.root).as_posix())

    def note(self, output, prefix):
        text = escape(output)
        text = text.replace(str(self.root), "<root>").replace(str(self.home), "<home>")
        text = re.sub(r',?\n *"planStamp": \{[^}]*\}', "", text)
        text = text.replace(os.path.realpath(self.program), "<program>")
        text = re.sub(r'("durationMs": ?)[0-9]+', r"\1<time>", text)
        # What differs from machine to machine in a checkpoint, and with it its size.
        text = re.sub(r'("last_modified": ?)"[^"]*"', r'\1"<time>"', text)
        text = re.sub(r'("hostname": ?)"[^"]*"', r'\1"<host>"', text)
        text = re.sub(r'("(?:size_bytes|freed_bytes)": ?)[0-9]+', r"\1<size>", text)
        text = re.sub(r"(checkpoints?(?: deleted| would be deleted)?,) [0-9]+ (bytes|kB)", r"\1 <size>", text)
        text = re.sub(r"(passed in|after) [0-9.]+ (ms|s)\b", r"\1 <time>", text)
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        elif output:
            lines[-1] += "\\"  # no final newline
        self.lines.extend((prefix + line).rstrip() if not line else prefix + line for line in lines)

    def do_damaged(self):
        self.check = False

    def schema_of(self, arguments):
        """`checkpoint diff` has a schema of its own, `session list` that of `session`."""
        known = self.schemas.names()
        for words in [arguments[:2], *([word] for word in arguments)]:
            name = "output-" + SAME_SCHEMA.get(words[0], "-".join(words))
            if name in known:
                return name
        return None

    def check_output(self, arguments, output):
        name = "output-error" if output.startswith(b'{"error":') else self.schema_of(arguments)
        if name is not None:
            self.note_findings("output that does not match its schema:",
                               check_text(self.schemas, name, output.decode("utf-8"), "-"))

    def note_findings(self, title, findings):
        if findings:
            self.lines.append(title)
            self.note("\n".join(map(str, findings)).encode("utf-8", "surrogateescape") + b"\n", "  ")

    def check_records(self):
        """Every file of records that the program left must be valid."""
        tracked = any(path.is_dir() and not path.is_symlink() for path in self.root.rglob(".checkpoint"))
        if self.check and tracked:
            self.note_findings("records that do not match their schemas:", check_tree(self.schemas, self.root))


def escape(output):
    text = output.decode("utf-8", errors="surrogateescape")
    return "".join(c if c == "\n" or c.isprintable() else
                   "".join(f"\\x{byte:02x}" for byte in c.encode("utf-8", errors="surrogateescape")) for c in text)


def unescape(text):
    out = bytearray()
    at = 0
    while at < len(text):
        two = text[at:at + 2]
        if two in ("\\n", "\\r", "\\t", "\\\\"):
            out += {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}[two[1]]
            at += 2
        elif two == "\\x":
            out.append(int(text[at + 2:at + 4], 16))
            at += 4
        else:
            out += text[at].encode("utf-8")
            at += 1
    return bytes(out)


def main(kind, doc):
    if len(sys.argv) != 3:
        print(doc, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[2])
    actual = kind(os.path.abspath(sys.argv[1]), folder).run()
    return golden.compare(folder / "expected", actual)


if __name__ == "__main__":
    sys.exit(main(Case, __doc__))
