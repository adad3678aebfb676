"""Machines that meet in a database: what arrives, what is shown, and what the server refuses by itself.

  fleet_test.py PROGRAM [TEST...]
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from cluster import PLAN, Cluster, Machine, main

tests = []


def test(function):
    tests.append(function)
    return function


def ready(cluster, program, *logins):
    """The schema, made by the administrator, and people who may use it."""
    boss = Machine(cluster, program, "boss", user="boss", text=None)
    said = boss.fleet("init")
    assert "version 2" in said, said
    assert "up to date" in boss.fleet("init")
    assert "up to date" in boss.fleet("upgrade")
    for login in logins:
        cluster.login(login)
    return boss


@test
def every_line_on_the_server_is_the_local_one(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim", "ada")
        one = Machine(cluster, program, "one")
        two = Machine(cluster, program, "two", user="ada", origin="git@github.com:acme/shop")
        one.run("done", "cart")
        one.run("decide", "Use \u00fcber-fast \\ \"quotes\"\tand tabs")
        assert "sent" in one.fleet("push")
        assert "nothing new" in one.fleet("push")
        one.check_same()
        two.run("start", "mail")
        two.fleet("push", "--all")
        two.check_same()
        assert one.replica() != two.replica()
        # Lines that no event of ours looks like are kept as they are, and those behind them arrive.
        with open(one.root / ".checkpoint/history.jsonl", "ab") as history:
            history.write(b'{"ts":"2026-11-20T15:43:50Z","event":"made_coffee","cups":[1,2.5e3],"x":{"a":null}}\n'
                          b'{"ts":"2026-11-20T15:43:50Z","event":"note_saved","note":"nul \\u0000 here"}\n'
                          b'not json at all \xff\n\n')
        one.run("done", "mail")
        one.fleet("push")
        there = one.server_lines()
        # An empty line is one too.
        here = (one.root / ".checkpoint/history.jsonl").read_bytes().split(b"\n")[:-1]
        assert len(there) == len(here)
        for (number, body), line in zip(there, here):
            if isinstance(body, str):
                assert body == line.decode("utf-8", "replace"), number
            else:
                assert body == json.loads(line), number
        # 5,000 rows a transaction at most, also of many.
        two.note(12_000)
        assert "12000 lines" in two.fleet("push")
        two.check_same()
        assert cluster.sql("SELECT max(last_line - first_line + 1) FROM plankeep.push") == "5000"

        status = one.json("fleet", "status")["plans"]
        assert len(status) == 1 and status[0]["project"] == "github.com/acme/shop" and status[0]["replicas"] == 2
        tasks = {task["id"]: task for task in status[0]["tasks"]}
        assert tasks["cart"]["state"] == "done" and tasks["cart"]["by"] == "main"
        # Newest word: one ticked it after two had begun it; two says otherwise, which is told.
        assert tasks["mail"]["state"] == "done" and tasks["mail"]["disagree"][0]["state"] == "active"
        assert "disagree" in one.fleet("status")
        log = [json.loads(line) for line in one.fleet("log", "-n", "5", "--json").splitlines()]
        assert len(log) == 5 and {line["login"] for line in log} == {"ada"}
        # A hostile name in a line moves no terminal.
        one.run("block", "waiting \x1b[31m for Kim")
        one.fleet("push")
        assert "\x1b" not in one.fleet("status", "--no-color") and "waiting" in one.fleet("status")


@test
def a_copied_folder_is_a_replica_of_its_own(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        one.fleet("push")
        shutil.copytree(one.root, cluster.base / "copy", symlinks=True)
        copy = Machine.__new__(Machine)
        copy.__dict__.update(one.__dict__)
        copy.root = cluster.base / "copy"
        copy.run("done", "cart")
        one.run("done", "mail")
        copy.fleet("push")
        one.fleet("push")
        assert copy.replica() != one.replica()
        copy.check_same()
        one.check_same()
        # One login on one machine: who says what is told by the replica.
        told = one.fleet("status")
        assert f" in {one.replica()[:8]}" in told and f" in {copy.replica()[:8]}" in told, told
        # And the copy keeps the name that it got.
        name = copy.replica()
        copy.run("done", "mail")
        copy.fleet("push")
        assert copy.replica() == name
        copy.check_same()


@test
def a_replayed_or_forged_line_changes_nothing(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        one.note(50)
        one.fleet("push")
        path = one.root / ".checkpoint/history.jsonl"
        lines = path.read_bytes().split(b"\n")
        before = one.server_lines()
        # Replayed: the server's word on how far we are is forgotten. Nothing comes twice.
        cluster.sql("SET ROLE plankeep_admin; DELETE FROM plankeep.push")
        assert "nothing new" in one.fleet("push")
        one.check_same()
        # A line in the middle is another one: said, with its number, and nothing is overwritten.
        cluster.sql("SET ROLE plankeep_admin; DELETE FROM plankeep.push")
        forged = list(lines)
        forged[9] = forged[9].replace(b"note", b"forged")
        path.write_bytes(b"\n".join(forged))
        one.run("fleet", "push", status=1)
        assert "line 10" in one.err and "nothing was overwritten" in one.err, one.err
        assert one.server_lines() == before
        path.write_bytes(b"\n".join(lines))
        one.fleet("push")
        # The last line is another one, and the history was cut: likewise.
        for changed, number in ((lines[:-2] + [b'{"ts":"2026-11-20T15:43:50Z","event":"x"}', b""], len(lines) - 1),
                                (lines[:20] + [b""], 21)):
            path.write_bytes(b"\n".join(changed))
            told = one.json("fleet", "push", status=1)
            assert told["pushed"][0]["conflict"] == number, (told, number)
        assert one.server_lines() == before
        # It is right as it is: under a new name everything is sent.
        path.write_bytes(b"\n".join(lines[:20] + [b""]))
        old = one.replica()
        one.fleet("push", "--new-replica")
        assert one.replica() != old
        one.check_same()


@test
def a_writer_cannot_touch_what_others_sent(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim", "ada")
        cluster.login("eve", role="plankeep_reader")
        kim = Machine(cluster, program, "one")
        ada = Machine(cluster, program, "two", user="ada")
        kim.run("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": ""})
        for machine in (kim, ada):
            machine.fleet("push")
        kim.fleet("claim", "cart", "--by", "main")
        replica, own = kim.replica(), ada.replica()
        tables = ("schema_version project plan replica event push checkpoint checkpoint_text checkpoint_number plan_text word "
                  "lease").split()
        dump = "; ".join(f"SELECT '{table}', t.* FROM plankeep.{table} t ORDER BY t::text" for table in tables)
        before = cluster.sql(dump)
        partition = cluster.sql(f"SELECT tableoid::regclass FROM plankeep.event WHERE replica = '{replica}' LIMIT 1")
        hostile = [f"DELETE FROM plankeep.{table}" for table in tables]
        hostile += [f"TRUNCATE plankeep.{table} CASCADE" for table in tables]
        hostile += [f"DROP TABLE plankeep.{table} CASCADE" for table in tables]
        hostile += [f"ALTER TABLE plankeep.{table} DISABLE ROW LEVEL SECURITY" for table in tables]
        hostile += [f"ALTER TABLE plankeep.{table} DISABLE TRIGGER ALL" for table in tables]
        hostile += [f"LOCK TABLE plankeep.{table} IN ACCESS EXCLUSIVE MODE" for table in tables]
        hostile += [
            "UPDATE plankeep.event SET body = '{}'", "UPDATE plankeep.event SET line = line + 1000",
            "UPDATE plankeep.push SET bytes = 0", "UPDATE plankeep.checkpoint SET body = '{}'",
            "UPDATE plankeep.plan_text SET text = ''", "UPDATE plankeep.replica SET login = 'ada'",
            "UPDATE plankeep.plan SET path = 'x'", "UPDATE plankeep.project SET name = 'x'",
            "UPDATE plankeep.word SET state = 'open'", "UPDATE plankeep.schema_version SET version = 99",
            "INSERT INTO plankeep.schema_version VALUES (99)",
            f"INSERT INTO plankeep.event VALUES ('{replica}', 999, now(), 'x', '{{}}')",
            f"INSERT INTO {partition} VALUES ('{replica}', 999, now(), 'x', '{{}}')",
            f"UPDATE {partition} SET name = 'x'", f"DELETE FROM {partition}",
            f"COPY plankeep.event FROM STDIN;\n{replica}\t999\t2026-01-01\tx\t{{}}\n\\.\n",
            f"INSERT INTO plankeep.event SELECT '{replica}', line, now(), 'x', '{{}}' FROM plankeep.event WHERE replica = "
            f"'{replica}' ON CONFLICT (replica, line) DO UPDATE SET body = '{{}}'",
            f"INSERT INTO plankeep.push (replica, last_line, first_line, bytes, digest) VALUES ('{replica}', 999, 1, 1, "
            "'0123456789abcdef')",
            f"INSERT INTO plankeep.push (replica, last_line, first_line, bytes, digest, tx) VALUES ('{own}', 999, 1, 1, "
            "'0123456789abcdef', '1')",
            f"INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body) VALUES ('{replica}', 'x', 'x', now(), "
            "'', '{}')",
            f"INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body, turn) VALUES ('{own}', 'x', 'x', now(), '', "
            "'{}', 9)",
            f"INSERT INTO plankeep.checkpoint_text (replica, digest, content) VALUES ('{replica}', "
            "encode(sha256('x'), 'hex'), 'x')",
            f"INSERT INTO plankeep.checkpoint_text (replica, digest, content) VALUES ('{own}', repeat('0', 64), 'x')",
            f"INSERT INTO plankeep.checkpoint_number VALUES ('{own}', 'turn', 9)",
            "SELECT plankeep.checkpoint_object('{}')",
            f"INSERT INTO plankeep.plan_text (replica, digest, text) VALUES ('{replica}', repeat('0', 64), 'x')",
            "INSERT INTO plankeep.replica (id, plan, machine, login) VALUES (gen_random_uuid(), 1, '0123456789abcdef', "
            "'kim')",
            f"INSERT INTO plankeep.word SELECT plan, kind, key, '{own}', 99, now(), now(), 'done' FROM plankeep.word",
            "UPDATE plankeep.lease SET fence = 1000000", "UPDATE plankeep.lease SET until = 'infinity'",
            "UPDATE plankeep.lease SET task = 'other'", "UPDATE plankeep.lease SET since = now()",
            f"INSERT INTO plankeep.lease (plan, task, replica, holder) VALUES (1, 'x', '{replica}', 'main')",
            f"INSERT INTO plankeep.lease (plan, task, replica, holder) VALUES (1, 'cart', '{own}', 'main') ON CONFLICT "
            "(plan, task) DO UPDATE SET replica = excluded.replica, holder = excluded.holder",
            f"UPDATE plankeep.lease SET replica = NULL WHERE replica = '{replica}'",
            "UPDATE plankeep.lease SET holder = 'me', ttl = interval '1 year'",
            "SELECT setval('plankeep.fence', 1)", "SELECT nextval('plankeep.fence')",
            "SET ROLE plankeep_admin", "SET SESSION AUTHORIZATION kim", "SET session_replication_role = replica",
            "CREATE TABLE plankeep.mine (x int)", "CREATE FUNCTION plankeep.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "SELECT plankeep.words_of('x', '{}')", "SELECT plankeep.words_in('x', '{}')",
            "CREATE POLICY mine ON plankeep.event USING (true)", "GRANT plankeep_admin TO ada",
            "ALTER ROLE ada SUPERUSER", "DROP SCHEMA plankeep CASCADE",
        ]
        for statement in hostile:
            told = cluster.psql(statement, user="ada", password="ada-secret")
            assert told.returncode != 0, f"not refused: {statement}"
            assert cluster.sql(dump) == before, statement
        # As `claim` asks: what another holds is left alone without an error.
        cluster.sql(f"INSERT INTO plankeep.lease (plan, task, replica, holder) VALUES (1, 'cart', '{own}', 'm') ON "
                    "CONFLICT (plan, task) DO UPDATE SET replica = excluded.replica, holder = excluded.holder "
                    "WHERE lease.until <= clock_timestamp()", user="ada", password="ada-secret")
        assert cluster.sql(dump) == before
        # Under a role that others have too it is no other: the login counts.
        told = cluster.psql(f"SET ROLE plankeep_writer; INSERT INTO plankeep.event VALUES ('{replica}', 999, now(), 'x', "
                            "'{}')", user="ada", password="ada-secret")
        assert told.returncode != 0 and cluster.sql(dump) == before
        # Nor does the administrator change a line by accident; the owner's role may.
        assert cluster.psql("DELETE FROM plankeep.event").returncode != 0
        # A reader reads and nothing else.
        assert cluster.sql("SELECT count(*) > 0 FROM plankeep.event", user="eve", password="eve-secret") == "t"
        for statement in ("INSERT INTO plankeep.project (name) VALUES ('x')",
                          f"INSERT INTO plankeep.event VALUES ('{replica}', 999, now(), 'x', '{{}}')",
                          "UPDATE plankeep.lease SET replica = NULL"):
            assert cluster.psql(statement, user="eve", password="eve-secret").returncode != 0, statement
        eve = Machine(cluster, program, "three", user="eve")
        assert "plan.md" in eve.fleet("status")
        eve.run("fleet", "push", status=4)
        # Nor does it help to send her to another name, or to give her one: in the folder of another login too.
        ada.environment["PLANKEEP_FLEET"] = cluster.address("eve")
        ada.write_pgpass("eve-secret")
        before = ada.history()
        for words in (("push",), ("push", "--new-replica"), ("claim", "mail"), ("next",), ("release", "mail")):
            ada.fleet(*words, status=4)
            assert "login eve may read the fleet, but not write" in ada.err and "GRANT plankeep_writer TO eve" in ada.err
            assert "--new-replica" not in ada.err, ada.err
        assert ada.history() == before
        assert "may read, not write" in ada.fleet("doctor", status=1)
        # What ada may do she still can; whatever she says of a lease's end and number, the server says it.
        cluster.sql(f"INSERT INTO plankeep.lease (plan, task, replica, holder, ttl) VALUES (1, 'x', '{own}', 'main', "
                    "interval '1000 years')", user="ada", password="ada-secret")
        row = cluster.sql("SELECT until < now() + interval '31 days', fence > 0 FROM plankeep.lease WHERE task = 'x'")
        assert row == "t|t", row


@test
def secrets_stay_here_and_passwords_are_never_shown(program):
    token = "ghp_" + "0123456789abcdefghij" + "ABCDEFGHIJKLMNOP"
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one", text=None)
        (one.root / "plan.md").write_text(f"# Shop\n\n- [ ] Use {token} <!-- TASK: use -->\n")
        one.run("init")
        # As a version that redacted nothing would have left it.
        with open(one.root / ".checkpoint/history.jsonl", "ab") as history:
            history.write(json.dumps({"ts": "2026-11-20T15:43:50Z", "event": "note_saved", "note": token}).encode() + b"\n")
        assert "redacted" in one.fleet("push")
        everything = cluster.sql("; ".join(f"SELECT t.* FROM plankeep.{table} t" for table in
                                           ("event", "plan_text", "word", "checkpoint")))
        assert token not in everything and "REDACTED" in everything
        # Rules that cannot be used: nothing is sent at all.
        (one.root / ".plankeep.json").write_text('{"redaction": {"rules": [{"id": "x", "regex": "("}]}}')
        one.note(1)
        one.run("fleet", "push", status=4)
        one.run("fleet", "doctor", status=1)
        (one.root / ".plankeep.json").unlink()

        shown = []
        wrong = cluster.address("kim", password="kim-wrong-secret")
        one.write_pgpass("nothing")
        for words, environment in ((("push", "--fleet", wrong), {}), (("doctor", "--fleet", wrong), {}),
                                   (("push",), {"PLANKEEP_FLEET": wrong}),
                                   (("push",), {"PLANKEEP_FLEET": "postgresql://kim:kim-wrong-secret@[bad/x"}),
                                   (("push",), {"PLANKEEP_FLEET": "host=x pass kim-wrong-secret"}),
                                   (("status",), {"PGPASSWORD": "kim-wrong-secret"})):
            out = one.fleet(*words, status=None, environment=environment)
            assert one.status == 1 if "doctor" in words else one.status in (4, 5), (words, one.status)
            shown.append(out + one.err)
        for good in (cluster.address("kim", password="kim-secret"),
                     f"postgresql://kim:kim-secret@127.0.0.1:{cluster.port}/fleet"):
            for words in (("push", "--fleet", good), ("doctor", "--fleet", good), ("status", "--fleet", good, "--json")):
                shown.append(one.fleet(*words) + one.err)
        # While it runs: the words of our process.
        hanging = one.start("fleet", "log", "--follow", "--fleet", cluster.address("kim", password="kim-secret"))
        try:
            end = time.monotonic() + 30
            # Until plankeep has become plankeep-fleet, the words are those that a person typed.
            while not pathlib.Path(f"/proc/{hanging.pid}/exe").resolve().name == "plankeep-fleet":
                assert time.monotonic() < end
                time.sleep(0.01)
            shown.append(pathlib.Path(f"/proc/{hanging.pid}/cmdline").read_bytes().decode())
        finally:
            hanging.kill()
            shown.append(b"".join(hanging.communicate()).decode())
        direct = one.start("log", "--follow", "--fleet", cluster.address("kim", password="kim-secret"),
                           program=program.parent / "plankeep-fleet")
        try:
            end = time.monotonic() + 30
            while b"xxxx" not in pathlib.Path(f"/proc/{direct.pid}/cmdline").read_bytes():
                assert time.monotonic() < end
                time.sleep(0.01)
            shown.append(pathlib.Path(f"/proc/{direct.pid}/cmdline").read_bytes().decode())
        finally:
            direct.kill()
            shown.append(b"".join(direct.communicate()).decode())
        files = [path.read_bytes() for path in one.root.rglob("*") if path.is_file() and ".git/" not in str(path)]
        for text in shown:
            assert "kim-secret" not in text and "wrong-secret" not in text, text
        assert not any(b"kim-secret" in data or b"wrong-secret" in data for data in files)


def plan_check(machine, status):
    checks = machine.json("fleet", "doctor", status=status)["checks"]
    text = next(check["text"] for check in checks if check["what"].startswith("plan "))
    return text


@test
def doctor_says_what_push_would_say(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim", "ada")
        one = Machine(cluster, program, "one")
        tables = ("project", "plan", "replica", "event", "push", "plan_text", "word")
        dump = "; ".join(f"SELECT '{table}', t.* FROM plankeep.{table} t ORDER BY t::text" for table in tables)
        # Not known yet: nothing is made for the question, here or there.
        before, lines = cluster.sql(dump), one.history()
        assert f"{len(lines)} behind" in plan_check(one, 1)
        assert cluster.sql(dump) == before and one.history() == lines
        one.fleet("push")
        assert plan_check(one, 0).endswith("all sent")
        (one.root / "plan.md").write_text(PLAN + "\nNote.\n")
        assert "the plan's text is not sent" in plan_check(one, 1)
        one.run("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": ""})
        assert "checkpoints are not sent" in plan_check(one, 1)
        one.fleet("push")
        assert plan_check(one, 0).endswith("all sent")

        # A line of the server's is another.
        path = one.root / ".checkpoint/history.jsonl"
        good = path.read_bytes()
        path.write_bytes(b"".join(good.splitlines(True)[:-1]) + b'{"ts":"2026-11-20T15:43:50Z","event":"x"}\n')
        told = plan_check(one, 1)
        one.fleet("push", status=1)
        assert "differs from the fleet's server" in told and "differs from the fleet's server" in one.err, told
        path.write_bytes(good)
        # One that no push told of.
        replica = one.replica()
        last = one.server_lines()[-1][0]
        cluster.sql(f"INSERT INTO plankeep.event VALUES ('{replica}', {last + 1}, now(), 'x', '{{}}')", user="kim",
                    password="kim-secret")
        one.run("note", "hello")
        told = plan_check(one, 1)
        one.fleet("push", status=1)
        number = f"line {last + 1} of the history differs"
        assert number in told and number in one.err, (told, one.err)
        cluster.sql(f"SET ROLE plankeep_admin; DELETE FROM plankeep.event WHERE line > {last}")

        # A rule of the server's, which only it knows.
        cluster.sql("CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not on Fridays'; END $$; "
                    "SET ROLE plankeep_admin; CREATE TRIGGER no BEFORE INSERT ON plankeep.push FOR EACH ROW EXECUTE FUNCTION no()")
        before = cluster.sql(dump)
        told = plan_check(one, 1)
        one.fleet("push", status=4)
        assert "not on Fridays" in told and "not on Fridays" in one.err, told
        cluster.sql("SET ROLE plankeep_admin; DROP TRIGGER no ON plankeep.push")
        assert "behind" in plan_check(one, 1)
        assert cluster.sql(dump) == before
        # Rules that cannot be used: nothing would be sent.
        (one.root / ".plankeep.json").write_text('{"redaction": {"rules": [{"id": "x", "regex": "("}]}}')
        assert "push would fail" in plan_check(one, 1)
        (one.root / ".plankeep.json").unlink()
        # The folder of another login.
        one.environment["PLANKEEP_FLEET"] = cluster.address("ada")
        one.write_pgpass("ada-secret")
        told = plan_check(one, 1)
        one.fleet("push", status=4)
        assert "belongs to the login kim" in told and "belongs to the login kim" in one.err, told


@test
def what_refuses_a_connection_is_said_as_what_it_is(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        cluster.sql("CREATE ROLE locked NOLOGIN PASSWORD 'kim-secret'; CREATE DATABASE closed; "
                    "REVOKE CONNECT ON DATABASE closed FROM PUBLIC", database="postgres")
        socket, port = cluster.socket, cluster.port
        for address, status, said in (
                (cluster.address("kim", password="kim-wrong-secret"), 4, "does not take the password of the login kim"),
                (cluster.address("nobody"), 4, "does not take the password of the login nobody"),
                (cluster.address("locked"), 4, "does not let the login locked in"),
                (f"host={socket} port={port} dbname=nowhere user=kim", 4, "has no database nowhere"),
                (f"host={socket} port={port} dbname=closed user=kim", 4, "into its database"),
                ("service=nowhere", 4, "definition of service"),
                ("host=nowhere.invalid dbname=fleet user=kim", 5, "could not translate host name"),
                ("host=127.0.0.1 port=1 dbname=fleet user=kim", 5, "cannot be reached"),
                (f"host={socket} port=1 dbname=fleet user=kim", 5, "cannot be reached")):
            for words in (("push",), ("claim", "mail"), ("push", "--watch")):
                if status == 5 and "--watch" in words:
                    continue
                one.fleet(*words, "--fleet", address, status=status)
                assert said in one.err and ("reached" in one.err) == (status == 5), (address, one.err)
                assert "hint" in one.err and "secret" not in one.err and "LOCATION" not in one.err, one.err
            told = one.fleet("doctor", "--fleet", address, status=5 if status == 5 else 1)
            assert said in told, told
        (one.home / ".pgpass").unlink()
        one.fleet("push", status=4)
        assert "asks for a password" in one.err and ".pgpass" in one.err, one.err


@test
def over_tcp_nothing_goes_unencrypted_unasked(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        tcp = f"host=127.0.0.1 port={cluster.port} dbname=fleet user=kim"
        told = one.json("fleet", "doctor", "--fleet", tcp, status=None)
        assert any(check["what"] == "encrypted" and check["text"].startswith("TLS") for check in told["checks"]), told
        one.fleet("push", "--fleet", tcp)
        root = cluster.base / "root.crt"
        one.fleet("status", "--fleet", f"{tcp} sslmode=verify-full sslrootcert={root}")
        cluster.sql("ALTER SYSTEM SET ssl = off", database="postgres")
        cluster.sql("SELECT pg_reload_conf()")
        end = time.monotonic() + 30
        while cluster.sql("SHOW ssl") != "off":
            assert time.monotonic() < end
        one.run("fleet", "push", "--fleet", tcp, status=5)
        assert "SSL" in one.err and "sslmode" in one.err, one.err
        one.fleet("push", "--fleet", f"{tcp} sslmode=disable")
        one.fleet("push", "--fleet", cluster.address("kim"))


@test
def only_the_user_says_where_a_history_goes(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        del one.environment["PLANKEEP_FLEET"]
        settings = one.root / ".plankeep.json"
        one.run("fleet", "push", status=4)
        assert "no fleet is set up" in one.err
        for address in (cluster.address("kim"), "postgresql://evil/x", "service=a host=evil", "service="):
            settings.write_text(json.dumps({"fleet": address}))
            one.run("fleet", "push", status=4)
            assert "no fleet is set up" in one.err, address
        settings.write_text('{"fleet": "service=plans", "fleetPush": true}')
        (one.home / ".pg_service.conf").write_text(
            f"[plans]\nhost={cluster.socket}\nport={cluster.port}\ndbname=fleet\nuser=kim\n")
        assert "sent" in one.fleet("push")
        settings.unlink()
        user = one.home / ".config/plankeep/config.json"
        user.parent.mkdir(parents=True, exist_ok=True)
        user.write_text(json.dumps({"fleet": cluster.address("kim")}))
        assert "nothing new" in one.fleet("push")
        # Without the program the way to it is said.
        alone = cluster.base / "alone"
        alone.mkdir()
        shutil.copy(program, alone / "plankeep")
        one.run("fleet", "status", program=alone / "plankeep", status=4)
        assert "package plankeep-fleet" in one.err


@test
def a_plan_travels_to_a_machine_that_has_none(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        one.run("done", "cart")
        one.run("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": ""})
        one.fleet("push")
        two = Machine(cluster, program, "two", text=None)
        told = two.fleet("resume", "--plan-text")
        assert "1 of 4" in told and "Pay" in told and "not saved" not in told and "revision" not in told, told
        assert (two.root / "plan.md").read_bytes() == (one.root / "plan.md").read_bytes()
        # Only where there is none: what is here stays, and the text is told all the same.
        (two.root / "plan.md").write_text(PLAN + "\nMine.\n")
        told = two.fleet("resume", "--plan-text")
        assert "1 of 4" in told and "not written: plan.md is here already" in told, told
        assert two.json("fleet", "resume", "--plan-text")["written"] is None
        assert (two.root / "plan.md").read_text() == PLAN + "\nMine.\n"
        (two.root / "plan.md").unlink()
        (two.root / "plan.md").mkdir()
        two.fleet("resume", "plan.md", "--plan-text", status=4)
        (two.root / "plan.md").rmdir()
        two.fleet("resume", "--plan-text")
        two.run("init")
        two.fleet("push")
        assert "1 checkpoint of other machines" in two.fleet("pull")
        listed = two.json("checkpoint", "list", "--fleet")["fleet"]
        assert len(listed) == 1 and listed[0]["login"] == "kim"
        assert one.fleet("pull").startswith("0 checkpoints")
        shown = two.fleet("show", listed[0]["checkpoint"]["checkpoint_id"])
        assert "pushed by kim" in shown
        report = two.json("report", "--fleet")
        assert report["progress"]["completedTasks"] == 1, report["progress"]
        assert "<html" in two.run("report", "--fleet", "--out", "-")


@test
def a_fresh_copy_of_an_old_plan_undoes_nothing(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim", "ada")
        one = Machine(cluster, program, "one")
        early = {"PLANKEEP_NOW": "2026-11-20T10:00:00.000Z"}
        one.run("done", "cart", environment=early)
        one.run("start", "mail", environment=early)
        one.run("done", "search", environment=early)
        one.run("reopen", "search", environment=early)
        one.fleet("push")

        def states(machine):
            tasks = machine.json("fleet", "status")["plans"][0]["tasks"]
            return {task["id"]: (task["state"], [other["state"] for other in task["disagree"]]) for task in tasks}

        # Later, from a commit without these ticks: what it reads is no word against them.
        two = Machine(cluster, program, "two", user="ada")
        two.fleet("push")
        assert states(two) == {"cart": ("done", ["open"]), "mail": ("active", ["open"]), "pay": ("open", []),
                               "search": ("open", [])}, states(two)
        two.fleet("claim", "cart", status=1)
        assert "cart is done" in two.err, two.err
        assert two.json("fleet", "next")["task"]["id"] != "cart"
        # Nor is a task that comes with a pull, still open there.
        (one.root / "plan.md").write_text((one.root / "plan.md").read_text() + "- [ ] Ship <!-- TASK: ship -->\n")
        one.run("sync", environment=early)
        one.run("done", "ship", environment=early)
        one.fleet("push")
        (two.root / "plan.md").write_text(PLAN + "- [ ] Ship <!-- TASK: ship -->\n")
        two.run("sync")
        two.fleet("push")
        assert states(two)["ship"] == ("done", ["open"]), states(two)
        # Who ticks and takes it back says so.
        two.run("done", "cart")
        two.run("reopen", "cart")
        two.fleet("push")
        assert states(two)["cart"] == ("open", ["done"]), states(two)
        # A task that was removed and comes back is there again.
        text = (one.root / "plan.md").read_text()
        (one.root / "plan.md").write_text(text.replace("- [ ] Pay <!-- TASK: pay | after: cart -->\n", ""))
        one.run("sync")
        one.fleet("push")
        assert "pay" not in states(two)
        (one.root / "plan.md").write_text(text)
        one.run("sync")
        one.fleet("push")
        assert states(two)["pay"] == ("open", []), states(two)


@test
def checkpoints_of_two_machines_with_one_id_are_told_apart(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim", "ada")
        one = Machine(cluster, program, "one")
        two = Machine(cluster, program, "two", user="ada")
        for machine, note in ((one, "from one"), (two, "from two")):
            machine.run("note", note)
            machine.run("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": ""})
            machine.fleet("push")
        found = two.json("fleet", "checkpoints")["checkpoints"]
        assert len(found) == 2 and found[0]["id"] == found[1]["id"], found
        name = found[0]["id"]
        of_one, of_two = (f"{machine.replica()[:8]}:{name}" for machine in (one, two))
        for words in (("fleet", "checkpoints"), ("fleet", "log")):
            told = two.run(*words)
            assert of_one in told and of_two in told, told
        two.fleet("pull")
        listed = two.run("checkpoint", "list", "--fleet")
        assert of_one in listed and of_two not in listed, listed
        # Without the replica it is nobody's; all are named.
        two.fleet("show", name, status=2)
        assert of_one in two.err and of_two in two.err, two.err
        told = two.fleet("show", of_one)
        assert told.startswith(f"{of_one}, pushed by kim on "), told
        # Its files are not here, and the id is that of another checkpoint here.
        assert "rewind" not in told, told
        assert "rewind" in two.fleet("show", of_two)
        replica = next(one_["replica"] for one_ in found if one_["login"] == "kim")
        assert two.json("fleet", "show", f"{replica}:{name}")["checkpoints"][0]["login"] == "kim"
        two.run("rewind", of_one, "--dry-run", status=2)


@test
def the_log_follows_in_the_servers_order_and_watch_pushes_by_itself(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim", "ada")
        one = Machine(cluster, program, "one")
        two = Machine(cluster, program, "two", user="ada")
        one.fleet("push")
        follower = one.start("fleet", "log", "--follow", "--json", "-n", "1000")
        watcher = two.start("fleet", "push", "--watch")
        try:
            os.set_blocking(follower.stdout.fileno(), False)
            text = b""
            # Whatever was there before it listened, and what comes then: each line once.
            for task in ("cart", "mail"):
                two.run("done", task)
                end = time.monotonic() + 60
                seen = []
                while not any(line["event"].get("taskId") == task and line["event"]["event"] == "task_completed"
                              for line in seen):
                    assert time.monotonic() < end, text
                    text += follower.stdout.read() or b""
                    seen = [json.loads(line) for line in text.split(b"\n")[:-1]]
                    time.sleep(0.02)
            numbers = [line["line"] for line in seen if line["login"] == "ada"]
            assert numbers == list(range(1, len(numbers) + 1)), numbers
        finally:
            for process in (watcher, follower):
                process.send_signal(signal.SIGTERM)
            for process in (watcher, follower):
                try:
                    process.communicate(timeout=30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise
        assert watcher.returncode == 0 and follower.returncode == 0
        two.check_same()


@test
def a_follower_that_is_told_to_end_with_its_first_line_ends_well(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        one.fleet("push")
        for _ in range(5):
            follower = one.start("fleet", "log", "--follow", "--json")
            assert follower.stdout.readline()
            follower.send_signal(signal.SIGTERM)
            errors = follower.communicate(timeout=30)[1]
            assert follower.returncode == 0, (follower.returncode, errors)


@test
def the_end_of_a_turn_leaves_one_push_behind(program):
    with Cluster() as cluster:
        ready(cluster, program, "kim")
        one = Machine(cluster, program, "one")
        user = one.home / ".config/plankeep/config.json"
        user.parent.mkdir(parents=True, exist_ok=True)
        user.write_text(json.dumps({"fleet": cluster.address("kim"), "fleetPush": True}))
        environment = {"PLANKEEP_CHECKPOINTS": "", "PLANKEEP_FLEET": ""}
        payload = {"session_id": "s1", "cwd": str(one.root), "transcript_path": "", "hook_event_name": "Stop"}
        run = subprocess.run([str(program), "hook", "claude-code", "Stop"], cwd=one.root, input=json.dumps(payload).encode(),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60,
                             env={**one.environment, **environment})
        assert run.returncode == 0 and not run.stderr, run
        end = time.monotonic() + 60
        while cluster.sql("SELECT count(*) FROM plankeep.push") == "0":
            assert time.monotonic() < end, (one.root / ".checkpoint/errors.log").read_text()
            time.sleep(0.05)
        one.wait_for_same()


if __name__ == "__main__":
    sys.exit(main(tests))
