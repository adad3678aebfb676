"""A push whose server or connection breaks at every stage: nothing is lost, nothing comes twice, nothing hangs.

  faults_test.py PROGRAM [TEST...]

A proxy between the push and the server counts what the push sends. At the Nth piece it does something bad, for every N
or a sample of them (PLANKEEP_STRIDE=N: every Nth). Then a push without a fault must bring the rest, and every line on
the server must be the one here.
"""

import os
import socket
import sys
import threading
import time

from cluster import Cluster, Machine, main

tests = []


def test(function):
    tests.append(function)
    return function


class Proxy:
    """Passes bytes between clients and the server, and calls `act(self, pair)` before client piece number `at`."""

    def __init__(self, port, at=None, act=None):
        self.target, self.at, self.act = port, at, act
        self.pieces = 0
        self.acted = threading.Event()
        self.finished = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.threads = []
        self.sockets = []
        self.spawn(self.accept)

    def spawn(self, function, *arguments):
        thread = threading.Thread(target=function, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=30)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            pair = (client, server)
            self.sockets += pair
            self.spawn(self.forward, client, server, pair, True)
            self.spawn(self.forward, server, client, pair, False)

    def forward(self, source, sink, pair, from_client):
        try:
            while data := source.recv(16384):
                if from_client:
                    self.pieces += 1
                    if self.pieces == self.at:
                        self.acted.set()
                        try:
                            self.act(pair)
                        finally:
                            self.finished.set()
                sink.sendall(data)
        except OSError:
            pass
        self.cut(pair)

    @staticmethod
    def cut(pair):
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.cut(self.sockets)
        for end in self.sockets:
            end.close()


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
            acted = proxy.acted.is_set()
            # The push may end before what was done to it has.
            assert not acted or proxy.finished.wait(90)
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


if __name__ == "__main__":
    sys.exit(main(tests))
