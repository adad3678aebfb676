"""Checks what plankeep writes against schemas/ (JSON Schema 2020-12).

  validate_tree.py schemas                     every schema is itself a valid schema and its references resolve
  validate_tree.py tree FOLDER...              every .checkpoint folder at or below FOLDER
  validate_tree.py output NAME FILE...         what `plankeep NAME --json` printed ("-" is standard input)
  validate_tree.py sample FILE...              files named <schema>.<what>.json; prints the verdict of each

Exit status 0: everything valid. 1: something is not, each finding on a line of its own. 2: usage.
"""

import hashlib
import json
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

from jsonschema import Draft202012Validator, RefResolver

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"
SUFFIX = ".schema.json"


class Schemas:
    def __init__(self, folder=SCHEMAS):
        self.texts = {}
        for path in sorted(folder.glob("*" + SUFFIX)):
            self.texts[path.name] = json.loads(path.read_text(encoding="utf-8"))
        base = folder.as_uri() + "/"
        store = {base + name: schema for name, schema in self.texts.items()}
        self._validators = {}
        for name, schema in self.texts.items():
            resolver = RefResolver(base + name, schema, store=store)
            self._validators[name[: -len(SUFFIX)]] = Draft202012Validator(schema, resolver=resolver)

    def names(self):
        return list(self._validators)

    def findings(self, name, value):
        """A line for each way in which `value` is not what the schema `name` says."""
        if name not in self._validators:
            return [f"there is no schema {name}{SUFFIX}"]
        found = []
        for error in self._validators[name].iter_errors(value):
            place = "/".join(str(part) for part in error.absolute_path) or "(root)"
            found.append(f"{place}: {error.message[:300]}")
        return found


def no_double_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key stands twice in one object")
    return dict(pairs)


def load(text):
    return json.loads(text, object_pairs_hook=no_double_keys)


def check_text(schemas, name, text, where):
    try:
        value = load(text)
    except ValueError as error:
        return [f"{where}: no JSON: {error}"]
    return [f"{where}: {finding}" for finding in schemas.findings(name, value)]


def check_history(schemas, path):
    text = path.read_bytes().decode("utf-8")
    lines = text.split("\n")
    found = [] if lines.pop() == "" else [f"{path}: the last line has no line feed"]
    for number, line in enumerate(lines, 1):
        found += check_text(schemas, "history-event", line, f"{path}:{number}")
    return found


# What may stand in a .checkpoint folder beside the files that have a schema.
OTHER_NAMES = {".gitignore", "checkpoints.db-journal", "checkpoints.db-shm", "checkpoints.db-wal", "commits.stamp",
               "errors.log", "errors.log.1", "hooks.log", "hooks.log.1", "lock", "shown.bin"}


# An earlier text of the plan: when it was seen, the end of the history then, the digits of its checksum.
KEPT_TEXT = re.compile(r"\d{8}T\d{6}\.\d{3}Z-\d+-([0-9a-f]{16})\.md")


def check_kept_texts(folder):
    found = []
    for path in sorted(folder.iterdir()):
        name = KEPT_TEXT.fullmatch(path.name)
        if path.name.endswith(".plankeep-tmp"):
            continue
        if not name:
            found.append(f"{path}: plankeep owns no file of this name")
        elif hashlib.sha256(path.read_bytes()).hexdigest()[:16] != name.group(1):
            found.append(f"{path}: does not hold what its name says")
    return found


CHECKPOINTS = "checkpoints.db"
CHECKPOINT_PARTS = ("work_state", "metadata", "moment")
CHAINED = ("checkpoint_id", "added", "instance_id", "checkpoint_type", "sequence_num", "context_window_percent",
           "timestamp", "phase_id", "turn", "message_id", "snapshot_ref", "plan_digest", "todo_digest", "work_digest",
           "prd_version", "prd_updated", "metadata", "moment")


def check_chain(database, where):
    """Each row's link is made of the link before it and the row; deleted rows have left theirs."""
    found = []
    deleted = {row["added"]: row["chain"] for row in database.execute("SELECT added, chain FROM cleaned")}
    rows = {row["added"]: row for row in database.execute("SELECT * FROM checkpoints")}
    link = ""
    for number in sorted({*deleted, *rows}):
        if number in rows:
            columns = (rows[number][name] for name in CHAINED)
            texts = (None if column is None else str(column).encode("utf-8") for column in columns)
            row = b"".join(b"-," if text is None else b"%d:%s," % (len(text), text) for text in texts)
            if hashlib.sha256(link.encode() + row).hexdigest() != rows[number]["chain"]:
                found.append(f"{where}: {rows[number]['checkpoint_id']} breaks the chain")
        link = rows[number]["chain"] if number in rows else deleted[number]
    return found


def check_checkpoints(schemas, folder):
    """Every row of the store as the checkpoint that `export` would print; on a copy, since closing a database writes."""
    found = []
    if not (folder / CHECKPOINTS).is_file():
        return [f"{folder / CHECKPOINTS}: is no regular file"]
    with tempfile.TemporaryDirectory() as copy:
        for path in folder.glob(CHECKPOINTS + "*"):
            if path.name in (CHECKPOINTS, CHECKPOINTS + "-wal"):
                shutil.copy(path, copy)
        database = sqlite3.connect(str(pathlib.Path(copy) / CHECKPOINTS))
        try:
            database.row_factory = sqlite3.Row
            if not database.execute("SELECT 1 FROM sqlite_schema").fetchone():
                return []  # as a process leaves it that dies while it makes one
            for line in database.execute("PRAGMA integrity_check"):
                found += [] if line[0] == "ok" else [f"{folder / CHECKPOINTS}: {line[0]}"]
            for row in database.execute("PRAGMA foreign_key_check"):
                found.append(f"{folder / CHECKPOINTS}: {tuple(row)} refers to nothing")
            if database.execute("SELECT COUNT(*) FROM cleaning").fetchone()[0]:
                found.append(f"{folder / CHECKPOINTS}: the door for deleting stands open")
            for digest, content in database.execute("SELECT digest, content FROM texts"):
                if hashlib.sha256(content).hexdigest() != digest:
                    found.append(f"{folder / CHECKPOINTS}: the text {digest} is another one")
            work = ""
            if database.execute("PRAGMA user_version").fetchone()[0] > 1:
                work = ", (SELECT CAST(content AS TEXT) FROM texts WHERE digest = work_digest) AS work_state"
                found += check_chain(database, folder / CHECKPOINTS)
            for row in database.execute(f"SELECT *, (SELECT content FROM texts WHERE digest = todo_digest) AS todo{work} "
                                        "FROM checkpoints"):
                value = {name: row[name] for name in ("checkpoint_id", "instance_id", "checkpoint_type", "sequence_num",
                                                      "context_window_percent", "timestamp")}
                value["phase_id"] = row["phase_id"] or None
                value.update({column: load(row[column]) for column in CHECKPOINT_PARTS})
                value["moment"].update(createdAt=row["timestamp"], todoSnapshot=load(row["todo"].decode("utf-8")))
                size = len(row["work_state"].encode("utf-8"))
                if work and row["prd_version"] is not None:
                    value["work_state"]["prd_status"].update(version=row["prd_version"], last_updated=row["prd_updated"])
                    size += len(str(row["prd_version"])) - 1
                if size > 5000 or size != value["metadata"]["size_bytes"]:
                    found.append(f"{row['checkpoint_id']}: its work_state has {size} bytes")
                found += [f"{row['checkpoint_id']}: {finding}" for finding in schemas.findings("checkpoint", value)]
        except (sqlite3.DatabaseError, ValueError) as error:
            found.append(f"{folder / CHECKPOINTS}: {error}")
        finally:
            database.close()
    return found


def check_commits(schemas, folder):
    found = []
    for path in sorted(folder.iterdir()):
        if path.name.endswith(".plankeep-tmp"):
            continue
        text = path.read_text(encoding="utf-8")
        if path.name == "index.json":
            found += check_text(schemas, "commit-index", text, path)
            continue
        wrong = check_text(schemas, "sidecar", text, path)
        if not wrong and load(text)["sha"] + ".json" != path.name:
            wrong = [f"{path}: tells of another commit than its name"]
        found += wrong
    return found


def check_folder(schemas, folder):
    found = []
    for path in sorted(folder.iterdir()):
        # Set aside while repairing, or left by a process that was killed: neither is read by anybody.
        if ".damaged-" in path.name or path.name.endswith(".plankeep-tmp"):
            continue
        if path.name == "history.jsonl":
            found += check_history(schemas, path)
        elif path.name == "state.json":
            found += check_text(schemas, "state", path.read_text(encoding="utf-8"), path)
        elif path.name.startswith("recovery.") and path.name.endswith(".json"):
            found += check_text(schemas, "recovery", path.read_text(encoding="utf-8"), path)
        elif path.name == "next.json":
            found += check_text(schemas, "next", path.read_text(encoding="utf-8"), path)
        elif path.name == "brief.json":
            found += check_text(schemas, "brief", path.read_text(encoding="utf-8"), path)
        elif path.name == "plans" and path.is_dir():
            found += check_kept_texts(path)
        elif path.name == CHECKPOINTS:
            found += check_checkpoints(schemas, folder)
        elif path.name == "commits" and path.is_dir():
            found += check_commits(schemas, path)
        elif path.is_dir() and not path.is_symlink() and ".set-aside-" not in path.name:
            # Of another plan of the folder.
            found += check_folder(schemas, path)
        elif path.name not in OTHER_NAMES and ".set-aside-" not in path.name:
            found.append(f"{path}: plankeep owns no file of this name")
    return found


def check_tree(schemas, top):
    top = pathlib.Path(top)
    folders = [top] if top.name == ".checkpoint" else sorted(top.rglob(".checkpoint"))
    if not folders:
        return [f"{top}: no .checkpoint folder at or below it"]
    found = [finding for folder in folders for finding in check_folder(schemas, folder)]
    for path in sorted(top.rglob(".git/plankeep/plans.json")):
        found += check_text(schemas, "plan-list", path.read_text(encoding="utf-8"), path)
    return found


def references(value):
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def check_schemas(schemas):
    found = [] if schemas.texts else ["no schema at all"]
    for name, schema in schemas.texts.items():
        Draft202012Validator.check_schema(schema)
        if schema.get("$schema") != Draft202012Validator.META_SCHEMA["$id"]:
            found.append(f"{name}: is not JSON Schema 2020-12")
        for key in ("title", "description"):
            if not schema.get(key):
                found.append(f"{name}: has no {key}")
        for reference in references(schema):
            file, _, pointer = reference.partition("#")
            part = schemas.texts.get(file or name)
            for step in [step for step in pointer.split("/") if step]:
                part = part.get(step) if isinstance(part, dict) else None
            if part is None:
                found.append(f"{name}: {reference} leads nowhere")
    return found


def main(arguments):
    if len(arguments) < 1:
        print(__doc__, file=sys.stderr)
        return 2
    verb, rest = arguments[0], arguments[1:]
    schemas = Schemas()
    if verb == "schemas":
        found = check_schemas(schemas)
    elif verb == "tree" and rest:
        found = [finding for top in rest for finding in check_tree(schemas, top)]
    elif verb == "output" and len(rest) >= 2:
        found = []
        for name in rest[1:]:
            text = sys.stdin.read() if name == "-" else pathlib.Path(name).read_text(encoding="utf-8")
            found += check_text(schemas, "output-" + rest[0], text, name)
    elif verb == "sample" and rest:
        found = []
        for name in map(pathlib.Path, rest):
            found += check_text(schemas, name.name.split(".")[0], name.read_text(encoding="utf-8"), name)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
