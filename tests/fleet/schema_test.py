"""Versions of the schema: an older one is upgraded with its data, a newer one is refused.

  schema_test.py PROGRAM [TEST...]
"""

import hashlib
import json
import re
import sys

from cluster import Cluster, Machine, main
from proxy import Proxy

tests = []
NEWEST = 2
# SHA-256 of released steps. They must not change: servers that already ran them would differ from new ones.
RELEASED = {1: "90a5ee542f009c630054bca7e96f92a306a555e16032e6460258b7b11ca24399"}


def test(function):
    tests.append(function)
    return function


def script(program, cluster, name="printer"):
    return Machine(cluster, program, name, user="boss", text=None).fleet("init", "--print")


def up_to(text, version):
    """The script that makes that version and no newer one."""
    mark = f"INSERT INTO plankeep.schema_version (version) VALUES ({version});\n"
    end = text.index(mark) + len(mark)
    return text[:end] + "COMMIT;\n"


def step(text, version):
    begin = 0 if version == 1 else len(up_to(text, version - 1)) - len("COMMIT;\n")
    if version == 1:
        begin = text.index("CREATE TABLE plankeep.schema_version")
    return text[begin:len(up_to(text, version)) - len("COMMIT;\n")]


# As version 1 has them.
COLUMNS = {
    "project": "id, name", "plan": "id, project, path", "replica": "id, plan, machine, login, made_at",
    "event": "replica, line, ts, name, body", "push": "replica, last_line, first_line, bytes, digest, at, tx",
    "checkpoint": "replica, id, type, ts, phase, body, at", "plan_text": "id, replica, digest, text, at",
    "lease": "plan, task, replica, holder, session, fence, since, ttl, until",
}


def dump(cluster):
    # Version 2 says "seen" of some.
    tables = {**COLUMNS, "word": "plan, kind, key, replica, line, ts, replace(state, 'seen', 'open'), by, phase, title"}
    return {table: cluster.sql(f"SELECT {columns} FROM plankeep.{table} ORDER BY {columns.replace(', body', '')}")
            for table, columns in tables.items()}


def version(cluster):
    return cluster.sql("SELECT string_agg(version::text, ',' ORDER BY version) FROM plankeep.schema_version")


def world_of_version_1(cluster, program):
    """A server of version 1 with what a machine pushed; the machine."""
    text = script(program, cluster)
    boss = Machine(cluster, program, "boss", user="boss", text=None)
    boss.fleet("init")
    cluster.login("kim")
    one = Machine(cluster, program, "one")
    for session in ("s1", "s2", "s1"):
        one.run("checkpoint", "create", "--session", session, environment={"PLANKEEP_CHECKPOINTS": ""}, status=None)
        one.run("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": ""})
    one.run("done", "cart")
    one.run("block", "waiting for the bank")
    one.note(300)
    one.fleet("push")
    for table, columns in COLUMNS.items():
        cluster.sql(f"CREATE TABLE public.{table} AS SELECT {columns} FROM plankeep.{table}")
    cluster.sql("DROP SCHEMA plankeep CASCADE")
    cluster.sql(up_to(text, 1))
    for table, columns in COLUMNS.items():
        overriding = "OVERRIDING SYSTEM VALUE" if columns.startswith("id") else ""
        cluster.sql(f"INSERT INTO plankeep.{table} ({columns}) {overriding} SELECT {columns} FROM public.{table}")
    cluster.sql("SELECT setval(pg_get_serial_sequence('plankeep.' || t, 'id'), 100) FROM (VALUES ('project'), ('plan'), "
                "('plan_text')) v (t)")
    return boss, one


@test
def a_released_step_stays_as_it_is(program):
    with Cluster() as cluster:
        text = script(program, cluster)
        marks = re.findall(r"INSERT INTO plankeep.schema_version \(version\) VALUES \((\d+)\)", text)
        assert marks == [str(number) for number in range(1, NEWEST + 1)], marks
        for number, digest in RELEASED.items():
            assert hashlib.sha256(step(text, number).encode()).hexdigest() == digest, f"step {number} was changed"


@test
def an_older_schema_is_upgraded_with_what_is_in_it(program):
    with Cluster() as cluster:
        boss, one = world_of_version_1(cluster, program)
        assert version(cluster) == "1"
        # A stranger's checkpoints, as version 1 took them: they must not stop an upgrade.
        record = json.loads(cluster.sql("SELECT body FROM plankeep.checkpoint LIMIT 1"))
        record["checkpoint_id"] = "cp_abcdef_001"
        record["moment"]["turn"] = 7
        record["moment"]["messageId"] = "m\0"
        hostile = {"cp_abcdef_001": json.dumps(record), "x": {"moment": {"turn": 10 ** 40}}, "y": [1], "z": None,
                   "u": {"moment": {"turn": "7"}, "instance_id": 5}, "v": "no record", "w": {"moment": [], "instance_id": {}}}
        for key, body in hostile.items():
            text = json.dumps(body).replace("'", "''")
            cluster.sql("INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body) SELECT id, "
                        f"'{key}', 'turn', now(), '', '{text}' FROM plankeep.replica", user="kim", password="kim-secret")
        before = dump(cluster)
        # The program does nothing with it until it is upgraded, and says how.
        for words in (("push",), ("status",), ("next",), ("checkpoints",)):
            one.run("fleet", *words, status=4)
            assert "version 1" in one.err and "plankeep fleet upgrade" in one.err, one.err
        # Not by somebody who may not.
        one.run("fleet", "upgrade", status=4)
        assert (version(cluster), dump(cluster)) == ("1", before)
        told = boss.json("fleet", "upgrade")
        assert (told["versionBefore"], told["schemaVersion"]) == (1, NEWEST), told
        assert dump(cluster) == before
        states = cluster.sql("SELECT key || '=' || state FROM plankeep.word WHERE kind = 'task' ORDER BY key").split()
        assert states == ["cart=done", "mail=seen", "pay=seen", "search=seen"], states
        assert "up to date" in boss.fleet("upgrade")
        # What is new was filled from what was there, in the order in which it came.
        rows = cluster.sql("SELECT id, session, turn, message FROM plankeep.checkpoint WHERE id ~ '^(cp_abcdef_001|[u-z])$' "
                           "ORDER BY id COLLATE \"C\"").splitlines()
        assert rows == [f"cp_abcdef_001|{record['instance_id']}|7|m\ufffd", "u|5|7|", "v||0|", 'w|{}|0|', "x||0|", "y||0|",
                        "z||0|"], rows
        assert cluster.sql("SELECT bool_and(session = body->>'instance_id') FROM plankeep.checkpoint WHERE id LIKE 'cp\\_%' "
                           "AND id <> 'cp_abcdef_001'") == "t"
        # And everything goes on.
        one.note(10)
        one.fleet("push")
        one.check_same()
        assert one.json("fleet", "next")["result"] == "granted"
        assert len(one.json("fleet", "checkpoints", "--all")["checkpoints"]) >= 3 + len(hostile)
        plan = one.json("fleet", "status")["plans"][0]
        assert plan["blockers"] == ["waiting for the bank"], plan


@test
def an_upgraded_schema_is_a_new_one(program):
    """Column by column, with keys, triggers, policies and grants."""
    shape = """
      SELECT table_name, column_name, data_type, column_default, is_nullable FROM information_schema.columns
       WHERE table_schema = 'plankeep' ORDER BY 1, 2;
      SELECT tablename, regexp_replace(indexdef, '_\\d+ ', ' ') FROM pg_indexes WHERE schemaname = 'plankeep' ORDER BY 1, 2;
      SELECT c.conrelid::regclass, pg_get_constraintdef(c.oid) FROM pg_constraint c WHERE c.connamespace = 'plankeep'::regnamespace
       ORDER BY c.conrelid::regclass::text, 2;
      SELECT t.tgrelid::regclass, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid
       WHERE r.relnamespace = 'plankeep'::regnamespace AND NOT t.tgisinternal ORDER BY t.tgrelid::regclass::text, 2;
      SELECT tablename, policyname, cmd, qual, with_check FROM pg_policies WHERE schemaname = 'plankeep' ORDER BY 1, 2;
      SELECT relname, relacl, relrowsecurity FROM pg_class WHERE relnamespace = 'plankeep'::regnamespace ORDER BY 1;
      SELECT attrelid::regclass, attname, attacl FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid::regclass::text LIKE
       'plankeep.%' ORDER BY attrelid::regclass::text, attname;
      SELECT proname, prosrc, proacl FROM pg_proc WHERE pronamespace = 'plankeep'::regnamespace ORDER BY 1"""
    with Cluster() as cluster:
        boss, _ = world_of_version_1(cluster, program)
        boss.fleet("upgrade")
        upgraded = cluster.sql(shape)
        cluster.sql("DROP SCHEMA plankeep CASCADE")
        boss.fleet("init")
        assert cluster.sql(shape) == upgraded


@test
def many_upgrades_at_once_are_one(program):
    with Cluster() as cluster:
        boss, one = world_of_version_1(cluster, program)
        before = dump(cluster)
        running = [boss.start("fleet", "upgrade") for _ in range(6)]
        for process in running:
            _, err = process.communicate(timeout=120)
            assert process.returncode == 0, err
        assert (version(cluster), dump(cluster)) == ("1,2", before)


@test
def an_upgrade_that_is_cut_off_is_whole_or_not_there(program):
    with Cluster() as cluster:
        boss, one = world_of_version_1(cluster, program)
        conf = cluster.data / "pg_hba.conf"
        conf.write_text("host fleet boss 127.0.0.1/32 trust\n" + conf.read_text())
        cluster.sql("SELECT pg_reload_conf()")
        before = dump(cluster)
        stage = 1
        while True:
            def act(pair):
                cluster.kill()
                Proxy.cut(pair)
                cluster.start()
            with Proxy(cluster.port, stage, act) as proxy:
                boss.run("fleet", "upgrade", "--fleet", f"host=127.0.0.1 port={proxy.port} dbname=fleet user=boss "
                         "sslmode=disable", status=None)
                acted = proxy.settled()
            assert version(cluster) in ("1", "1,2") and dump(cluster) == before
            if not acted:
                break
            stage += 1
        assert stage > 3 and version(cluster) == "1,2"
        one.fleet("push")
        one.check_same()


@test
def a_newer_schema_is_refused_and_left_alone(program):
    with Cluster() as cluster:
        boss = Machine(cluster, program, "boss", user="boss", text=None)
        boss.fleet("init")
        cluster.login("kim")
        one = Machine(cluster, program, "one")
        one.fleet("push")
        cluster.sql("SET ROLE plankeep_admin; INSERT INTO plankeep.schema_version (version) VALUES (3)")
        before = dump(cluster)
        one.note(5)
        for machine, words in ((one, ("push",)), (one, ("status",)), (one, ("next",)), (one, ("claim", "cart")), (one, ("pull",)),
                               (boss, ("init",)), (boss, ("upgrade",))):
            machine.run("fleet", *words, status=4)
            assert "version 3" in machine.err and "install a newer plankeep-fleet" in machine.err, (words, machine.err)
        assert (version(cluster), dump(cluster)) == ("1,2,3", before)


if __name__ == "__main__":
    sys.exit(main(tests))
