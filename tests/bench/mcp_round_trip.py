#!/usr/bin/python3
"""How long a client waits for an answer of `plankeep mcp`, once it runs; lines as bench_measure prints them.

  mcp_round_trip.py PLANKEEP FOLDER TASK RUNS

FOLDER holds a tracked plan with the open task TASK. Each is the median of RUNS, in turns, this client's own time
included: a ping, plan_status, resume_context, and complete_task, which ticks or opens the task each time and waits for
the disk.
"""

import json
import os
import statistics
import subprocess
import sys
import time

PLANKEEP, FOLDER, TASK, RUNS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])


def main():
    server = subprocess.Popen([PLANKEEP, "mcp"], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    out = server.stdout

    def ask(method, **params):
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"
        begin = time.perf_counter_ns()
        os.write(server.stdin.fileno(), message)
        answer = b""
        while not answer.endswith(b"\n"):
            answer += os.read(out.fileno(), 1 << 20)
        passed = time.perf_counter_ns() - begin
        if b'"result"' not in answer or b'"isError"' in answer:
            sys.exit(f"{method}: {answer!r}")
        return passed / 1000

    begin = time.perf_counter_ns()
    ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "bench", "version": "1"})
    first = (time.perf_counter_ns() - begin) / 1000
    times = {"mcp-ping": [], "mcp-status": [], "mcp-resume": [], "mcp-ticked": []}
    for run in range(RUNS):
        times["mcp-ping"].append(ask("ping"))
        times["mcp-status"].append(ask("tools/call", name="plan_status", arguments={}))
        times["mcp-resume"].append(ask("tools/call", name="resume_context", arguments={}))
        action = "done" if run % 2 == 0 else "reopen"
        times["mcp-ticked"].append(ask("tools/call", name="complete_task", arguments={"ids": [TASK], "action": action}))
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    server.stdin.close()
    server.wait()
    print("mcp-first", round(first), "-", peak, sep="\t")
    for name, passed in times.items():
        print(name, round(statistics.median(passed)), "-", peak, sep="\t")


if __name__ == "__main__":
    main()
