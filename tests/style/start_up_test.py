#!/usr/bin/env python3
"""Every pattern of src/cli/start_up.ld names something that the linker is given.

The script lists objects and mangled names by hand; one that was renamed would be passed over without a word,
and only the clock would show it.

    start_up_test.py SCRIPT BUILD_FOLDER READELF
"""
import fnmatch
import pathlib
import re
import subprocess
import sys


def inputs(build, readelf):
    """(object as the linker names it, section) of everything of ours."""
    archives = sorted(path for path in (build / "src").glob("*/libplankeep_*.a"))
    objects = sorted((build / "src" / "cli" / "CMakeFiles" / "plankeep.dir").glob("*.o"))
    found = set()
    for path in archives + objects:
        name = str(path)
        lines = subprocess.run([readelf, "-SW", name], check=True, capture_output=True, text=True).stdout
        for line in lines.splitlines():
            if line.startswith("File: "):
                archive, member = line[6:].rstrip(")").rsplit("(", 1)
                name = f"{archive}:{member}"
            elif match := re.match(r"\s*\[\s*\d+\]\s+(\S+)\s+PROGBITS", line):
                found.add((name, match.group(1)))
    return found


def patterns(script):
    """(pattern of objects, pattern of sections) as the script has them."""
    for line in script.splitlines():
        for objects, sections in re.findall(r"([*/\w.:]+)\((\.[^()]*)\)", line):
            for section in sections.split():
                yield objects, section


def unmatched(script, found):
    missing = []
    for objects, section in patterns(script):
        if section == ".text":
            continue  # beside .text.*: an object need not have it
        wanted = [pair for pair in found
                  if fnmatch.fnmatchcase(pair[0], objects) and fnmatch.fnmatchcase(pair[1], section)]
        if not wanted:
            missing.append(f"{objects}({section})")
    return missing


def main():
    script = pathlib.Path(sys.argv[1]).read_text()
    found = inputs(pathlib.Path(sys.argv[2]), sys.argv[3])
    known = list(patterns(script))
    if len(known) < 20 or len(found) < 1000:
        sys.exit(f"{len(known)} patterns, {len(found)} sections: not read rightly")
    # The check itself: a name that nobody has.
    if not unmatched("  *(.text._ZN8plankeep4core11no_such_one*)\n", found):
        sys.exit("a pattern without a match was not found")
    missing = unmatched(script, found)
    for pattern in missing:
        print(f"matches nothing: {pattern}")
    sys.exit(1 if missing else 0)


main()
