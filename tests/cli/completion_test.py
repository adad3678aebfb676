"""The completion scripts in the real shells. bash and zsh are started on a terminal of their own, a line is typed, and
the key that puts in every match is pressed: what stands in the line then is what was offered. fish says itself what it
offers (complete -C).

  completion_test.py bash|zsh|fish PROGRAM      77: the shell is not installed
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

SHELL = sys.argv[1]
PROGRAM = pathlib.Path(sys.argv[2]).resolve()
SKIPPED = 77
failures = []

PLAN = """# P

<!-- CHECKPOINT: build -->
## Build

- [ ] Schema <!-- TASK: schema -->
- [ ] Server <!-- TASK: server -->
- [ ] Twice <!-- TASK: twice -->
- [ ] It builds <!-- ACCEPT: builds | verify: true -->

<!-- BLOCKER: waiting -->

<!-- CHECKPOINT: mail -->
## Mail

- [ ] Templates <!-- TASK: templates -->
- [ ] Again <!-- TASK: twice -->
"""


class Fish:
    """Asks fish itself."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        script = subprocess.run([PROGRAM, "completion", "fish"], stdout=subprocess.PIPE, check=True).stdout.decode()
        (folder.parent / "plankeep.fish").write_text(script)

    def offered(self, line):
        command = f"source {self.folder.parent}/plankeep.fish; complete -C {quoted(line)}"
        result = subprocess.run(["fish", "--no-config", "-c", command], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                                check=False)
        if result.stderr:
            failures.append(f"fish, {line}: {result.stderr.decode()}")
        return [row.split("\t")[0] for row in result.stdout.decode().split("\n") if row]

    def close(self):
        pass


class Typed:
    """A shell on a terminal: a line is typed, everything that is offered put into it, and the line is printed."""

    START = {
        "bash": (["bash", "--norc", "--noprofile", "-i"], """
PS1='READY>' PS2= HISTFILE=; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'
bind '"\\C-t": insert-completions'; printed() { printf '<%s>' "$@"; echo END; }; source <(plankeep completion bash)
"""),
        # The file stands where a package puts it: in a folder of $fpath.
        "zsh": (["zsh", "-f", "-i"], """
PS1='READY>' PS2= RPS1= ; unsetopt PROMPT_SP BEEP; setopt NO_NOMATCH; bindkey -e
fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u -D; zle -C all complete-word _generic
zstyle ':completion:all:*' completer _all_matches _complete; zstyle ':completion:all:*' insert true
bindkey '^T' all; printed() { printf '<%s>' "$@"; echo END; }
"""),
    }

    def __init__(self, folder, environment):
        functions = folder.parent / "functions"
        functions.mkdir(exist_ok=True)
        script = subprocess.run([PROGRAM, "completion", "zsh"], stdout=subprocess.PIPE, check=True).stdout
        (functions / "_plankeep").write_bytes(script)
        command, setup = self.START[SHELL]
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.child = child
        import fcntl, struct, termios  # pylint: disable=import-outside-toplevel,multiple-imports
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 2000, 0, 0))
        for line in setup.strip().split("\n"):
            self.send(line + "\r")
        self.send("echo SET''UP\r")
        self.wait(rb"SETUP\r?\n")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, pattern, seconds=40):
        got = b""
        until = time.monotonic() + seconds
        while not re.search(pattern, got):
            ready, _, _ = select.select([self.terminal], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError(f"{SHELL} did not print {pattern!r}: {got[-2000:]!r}")
            got += os.read(self.terminal, 65536)
        return got

    def offered(self, line):
        # Everything is typed at once: the shell reads on when it is done with a key.
        self.send(line + "\x14\x01printed \r")
        got = self.wait(rb"<plankeep>.*END\r?\n").decode(errors="replace")
        words = re.findall(r"<([^>]*)>", got[got.rindex("<plankeep>"):])
        before = line.split(" ")
        return words[len(before) - 1:]

    def close(self):
        self.send("\x15exit\r")
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def main():
    if not shutil.which(SHELL):
        print(f"{SHELL} is not installed: its completions were not tested")
        return SKIPPED
    with tempfile.TemporaryDirectory() as base:
        folder = pathlib.Path(base) / "project"
        folder.mkdir()
        environment = {"HOME": base, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8",
                       "TERM": "dumb" if SHELL == "bash" else "vt100", "XDG_STATE_HOME": base + "/state",
                       "XDG_CONFIG_HOME": base + "/config", "PLANKEEP_CHECKPOINTS": "off",
                       "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                       "GIT_COMMITTER_EMAIL": "a@b"}

        def run(*command, given=None):
            subprocess.run(command, cwd=folder, env=environment, check=True, input=given, stdout=subprocess.DEVNULL)

        for command in (["init", "-q", "-b", "trunk"], ["remote", "add", "upstream", "nowhere"],
                        ["commit", "-q", "--allow-empty", "-m", "first"], ["branch", "topic"]):
            run("git", *command)
        (folder / "plan.md").write_text(PLAN)
        run(PROGRAM, "init")
        run(PROGRAM, "done", "schema", "--by", "team:web")
        (folder / "plan.md").write_text((folder / "plan.md").read_text().replace("Schema", "The schema") + "\ntext\n")
        run(PROGRAM, "sync")
        payload = '{"session_id":"sess-0042","transcript_path":"","cwd":"%s","hook_event_name":"SessionStart",' \
                  '"source":"startup"}' % folder
        run(PROGRAM, "hook", "claude-code", "SessionStart", given=payload.encode())
        run(PROGRAM, "checkpoint", "create")
        checkpoint = subprocess.run([PROGRAM, "checkpoint", "list", "--json"], cwd=folder, env=environment,
                                    stdout=subprocess.PIPE, check=True).stdout.decode()
        checkpoint = re.search(r"cp_\w+", checkpoint).group()
        (folder / "docs").mkdir()

        shell = Fish(folder, environment) if SHELL == "fish" else Typed(folder, environment)

        def check(line, wanted, unwanted=()):
            offered = shell.offered("plankeep " + line)
            # What is offered may be quoted, and a folder has a slash.
            offered = [word.replace("\\", "").rstrip("/") for word in offered]
            if any(word not in offered for word in wanted) or any(word in offered for word in unwanted):
                failures.append(f"{SHELL}, {line!r}: offered {offered}, wanted {wanted}, not {unwanted}")

        check("sta", ["start", "status", "statusline"], ["stop", "init"])
        check("--p", ["--plan"])
        check("-q --plan plan.md nex", ["next"])
        check("--color ", ["auto", "always", "never"])
        check("--color=a", ["--color=always", "auto" if SHELL == "bash" else "--color=auto"])
        check("help stat", ["status", "statusline"])
        check("completion ", ["bash", "zsh", "fish"])
        check("note ", [], ["schema", "plan.md"])
        # Tasks, criteria, phases.
        for command in ("done", "reopen", "start", "show", "claim", "release"):
            check(f"{command} se", ["server"], ["schema"])
        check("done b", ["builds"])
        check("done schema ser", ["server"], ["schema"] if SHELL == "fish" else [])
        check("done tw", [])
        check("done build/", ["build/twice", "build/server"])
        check("session why se", ["server"])
        check("verify ", ["builds"], ["schema"])
        check("add x --parent se", ["server"])
        check("add x --after sc", ["schema"])
        check("add x --after schema,se", ["schema,server"])
        for command in ("add x", "list", "status", "checkpoint list", "commit"):
            check(f"{command} --phase ", ["build", "mail"], ["schema"])
        check("list --phase=m", ["--phase=mail"])
        check("status --pha", ["--phase"])
        check("log --task sch", ["schema"])
        check("log --event task_com", ["task_completed"], ["task_added"])
        check("log --since ", ["2h", "7d"])
        check("unblock ", ["waiting"], ["TEXT", "N"])
        # Actors, with the character that bash breaks words at.
        check("start --by ", ["main", "person"], ["schema"])
        check("list --by team:", ["team:web"])
        check("list --by=team:w", ["--by=team:web"])
        # Plans, files, folders.
        for command in ("use", "archive", "--plan", "status --plan", "lint", "init", "parse", "annotate", "import",
                        "rewind --of"):
            check(f"{command} pl", ["plan.md"])
        check("use pro", ["project"])
        check("status --plan pro", ["project"])
        check("status --plan=pl", ["--plan=plan.md"])
        check("done --plan=plan.md sch", ["schema"])
        check("-C do", ["docs"])
        check("archive --move do", ["docs"])
        check("plans do", ["docs"])
        check("report --out pl", ["plan.md"])
        check("status --run pro", ["project"])
        # What was recorded.
        check("checkpoint ", ["create", "list", "show"])
        check("checkpoint show ", ["last", checkpoint])
        check("checkpoint diff last cp", [checkpoint])
        check("checkpoint checkout last do", ["docs"])
        check("checkpoint export ", ["sess-0042", checkpoint])
        check("checkpoint list --type ", ["manual"])
        check("checkpoint list --session ", ["sess-0042"])
        check("checkpoint export --commit t", ["trunk", "topic"])
        check("claim server --session s", ["sess-0042"])
        check("rewind l", ["last"])
        check("rewind last -- pl", ["plan.md"])
        check("restore ", ["1"])
        check("commit --existing to", ["topic"])
        # Clients and sessions.
        check("install cl", ["claude-code"])
        check("uninstall co", ["codex", "copilot"])
        check("hook ", ["claude-code", "opencode"])
        check("hook claude-code Session", ["SessionStart", "SessionEnd"], ["PostToolUse"])
        check("git-hook post", ["post-commit", "post-rewrite"])
        check("statusline ", ["claude-code"], ["codex"])
        check("session ", ["list", "show", "check"])
        check("session list --client co", ["codex", "copilot"])
        check("session list --branch t", ["trunk", "topic"])
        check("session push ", ["upstream"])
        # Choices.
        check("graph --format ", ["text", "mermaid", "dot"])
        check("export --to c", ["csv"], ["json"])
        check("new --template ", ["marked", "plain", "spec"])
        # What strangers wrote is offered quoted, and never run.
        for name in ("state.json", "history.jsonl"):
            file = folder / ".checkpoint" / name
            file.write_text(file.read_text().replace("team:web", "team:$(touch hacked)"))
        check("start --by team:", ["team:$(touch hacked)"])
        if (folder / "hacked").exists():
            failures.append("a command out of the plan was run")
        # Nothing to offer is said by nothing.
        if "server" in shell.offered(f"plankeep -C {base} done ser"):
            failures.append("ids without a plan")
        shell.close()
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
