#!/usr/bin/env python3
"""What the files of the extension say of each other and of the program. Needs no node.

    manifest_test.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "hooks" / "vscode"
manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
source = (EXTENSION / "src" / "extension.ts").read_text(encoding="utf-8")
wrong = []


def check(holds, complaint):
    if not holds:
        wrong.append(complaint)


version = re.search(r"project\(plankeep VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
check(manifest["version"] == version and lock["version"] == version, f"the extension's version is not {version}")
check(lock["packages"][""]["devDependencies"] == manifest["devDependencies"], "the lock file is not of this package.json")
# A lock file works with any mirror: packages are known by their digests.
for name, package in lock["packages"].items():
    check("resolved" not in package, f"the lock file says where {name} is to be downloaded")
    check(name == "" or "integrity" in package or package.get("inBundle"), f"the lock file has no digest of {name}")
check("dependencies" not in manifest, "everything is in the bundle: only devDependencies")

commands = {one["command"] for one in manifest["contributes"]["commands"]}
generated = {f"plankeep.ui.{action}" for action in re.search(
    r"actions: readonly Action\[\] = \[(.*?)\]", (EXTENSION / "src" / "commands.ts").read_text(encoding="utf-8")).group(1)
    .replace("'", "").split(", ")}
registered = generated | set(re.findall(r"registerCommand\('(plankeep\.ui\.\w+)'", source))
check(commands == registered, f"declared and registered commands differ: {sorted(commands ^ registered)}")
check(not any(re.fullmatch(r"plankeep\.\w+", command) for command in commands),
      "plankeep.tick and its kin belong to the language server: the client registers them")
for place in ("view/title", "view/item/context", "commandPalette"):
    for entry in manifest["contributes"]["menus"][place]:
        check(entry["command"] in commands, f"{place} names {entry['command']}, which is no command")

trust = manifest["capabilities"]["untrustedWorkspaces"]
check(trust["supported"] == "limited" and trust["restrictedConfigurations"] == ["plankeep.path"],
      "a workspace that is not trusted must not say which program is run")
check("enableScripts: false" in source, "the report runs no scripts")
check(not re.search(r"\bexec\(|shell: true|\bfetch\(|https?\.", source), "no shell and no network")

# Each word that the extension says to the program is a command with these options.
words = (EXTENSION / "src" / "commands.ts").read_text(encoding="utf-8")
used = [re.findall(r"'([^']+)'", part) for part in re.findall(r"\w+: (\[[^\]]*\])", words.split("const words")[1].split("};")[0])]
used += [["status", "--json", "--plan"], ["list", "--json", "--plan"], ["report", "--out", "--plan"]]
check(len(used) == 10, f"expected ten command lines, found {len(used)}")
for command, *options in used:
    said = subprocess.run([sys.argv[1], command, "--help"], stdout=subprocess.PIPE, text=True, check=False)
    check(said.returncode == 0, f"plankeep {command} is no command")
    for option in [*options, "--plan"]:
        check(re.search(rf"^  {re.escape(option)}\b", said.stdout, re.MULTILINE), f"plankeep {command} has no {option}")

print("\n".join(wrong))
sys.exit(1 if wrong else 0)
