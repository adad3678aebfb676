"""Claims across machines: one holder a task, whoever asks, however many, and whatever dies.

  claims_test.py PROGRAM [TEST...]
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from cluster import Cluster, Machine, main

tests = []


def test(function):
    tests.append(function)
    return function


def plan_of(count):
    boxes = "".join(f"- [ ] Task {i} <!-- TASK: t{i} -->\n" for i in range(count))
    return f"# Many\n\n## Phase 1: Do\n\n{boxes}"


def team(cluster, program, machines, text, logins=("kim",)):
    Machine(cluster, program, "boss", user="boss", text=None).fleet("init")
    for login in logins:
        cluster.login(login)
    return [Machine(cluster, program, f"m{i}", user=logins[i % len(logins)], text=text) for i in range(machines)]


def leases(cluster):
    rows = cluster.sql("SELECT task, fence, holder, replica FROM plankeep.lease WHERE replica IS NOT NULL ORDER BY fence")
    return [row.split("|") for row in rows.splitlines()]


@test
def a_claim_holds_on_every_machine(program):
    with Cluster() as cluster:
        one, two = team(cluster, program, 2, plan_of(3), ("kim", "ada"))
        assert "claimed for the whole fleet: t0" in one.run("next", "--claim", "--fleet", "--by", "main")
        event = [json.loads(line) for line in one.history() if b"task_claimed" in line][-1]
        assert event["fleet"] is True and event["fleetFence"] >= 1
        one.fleet("push")
        log = two.fleet("log")
        assert f", fleet fence {event['fleetFence']}" in log, log
        two.run("claim", "t0", "--fleet", status=1)
        assert "claimed by main (kim on" in two.err, two.err
        refused = two.json("claim", "t0", "--fleet", status=1)
        assert refused["result"] == "held" and refused["other"]["login"] == "kim"
        # Two that have one name on one machine are two, as they are without a fleet.
        one.run("claim", "t0", "--fleet", "--by", "main", status=1)
        fence = event["fleetFence"]
        told = one.json("claim", "t0", "--fleet", "--by", "main", "--fence", fence, "--ttl", "2h")
        assert told["result"] == "renewed" and told["claim"]["fence"] == fence, told
        one.run("claim", "t0", "--fleet", "--fence", fence + 1000, status=1)
        # A session is known again.
        taken = two.json("fleet", "claim", "t1", "--session", "s1", "--by", "main")
        assert taken["result"] == "granted" and taken["claim"]["fence"] > fence
        again = two.json("fleet", "claim", "t1", "--session", "s1", "--by", "main")
        assert again["result"] == "renewed" and again["claim"]["fence"] == taken["claim"]["fence"], again
        # What is ticked anywhere is not given out.
        one.run("done", "t2")
        one.fleet("push")
        two.run("fleet", "claim", "t2", status=1)
        assert "t2 is done" in two.err
        two.run("next", "--claim", "--fleet", status=1)
        # Released by others: no. By the holder: then others have it at once.
        two.run("release", "t0", "--fleet", status=1)
        two.run("release", "t0", "--fleet", "--force", status=2)
        one.run("release", "t0", "--fleet", "--by", "main")
        assert two.json("next", "--claim", "--fleet")["task"]["id"] == "t0"
        assert one.json("status")["progress"]["completedTasks"] == 1


@test
def the_servers_clock_alone_decides(program):
    with Cluster() as cluster:
        one, two = team(cluster, program, 2, plan_of(2), ("kim", "ada"))
        # Hours apart: neither takes what the other has.
        ahead = {"PLANKEEP_NOW": "2099-01-01T00:00:00.000Z"}
        behind = {"PLANKEEP_NOW": "2001-01-01T00:00:00.000Z"}
        first = one.json("fleet", "claim", "t0", "--ttl", "1h", environment=behind)
        two.run("fleet", "claim", "t0", status=1, environment=ahead)
        until = cluster.sql("SELECT until > now() + interval '59 minutes', until < now() + interval '61 minutes' FROM "
                            "plankeep.lease WHERE task = 't0'")
        assert until == "t|t", until
        # Over by the server's clock: another gets it, with a greater fence.
        cluster.sql("BEGIN; SET LOCAL ROLE plankeep_admin; ALTER TABLE plankeep.lease DISABLE TRIGGER keep_lease; "
                    "UPDATE plankeep.lease SET until = now() - interval '1 second'; "
                    "ALTER TABLE plankeep.lease ENABLE TRIGGER keep_lease; COMMIT")
        second = two.json("fleet", "claim", "t0", environment=ahead)
        assert second["claim"]["fence"] > first["claim"]["fence"]
        # The one that lost it does not get it back by its old number.
        one.run("fleet", "claim", "t0", "--fence", first["claim"]["fence"], status=1, environment=behind)
        one.run("fleet", "release", "t0", "--fence", first["claim"]["fence"], status=1, environment=behind)
        assert [lease[1] for lease in leases(cluster)] == [str(second["claim"]["fence"])]
        # Events in the order of their own times, then of the server: a clock in the past wins nothing.
        one.run("done", "t1", environment=behind)
        two.run("start", "t1", environment=ahead)
        two.fleet("push")
        one.fleet("push")
        tasks = {task["id"]: task for task in one.json("fleet", "status")["plans"][0]["tasks"]}
        assert tasks["t1"]["state"] == "active" and tasks["t1"]["disagree"][0]["state"] == "done", tasks["t1"]


@test
def without_the_server_there_is_no_claim(program):
    with Cluster() as cluster:
        (one,) = team(cluster, program, 1, plan_of(2))
        cluster.stop()
        before = one.history()
        for words in (("next", "--claim", "--fleet"), ("claim", "t0", "--fleet"), ("release", "t0", "--fleet")):
            one.run(*words, status=5)
            assert "cannot be reached" in one.err, one.err
        assert one.history() == before
        assert json.loads(one.run("claim", "t0", "--fleet", "--json", status=5))["error"]


@test
def a_login_that_holds_the_servers_lock_delays_a_claim_and_no_more(program):
    with Cluster() as cluster:
        (one,) = team(cluster, program, 1, plan_of(2))
        one.fleet("push")
        plan = cluster.sql("SELECT id FROM plankeep.plan")
        cluster.sql("CREATE ROLE stranger LOGIN PASSWORD 'stranger-secret'")
        lock = f"pg_advisory_lock(hashtextextended('plankeep.lease', {plan}))"
        holder = subprocess.Popen(
            [str(cluster.bin / "psql"), "-X", "-qAt", "-h", str(cluster.socket), "-p", str(cluster.port), "-U", "stranger", "-c",
             f"SELECT {lock}; SELECT pg_sleep(100)", "fleet"], env={"PGPASSWORD": "stranger-secret"}, stdout=subprocess.DEVNULL)
        try:
            held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            while cluster.sql(held) == "0":
                assert holder.poll() is None
                time.sleep(0.05)
            before = one.history()
            started = time.monotonic()
            one.run("next", "--claim", "--fleet", status=5)
            assert 15 < time.monotonic() - started < 60
            assert one.history() == before and not leases(cluster)
        finally:
            holder.kill()
            holder.wait()
        cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'stranger'")
        while cluster.sql(held) != "0":
            time.sleep(0.05)
        assert one.json("next", "--claim", "--fleet")["task"]["id"] == "t0"


@test
def a_push_renews_what_hooks_renewed(program):
    with Cluster() as cluster:
        (one,) = team(cluster, program, 1, plan_of(2))
        one.fleet("claim", "t0", "--session", "s1", "--ttl", "10s")
        # As a hook renews it: for longer, here only.
        one.run("claim", "t0", "--session", "s1", "--ttl", "2h")
        fence = leases(cluster)[0][1]
        one.fleet("push")
        assert cluster.sql("SELECT until > now() + interval '1 hour' FROM plankeep.lease WHERE task = 't0'") == "t"
        assert leases(cluster)[0][1] == fence


@test
def a_claim_ends_with_its_task_and_with_its_release_here(program):
    with Cluster() as cluster:
        one, two = team(cluster, program, 2, plan_of(5), ("kim", "ada"))
        for task in ("t0", "t1", "t2", "t3"):
            one.fleet("claim", task, "--by", "main")
        one.run("done", "t0")
        plan = (one.root / "plan.md").read_text()
        (one.root / "plan.md").write_text(plan.replace("- [ ] Task 1 <!-- TASK: t1 -->\n", ""))
        one.run("release", "t2", "--by", "main")
        assert len(leases(cluster)) == 4
        # Ticked, removed and released; what is still held stays.
        told = one.json("fleet", "push")["pushed"][0]
        assert told["ended"] == 3, told
        assert [lease[0] for lease in leases(cluster)] == ["t3"]
        assert one.json("fleet", "push")["pushed"][0]["ended"] == 0
        assert two.json("fleet", "claim", "t2")["result"] == "granted"
        # Another machine finishes it: nobody is shown as its holder, whatever the server still has.
        two.run("done", "t3")
        two.fleet("push")
        assert [lease[0] for lease in leases(cluster)] == ["t3", "t2"]
        shown = [claim["taskId"] for claim in one.json("fleet", "status")["plans"][0]["claims"]]
        assert shown == ["t2"], shown
        assert "claimed   t3" not in one.fleet("status")


@test
def a_claim_that_was_released_here_can_be_claimed_again_before_a_push(program):
    with Cluster() as cluster:
        one, two = team(cluster, program, 2, plan_of(2), ("kim", "ada"))
        first = one.json("fleet", "claim", "t0", "--by", "main")
        one.run("release", "t0", "--by", "main")
        second = one.json("fleet", "claim", "t0", "--by", "main")
        assert second["result"] == "granted" and second["claim"]["fence"] > first["claim"]["fence"], second
        one.fleet("claim", "t1", "--by", "main")
        one.run("release", "t1", "--by", "main")
        assert one.json("fleet", "next", "--by", "main")["task"]["id"] == "t1"
        one.fleet("release", "t1", "--by", "main")
        # What the server granted and nobody recorded here (we died in between) is not taken for over, and a refusal claims
        # nothing here.
        replica = one.replica()
        cluster.sql(f"INSERT INTO plankeep.lease (plan, task, replica, holder) SELECT r.plan, 't1', r.id, 'main' FROM "
                    f"plankeep.replica r WHERE r.id = '{replica}' ON CONFLICT (plan, task) DO UPDATE SET replica = "
                    "excluded.replica, holder = excluded.holder")
        before = one.history()
        one.fleet("claim", "t1", "--by", "main", status=1)
        assert one.history() == before
        one.fleet("push")
        assert {lease[0] for lease in leases(cluster)} == {"t0", "t1"}


@test
def a_model_claims_for_all_machines(program):
    with Cluster() as cluster:
        one, two = team(cluster, program, 2, plan_of(2), ("kim", "ada"))
        two.run("fleet", "claim", "t0")

        def ask(*calls):
            said = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
                {"jsonrpc": "2.0", "method": "notifications/initialized"}]
            said += [{"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
                     for i, (name, arguments) in enumerate(calls, 1)]
            run = subprocess.run([str(program), "mcp"], cwd=one.root, env=one.environment, check=False, timeout=120,
                                 input="".join(json.dumps(one_) + "\n" for one_ in said).encode(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            answers = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
            return [answers[i]["result"] for i in range(1, len(calls) + 1)]

        held, following, nothing, status = ask(
            ("claim_task", {"id": "t0", "fleet": True}), ("claim_task", {"fleet": True}), ("claim_task", {"fleet": True}),
            ("plan_status", {"fleet": True}))
        assert held["isError"] and held["structuredContent"]["result"] == "held", held
        assert held["structuredContent"]["fleet"]["other"]["login"] == "ada"
        assert not following.get("isError") and following["structuredContent"]["task"]["id"] == "t1", following
        assert nothing["isError"] and "no task is available" in nothing["content"][0]["text"], nothing
        claims = status["structuredContent"]["fleet"]["plans"][0]["claims"]
        assert {claim["taskId"] for claim in claims} == {"t0", "t1"}, status
        released, = ask(("claim_task", {"id": "t1", "release": True, "fleet": True}))
        assert released["structuredContent"]["result"] == "released", released
        cluster.stop()
        away, = ask(("claim_task", {"fleet": True}))
        assert away["isError"] and "cannot be reached" in away["content"][0]["text"], away


@test
def sixty_four_at_once_get_a_task_each(program):
    with Cluster() as cluster:
        machines = team(cluster, program, 8, plan_of(70), ("kim", "ada", "bob", "eve"))
        for machine in machines:
            machine.fleet("push")
        asked = [machines[i % 8].start("fleet", "next", "--json", "--by", f"team:{i}") for i in range(64)]
        answers = [process.communicate(timeout=120) for process in asked]
        assert all(process.returncode == 0 for process in asked), [err.decode() for _, err in answers if err]
        told = [json.loads(out) for out, _ in answers]
        assert len({claim["task"]["id"] for claim in told}) == 64
        assert len({claim["claim"]["fence"] for claim in told}) == 64
        assert {(claim["task"]["id"], str(claim["claim"]["fence"])) for claim in told} == \
            {(task, fence) for task, fence, _, _ in leases(cluster)}


def claim_at_random(cluster, machines, at_once, more):
    """Runs `at_once` random claims, pushes and notes at a time on all machines, as long as more(number) is true, and kills a
    quarter of them. Afterwards every fence must have one holder, and every line must be on the server once."""
    seed = int.from_bytes(os.urandom(4), "big")
    print(f"seed {seed}")
    choice = random.Random(seed)
    running = []
    granted = []

    def collect(process):
        out, err = process.communicate(timeout=120)
        if process.returncode == 0 and process.words[1] == "next":
            claim = json.loads(out)
            granted.append((claim["claim"]["fence"], claim["task"]["id"], process.holder))
        assert process.returncode in (0, 1, 5, -signal.SIGKILL), (process.words, process.returncode, err)

    number = 0
    while more(number):
        machine = choice.choice(machines)
        holder = f"team:{number}"
        words = choice.choice([("fleet", "next", "--ttl", choice.choice(["1s", "30m"]), "--by", holder, "--json")] * 3 +
                              [("fleet", "push", "--json"), ("fleet", "push", "--json"), ("note", f"n{number}", "--json")])
        process = machine.start(*words)
        process.words, process.holder = words, holder
        running.append(process)
        if choice.random() < 0.25:
            choice.choice(running).kill()
        while len(running) > at_once:
            collect(running.pop(0))
        number += 1
    for process in running:
        collect(process)
    print(f"{number} calls, {len(granted)} claims")
    fences = [fence for fence, _, _ in granted]
    assert granted and len(fences) == len(set(fences)), "one fence, two holders"
    there = {fence: (task, holder) for task, fence, holder, _ in leases(cluster)}
    newest = {}
    for fence, task, holder in sorted(granted):
        newest[task] = (fence, holder)
    for task, (fence, holder) in newest.items():
        row = [(f, h) for f, (t, h) in there.items() if t == task]
        # Nobody later who was killed before it could say so may have it; nobody earlier has.
        assert all(int(f) > fence or (int(f) == fence and h == holder) for f, h in row), (task, row, fence, holder)
    for machine in machines:
        machine.fleet("push")
        machine.check_same()


@test
def killed_at_random_no_fence_has_two_holders_and_no_line_is_lost(program):
    with Cluster() as cluster:
        machines = team(cluster, program, 8, plan_of(40), ("kim", "ada"))
        claim_at_random(cluster, machines, 32, lambda number: number < 240)


@test
def in_eight_namespaces_no_fence_has_two_holders_and_no_line_is_lost(program):
    """Machines with their own host names, networks and processes, for PLANKEEP_SECONDS."""
    if subprocess.run([*Machine.namespace("probe"), "true"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      check=False).returncode != 0:
        print("left out: this user may not make namespaces")
        return
    with Cluster() as cluster:
        machines = team(cluster, program, 8, plan_of(80), ("kim", "ada", "bob"))
        for i, machine in enumerate(machines):
            machine.inside = machine.namespace(f"host-{i}")
        for machine in machines:
            machine.fleet("push")
        assert cluster.sql("SELECT count(DISTINCT machine) FROM plankeep.replica") == "8"
        until = time.monotonic() + float(os.environ.get("PLANKEEP_SECONDS", "15"))
        claim_at_random(cluster, machines, 64, lambda _: time.monotonic() < until)


if __name__ == "__main__":
    sys.exit(main(tests))
