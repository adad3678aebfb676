"""The completion scripts in the real shells: bash always, zsh and fish where they are installed (their syntax only).

  completion_test.py PROGRAM
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
failures = []

PLAN = """# P

<!-- CHECKPOINT: build -->
## Build

- [ ] Schema <!-- TASK: schema -->
- [ ] Server <!-- TASK: server -->
- [ ] It builds <!-- ACCEPT: builds | verify: true -->

<!-- CHECKPOINT: mail -->
## Mail

- [ ] Templates <!-- TASK: templates -->
"""


def completed(folder, *words):
    """What bash offers for the last of `words`."""
    script = f"""
      PATH={PROGRAM.parent}:$PATH
      source <(plankeep completion bash)
      COMP_WORDS=(plankeep "$@") COMP_CWORD=$#
      _plankeep
      printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    result = subprocess.run(["bash", "--norc", "-c", script, "bash", *words], cwd=folder, stdin=subprocess.DEVNULL,
                            env={"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
    if result.stderr:
        failures.append(f"{words}: {result.stderr.decode()}")
    return [line for line in result.stdout.decode().split("\n") if line]


def check(folder, words, wanted, unwanted=()):
    offered = completed(folder, *words)
    if any(word not in offered for word in wanted) or any(word in offered for word in unwanted):
        failures.append(f"{words}: offered {offered}, wanted {wanted}, not {unwanted}")


def main():
    with tempfile.TemporaryDirectory() as base:
        folder = pathlib.Path(base) / "project"
        folder.mkdir()
        (folder / "plan.md").write_text(PLAN)
        subprocess.run([PROGRAM, "init"], cwd=folder, env={"HOME": base, "PLANKEEP_CHECKPOINTS": "off"}, check=True,
                       stdout=subprocess.DEVNULL)
        check(folder, ["sta"], ["start", "status", "statusline"], ["stop", "init"])
        check(folder, ["--p"], ["--plan"])
        check(folder, ["-q", "--plan", "plan.md", "nex"], ["next"])
        check(folder, ["--color", ""], ["auto", "always", "never"])
        check(folder, ["done", "s"], ["schema", "server"], ["builds"])
        check(folder, ["done", "schema", "ser"], ["server"])
        check(folder, ["start", "--by", ""], ["main", "person"], ["schema"])
        check(folder, ["verify", ""], ["builds"], ["schema"])
        check(folder, ["status", "--pha"], ["--phase"])
        check(folder, ["status", "--phase", ""], ["build", "mail"])
        check(folder, ["log", "--event", "task_com"], ["task_completed"], ["task_added"])
        check(folder, ["log", "--task", "sch"], ["schema"])
        check(folder, ["graph", "--format", ""], ["text", "mermaid", "dot"])
        check(folder, ["export", "--to", "c"], ["csv"], ["json"])
        check(folder, ["checkpoint", ""], ["create", "list", "show"])
        check(folder, ["checkpoint", "show", ""], ["last"])
        check(folder, ["checkpoint", "list", "--type", ""], ["manual"])
        check(folder, ["rewind", "l"], ["last"])
        check(folder, ["install", "cl"], ["claude-code"])
        check(folder, ["use", "pl"], ["plan.md"])
        check(folder, ["--plan", "pl"], ["plan.md"])
        check(folder, ["lint", "pl"], ["plan.md"])
        check(folder, ["help", "stat"], ["status", "statusline"])
        check(folder, ["completion", ""], ["bash", "zsh", "fish"])
        check(folder, ["done", "--plan", "=", "plan.md", "sch"], ["schema"])
        check(folder, ["note", ""], [])
        # Every kind of argument.
        check(folder, ["reopen", ""], ["schema"])
        check(folder, ["start", "te"], ["templates"])
        check(folder, ["show", "t"], ["templates"])
        check(folder, ["claim", "se"], ["server"])
        check(folder, ["add", "x", "--parent", "se"], ["server"])
        check(folder, ["add", "x", "--after", "sc"], ["schema"])
        check(folder, ["add", "x", "--phase", ""], ["build", "mail"])
        check(folder, ["list", "--phase", "m"], ["mail"], ["build"])
        check(folder, ["list", "--by", "p"], ["person"])
        check(folder, ["checkpoint", "list", "--phase", ""], ["build", "mail"])
        check(folder, ["new", "--template", ""], ["marked", "plain", "spec"])
        check(folder, ["uninstall", "co"], ["codex", "copilot"])
        check(folder, ["hook", ""], ["claude-code", "opencode"])
        check(folder, ["archive", "pl"], ["plan.md"])
        check(folder, ["session", "list", "--client", "co"], ["codex", "copilot"])
        check(folder, ["session", ""], ["list", "show", "check"])
        # What strangers wrote is offered quoted, and never run.
        subprocess.run([PROGRAM, "done", "schema", "--by", "team:hacked"], cwd=folder, check=True,
                       env={"HOME": base, "PLANKEEP_CHECKPOINTS": "off"}, stdout=subprocess.DEVNULL)
        for name in ("state.json", "history.jsonl"):
            file = folder / ".checkpoint" / name
            file.write_text(file.read_text().replace("team:hacked", "team:$(touch hacked)"))
        check(folder, ["start", "--by", "team:$"], ["team:\\$\\(touch\\ hacked\\)"])
        if (folder / "hacked").exists():
            failures.append("a command out of the plan was run")
        # Nothing to offer is said by nothing.
        empty = pathlib.Path(base) / "empty"
        empty.mkdir()
        if completed(empty, "done", ""):
            failures.append("ids without a plan")
        for shell in ("bash", "zsh", "fish"):
            if not shutil.which(shell):
                continue
            script = subprocess.run([PROGRAM, "completion", shell], stdout=subprocess.PIPE, check=True).stdout
            result = subprocess.run([shell, "-n"], input=script, stderr=subprocess.PIPE, check=False)
            if result.returncode != 0:
                failures.append(f"{shell} -n: {result.stderr.decode()}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
