#!/usr/bin/env python3
"""Reads the rooms with mingw-w64, as `cmake --preset mingw` compiles them, and makes no objects: that takes a quarter of
the time. One batch in three, another third with each commit; all of them with PLANKEEP_WHOLE=1.

    mingw_test.py SOURCE BUILD        BUILD: a folder of its own, configured anew
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from rotation import sampled  # noqa: E402

COMPILER = "x86_64-w64-mingw32-g++-posix"


def read(entry, extra=()):
    """What the compiler has to say about one file; None when it takes it."""
    words = shlex.split(entry["command"])
    words = words[:words.index("-o")] + words[words.index("-o") + 2:]
    words.remove("-c")
    done = subprocess.run([*words, "-fsyntax-only", *extra], cwd=entry["directory"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return None if done.returncode == 0 else f"{entry['file']}:\n{done.stdout[-4000:]}"


def finds_posix(entry):
    """A test that cannot fail is worthless: the same compiler, told to read a file that needs POSIX, refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        bad = pathlib.Path(folder, "bad.cpp")
        bad.write_text("#include <sys/wait.h>\nint main() { return 0; }\n")
        words = [word for word in shlex.split(entry["command"]) if not word.endswith((".cxx", ".cpp"))]
        said = read({"command": shlex.join([*words, str(bad)]), "directory": entry["directory"], "file": str(bad)})
        return said is not None and "sys/wait.h" in said


def main():
    source, build = sys.argv[1:]
    if shutil.which(COMPILER) is None:
        print(f"there is no {COMPILER}")
        return 77
    configured = subprocess.run(["cmake", "--preset", "mingw", "-B", build], cwd=source, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
    if configured.returncode != 0:
        print(configured.stdout)
        return 1
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    entries.sort(key=lambda entry: entry["file"])
    rooms = {entry["command"].split(" -o src/")[1].split("/")[0] for entry in entries}
    # The fleet needs libpq, of which Debian has no Windows version.
    expected = {path.parent.name for path in pathlib.Path(source, "src").glob("*/CMakeLists.txt")} - {"fleet"}
    failures = [f"these rooms are not compiled: {', '.join(sorted(expected - rooms))}"] if expected - rooms else []
    if not finds_posix(entries[0]):
        failures.append("a file that includes <sys/wait.h> was taken")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        failures += [said for said in several.map(read, sampled(entries)) if said]
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
