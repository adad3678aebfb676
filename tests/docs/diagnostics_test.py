#!/usr/bin/python3
"""docs/diagnostics.md has a heading for every code, under its severity, and lint reports that code for each example.

  diagnostics_test.py PROGRAM
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "diagnostics.md"
LEVELS = {"Errors": "error", "Warnings": "warning", "Information": "note"}
ONLY_TRACKED = {"unproven-criterion"}
WITHOUT_EXAMPLE = {"invalid-utf8", "secret-in-plan"}


def lint(program, folder, text, tracked=False):
    (folder / "plan.md").write_text(text, encoding="utf-8")
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "PLANKEEP_CHECKPOINTS": "off"}
    if tracked:
        subprocess.run([program, "init"], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([program, "lint", "--format", "sarif", "plan.md"], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout)["runs"][0]


def codes_of(page):
    """(code, level, example) of each heading."""
    level = code = None
    fence = example = None
    for line in page.splitlines(keepends=True):
        if fence is not None:
            if line.rstrip() == fence:
                fence = None
            else:
                example += line
        elif opening := re.match(r"(`{3,})markdown$", line):
            assert example is None, f"{code} has two examples"
            fence, example = opening.group(1), ""
        elif line.startswith("##"):
            if code is not None:
                yield code, level, example
            code, example = None, None
            if line.startswith("## "):
                level = line[3:].strip()
            else:
                code = line[4:].strip()
    yield code, level, example


def main():
    program = os.path.realpath(sys.argv[1])
    page = list(codes_of(PAGE.read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory() as base:
        base = pathlib.Path(base).resolve()
        rules = lint(program, base, "- [ ] First\n")["tool"]["driver"]["rules"]
        wanted = {rule["id"]: rule["defaultConfiguration"]["level"] for rule in rules}
        explained = {code: LEVELS[level] for code, level, _ in page if level in LEVELS}
        assert explained == wanted, (set(wanted.items()) ^ set(explained.items()))
        for number, (code, level, example) in enumerate(page):
            if level not in LEVELS or code in WITHOUT_EXAMPLE:
                assert example is None, code
                continue
            folder = base / str(number)
            folder.mkdir()
            run = lint(program, folder, example, tracked=code in ONLY_TRACKED)
            told = {one["ruleId"] for one in run["results"]}
            assert code in told, (code, told)
            others = told - {code, "no-tasks"}
            assert not others, f"the example of {code} has {others} too"


if __name__ == "__main__":
    main()
