"""Compares the output of a test with its golden file.

PLANKEEP_ACCEPT=1 writes the file instead. Such a run exits with 77, which ctest counts as skipped, never as passed.
"""

import difflib
import os
import sys

SKIPPED = 77


def compare(expected, actual):
    """The exit status of a test. Prints the differences between the file `expected` and the text `actual`."""
    if os.environ.get("PLANKEEP_ACCEPT") == "1":
        expected.parent.mkdir(exist_ok=True)
        expected.write_bytes(actual.encode("utf-8"))
        print(f"accepted: {expected}")
        return SKIPPED
    # As bytes: reading as text would hide differences in line ends.
    wanted = expected.read_bytes().decode("utf-8") if expected.is_file() else ""
    if wanted == actual and expected.is_file():
        return 0
    print(f"{expected} differs (PLANKEEP_ACCEPT=1 accepts):")
    sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), actual.splitlines(True), "expected", "actual"))
    return 1
