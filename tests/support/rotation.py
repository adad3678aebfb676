"""Which part of a large test runs today. Everything with PLANKEEP_WHOLE=1 (`tests/run.sh --all`), else a sample that
moves on with each commit, so that every part runs in time and a failure can be repeated from the commit alone."""

import os
import pathlib
import subprocess


def whole():
    return os.environ.get("PLANKEEP_WHOLE") == "1"


def rotation():
    """A number made from the commit that is tested; PLANKEEP_ROTATION names another. 0 outside of a repository."""
    told = os.environ.get("PLANKEEP_ROTATION")
    if told:
        return int(told)
    run = subprocess.run(["git", "-C", pathlib.Path(__file__).resolve().parent, "rev-parse", "--short=8", "HEAD"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return int(run.stdout, 16) if run.returncode == 0 else 0


def sampled(items, stride=1):
    """Every Nth of the items, N being the stride or what PLANKEEP_STRIDE says; all of them when everything runs."""
    stride = 1 if whole() else int(os.environ.get("PLANKEEP_STRIDE", stride))
    if stride == 1:
        return items
    start = rotation() % stride
    print(f"one in {stride} of {len(items)}, starting with number {start} (PLANKEEP_ROTATION={rotation()})", flush=True)
    return items[start::stride]


def first_and_stride(stride):
    """For tests that learn only as they run how many cases there are: the number of the first case to run, counted from
    1, and the distance to the next. PLANKEEP_STRIDE sets another distance."""
    stride = 1 if whole() else int(os.environ.get("PLANKEEP_STRIDE", stride))
    first = 1 + rotation() % stride
    if stride > 1:
        print(f"one in {stride}, starting with number {first} (PLANKEEP_ROTATION={rotation()})", flush=True)
    return first, stride
