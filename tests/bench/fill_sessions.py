#!/usr/bin/python3
"""Prints a stream for git fast-import: session checkpoints, one commit each.

  fill_sessions.py COUNT refs|branch
"""

import hashlib
import json
import random
import sys

LINE = '{"type":"user","message":{"role":"user","content":"step %d of the work, with words"}}\n'


def metadata(identity, session, number, folder):
    usage = {"input_tokens": 10, "cache_creation_tokens": 0, "cache_read_tokens": 5, "output_tokens": 7, "api_call_count": 1}
    files = [f"src/part{number % 97}.c", "src/shared.c"]
    one = {"cli_version": "0.8.1", "checkpoint_id": identity, "session_id": session, "strategy": "manual-commit",
           "created_at": f"2026-{1 + number % 11:02}-{1 + number % 28:02}T10:{number // 60 % 60:02}:{number % 60:02}Z",
           "branch": "main", "checkpoints_count": 2, "files_touched": files, "agent": "Claude Code", "model": "m-1",
           "token_usage": usage}
    whole = {"cli_version": "0.8.1", "checkpoint_id": identity, "strategy": "manual-commit", "branch": "main",
             "checkpoints_count": 2, "files_touched": files,
             "sessions": [{"metadata": f"/{folder}0/metadata.json", "transcript": f"/{folder}0/full.jsonl",
                           "content_hash": f"/{folder}0/content_hash.txt", "prompt": f"/{folder}0/prompt.txt"}],
             "token_usage": usage}
    return [(json.dumps(value, indent=2) + "\n").encode() for value in (whole, one)]


def main(count, layout):
    out = sys.stdout.buffer
    chance = random.Random(7)
    for number in range(count):
        identity = f"{chance.getrandbits(48):012x}"
        folder = "" if layout == "refs" else f"{identity[:2]}/{identity[2:]}/"
        ref = f"refs/entire/checkpoints/{identity[-2:]}/{identity}" if layout == "refs" else "refs/heads/entire/checkpoints/v1"
        whole, one = metadata(identity, f"session-{number // 50}", number, folder)
        transcript = "".join(LINE % step for step in range(number, number + 20)).encode()
        digest = b"sha256:" + hashlib.sha256(transcript).hexdigest().encode()
        message = f"Checkpoint: {identity}\n".encode()
        out.write(b"commit %s\ncommitter A <a@example.org> %d +0000\ndata %d\n%s" %
                  (ref.encode(), 1_760_000_000 + number, len(message), message))
        for name, content in (("metadata.json", whole), ("0/metadata.json", one), ("0/full.jsonl", transcript),
                              ("0/content_hash.txt", digest), ("0/prompt.txt", b"step %d" % number)):
            out.write(b"M 100644 inline %s%s\ndata %d\n%s\n" % (folder.encode(), name.encode(), len(content), content))
        out.write(b"\n")
    out.write(b"done\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
