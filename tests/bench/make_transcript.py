"""make_transcript.py FOLDER BYTES: prints JSON lines as a client writes them, made from the sources below FOLDER, with a
secret in every fiftieth. The same for the same sources."""

import json
import pathlib
import random
import string
import sys


def main():
    rng = random.Random(3)
    letters = string.ascii_letters + string.digits
    folder, wanted = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    sources = [path.read_text(errors="replace") for path in sorted(folder.rglob("*.?pp"))]
    written = number = 0
    while written < wanted:
        number += 1
        source = rng.choice(sources)
        at = rng.randrange(max(1, len(source) - 100))
        text = source[at:at + rng.choice([200, 500, 2000, 8000, 20000])]
        if number % 50 == 0:
            text += " token = \"" + "".join(rng.choices(letters, k=40)) + "\" ghp_" + "".join(rng.choices(letters, k=36))
        line = json.dumps({
            "type": "assistant", "uuid": f"{rng.getrandbits(128):032x}", "cwd": "/home/kim/project",
            "timestamp": "2026-01-01T00:00:00.000Z",
            "message": {"role": "assistant", "content": [
                {"type": "text", "text": text},
                {"type": "tool_use", "id": "toolu_1", "name": "Edit",
                 "input": {"file_path": "/a/b.c", "new_string": text[:500], "old_string": text[100:400]}}]}})
        written += len(line) + 1
        print(line)


if __name__ == "__main__":
    main()
