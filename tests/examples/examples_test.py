"""Golden outputs of the example plans: examples/plans/<name>/expected/ and examples/dialects/<name>/expected/.

  examples_test.py PROGRAM

Each plan is copied to a folder of its own, so the repository stays untouched. What depends on the place or the moment
(the folder, times) is replaced by a word. PLANKEEP_ACCEPT=1 writes the outputs instead of comparing
(tests/support/golden.py).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import golden  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PLANS = EXAMPLES / "plans"
DIALECTS = EXAMPLES / "dialects"

# Before tracking, then from `init` on; the order matters.
CASES = [
    ("parse.json", ["parse", "plan.md", "--json"], 0),
    ("parse.txt", ["parse", "plan.md"], 0),
    ("lint.txt", ["lint", "plan.md"], 0),
    ("init.txt", ["init"], 0),
    ("status.txt", ["status"], 0),
    ("status.json", ["status", "--json"], 0),
    ("next.txt", ["next"], 0),
    ("resume.txt", ["resume"], 0),
]


# Plans of other tools, read as they are; FILE stands for the plan's name.
DIALECT_CASES = [
    ("parse.json", ["parse", "FILE", "--json"], 0),
    ("parse.txt", ["parse", "FILE"], 0),
    ("init.txt", ["init", "FILE"], 0),
    ("status.txt", ["status"], 0),
    ("next.txt", ["next"], 0),
    ("annotate.txt", ["annotate", "--check", "FILE"], 1),
    ("export.md", ["export", "--to", "github-tasklist"], 0),
    ("export.csv", ["export", "--to", "csv"], 0),
]
IMPORT_CASES = [
    ("import.txt", ["import", "FILE"], 0),
    ("status.txt", ["status", "--plan", "plan.md"], 0),
    ("parse.txt", ["parse", "plan.md"], 0),
]


def without_place_and_time(text, folder):
    text = text.replace(str(folder), "<folder>")
    text = re.sub(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z", "<time>", text)
    return re.sub(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?", "<time>", text)


def outputs(program, plan, folder, cases):
    shutil.copy(plan, folder)
    environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(folder.parent / "home"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
    for name, arguments, status in cases:
        arguments = [plan.name if word == "FILE" else word for word in arguments]
        run = subprocess.run([program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        text = run.stdout.decode("utf-8")
        if run.returncode != status or run.stderr:
            text += f"exit status {run.returncode}, wanted {status}\n{run.stderr.decode('utf-8')}"
        yield name, without_place_and_time(text, folder)


def main(program):
    results = set()
    plans = [(plan, plan.parent / "expected", CASES) for plan in sorted(PLANS.glob("*/plan.md"))]
    dialects = [(plan, plan.parent / "expected", DIALECT_CASES) for plan in sorted(DIALECTS.glob("*/*.md"))]
    imports = [(file, file.parent / "expected-import", IMPORT_CASES) for file in sorted(DIALECTS.glob("*/*.json"))]
    if len(plans) < 3 or len(dialects) < 7 or not imports:
        print(f"examples are missing: {len(plans)} plans, {len(dialects)} dialects, {len(imports)} imports")
        return 1
    with tempfile.TemporaryDirectory() as top:
        for number, (plan, expected, cases) in enumerate(plans + dialects + imports):
            folder = pathlib.Path(top).resolve() / str(number) / plan.parent.name
            folder.mkdir(parents=True)
            for name, text in outputs(program, plan, folder, cases):
                results.add(golden.compare(expected / name, text))
    return max(results)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
