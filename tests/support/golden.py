"""Compares what a program said with the file that has what it should say.

PLANKEEP_ACCEPT=1 writes the file instead; such a run exits with 77, which ctest counts as skipped, never as passed.
"""

import difflib
import os
import sys

SKIPPED = 77


def compare(expected, actual):
    """The exit status of a test. Prints the difference between the text `actual` and the file `expected`."""
    if os.environ.get("PLANKEEP_ACCEPT") == "1":
        expected.write_text(actual, encoding="utf-8")
        print(f"accepted: {expected.parent.name}")
        return SKIPPED
    wanted = expected.read_text(encoding="utf-8") if expected.exists() else ""
    if wanted == actual:
        return 0
    sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), actual.splitlines(True), "expected", "actual"))
    return 1
