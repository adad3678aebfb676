"""A push whose server or connection breaks at every stage: nothing is lost, nothing comes twice, nothing hangs.

  faults_test.py PROGRAM [TEST...]

A proxy between the push and the server (proxy.py) counts what the push sends. At the Nth piece it does something bad,
for every N or a sample of them (tests/support/rotation). Then a push without a fault must bring the rest, and every line on
the server must be the one here.
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import time

from cluster import Cluster, Machine, main
from proxy import Proxy, Swapped, Twice

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from rotation import first_and_stride  # noqa: E402

tests = []


def test(function):
    tests.append(function)
    return function


def stages(cluster, machine, act, stride):
    """For every stage of a push of some thousand lines: the fault, then a push that must bring the rest."""
    stage, stride = first_and_stride(stride)
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


@contextlib.contextmanager
def world(program):
    """A server and a machine that may write to it."""
    with Cluster() as cluster:
        Machine(cluster, program, "boss", user="boss", text=None).fleet("init")
        cluster.login("kim")
        yield cluster, Machine(cluster, program, "one")


def lines_in_whole_pushes(cluster):
    """The number of lines on the server. None of them is missing, and the last push ends with the last line."""
    lines, last, pushed = cluster.sql("SELECT count(*), coalesce(max(line), 0), (SELECT coalesce(max(last_line), 0) FROM "
                                      "plankeep.push) FROM plankeep.event").split("|")
    assert lines == last == pushed, (lines, last, pushed)
    return int(lines)


def played(program, act_of, stride):
    with world(program) as (cluster, machine):
        stages(cluster, machine, act_of(cluster), stride)


@test
def the_connection_is_cut_at_every_stage(program):
    played(program, lambda cluster: Proxy.cut, 4)


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
    with world(program) as (cluster, machine):
        def act(_):
            machine.note(40, "overtaking")
            # The environment's address leads past the proxy.
            process = machine.start("fleet", "push")
            process.communicate(timeout=50)
        stages(cluster, machine, act, 4)


@test
def many_pushes_of_one_folder_at_once_bring_each_line_once(program):
    with world(program) as (cluster, machine):
        for _ in range(3):
            machine.note(3000)
            running = [machine.start("fleet", "push") for _ in range(8)]
            for process in running:
                _, err = process.communicate(timeout=100)
                assert process.returncode == 0, err
            machine.check_same()


@test
def a_push_that_is_killed_itself_leaves_nothing_half(program):
    with world(program) as (cluster, machine):
        for i in range(12):
            machine.note(2500)
            process = machine.start("fleet", "push")
            # At some stage or other: whichever it is, what follows must hold.
            time.sleep(0.02 * i)
            process.kill()
            process.communicate(timeout=30)
            lines_in_whole_pushes(cluster)
        machine.fleet("push")
        machine.check_same()


@test
def watching_goes_on_when_the_server_was_away(program):
    with world(program) as (cluster, machine):
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
            machine.wait_for_same(100)
        finally:
            watcher.terminate()
            out, err = watcher.communicate(timeout=30)
        assert watcher.returncode == 0, err
        assert b"trying again" in err and b"is back" in err, err


def through(proxy, tls=False):
    return f"host=127.0.0.1 port={proxy.port} dbname=fleet user=kim sslmode={'require' if tls else 'disable'}"


def mangled(program, kind, tls, stride):
    """Disturbs each stage of a push. The push must end cleanly, and the next one must send what is missing."""
    with world(program) as (cluster, machine):
        stage, stride = first_and_stride(stride)
        ends = {}
        stages_so_far = 0
        while True:
            machine.note(700, f"stage {stage}")
            change = kind(stage)
            with Proxy(cluster.port, change=change) as proxy:
                started = time.monotonic()
                machine.run("fleet", "push", "--fleet", through(proxy, tls), status=None)
                assert time.monotonic() - started < 90, "it hangs"
                over = proxy.pieces < stage
            ends[machine.status] = ends.get(machine.status, 0) + 1
            # Without TLS the server may answer anything, but the program must end cleanly.
            assert machine.status in (0, 1, 4, 5), (stage, machine.status, machine.err)
            lines_in_whole_pushes(cluster)
            machine.fleet("push")
            # Only TLS detects a line that was changed in transit. Each stage can change the lines where two pieces meet.
            stages_so_far += 1
            machine.check_same(changed=0 if tls else 3 * stages_so_far)
            if over:
                break
            stage += stride
        print("exit statuses:", ends)
        # Most stages bear it, so a sample may have no other.
        assert stride > 1 or ends.get(4, 0) + ends.get(5, 0) > 0, "nothing was disturbed"


@test
def a_piece_that_comes_twice_doubles_nothing(program):
    mangled(program, Twice, tls=False, stride=4)


@test
def pieces_out_of_order_lose_nothing(program):
    mangled(program, Swapped, tls=False, stride=4)


@test
def under_tls_every_change_is_noticed(program):
    mangled(program, Twice, tls=True, stride=6)


@test
def a_push_that_is_said_on_two_connections_is_stored_once(program):
    with world(program) as (cluster, machine):
        # Without a password, so that the server accepts the second connection.
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
            # The second connection may lock rows of the first until it is cut.
            assert machine.status in (0, 5), (machine.status, machine.err)
            machine.fleet("push")
            machine.check_same()
            rows = cluster.sql("SELECT count(*), max(line), (SELECT sum(last_line - first_line + 1) FROM plankeep.push) FROM "
                               "plankeep.event").split("|")
            # Each line is in one push only.
            assert rows[0] == rows[1] == rows[2], rows
        assert doubled == 4
        assert cluster.sql("SELECT count(*) FROM (SELECT 1 FROM plankeep.plan_text GROUP BY digest HAVING count(*) > 2) d") == "0"


@test
def slow_connections_that_overtake_each_other_bring_each_line_once(program):
    with world(program) as (cluster, machine):
        for _ in range(2):
            machine.note(3000)
            with Proxy(cluster.port, delay=0.1) as proxy:
                running = [machine.start("fleet", "push", "--fleet", through(proxy)) for _ in range(6)]
                for process in running:
                    _, err = process.communicate(timeout=100)
                    assert process.returncode in (0, 5), err
            machine.fleet("push")
            machine.check_same()


class SmallDisk:
    """A file system in memory, of a size in MiB that can grow."""

    def __init__(self, path, owner, size):
        self.path = path
        path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=0700,uid={owner},gid={owner}", "none", path],
                       check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def grow(self, size):
        subprocess.run(["mount", "-o", f"remount,size={size}m", self.path], check=True)

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=False)


@contextlib.contextmanager
def small_disk(cluster, size):
    """None where this user may not mount."""
    try:
        disk = SmallDisk(cluster.base / "small", cluster.owner.pw_uid if cluster.owner else os.geteuid(), size)
    except (OSError, subprocess.CalledProcessError):
        print("left out: a full disk needs a small file system, and this user may not mount one")
        yield None
        return
    try:
        yield disk
    finally:
        cluster.stop("immediate")
        disk.close()


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
    with world(program) as (cluster, machine), small_disk(cluster, 40) as disk:
        if disk is None:
            return
        cluster.sql(f"CREATE TABLESPACE small LOCATION '{disk.path}'", database="postgres")
        cluster.sql("ALTER DATABASE fleet SET TABLESPACE small", database="postgres")
        machine.fleet("push")
        fill(cluster, machine)
        assert machine.status == 4 and "no room" in machine.err, (machine.status, machine.err)
        # The server can be read, and has nothing of the transaction that failed.
        assert "plan.md" in machine.fleet("status")
        assert lines_in_whole_pushes(cluster) < len(machine.history())
        for _ in range(3):
            machine.run("fleet", "push", status=None)
            assert machine.status in (0, 4), machine.err
        # A watcher waits for the room.
        watcher = machine.start("fleet", "push", "--watch")
        try:
            time.sleep(1)
            disk.grow(400)
            machine.wait_for_same(100)
        finally:
            watcher.terminate()
            watcher.communicate(timeout=30)
        machine.fleet("push")
        machine.check_same()


@test
def a_full_disk_for_the_servers_log_loses_nothing(program):
    with world(program) as (cluster, machine), small_disk(cluster, 64) as disk:
        if disk is None:
            return
        # Only the write-ahead log is on it. Without room for that, the server stops and cannot start.
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
        lines_in_whole_pushes(cluster)
        machine.fleet("push")
        machine.check_same()


if __name__ == "__main__":
    sys.exit(main(tests))
