#!/usr/bin/env python3
"""plankeep in whose place `lsp` is answered here: as little of the protocol as shows what the extension asks of a server and does
with its answers. Everything else is the program that PLANKEEP_REAL names.

    language_server.py WORDS...
"""

import json
import os
import subprocess
import sys
import urllib.parse


def path_of(uri):
    return urllib.parse.unquote(urllib.parse.urlsplit(uri).path)


def receive():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def at(line, start, end):
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


class Server:
    def __init__(self):
        self.texts = {}

    def answer(self, method, params):
        if method == "initialize":
            return {"capabilities": {
                "textDocumentSync": 1, "codeLensProvider": {},
                "executeCommandProvider": {"commands": ["plankeep.tick"]}}}
        if method == "plankeep/status":
            done = subprocess.run([os.environ["PLANKEEP_REAL"], "status", "--json", "--plan", path_of(params["uri"])],
                                  stdout=subprocess.PIPE, check=False)
            status = json.loads(done.stdout)
            status["plan"]["title"] = "Told by the server"
            return status
        if method == "textDocument/codeLens":
            uri = params["textDocument"]["uri"]
            return [{"range": at(number, 0, 1), "command": {"title": f"Tick line {number + 1}", "command": "plankeep.tick",
                                                            "arguments": [uri, line.split("TASK: ")[1].split(" ")[0]]}}
                    for number, line in enumerate(self.texts[uri].split("\n")) if line.startswith("- [ ] ")]
        if method == "workspace/executeCommand":
            uri, task = params["arguments"]
            lines = self.texts[uri].split("\n")
            number = next(number for number, line in enumerate(lines) if f"TASK: {task} " in line)
            edit = {"changes": {uri: [{"range": at(number, 3, 4), "newText": "x"}]}}
            send(id="edit", method="workspace/applyEdit", params={"label": params["command"], "edit": edit})
            send(method="plankeep/changed", params={"uri": uri})
        return None

    def note(self, method, params):
        if method == "textDocument/didOpen":
            uri, self.texts[params["textDocument"]["uri"]] = params["textDocument"]["uri"], params["textDocument"]["text"]
        elif method == "textDocument/didChange":
            uri, self.texts[params["textDocument"]["uri"]] = params["textDocument"]["uri"], params["contentChanges"][-1]["text"]
        else:
            return method != "exit"
        send(method="textDocument/publishDiagnostics", params={"uri": uri, "diagnostics": [
            {"range": at(6, 0, 10), "severity": 2, "source": "plankeep", "code": "double", "message": "said by the server"}]})
        return True


def main():
    if sys.argv[1:2] != ["lsp"]:
        os.execv(os.environ["PLANKEEP_REAL"], ["plankeep", *sys.argv[1:]])
    if "--help" in sys.argv:
        return
    server = Server()
    while True:
        message = receive()
        if "method" not in message:
            continue
        if "id" in message:
            send(id=message["id"], result=server.answer(message["method"], message.get("params")))
        elif not server.note(message["method"], message.get("params")):
            return


main()
