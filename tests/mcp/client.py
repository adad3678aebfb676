"""A client of `plankeep mcp` over pipes, for the tests of this folder."""

import json
import os
import pathlib
import select
import subprocess
import time

PLAN = """# Auth

## Build
<!-- CHECKPOINT: build -->
- [x] Schema <!-- TASK: schema -->
- [ ] Login form <!-- TASK: login | after: schema -->
- [ ] Logout <!-- TASK: logout | after: login -->

## Ship
<!-- CHECKPOINT: ship -->
- [ ] Release notes <!-- TASK: notes -->
- [ ] Tests pass <!-- ACCEPT: tests | verify: true -->
"""
PATIENCE = 60


class Client:
    """`base`: an empty folder; the plan is in base/project, which is the server's working directory."""

    def __init__(self, program, base, plan=PLAN, arguments=()):
        self.root = pathlib.Path(base).resolve() / "project"
        self.root.mkdir(exist_ok=True)
        (self.root.parent / "home").mkdir(exist_ok=True)
        if plan is not None:
            (self.root / "plan.md").write_text(plan, encoding="utf-8")
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.root.parent / "home"), "PATH": "/usr/bin:/bin"}
        self.server = subprocess.Popen([program, "mcp", *arguments], cwd=self.root, env=environment, bufsize=0,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.buffer = b""
        self.ids = 0

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode() + b"\n"
        while data:
            data = data[os.write(self.server.stdin.fileno(), data):]

    def read(self):
        """The next message, or None at the end."""
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.buffer:
            if not select.select([self.server.stdout], [], [], end - time.monotonic())[0]:
                raise TimeoutError("the server said nothing")
            more = os.read(self.server.stdout.fileno(), 1 << 16)
            if not more:
                return None
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def ask(self, method, params=None):
        self.ids += 1
        message = {"jsonrpc": "2.0", "id": self.ids, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        answer = self.read()
        assert answer is not None and answer["id"] == self.ids, answer
        return answer

    def begin(self, revision="2025-11-25"):
        answer = self.ask("initialize", {"protocolVersion": revision, "capabilities": {},
                                         "clientInfo": {"name": "test", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def end(self):
        """Closes standard input; the exit status and what was said on standard error."""
        if not self.server.stdin.closed:
            self.server.stdin.close()
        return self.wait()

    def wait(self):
        status = self.server.wait(timeout=PATIENCE)
        errors = self.server.stderr.read().decode("utf-8", "replace")
        self.server.stdout.close()
        self.server.stderr.close()
        if not self.server.stdin.closed:
            self.server.stdin.close()
        return status, errors
