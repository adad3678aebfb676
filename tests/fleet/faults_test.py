"""A push whose server or connection breaks at every stage: nothing is lost, nothing comes twice, nothing hangs.

  faults_test.py PROGRAM [TEST...]

A proxy between the push and the server (proxy.py) counts what the push sends. At the Nth piece it does something bad,
for every N or a sample of them (PLANKEEP_STRIDE=N: every Nth). Then a push without a fault must bring the rest, and every line on
the server must be the one here.
"""

import os
import subprocess
import sys
import time

from cluster import Cluster, Machine, main
from proxy import Proxy, Swapped, Twice

tests = []


def test(function):
    tests.append(function)
    return function


def stages(cluster, machine, act, stride):
    """For every stage of a push of some thousand lines: the fault, then a push that must bring the rest."""
    stride = int(os.environ.get("PLANKEEP_STRIDE", stride))
    stage = 1 + (os.getpid() % stride)
    seen = 0
    while True:
        machine.note(300, f"stage {stage}")
        machine.run("note", f"a line of the program's own at {stage}")
        with Proxy(cluster.port, stage, act) as proxy:
            address = f"host=127.0.0.1 port={proxy.port} dbname=fleet user=kim sslmode=disable"
            started = time.monotonic()
            machine.run("fleet", "push", "--fleet", address, status=None)
            assert time.monotonic() - started < 60, "it hangs"
            assert machine.status in (0, 4, 5), (machine.status, machine.err)
            # The push may end before what was done to it has.
            acted = proxy.settled()
        if not acted:
            assert machine.status == 0, machine.err
            break
        seen += 1
        machine.fleet("push")
        machine.check_same()
        stage += stride
    assert seen >= 3, f"only {seen} stages"
    print(f"{seen} stages")
    machine.fleet("push")
    machine.check_same()


def world(program):
    cluster = Cluster()
    cluster.__enter__()
    try:
        Machine(cluster, program, "boss", user="boss", text=None).fleet("init")
        cluster.login("kim")
        return cluster, Machine(cluster, program, "one")
    except BaseException:
        cluster.__exit__()
        raise


def played(program, act_of, stride):
    cluster, machine = world(program)
    try:
        stages(cluster, machine, act_of(cluster), stride)
    finally:
        cluster.__exit__()


@test
def the_connection_is_cut_at_every_stage(program):
    played(program, lambda cluster: Proxy.cut, 2)


@test
def the_backend_is_terminated_at_every_stage(program):
    def act_of(cluster):
        # Answered once it is gone.
        return lambda pair: cluster.sql("SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE usename = 'kim'")
    played(program, act_of, 4)


@test
def the_server_is_killed_at_every_stage_and_comes_back(program):
    def act_of(cluster):
        def act(pair):
            cluster.kill()
            Proxy.cut(pair)
            cluster.start()
        return act
    played(program, act_of, 4)


@test
def a_push_is_overtaken_by_another_at_every_stage(program):
    cluster, machine = world(program)
    try:
        def act(_):
            machine.note(40, "overtaking")
            # The environment's address leads past the proxy.
            process = machine.start("fleet", "push")
            process.communicate(timeout=50)
        stages(cluster, machine, act, 4)
    finally:
        cluster.__exit__()


@test
def many_pushes_of_one_folder_at_once_bring_each_line_once(program):
    cluster, machine = world(program)
    try:
        for _ in range(3):
            machine.note(3000)
            running = [machine.start("fleet", "push") for _ in range(8)]
            for process in running:
                _, err = process.communicate(timeout=100)
                assert process.returncode == 0, err
            machine.check_same()
    finally:
        cluster.__exit__()


@test
def a_push_that_is_killed_itself_leaves_nothing_half(program):
    cluster, machine = world(program)
    try:
        for i in range(12):
            machine.note(2500)
            process = machine.start("fleet", "push")
            # At some stage or other: whichever it is, what follows must hold.
            time.sleep(0.02 * i)
            process.kill()
            process.communicate(timeout=30)
            rows = cluster.sql("SELECT count(*), coalesce(max(line), 0), (SELECT coalesce(max(last_line), 0) FROM "
                               "plankeep.push) FROM plankeep.event").split("|")
            assert rows[0] == rows[1] == rows[2], rows
        machine.fleet("push")
        machine.check_same()
    finally:
        cluster.__exit__()


@test
def watching_goes_on_when_the_server_was_away(program):
    cluster, machine = world(program)
    try:
        machine.fleet("push")
        watcher = machine.start("fleet", "push", "--watch")
        try:
            machine.note(1)
            deadline = time.monotonic() + 60
            while cluster.sql("SELECT max(last_line) FROM plankeep.push") != str(len(machine.history())):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            cluster.stop("immediate")
            machine.run("note", "while it was away")
            time.sleep(1)
            cluster.start()
            deadline = time.monotonic() + 100
            while True:
                try:
                    machine.check_same()
                    break
                except AssertionError:
                    assert time.monotonic() < deadline
                    time.sleep(0.1)
        finally:
            watcher.terminate()
            out, err = watcher.communicate(timeout=30)
        assert watcher.returncode == 0, err
        assert b"trying again" in err and b"is back" in err, err
    finally:
        cluster.__exit__()

def through(proxy, tls=False):
    return f"host=127.0.0.1 port={proxy.port} dbname=fleet user=kim sslmode={'require' if tls else 'disable'}"


def mangled(program, kind, tls, stride):
    """Every stage of a push with its bytes out of order: a clean end each time, and a push afterwards brings the rest."""
    cluster, machine = world(program)
    try:
        stride = int(os.environ.get("PLANKEEP_STRIDE", stride))
        stage = 1 + (os.getpid() % stride)
        ends = {}
        while True:
            machine.note(700, f"stage {stage}")
            change = kind(stage)
            with Proxy(cluster.port, change=change) as proxy:
                started = time.monotonic()
                machine.run("fleet", "push", "--fleet", through(proxy, tls), status=None)
                assert time.monotonic() - started < 90, "it hangs"
                over = proxy.pieces < stage
            ends[machine.status] = ends.get(machine.status, 0) + 1
            # What was sent out of order without TLS may be answered with anything, but each answer is a clean one.
            assert machine.status in (0, 1, 4, 5), (stage, machine.status, machine.err)
            rows = cluster.sql("SELECT count(*), coalesce(max(line), 0), (SELECT coalesce(max(last_line), 0) FROM plankeep.push) "
                               "FROM plankeep.event").split("|")
            assert rows[0] == rows[1] == rows[2], (stage, rows)
            machine.fleet("push")
            # Only TLS can tell whether the text of a line was changed on its way.
            machine.check_same(text=tls)
            if over:
                break
            stage += stride
        print("exit statuses:", ends)
        assert ends.get(4, 0) + ends.get(5, 0) > 0, "nothing was disturbed"
    finally:
        cluster.__exit__()


@test
def a_piece_that_comes_twice_doubles_nothing(program):
    mangled(program, Twice, tls=False, stride=2)


@test
def pieces_out_of_order_lose_nothing(program):
    mangled(program, Swapped, tls=False, stride=2)


@test
def under_tls_every_change_is_noticed(program):
    mangled(program, Twice, tls=True, stride=3)


@test
def a_push_that_is_said_on_two_connections_is_stored_once(program):
    cluster, machine = world(program)
    try:
        # Without a password: what is replayed elsewhere is not refused at the door.
        conf = cluster.data / "pg_hba.conf"
        conf.write_text("host fleet kim 127.0.0.1/32 trust\n" + conf.read_text())
        cluster.sql("SELECT pg_reload_conf()")
        doubled = 0
        for count in (1, 50, 300, 6000):
            machine.note(count, f"doubled {count}")
            machine.run("done" if count % 100 else "start", "cart", status=None)
            with Proxy(cluster.port, doubled=True) as proxy:
                machine.run("fleet", "push", "--fleet", through(proxy), status=None)
                doubled += proxy.connections
            # The other one may hold the rows of the first until it is cut off.
            assert machine.status in (0, 5), (machine.status, machine.err)
            machine.fleet("push")
            machine.check_same()
            rows = cluster.sql("SELECT count(*), max(line), (SELECT sum(last_line - first_line + 1) FROM plankeep.push) FROM "
                               "plankeep.event").split("|")
            # Each line is in one push only.
            assert rows[0] == rows[1] == rows[2], rows
        assert doubled == 4
        assert cluster.sql("SELECT count(*) FROM (SELECT 1 FROM plankeep.plan_text GROUP BY digest HAVING count(*) > 2) d") == "0"
    finally:
        cluster.__exit__()


@test
def slow_connections_that_overtake_each_other_bring_each_line_once(program):
    cluster, machine = world(program)
    try:
        for _ in range(2):
            machine.note(3000)
            with Proxy(cluster.port, delay=0.1) as proxy:
                running = [machine.start("fleet", "push", "--fleet", through(proxy)) for _ in range(6)]
                for process in running:
                    _, err = process.communicate(timeout=100)
                    assert process.returncode in (0, 5), err
            machine.fleet("push")
            machine.check_same()
    finally:
        cluster.__exit__()


class SmallDisk:
    """A file system of so many MiB in memory, which can grow. None where this user may not mount."""

    def __init__(self, path, owner, size):
        self.path = path
        path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=0700,uid={owner},gid={owner}", "none", path],
                       check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def grow(self, size):
        subprocess.run(["mount", "-o", f"remount,size={size}m", self.path], check=True)

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=False)


def small_disk(cluster, size):
    try:
        return SmallDisk(cluster.base / "small", cluster.owner.pw_uid if cluster.owner else os.geteuid(), size)
    except (OSError, subprocess.CalledProcessError):
        print("left out: a full disk needs a small file system, and this user may not mount one")
        return None


def fill(cluster, machine):
    """Pushes until the server says no."""
    for _ in range(60):
        machine.note(2000, "x" * 400)
        machine.run("fleet", "push", status=None)
        if machine.status != 0:
            return
    raise AssertionError("the disk does not get full")


@test
def a_full_disk_of_the_server_loses_nothing(program):
    cluster, machine = world(program)
    disk = small_disk(cluster, 40)
    try:
        if disk is None:
            return
        cluster.sql(f"CREATE TABLESPACE small LOCATION '{disk.path}'", database="postgres")
        cluster.sql("ALTER DATABASE fleet SET TABLESPACE small", database="postgres")
        machine.fleet("push")
        fill(cluster, machine)
        assert machine.status == 4 and "no room" in machine.err, (machine.status, machine.err)
        # What is there can be read, is whole, and nothing of the transaction that failed is.
        assert "plan.md" in machine.fleet("status")
        rows = cluster.sql("SELECT count(*), max(line), (SELECT max(last_line) FROM plankeep.push) FROM plankeep.event").split("|")
        assert rows[0] == rows[1] == rows[2] and int(rows[0]) < len(machine.history()), rows
        for _ in range(3):
            machine.run("fleet", "push", status=None)
            assert machine.status in (0, 4), machine.err
        # A watcher waits for the room.
        watcher = machine.start("fleet", "push", "--watch")
        try:
            time.sleep(1)
            disk.grow(400)
            deadline = time.monotonic() + 100
            while True:
                try:
                    machine.check_same()
                    break
                except AssertionError:
                    assert time.monotonic() < deadline
                    time.sleep(0.2)
        finally:
            watcher.terminate()
            watcher.communicate(timeout=30)
        machine.fleet("push")
        machine.check_same()
    finally:
        cluster.stop("immediate")
        if disk:
            disk.close()
        cluster.__exit__()


@test
def a_full_disk_for_the_servers_log_loses_nothing(program):
    cluster, machine = world(program)
    disk = small_disk(cluster, 64)
    try:
        if disk is None:
            return
        # The write-ahead log alone is there: without it the server stops and cannot start until there is room.
        cluster.stop()
        log = cluster.data / "pg_wal"
        subprocess.run(["cp", "-a", f"{log}/.", disk.path], check=True)
        subprocess.run(["rm", "-r", log], check=True)
        log.symlink_to(disk.path)
        with open(cluster.data / "postgresql.conf", "a", encoding="utf-8") as conf:
            conf.write("max_wal_size = 10GB\ncheckpoint_timeout = 1h\nwal_recycle = off\n")
        cluster.start()
        machine.fleet("push")
        fill(cluster, machine)
        assert machine.status in (4, 5), (machine.status, machine.err)
        cluster.stop("immediate")
        disk.grow(1000)
        cluster.start()
        rows = cluster.sql("SELECT count(*), max(line), (SELECT max(last_line) FROM plankeep.push) FROM plankeep.event").split("|")
        assert rows[0] == rows[1] == rows[2], rows
        machine.fleet("push")
        machine.check_same()
    finally:
        cluster.stop("immediate")
        if disk:
            disk.close()
        cluster.__exit__()



if __name__ == "__main__":
    sys.exit(main(tests))
