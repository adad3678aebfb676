"""Runs the checkpoint store's conformance suite against PostgreSQL.

  PLANKEEP_STORE_TESTS=fleet_store_tests store_test.py PROGRAM [TEST...]

fleet_store_tests has the suite of every engine (tests/checkpoint_db) and what only a server can be asked.
"""

import json
import os
import subprocess
import sys

from cluster import Cluster, Machine, main

tests = []


def test(function):
    tests.append(function)
    return function


@test
def the_engine_keeps_the_contract(program):
    with Cluster() as cluster:
        Machine(cluster, program, "boss", user="boss", text=None).fleet("init")
        for login in ("keeper", "kim", "ada"):
            cluster.login(login)
        cluster.login("eve", role="plankeep_reader")
        # Who may delete is a member of the owner's role, and no superuser.
        cluster.sql("GRANT plankeep_admin TO keeper")
        run = subprocess.run([os.environ["PLANKEEP_STORE_TESTS"]], check=False, timeout=400, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT,
                             env={**os.environ, "PLANKEEP_TEST_SERVER": f"host={cluster.socket} port={cluster.port} dbname=fleet"})
        print(run.stdout.decode()[-4000:])
        assert run.returncode == 0, run.returncode


@test
def a_checkpoint_with_a_nul_is_shown_and_pulled(program):
    with Cluster() as cluster:
        Machine(cluster, program, "boss", user="boss", text=None).fleet("init")
        cluster.login("kim")
        one = Machine(cluster, program, "one")
        one.run("checkpoint", "create", environment={"PLANKEEP_CHECKPOINTS": ""})
        one.fleet("push")
        two = Machine(cluster, program, "two")
        two.fleet("push")
        # As a transcript of another program may have left it.
        record = json.loads(cluster.sql("SELECT body FROM plankeep.checkpoint"))
        record["checkpoint_id"] = "cp_abcdef_001"
        record["work_state"]["git_status"]["branch"] = "a\0b"
        body = json.dumps(json.dumps(record)).replace("'", "''")
        cluster.sql(f"INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body) VALUES ('{one.replica()}', "
                    f"'cp_abcdef_001', 'manual', now(), '', '{body}')", user="kim", password="kim-secret")
        assert two.fleet("pull").startswith("2 checkpoints")
        assert "cannot be read" not in two.fleet("show", "cp_abcdef_001")
        shown = two.json("fleet", "show", "cp_abcdef_001")
        assert shown["checkpoints"][0]["checkpoint"]["work_state"]["git_status"]["branch"] == "a\0b", shown


if __name__ == "__main__":
    sys.exit(main(tests))
