"""The server over real pipes: how it begins, ends and survives what is sent to it.

  pipes_test.py PROGRAM
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from client import Client

PROGRAM = ""
PING = {"jsonrpc": "2.0", "id": "p", "method": "ping"}


class PipesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-mcp-")
        self.addCleanup(folder.cleanup)
        self.base = folder.name

    def client(self, **options):
        client = Client(PROGRAM, self.base, **options)
        self.addCleanup(self.stop, client)
        return client

    @staticmethod
    def stop(client):
        if client.server.poll() is None:
            client.server.kill()
            client.server.wait()
        for stream in (client.server.stdin, client.server.stdout, client.server.stderr):
            if stream:
                stream.close()

    def test_the_end_of_the_input_ends_it(self):
        client = self.client()
        client.begin()
        self.assertEqual(client.end(), (0, ""))

    def test_it_ends_without_a_word_when_nothing_is_said(self):
        self.assertEqual(self.client().end(), (0, ""))

    def test_everything_sent_before_the_end_is_answered(self):
        client = self.client()
        for number in range(100):
            client.send({"jsonrpc": "2.0", "id": number, "method": "ping"})
        client.server.stdin.close()
        self.assertEqual([client.read()["id"] for _ in range(100)], list(range(100)))
        self.assertIsNone(client.read())
        self.assertEqual(client.end(), (0, ""))

    def test_signals_end_it_cleanly(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                client = self.client()
                client.begin()
                client.server.send_signal(number)
                self.assertEqual(client.wait(), (0, ""))

    def test_a_signal_ends_it_while_nobody_reads_its_answers(self):
        client = self.client()
        client.begin()
        # More answers than the pipe holds, and none is read.
        message = json.dumps({"jsonrpc": "2.0", "id": "x" * 1000, "method": "ping"}).encode() + b"\n"
        flags = fcntl.fcntl(client.server.stdin, fcntl.F_GETFL)
        fcntl.fcntl(client.server.stdin, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        full = 0
        while full < 20:
            try:
                os.write(client.server.stdin.fileno(), message)
                full = 0
            except BlockingIOError:
                full += 1
                time.sleep(0.01)
        end = time.monotonic() + 30
        while client.server.poll() is None and time.monotonic() < end:
            client.server.send_signal(signal.SIGTERM)
            time.sleep(0.05)
        self.assertEqual(client.server.poll(), 0)

    def test_it_ends_when_nobody_reads_any_more(self):
        client = self.client()
        client.begin()
        client.server.stdout.close()
        # It waits for a message and sees that the reader is gone.
        self.assertEqual(client.server.wait(timeout=30), 0)

    def test_it_ends_when_its_answer_finds_no_reader(self):
        client = self.client()
        client.begin()
        client.server.stdout.close()
        try:
            client.send(PING)
        except BrokenPipeError:
            pass
        self.assertEqual(client.server.wait(timeout=30), 0)

    def test_a_message_may_come_in_pieces(self):
        client = self.client()
        for byte in json.dumps(PING).encode() + b"\r\n":
            client.send(bytes([byte]))
        self.assertEqual(client.read(), {"jsonrpc": "2.0", "id": "p", "result": {}})

    def test_a_message_over_16_mib_is_refused_and_the_next_is_read(self):
        client = self.client()
        huge = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (17 << 20) + b'"}\n'
        writer = threading.Thread(target=lambda: (client.send(huge), client.send(PING)))
        writer.start()
        self.assertEqual(client.read()["error"]["code"], -32700)
        self.assertEqual(client.read()["id"], "p")
        writer.join()
        with open(f"/proc/{client.server.pid}/status", encoding="ascii") as status:
            peak = [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
        if peak:
            self.assertLess(peak[0], 200_000, "kB of memory")

    def test_a_message_just_below_16_mib_is_read(self):
        client = self.client()
        client.begin()
        message = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                              "params": {"name": "record", "arguments": {"kind": "note", "text": "x" * (15 << 20)}}})
        threading.Thread(target=client.send, args=(message.encode() + b"\n",)).start()
        result = client.read()["result"]
        self.assertTrue(result["isError"])
        self.assertIn("text must be at most", result["content"][0]["text"])

    def test_what_is_no_message_is_refused_and_the_next_is_read(self):
        client = self.client()
        for junk in (b"\x00\x01\xff\n", b"{" * 5000 + b"\n", b"[" * 100000 + b"\n", b'"\xc3\n', b"GET / HTTP/1.1\r\n",
                     b"Content-Length: 20\r\n"):
            client.send(junk)
            self.assertEqual(client.read()["error"]["code"], -32700, junk[:20])
        client.send(b"\n\r\n \n")
        client.send(PING)
        self.assertEqual(client.read()["result"], {})

    def test_64_calls_in_a_row_leave_a_plan_and_records_in_order(self):
        tasks = "".join(f"- [ ] Task {n} <!-- TASK: t{n} -->\n" for n in range(64))
        client = self.client(plan="# Many\n\n## All\n<!-- CHECKPOINT: all -->\n" + tasks)
        client.begin()
        for number in range(64):
            client.send({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                         "params": {"name": "complete_task", "arguments": {"ids": [f"t{number}"]}}})
        for number in range(64):
            answer = client.read()
            self.assertEqual(answer["id"], number)
            self.assertEqual(answer["result"]["structuredContent"]["progress"]["completedTasks"], number + 1)
        self.assertEqual(client.end(), (0, ""))
        self.assertEqual((client.root / "plan.md").read_text(encoding="utf-8").count("- [x]"), 64)
        history = (client.root / ".checkpoint" / "history.jsonl").read_text(encoding="utf-8")
        self.assertEqual(history.count('"task_completed"'), 64)

    def test_servers_beside_each_other_lose_nothing(self):
        tasks = "".join(f"- [ ] Task {n} <!-- TASK: t{n} -->\n" for n in range(32))
        plan = "# Many\n\n## All\n<!-- CHECKPOINT: all -->\n" + tasks
        clients = [self.client(plan=plan if n == 0 else None) for n in range(4)]
        for client in clients:
            client.begin()

        def work(which):
            for number in range(which, 32, 4):
                result = clients[which].call("complete_task", ids=[f"t{number}"], actor=f"team:{which}")
                if result.get("isError"):
                    failures.append(result)

        failures = []
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual((clients[0].root / "plan.md").read_text(encoding="utf-8").count("- [x]"), 32)
        history = (clients[0].root / ".checkpoint" / "history.jsonl").read_text(encoding="utf-8")
        self.assertEqual(history.count('"task_completed"'), 32)

    def test_no_lock_is_kept_between_calls(self):
        client = self.client()
        client.begin()
        self.assertFalse(client.call("complete_task", ids=["login"]).get("isError"))
        run = subprocess.run([PROGRAM, "done", "logout"], cwd=client.root, timeout=5, check=False,
                             env={"PLANKEEP_CHECKPOINTS": "off", "HOME": self.base, "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(client.call("plan_status")["structuredContent"]["progress"]["completedTasks"], 3)

    def test_the_plan_may_be_named_at_the_start(self):
        client = self.client(arguments=("--plan", "elsewhere"))
        folder = client.root / "elsewhere"
        folder.mkdir()
        (folder / "plan.md").write_text("- [ ] Other <!-- TASK: other -->\n", encoding="utf-8")
        client.begin()
        self.assertEqual(client.call("plan_status")["structuredContent"]["plan"]["id"], "elsewhere")

    def test_several_plans_are_listed_and_none_is_guessed(self):
        client = self.client(plan=None)
        for name in ("auth", "mail"):
            folder = client.root / "plans" / name
            folder.mkdir(parents=True)
            (folder / "plan.md").write_text("- [ ] Other <!-- TASK: other -->\n", encoding="utf-8")
        client.begin()
        result = client.call("complete_task", ids=["other"])
        self.assertTrue(result["isError"])
        text = result["content"][0]["text"]
        self.assertTrue(text.startswith("ambiguous: "), text)
        self.assertIn("plans/auth/plan.md", text)
        self.assertIn("plans/mail/plan.md", text)
        self.assertFalse(client.call("complete_task", ids=["other"], plan="plans/mail").get("isError"))

    def test_it_is_killed_and_the_plan_is_whole(self):
        client = self.client()
        client.begin()
        client.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call",
                     "params": {"name": "complete_task", "arguments": {"ids": ["login"]}}})
        client.server.kill()
        client.server.wait()
        again = self.client(plan=None)
        again.begin()
        result = again.call("complete_task", ids=["login"])
        self.assertFalse(result.get("isError"), result)
        self.assertEqual(result["structuredContent"]["progress"]["completedTasks"], 2)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
