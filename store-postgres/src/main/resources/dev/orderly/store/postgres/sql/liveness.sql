-- Liveness of nodes, by the rule of NodeLiveness in the core. The server's clock stamps and compares the beats, so that
-- a wrong clock of a node declares nobody dead. Only tests pass a moment in place of the server's.

-- ran: number of jobs that may have run when the node died; 0 once it has come back, since then nothing crashed.
ALTER TABLE node ADD COLUMN ran int NOT NULL DEFAULT 0;

-- The jobs for which the death of a node was counted as a crash.
CREATE TABLE crash(node int, seq bigint, PRIMARY KEY(node, seq));

-- not_before: no node is declared dead before this moment. It is set after all nodes were silent together, which means
-- that the clock was set or that all were suspended.
CREATE TABLE judgement(of text PRIMARY KEY, not_before bigint NOT NULL) WITH (fillfactor = 50);
INSERT INTO judgement VALUES('jobs', 0), ('presence', 0);

CREATE FUNCTION moment_now(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;

-- Sets not_before if all nodes were silent for longer than the gap. newest: the newest beat before this one.
CREATE FUNCTION note_gap(whose text, newest bigint, moment bigint, gap bigint, grace bigint) RETURNS void
  LANGUAGE sql AS $$
  UPDATE judgement SET not_before = moment + grace WHERE of = whose AND newest < moment - gap $$;

-- Whether nodes may be declared dead now. A not_before further ahead than the grace was left by a clock that was set
-- back since, and does not count.
CREATE FUNCTION may_judge(whose text, newest bigint, moment bigint, gap bigint, grace bigint) RETURNS boolean
  LANGUAGE sql AS $$
  SELECT newest >= moment - gap AND (not_before <= moment OR not_before > moment + grace)
    FROM judgement WHERE of = whose $$;

-- A node's beat. One statement that commits by itself, so that no lock is held while the answer is under way.
CREATE FUNCTION node_beat(called text, given bigint, gap bigint, grace bigint,
    OUT alive boolean, OUT cancelled bigint[]) LANGUAGE plpgsql AS $$
  DECLARE
    moment bigint := moment_now(given);
    mine int;
  BEGIN
    PERFORM note_gap('jobs', (SELECT max(last_beat) FROM node WHERE NOT dead), moment, gap, grace);
    alive := true;
    UPDATE node SET last_beat = moment WHERE name = called AND NOT dead RETURNING id INTO mine;
    IF mine IS NULL THEN
      alive := (SELECT count(*) = 0 FROM node WHERE name = called);
      UPDATE node SET ran = 0 WHERE name = called AND dead AND ran > 0;
      INSERT INTO node(name, last_beat) VALUES(called, moment) ON CONFLICT DO NOTHING;
    END IF;
    cancelled := ARRAY(SELECT seq FROM job WHERE job.node = mine AND job.state = 2 AND job.cancelling);
  END $$;

-- Declares silent nodes dead; returns their number. Does not wait: a node whose row a claim has locked is left to a
-- later call.
CREATE FUNCTION declare_dead(dead_after bigint, given bigint, gap bigint, grace bigint) RETURNS int
  LANGUAGE plpgsql AS $$
  DECLARE
    moment bigint := moment_now(given);
    silent int[];
  BEGIN
    UPDATE node SET last_beat = moment WHERE id IN (
      SELECT id FROM node WHERE NOT dead AND last_beat > moment + 1000 FOR NO KEY UPDATE SKIP LOCKED);
    IF may_judge('jobs', (SELECT max(last_beat) FROM node WHERE NOT dead), moment, gap, grace) THEN
      silent := ARRAY(
        SELECT id FROM node WHERE NOT dead AND last_beat < moment - dead_after ORDER BY id FOR UPDATE SKIP LOCKED);
      UPDATE node SET dead = true, ran =
          (SELECT count(*) FROM job WHERE job.node = node.id AND job.state = 2 AND job.grp IS NULL)
          + (SELECT count(*) FROM (
              SELECT DISTINCT queue, grp FROM job WHERE job.node = node.id AND job.state = 2 AND job.grp IS NOT NULL)
            AS held JOIN lane ON lane.queue = held.queue AND lane.name = held.grp WHERE lane.started)
        WHERE id = ANY(silent);
    END IF;
    RETURN coalesce(cardinality(silent), 0);
  END $$;

-- Takes back the crashes of nodes that came back. Locked jobs are left to a later call.
CREATE FUNCTION clear_suspects() RETURNS void LANGUAGE sql AS $$
  WITH none AS MATERIALIZED (
      SELECT crash.node, crash.seq FROM crash JOIN node ON node.id = crash.node JOIN job ON job.seq = crash.seq
        WHERE node.dead AND node.ran = 0 FOR UPDATE OF job SKIP LOCKED),
    cleared AS (
      UPDATE job SET crashes = greatest(0, crashes - each.times)
        FROM (SELECT seq, count(*)::int AS times FROM none GROUP BY seq) AS each WHERE job.seq = each.seq)
  DELETE FROM crash USING none WHERE crash.node = none.node AND crash.seq = none.seq $$;

-- A node's beat for online users; silent: the nodes that are dead by now. The caller holds the lock of online_lock.
CREATE FUNCTION online_beat(called text, dead_after bigint, given bigint, gap bigint, grace bigint,
    OUT known boolean, OUT silent int[]) LANGUAGE plpgsql AS $$
  DECLARE
    moment bigint := moment_now(given);
  BEGIN
    PERFORM note_gap('presence', (SELECT max(last_beat) FROM online_node), moment, gap, grace);
    UPDATE online_node SET last_beat = moment WHERE name = called;
    known := FOUND;
    INSERT INTO online_node(name, last_beat) SELECT called, moment WHERE NOT known;
    UPDATE online_node SET last_beat = moment WHERE last_beat > moment + 1000;
    silent := CASE WHEN may_judge('presence', moment, moment, gap, grace)
      THEN ARRAY(SELECT id FROM online_node WHERE last_beat < moment - dead_after ORDER BY id) ELSE '{}'::int[] END;
  END $$;
