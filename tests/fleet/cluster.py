"""A PostgreSQL of the test's own, and machines of a fleet that use it.

  with Cluster() as cluster:                      a cluster in a temporary folder: Unix socket, and TLS on 127.0.0.1
      machine = Machine(cluster, program, "a")    a clone in a folder, with a home of its own
      machine.fleet("push")

It never runs as root: there it takes the user `postgres`, else `nobody`. Everything listens on the socket and on
127.0.0.1 only, and is stopped at the end, whatever happens. Without PostgreSQL the test is skipped (77).
"""

import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schemas"))
from validate_tree import Schemas  # noqa: E402

SKIPPED = 77
SCHEMAS = Schemas()
PLAN = """# Shop

## Phase 1: Build

- [ ] Cart <!-- TASK: cart -->
- [ ] Pay <!-- TASK: pay | after: cart -->
- [ ] Mail <!-- TASK: mail -->
- [ ] Search <!-- TASK: search -->
"""


def binaries():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        print("skipped: PostgreSQL is not installed")
        sys.exit(SKIPPED)
    return found[-1].parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    def __init__(self, settings=()):
        self.bin = binaries()
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="plankeep-fleet-"))
        self.base.chmod(0o755)
        self.data = self.base / "data"
        self.socket = self.base / "s"
        self.port = free_port()
        self.owner = None
        if os.geteuid() == 0:
            names = [entry.pw_name for entry in pwd.getpwall()]
            self.owner = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        self.settings = list(settings)
        for folder in (self.data, self.socket):
            folder.mkdir()
            if self.owner:
                os.chown(folder, self.owner.pw_uid, self.owner.pw_gid)
        self.socket.chmod(0o777)

    def as_owner(self, *words, **options):
        extra = {"user": self.owner.pw_uid, "group": self.owner.pw_gid, "extra_groups": []} if self.owner else {}
        return subprocess.run([str(word) for word in words], cwd="/", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, **extra, **options)

    def __enter__(self):
        try:
            made = self.as_owner(self.bin / "initdb", "-D", self.data, "-U", "boss", "-A", "scram-sha-256", "-E", "UTF8",
                                 "--locale=C", "--no-sync", "--pwfile", self.written("pw", "boss-secret\n"))
            assert made.returncode == 0, made.stdout.decode()
            self.certificate()
            with open(self.data / "postgresql.conf", "a", encoding="utf-8") as conf:
                conf.write(f"listen_addresses = '127.0.0.1'\nport = {self.port}\n"
                           f"unix_socket_directories = '{self.socket}'\nssl = on\nmax_connections = 200\n"
                           "shared_buffers = 64MB\nlogging_collector = off\nlog_statement = 'all'\n")
                conf.writelines(f"{line}\n" for line in self.settings)
            (self.data / "pg_hba.conf").write_text(
                "local all boss trust\nlocal all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n")
            self.start()
            self.sql("CREATE DATABASE fleet", database="postgres")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop("immediate")
        shutil.rmtree(self.base, ignore_errors=True)

    def written(self, name, text):
        path = self.base / name
        path.write_text(text)
        path.chmod(0o644)
        return path

    def certificate(self):
        key, certificate = self.data / "server.key", self.data / "server.crt"
        subprocess.run(["openssl", "req", "-new", "-x509", "-days", "2", "-nodes", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        shutil.copy(certificate, self.base / "root.crt")
        (self.base / "root.crt").chmod(0o644)
        for path in (key, certificate):
            path.chmod(0o600)
            if self.owner:
                os.chown(path, self.owner.pw_uid, self.owner.pw_gid)

    def start(self):
        log = self.base / "log"
        if not log.exists():
            log.touch()
            if self.owner:
                os.chown(log, self.owner.pw_uid, self.owner.pw_gid)
        told = self.as_owner(self.bin / "pg_ctl", "-D", self.data, "-l", log, "-w", "-t", "60", "start")
        assert told.returncode == 0, told.stdout.decode() + log.read_text()[-2000:]

    def stop(self, mode="fast"):
        if (self.data / "postmaster.pid").exists():
            self.as_owner(self.bin / "pg_ctl", "-D", self.data, "-w", "-t", "60", "-m", mode, "stop")

    def kill(self):
        """As if the power had gone: every process of the server, at once."""
        leader = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        children = [int(pid) for pid in pathlib.Path(f"/proc/{leader}/task/{leader}/children").read_text().split()]
        os.kill(leader, signal.SIGKILL)
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        end = time.monotonic() + 30
        while any(pathlib.Path(f"/proc/{pid}").exists() and self.state_of(pid) != "Z" for pid in (leader, *children)):
            assert time.monotonic() < end, "the server does not die"
            time.sleep(0.02)
        # In a container without an init nobody collects it: its number looks alive. Nobody else has this folder.
        if pathlib.Path(f"/proc/{leader}").exists():
            for left in (self.data / "postmaster.pid", self.socket / f".s.PGSQL.{self.port}.lock"):
                left.unlink(missing_ok=True)

    @staticmethod
    def state_of(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return "Z"

    def psql(self, sql, user="boss", database="fleet", password=None):
        environment = {"PATH": "/usr/bin:/bin", "PGCONNECT_TIMEOUT": "30"}
        if password:
            environment["PGPASSWORD"] = password
        return subprocess.run([str(self.bin / "psql"), "-X", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", str(self.socket), "-p", str(self.port),
                               "-U", user, database], input=sql.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment, timeout=120, check=False)

    def sql(self, sql, **options):
        told = self.psql(sql, **options)
        assert told.returncode == 0, told.stderr.decode()
        return told.stdout.decode().rstrip("\n")

    def login(self, name, role="plankeep_writer"):
        self.sql(f"CREATE ROLE {name} LOGIN PASSWORD '{name}-secret' CONNECTION LIMIT -1; GRANT {role} TO {name}")

    def address(self, user, **more):
        """Over the Unix socket; with password=... in it, as a careless person would write it."""
        parts = {"host": self.socket, "port": self.port, "dbname": "fleet", "user": user, **more}
        return " ".join(f"{key}={value}" for key, value in parts.items())


class Machine:
    """A clone of a project on a machine of its own, as far as plankeep can tell."""

    def __init__(self, cluster, program, name, user="kim", text=PLAN, origin="https://github.com/acme/shop.git"):
        self.cluster, self.program, self.user = cluster, pathlib.Path(program), user
        self.inside = []
        self.home = cluster.base / f"home-{name}"
        self.root = cluster.base / name
        for folder in (self.home, self.root):
            folder.mkdir()
        self.write_pgpass(f"{user}-secret")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "PLANKEEP_CHECKPOINTS": "off",
                            "GIT_CONFIG_NOSYSTEM": "1",
                            "PLANKEEP_FLEET": cluster.address(user)}
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.root, check=True, env=self.environment)
        if origin:
            subprocess.run(["git", "remote", "add", "origin", origin], cwd=self.root, check=True, env=self.environment)
        if text:
            (self.root / "plan.md").write_text(text)
            self.run("init")

    def write_pgpass(self, password):
        path = self.home / ".pgpass"
        path.write_text(f"*:*:*:*:{password}\n")
        path.chmod(0o600)

    @staticmethod
    def namespace(host):
        """The words in front of a command that runs it on a host of that name, alone: for root, for `inside`."""
        return ["unshare", "--uts", "--ipc", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                'hostname "$0" && exec "$@"', host]

    def start(self, *words, program=None, environment=None, **options):
        return subprocess.Popen([*self.inside, str(program or self.program), *map(str, words)], cwd=self.root,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**self.environment, **(environment or {})}, **options)

    def run(self, *words, status=0, **options):
        process = self.start(*words, **options)
        try:
            out, err = process.communicate(timeout=120)
        finally:
            if process.poll() is None:
                process.kill()
        assert status is None or process.returncode == status, \
            f"{words} exits with {process.returncode}, not {status}: {out.decode()}{err.decode()}"
        self.status = process.returncode
        self.err = err.decode()
        return out.decode()

    def fleet(self, *words, **options):
        return self.run("fleet", *words, **options)

    def json(self, *words, **options):
        told = json.loads(self.run(*words, "--json", **options))
        if "fleet" in words or "--fleet" in words:
            schema = "output-checkpoint" if "checkpoint" in words else "output-report" if "report" in words else "output-fleet"
            findings = SCHEMAS.findings(schema, told)
            assert not findings, (words, findings)
        return told

    def history(self):
        return [line for line in (self.root / ".checkpoint/history.jsonl").read_bytes().split(b"\n") if line]

    def replica(self):
        return json.loads((self.root / ".checkpoint/state.json").read_text())["replica_id"]

    def server_lines(self):
        """What the server has of this replica, in the order of its lines."""
        rows = self.cluster.sql(f"SELECT line, body FROM plankeep.event WHERE replica = '{self.replica()}' ORDER BY line")
        return [(int(row.partition("|")[0]), json.loads(row.partition("|")[2])) for row in rows.splitlines()]

    def check_same(self, changed=0):
        """Every local line is on the server, once, and no other. At most `changed` of them with another text."""
        here = [json.loads(line) for line in self.history()]
        there = self.server_lines()
        assert [line for line, _ in there] == list(range(1, len(here) + 1)), f"{len(there)} lines of {len(here)}"
        other = [f"line {number}: {body} is not {line}" for (number, body), line in zip(there, here) if body != line]
        assert len(other) <= changed, other[:5]

    def wait_for_same(self, seconds=60):
        """Until the server has every line."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.check_same()
            except AssertionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def note(self, count, text="note"):
        """That many lines more in the history, each a save of its own, as a plankeep of some version wrote them."""
        with open(self.root / ".checkpoint/history.jsonl", "ab") as history:
            for i in range(count):
                history.write(json.dumps({"ts": "2026-11-20T15:43:50.123Z", "event": "note_saved", "by": "main",
                                          "note": f"{text} {i}"}, separators=(",", ":")).encode() + b"\n")


def main(tests):
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    program = pathlib.Path(sys.argv[1]).resolve()
    if not (program.parent / "plankeep-fleet").exists():
        print("skipped: plankeep-fleet was not built")
        return SKIPPED
    wanted = sys.argv[2:]
    failed = 0
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        try:
            test(program)
            print(f"ok    {test.__name__}", flush=True)
        except Exception as error:  # each test tells, the others go on
            failed += 1
            import traceback
            traceback.print_exc()
            print(f"FAIL  {test.__name__}: {error}", flush=True)
    return 1 if failed else 0
