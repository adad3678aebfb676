#pragma once
// The steps of the schema as SQL. For schema.cpp only.

#include <string_view>

namespace plankeep::fleet {

// Roles belong to the whole server, not to the database, so they may already exist.
inline constexpr std::string_view kRoles = R"sql(
DO $roles$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'plankeep_reader') THEN
    CREATE ROLE plankeep_reader NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'plankeep_writer') THEN
    CREATE ROLE plankeep_writer NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'plankeep_admin') THEN
    CREATE ROLE plankeep_admin NOLOGIN;
  END IF;
  IF NOT pg_catalog.pg_has_role('plankeep_writer', 'plankeep_reader', 'MEMBER') THEN
    GRANT plankeep_reader TO plankeep_writer;
  END IF;
  IF NOT pg_catalog.pg_has_role(current_user, 'plankeep_admin', 'MEMBER') THEN
    EXECUTE pg_catalog.format('GRANT plankeep_admin TO %I', current_user);
  END IF;
END
$roles$;
CREATE SCHEMA IF NOT EXISTS plankeep AUTHORIZATION plankeep_admin;
SET LOCAL ROLE plankeep_admin;
)sql";

inline constexpr std::string_view kStep1 = R"sql(
CREATE TABLE plankeep.schema_version (
  version integer PRIMARY KEY,
  made_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE plankeep.project (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 1000)
);
CREATE TABLE plankeep.plan (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project bigint NOT NULL REFERENCES plankeep.project,
  path text NOT NULL CHECK (octet_length(path) BETWEEN 1 AND 1000),
  UNIQUE (project, path)
);
-- One tracking folder. Its login is the one that created the row: SET ROLE does not change session_user.
CREATE TABLE plankeep.replica (
  id uuid PRIMARY KEY,
  plan bigint NOT NULL REFERENCES plankeep.plan,
  machine text NOT NULL CHECK (machine ~ '^[0-9a-f]{16}$'),
  login name NOT NULL DEFAULT session_user,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON plankeep.replica (plan);
CREATE INDEX ON plankeep.replica (login);

-- Lines of history.jsonl as they are. No foreign key: row-level security already checks the replica, and a key would check it again for every line.
CREATE TABLE plankeep.event (
  replica uuid NOT NULL,
  line bigint NOT NULL CHECK (line > 0),
  ts timestamptz NOT NULL,
  name text NOT NULL,
  body jsonb NOT NULL,
  PRIMARY KEY (replica, line)
) PARTITION BY HASH (replica);
DO $partitions$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE pg_catalog.format(
      'CREATE TABLE plankeep.event_%s PARTITION OF plankeep.event FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
      part, part);
  END LOOP;
END
$partitions$;

-- One transaction of a push: its lines, where the last of them ends in the replica's file, and a digest of that line.
-- tx orders pushes so that readers miss none (pg_snapshot_xmin).
CREATE TABLE plankeep.push (
  replica uuid NOT NULL REFERENCES plankeep.replica,
  last_line bigint NOT NULL,
  first_line bigint NOT NULL CHECK (first_line > 0 AND first_line <= last_line),
  bytes bigint NOT NULL CHECK (bytes >= 0),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{16}$'),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (replica, last_line)
);
CREATE INDEX ON plankeep.push (tx);

CREATE TABLE plankeep.checkpoint (
  replica uuid NOT NULL REFERENCES plankeep.replica,
  id text NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 200),
  type text NOT NULL,
  ts timestamptz NOT NULL,
  phase text NOT NULL,
  body jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (replica, id)
);
CREATE TABLE plankeep.plan_text (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  replica uuid NOT NULL REFERENCES plankeep.replica,
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  text text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ON plankeep.plan_text (replica, id);

-- Each replica's latest state of each task and blocker, derived from event.
CREATE TABLE plankeep.word (
  plan bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  replica uuid NOT NULL,
  line bigint NOT NULL,
  ts timestamptz NOT NULL,
  at timestamptz NOT NULL,
  state text COLLATE "C" NOT NULL,
  by text,
  phase text,
  title text,
  PRIMARY KEY (plan, kind, key, replica)
);

CREATE SEQUENCE plankeep.fence;
CREATE TABLE plankeep.lease (
  plan bigint NOT NULL REFERENCES plankeep.plan,
  task text NOT NULL CHECK (octet_length(task) BETWEEN 1 AND 1000),
  replica uuid REFERENCES plankeep.replica,
  holder text,
  session text NOT NULL DEFAULT '',
  fence bigint NOT NULL DEFAULT 0,
  since timestamptz,
  ttl interval NOT NULL DEFAULT interval '30 minutes',
  until timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (plan, task)
);
CREATE INDEX ON plankeep.lease (replica) WHERE replica IS NOT NULL;

-- What a line says about tasks and blockers. Input from strangers: values of the wrong type are ignored. It has no
-- search_path of its own, so that it can be inlined into the caller's statement, since it runs for every line. Its only
-- caller sets one; no other role may execute it.
CREATE FUNCTION plankeep.words_of(name text, body jsonb)
RETURNS TABLE (kind text, key text, state text, by text, phase text, title text)
LANGUAGE sql IMMUTABLE AS $$
  SELECT 'task', body->>'taskId',
         CASE name WHEN 'task_completed' THEN 'done' WHEN 'task_reopened' THEN 'open'
                   WHEN 'task_started' THEN 'active' WHEN 'task_removed' THEN 'removed'
                   WHEN 'task_added' THEN CASE WHEN body->'done' = 'true' THEN 'done' ELSE 'open' END END,
         body->>'by', body->>'phaseId', body->>'title'
   WHERE name IN ('task_completed', 'task_reopened', 'task_started', 'task_removed', 'task_added')
     AND jsonb_typeof(body->'taskId') = 'string'
  UNION ALL
  SELECT 'blocker', body->>'blocker', CASE name WHEN 'blocker_raised' THEN 'raised' ELSE 'resolved' END,
         body->>'by', NULL, NULL
   WHERE name IN ('blocker_raised', 'blocker_resolved') AND jsonb_typeof(body->'blocker') = 'string'
  UNION ALL
  SELECT 'task', t.id, CASE WHEN p.phase->'done' ? t.id THEN 'done' ELSE 'open' END,
         NULL, p.phase->>'id',
         (SELECT g.given->>'title'
            FROM jsonb_array_elements(
                   CASE WHEN jsonb_typeof(body->'marked') = 'array' THEN body->'marked' ELSE '[]' END ||
                   CASE WHEN jsonb_typeof(body->'ids') = 'array' THEN body->'ids' ELSE '[]' END) AS g(given)
           WHERE g.given->>'id' = t.id LIMIT 1)
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(body->'phases') = 'array' THEN body->'phases' ELSE '[]' END)
           AS p(phase),
         jsonb_array_elements_text(CASE WHEN jsonb_typeof(p.phase->'tasks') = 'array' THEN p.phase->'tasks'
                                        ELSE '[]' END) AS t(id)
   WHERE name = 'checkpoint_created'
$$;

-- The planner overestimates the number of new rows, and JIT compilation would take seconds.
CREATE FUNCTION plankeep.note_words() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  INSERT INTO plankeep.word AS w (plan, kind, key, replica, line, ts, at, state, by, phase, title)
  SELECT DISTINCT ON (f.replica, s.kind, s.key)
         r.plan, s.kind, left(s.key, 1000), f.replica, f.line, f.ts, clock_timestamp(), s.state,
         left(s.by, 200), left(s.phase, 1000), left(s.title, 2000)
    FROM fresh f
    JOIN plankeep.replica r ON r.id = f.replica
   CROSS JOIN LATERAL plankeep.words_of(f.name, f.body) s
   WHERE f.name IN ('task_completed', 'task_reopened', 'task_started', 'task_removed', 'task_added',
                    'blocker_raised', 'blocker_resolved', 'checkpoint_created')
     AND octet_length(s.key) <= 1000
   ORDER BY f.replica, s.kind, s.key, f.line DESC
  ON CONFLICT (plan, kind, key, replica) DO UPDATE
     SET line = excluded.line, ts = excluded.ts, at = excluded.at, state = excluded.state, by = excluded.by,
         phase = coalesce(excluded.phase, w.phase), title = coalesce(excluded.title, w.title)
   WHERE excluded.line > w.line;
  RETURN NULL;
END
$$;
CREATE TRIGGER note_words AFTER INSERT ON plankeep.event
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION plankeep.note_words();

CREATE FUNCTION plankeep.tell_push() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('plankeep', r.plan::text) FROM plankeep.replica r WHERE r.id = NEW.replica;
  RETURN NULL;
END
$$;
CREATE TRIGGER tell_push AFTER INSERT ON plankeep.push FOR EACH ROW EXECUTE FUNCTION plankeep.tell_push();

-- Recorded rows never change, except by the owner, for retention and repair.
CREATE FUNCTION plankeep.refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_user = (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = TG_RELID) THEN
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  RAISE EXCEPTION 'rows of plankeep.% are never changed', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', HINT = 'its owner may: SET ROLE plankeep_admin';
END
$$;
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON plankeep.event
  FOR EACH ROW EXECUTE FUNCTION plankeep.refuse_change();
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON plankeep.push
  FOR EACH ROW EXECUTE FUNCTION plankeep.refuse_change();
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON plankeep.checkpoint
  FOR EACH ROW EXECUTE FUNCTION plankeep.refuse_change();
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON plankeep.plan_text
  FOR EACH ROW EXECUTE FUNCTION plankeep.refuse_change();
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON plankeep.replica
  FOR EACH ROW EXECUTE FUNCTION plankeep.refuse_change();

-- The server sets fence, start and end of a lease, whatever a client writes.
CREATE FUNCTION plankeep.keep_lease() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now_here timestamptz := clock_timestamp();
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.plan <> OLD.plan OR NEW.task <> OLD.task) THEN
    RAISE EXCEPTION 'a lease keeps its task' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Not a policy: INSERT ... ON CONFLICT DO UPDATE would fail on it before evaluating its own WHERE.
  IF TG_OP = 'UPDATE' AND OLD.replica IS NOT NULL AND OLD.until > now_here AND NOT EXISTS (
       SELECT FROM plankeep.replica r WHERE r.id = OLD.replica AND r.login = session_user) THEN
    RAISE EXCEPTION 'another login holds this lease' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.replica IS NULL THEN
    NEW.holder := NULL;
    NEW.session := '';
    NEW.since := NULL;
    NEW.until := '-infinity';
    NEW.fence := CASE WHEN TG_OP = 'UPDATE' THEN OLD.fence ELSE 0 END;
    RETURN NEW;
  END IF;
  IF NEW.holder IS NULL OR octet_length(NEW.holder) > 200 OR octet_length(NEW.session) > 200 THEN
    RAISE EXCEPTION 'a lease has a holder' USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM plankeep.replica r WHERE r.id = NEW.replica AND r.plan = NEW.plan) THEN
    RAISE EXCEPTION 'the replica is of another plan' USING ERRCODE = 'check_violation';
  END IF;
  NEW.ttl := least(greatest(NEW.ttl, interval '1 second'), interval '30 days');
  IF TG_OP = 'UPDATE' AND OLD.until > now_here AND OLD.replica = NEW.replica AND OLD.holder = NEW.holder
     AND OLD.session = NEW.session THEN
    NEW.fence := OLD.fence;
    NEW.since := OLD.since;
  ELSE
    NEW.fence := nextval('plankeep.fence');
    NEW.since := now_here;
  END IF;
  NEW.until := now_here + NEW.ttl;
  RETURN NEW;
END
$$;
CREATE TRIGGER keep_lease BEFORE INSERT OR UPDATE ON plankeep.lease
  FOR EACH ROW EXECUTE FUNCTION plankeep.keep_lease();

ALTER TABLE plankeep.project ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.replica ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.event ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.push ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.checkpoint ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.plan_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.word ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.lease ENABLE ROW LEVEL SECURITY;

CREATE POLICY see ON plankeep.project FOR SELECT USING (true);
CREATE POLICY see ON plankeep.plan FOR SELECT USING (true);
CREATE POLICY see ON plankeep.replica FOR SELECT USING (true);
CREATE POLICY see ON plankeep.event FOR SELECT USING (true);
CREATE POLICY see ON plankeep.push FOR SELECT USING (true);
CREATE POLICY see ON plankeep.checkpoint FOR SELECT USING (true);
CREATE POLICY see ON plankeep.plan_text FOR SELECT USING (true);
CREATE POLICY see ON plankeep.word FOR SELECT USING (true);
CREATE POLICY see ON plankeep.lease FOR SELECT USING (true);
CREATE POLICY name ON plankeep.project FOR INSERT WITH CHECK (true);
CREATE POLICY name ON plankeep.plan FOR INSERT WITH CHECK (true);
CREATE POLICY own ON plankeep.replica FOR INSERT WITH CHECK (login = session_user);
-- Evaluated once per statement, not per row.
CREATE POLICY own ON plankeep.event FOR INSERT
  WITH CHECK (replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));
CREATE POLICY own ON plankeep.push FOR INSERT
  WITH CHECK (replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));
CREATE POLICY own ON plankeep.checkpoint FOR INSERT
  WITH CHECK (replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));
CREATE POLICY own ON plankeep.plan_text FOR INSERT
  WITH CHECK (replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));
CREATE POLICY take ON plankeep.lease FOR INSERT
  WITH CHECK (replica IS NULL OR replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));
CREATE POLICY change ON plankeep.lease FOR UPDATE
  USING (true)
  WITH CHECK (replica IS NULL OR replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));

GRANT USAGE ON SCHEMA plankeep TO plankeep_reader;
GRANT SELECT ON plankeep.schema_version, plankeep.project, plankeep.plan, plankeep.replica, plankeep.event,
  plankeep.push, plankeep.checkpoint, plankeep.plan_text, plankeep.word, plankeep.lease TO plankeep_reader;
GRANT INSERT (name) ON plankeep.project TO plankeep_writer;
GRANT INSERT (project, path) ON plankeep.plan TO plankeep_writer;
GRANT INSERT (id, plan, machine) ON plankeep.replica TO plankeep_writer;
GRANT INSERT ON plankeep.event TO plankeep_writer;
GRANT INSERT (replica, last_line, first_line, bytes, digest) ON plankeep.push TO plankeep_writer;
GRANT INSERT (replica, id, type, ts, phase, body) ON plankeep.checkpoint TO plankeep_writer;
GRANT INSERT (replica, digest, text) ON plankeep.plan_text TO plankeep_writer;
GRANT INSERT (plan, task, replica, holder, session, ttl), UPDATE (replica, holder, session, ttl)
  ON plankeep.lease TO plankeep_writer;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA plankeep FROM PUBLIC;

INSERT INTO plankeep.schema_version (version) VALUES (1);
)sql";

// What the checkpoint store (fleet/checkpoints/server_store) needs, take_next() for claims, an index for
// status.
inline constexpr std::string_view kStep2 = R"sql(
-- A checkpoint's body as a JSON object. In a body that was stored as a string (because of a NUL), NULs become U+FFFD.
-- Anything else gives an empty object: clients can send any body.
CREATE FUNCTION plankeep.checkpoint_object(body jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found jsonb := body;
BEGIN
  IF jsonb_typeof(found) = 'string' THEN
    found := replace(found #>> '{}', '\u0000', '\ufffd')::jsonb;
  END IF;
  RETURN CASE WHEN jsonb_typeof(found) = 'object' THEN found ELSE '{}' END;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN '{}';
END
$$;

-- added: the order of insertion. session, turn, message and snapshot are set by a trigger from the body, whatever a client
-- sends for them.
ALTER TABLE plankeep.checkpoint
  ADD COLUMN added bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN session text NOT NULL DEFAULT '',
  ADD COLUMN turn bigint NOT NULL DEFAULT 0,
  ADD COLUMN message text NOT NULL DEFAULT '',
  ADD COLUMN snapshot text,
  ADD COLUMN text_digest text;

CREATE FUNCTION plankeep.fill_checkpoint() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  body jsonb := plankeep.checkpoint_object(NEW.body);
  turn text := body #>> '{moment,turn}';
BEGIN
  NEW.session := coalesce(body ->> 'instance_id', '');
  NEW.turn := CASE WHEN turn ~ '^[1-9][0-9]{0,17}$' THEN turn::bigint ELSE 0 END;
  NEW.message := coalesce(body #>> '{moment,messageId}', '');
  NEW.snapshot := body #>> '{moment,snapshot,ref}';
  RETURN NEW;
END
$$;
CREATE TRIGGER fill_checkpoint BEFORE INSERT OR UPDATE ON plankeep.checkpoint
  FOR EACH ROW EXECUTE FUNCTION plankeep.fill_checkpoint();
UPDATE plankeep.checkpoint SET body = body;
ALTER TABLE plankeep.checkpoint ADD UNIQUE (replica, added);
CREATE INDEX ON plankeep.checkpoint (replica, ts, added);
CREATE INDEX ON plankeep.checkpoint (replica, turn) WHERE turn > 0;

-- The texts of plans, as bytes. A text must match its digest and cannot be deleted while a checkpoint refers to it.
CREATE TABLE plankeep.checkpoint_text (
  replica uuid NOT NULL REFERENCES plankeep.replica ON DELETE CASCADE,
  digest text NOT NULL,
  content bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (replica, digest),
  CHECK (digest = encode(sha256(content), 'hex'))
);
ALTER TABLE plankeep.checkpoint ADD FOREIGN KEY (replica, text_digest) REFERENCES plankeep.checkpoint_text;
CREATE INDEX ON plankeep.checkpoint (replica, text_digest) WHERE text_digest IS NOT NULL;
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON plankeep.checkpoint_text
  FOR EACH ROW EXECUTE FUNCTION plankeep.refuse_change();

-- The greatest numbers of deleted checkpoints, so that no number is assigned twice.
CREATE TABLE plankeep.checkpoint_number (
  replica uuid NOT NULL REFERENCES plankeep.replica ON DELETE CASCADE,
  name text NOT NULL,
  last bigint NOT NULL,
  PRIMARY KEY (replica, name)
);
CREATE FUNCTION plankeep.keep_numbers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO plankeep.checkpoint_number AS n (replica, name, last)
  SELECT g.replica, g.name, max(g.number)
    FROM (SELECT replica, substr(id, 1, 9) AS name, substr(id, 11)::bigint AS number FROM gone
           WHERE id ~ '^cp_[0-9a-f]{6}_[0-9]{3,15}$'
          UNION ALL SELECT replica, 'turn', turn FROM gone WHERE turn > 0) g
   GROUP BY g.replica, g.name
  ON CONFLICT (replica, name) DO UPDATE SET last = greatest(n.last, excluded.last);
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_numbers AFTER DELETE ON plankeep.checkpoint
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION plankeep.keep_numbers();

-- A machine that reads a plan for the first time, or meets a new task in it, says no more of an open box than that it has
-- seen it ('seen'): its copy may be older than another machine's tick. Whoever reopens a task says 'open'.
ALTER FUNCTION plankeep.words_of(text, jsonb) RENAME TO words_in;
CREATE FUNCTION plankeep.words_of(name text, body jsonb)
RETURNS TABLE (kind text, key text, state text, by text, phase text, title text)
LANGUAGE sql IMMUTABLE AS $$
  SELECT w.kind, w.key,
         CASE WHEN w.state = 'open' AND name IN ('checkpoint_created', 'task_added') THEN 'seen' ELSE w.state END,
         w.by, w.phase, w.title
    FROM plankeep.words_in(name, body) w
$$;

UPDATE plankeep.word w SET state = 'seen' FROM plankeep.event e
 WHERE w.kind = 'task' AND w.state = 'open' AND e.replica = w.replica AND e.line = w.line
   AND e.name IN ('checkpoint_created', 'task_added');

-- Claims the first of the offered tasks that is free and not done, and locks only its row. Looks at the tasks one by one, in
-- order, since most callers get one of the first few. Runs with the caller's privileges.
CREATE FUNCTION plankeep.take_next(wanted_plan bigint, offered text[], own_replica uuid, own_holder text, own_session text,
                                   own_ttl interval)
RETURNS SETOF plankeep.lease
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one text;
  taken plankeep.lease;
BEGIN
  -- Only existing rows can be locked. One caller at a time inserts the missing ones: otherwise many callers would each
  -- insert all of them and wait for each other.
  IF EXISTS (SELECT FROM unnest(offered) t (task) WHERE NOT EXISTS (
               SELECT FROM plankeep.lease l WHERE l.plan = wanted_plan AND l.task = t.task)) THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('plankeep.lease', wanted_plan));
    INSERT INTO plankeep.lease (plan, task)
    SELECT wanted_plan, t.task FROM unnest(offered) t (task) WHERE NOT EXISTS (
             SELECT FROM plankeep.lease l WHERE l.plan = wanted_plan AND l.task = t.task)
    ON CONFLICT (plan, task) DO NOTHING;
  END IF;
  FOR one IN SELECT l.task FROM unnest(offered) WITH ORDINALITY o (task, place)
               JOIN plankeep.lease l ON l.plan = wanted_plan AND l.task = o.task
              WHERE l.until <= clock_timestamp() ORDER BY o.place LOOP
    CONTINUE WHEN 'done' = (SELECT w.state FROM plankeep.word w WHERE w.plan = wanted_plan AND w.kind = 'task'
                             AND w.key = one AND w.state <> 'seen' ORDER BY w.ts DESC, w.at DESC LIMIT 1);
    PERFORM FROM plankeep.lease l WHERE l.plan = wanted_plan AND l.task = one AND l.until <= clock_timestamp()
        FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    UPDATE plankeep.lease l SET replica = own_replica, holder = own_holder, session = own_session, ttl = own_ttl
     WHERE l.plan = wanted_plan AND l.task = one RETURNING l.* INTO taken;
    RETURN NEXT taken;
    RETURN;
  END LOOP;
END
$$;

-- For status: counts the replicas of each state, and finds the newest event, from the index alone.
CREATE INDEX ON plankeep.word (plan, kind, key, state, ts, at);

ALTER TABLE plankeep.checkpoint_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE plankeep.checkpoint_number ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON plankeep.checkpoint_text FOR SELECT USING (true);
CREATE POLICY see ON plankeep.checkpoint_number FOR SELECT USING (true);
CREATE POLICY own ON plankeep.checkpoint_text FOR INSERT
  WITH CHECK (replica IN (SELECT r.id FROM plankeep.replica r WHERE r.login = session_user));
GRANT SELECT ON plankeep.checkpoint_text, plankeep.checkpoint_number TO plankeep_reader;
GRANT INSERT (replica, digest, content) ON plankeep.checkpoint_text TO plankeep_writer;
GRANT INSERT (text_digest) ON plankeep.checkpoint TO plankeep_writer;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA plankeep FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plankeep.take_next TO plankeep_writer;

INSERT INTO plankeep.schema_version (version) VALUES (2);
)sql";

}  // namespace plankeep::fleet
