"""Fills a store of checkpoints for the benchmarks: copies of the one checkpoint in it, a minute apart. The copies have
its link: doctor finds them, what is measured does not look at the chain.

  fill_checkpoints.py DATABASE COUNT
"""

import sqlite3
import sys

ROWS = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
INSERT INTO checkpoints
SELECT printf('cp_000000_%05d', i), added + i, instance_id, CASE i % 10 WHEN 0 THEN 'manual' ELSE 'turn' END, sequence_num,
  context_window_percent, strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-01-01', '+' || i || ' minutes'),
  'phase-' || (i / 100), i, 'msg_' || i, NULL, plan_digest, todo_digest, work_digest, prd_version, prd_updated,
  chain, metadata, moment
FROM checkpoints, n WHERE added = 1
"""

database = sqlite3.connect(sys.argv[1])
with database:
    database.execute(ROWS, (int(sys.argv[2]),))
    database.execute("UPDATE counters SET value = value + ? WHERE name = 'added'", (int(sys.argv[2]),))
    database.execute("INSERT INTO counters VALUES ('turn', ?)", (int(sys.argv[2]),))
database.close()
