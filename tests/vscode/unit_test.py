#!/usr/bin/env python3
"""tsc has nothing to say about the extension, and its unit tests pass. Skipped without node and its packages."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

EXTENSION = pathlib.Path(__file__).resolve().parents[2] / "hooks" / "vscode"
TOOLS = EXTENSION / "node_modules" / ".bin"


def run(*words):
    done = subprocess.run(words, cwd=EXTENSION, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def main():
    node = shutil.which("node")
    if node is None or not (TOOLS / "tsc").exists() or not (TOOLS / "esbuild").exists():
        print("node or the packages of the extension are missing: npm ci --ignore-scripts in hooks/vscode")
        return 77
    run(TOOLS / "tsc", "--noEmit")
    tests = sorted(EXTENSION.glob("test/*.test.ts"))
    with tempfile.TemporaryDirectory() as folder:
        run(TOOLS / "esbuild", *tests, "--bundle", "--platform=node", "--log-level=warning", f"--outdir={folder}")
        said = run(node, "--test", folder)
    if f"# pass {sum(text.count('test(') for text in map(pathlib.Path.read_text, tests))}\n" not in said:
        sys.exit(f"not every test was run:\n{said}")
    return 0


sys.exit(main())
