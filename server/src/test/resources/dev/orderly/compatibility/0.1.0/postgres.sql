--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: orderly; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA orderly;


--
-- Name: room_view; Type: TYPE; Schema: orderly; Owner: -
--

CREATE TYPE orderly.room_view AS (
	name text,
	line integer,
	voids bigint,
	epoch bigint,
	mode text,
	message text,
	length bigint,
	cursor bigint,
	horizon bigint,
	crowded boolean,
	active integer,
	free integer,
	door integer,
	known integer,
	granted integer,
	gates integer,
	admitted10 bigint,
	admitted60 bigint,
	called10 bigint,
	called60 bigint,
	admitted bigint,
	slowed text,
	capacity integer,
	admissions integer,
	period integer,
	overridden boolean,
	set_capacity integer,
	set_admissions integer,
	set_period integer,
	latest bigint
);


--
-- Name: blocked(boolean, integer[], text[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.blocked(lanes boolean, numbers integer[], names text[]) RETURNS TABLE(held integer)
    LANGUAGE plpgsql
    SET search_path TO 'orderly'
    SET lock_timeout TO '5ms'
    AS $$
  DECLARE
    wanted record;
  BEGIN
    FOR wanted IN SELECT * FROM unnest(numbers, names) WITH ORDINALITY AS t(number, called, place) LOOP
      BEGIN
        IF lanes THEN
          INSERT INTO lane(queue, name, turn, ready_at, state) VALUES(wanted.number, wanted.called, 0, 0, 0)
            ON CONFLICT (queue, name) DO UPDATE SET state = lane.state WHERE lane.queue < 0;
        ELSE
          INSERT INTO recent(kind, key, until, seq, fingerprint)
            VALUES(wanted.number, wanted.called::uuid, 0, 0, wanted.called::uuid)
            ON CONFLICT (kind, key) DO UPDATE SET seq = recent.seq WHERE recent.kind < 0;
        END IF;
      EXCEPTION WHEN lock_not_available THEN
        held := wanted.place;
        RETURN NEXT;
      END;
    END LOOP;
  END $$;


--
-- Name: clear_suspects(); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.clear_suspects() RETURNS void
    LANGUAGE sql
    AS $$
  WITH none AS MATERIALIZED (
      SELECT crash.node, crash.seq FROM crash JOIN node ON node.id = crash.node JOIN job ON job.seq = crash.seq
        WHERE node.dead AND node.ran = 0 FOR UPDATE OF job SKIP LOCKED),
    cleared AS (
      UPDATE job SET crashes = greatest(0, crashes - each.times)
        FROM (SELECT seq, count(*)::int AS times FROM none GROUP BY seq) AS each WHERE job.seq = each.seq)
  DELETE FROM crash USING none WHERE crash.node = none.node AND crash.seq = none.seq $$;


--
-- Name: declare_dead(bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.declare_dead(dead_after bigint, given bigint, gap bigint, grace bigint) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: draw(integer, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.draw(amount integer, lowest bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
  DECLARE
    drawn bigint;
    key bigint := (1866 * 4294967296) + 'job_number'::regclass::oid::bigint;
  BEGIN
    BEGIN
      PERFORM pg_advisory_xact_lock(key);
      SELECT greatest(last_value + 1, lowest) INTO drawn FROM job_number;
      PERFORM setval('job_number', drawn + amount - 1);
      RAISE SQLSTATE 'OR001';
    EXCEPTION WHEN SQLSTATE 'OR001' THEN
      RETURN drawn;
    END;
  END $$;


--
-- Name: job_claim(text, bigint, bigint, integer[], integer[], boolean[], integer[], integer[], bigint[], bigint[], bigint[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.job_claim(called text, moment bigint, bytes bigint, turns integer[], wanted integer[], grouped boolean[], limits integer[], runs integer[], turn_counts bigint[], lanes_from bigint[], jobs_from bigint[]) RETURNS TABLE(seq bigint, attempt integer, failures integer, grp text, content_type text, payload bytea, params text, owner text, crashes integer, queue integer, info bigint, trace text)
    LANGUAGE plpgsql
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
  #variable_conflict use_column
  DECLARE
    mine int;
    run int;
    budget bigint := bytes;
    untouched boolean := true;
    of_queue int;
    here record;
    bounds bigint[];
    waiting boolean[];
    shares int[];
    slots int;
    taken int;
    turn_count bigint;
    class int;
    lowest bigint;
    tids tid[];
    seqs bigint[];
    places bigint[];
    names text[];
    spent bigint;
    number int;
    delayed int;
    last_turn bigint;
  BEGIN
    FOR i IN 1 .. cardinality(wanted) LOOP
      of_queue := wanted[i];
      run := runs[i];
      bounds := jobs_from[4 * i - 3 : 4 * i];
      SELECT queue.paused, CASE WHEN grouped[i]
          THEN (SELECT ready_at FROM lane WHERE lane.queue = of_queue AND lane.state = 3 ORDER BY ready_at LIMIT 1)
          ELSE (SELECT ready_at FROM job WHERE job.queue = of_queue AND job.state = 1 AND job.grp IS NULL
            ORDER BY ready_at LIMIT 1) END AS due
        INTO here FROM queue WHERE queue.id = of_queue;
      IF here.paused IS NOT FALSE THEN
        RETURN QUERY SELECT -1::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, 0::bigint, NULL
          WHERE here.paused;
        CONTINUE;
      END IF;
      IF here.due <= moment THEN
        IF mine IS NULL THEN
          SELECT node.id INTO mine FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
        END IF;
        IF grouped[i] THEN
          tids := ARRAY(SELECT lane.ctid FROM lane WHERE lane.queue = of_queue AND lane.state = 3
            AND lane.ready_at <= moment ORDER BY lane.ready_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
          UPDATE lane SET state = 0, ready_at = 0, turn = nextval('lane_turn') WHERE lane.ctid = ANY(tids);
          SELECT ready_at INTO here.due FROM lane WHERE lane.queue = of_queue AND lane.state = 3
            ORDER BY ready_at LIMIT 1;
        ELSE
          tids := ARRAY(SELECT job.ctid FROM job WHERE job.queue = of_queue AND job.state = 1 AND job.grp IS NULL
            AND job.ready_at <= moment ORDER BY job.ready_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
          WITH moved AS (UPDATE job SET state = 0, ready_at = 0 WHERE job.ctid = ANY(tids) RETURNING job.seq),
          counted AS (
            INSERT INTO tally SELECT of_queue, change.state, change.sign * (SELECT count(*) FROM moved)
            FROM (VALUES(1, -1), (0, 1)) AS change(state, sign))
          SELECT min(moved.seq) INTO lowest FROM moved;
          IF lowest IS NOT NULL THEN
            FOR p IN 1 .. 4 LOOP
              bounds[p] := least(bounds[p], lowest);
            END LOOP;
            RETURN QUERY SELECT -3::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue,
              lowest, NULL;
          END IF;
          SELECT ready_at INTO here.due FROM job WHERE job.queue = of_queue AND job.state = 1 AND job.grp IS NULL
            ORDER BY ready_at LIMIT 1;
        END IF;
      END IF;
      IF here.due IS NOT NULL THEN
        RETURN QUERY SELECT -2::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, here.due, NULL;
      END IF;
      CONTINUE WHEN budget <= 0;

      IF grouped[i] THEN
        CONTINUE WHEN (SELECT true FROM lane WHERE lane.queue = of_queue AND lane.state = 0
          AND lane.turn >= lanes_from[i] LIMIT 1) IS NULL;
        IF mine IS NULL THEN
          SELECT node.id INTO mine FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
          CONTINUE WHEN mine IS NULL;
        END IF;
        tids := ARRAY(SELECT lane.ctid FROM lane WHERE lane.queue = of_queue AND lane.state = 0
          AND lane.turn >= lanes_from[i] ORDER BY lane.turn LIMIT least(limits[i], 1000) FOR UPDATE SKIP LOCKED);
        WITH held AS (
          UPDATE lane SET state = 1, started = true WHERE lane.ctid = ANY(tids) RETURNING lane.name, lane.turn)
        SELECT array_agg(held.name ORDER BY held.turn), max(held.turn) INTO names, last_turn FROM held;
        CONTINUE WHEN names IS NULL;
        RETURN QUERY SELECT -4::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, last_turn, NULL;
        SELECT array_agg(fit.seq), array_agg(fit.place), coalesce(sum(fit.bytes), 0), count(*),
            count(*) FILTER (WHERE fit.state = 1)
          INTO seqs, places, spent, number, delayed FROM (
            SELECT due.seq, due.place, due.state, due.bytes,
              sum(due.bytes) OVER (ORDER BY due.place, due.seq ROWS UNBOUNDED PRECEDING) AS total FROM (
                SELECT lanes.place, head.seq, head.state, head.bytes,
                  bool_and(head.state = 0 OR (head.state = 1 AND head.ready_at <= moment))
                    OVER (PARTITION BY lanes.place ORDER BY head.seq) AS ready
                FROM unnest(names) WITH ORDINALITY AS lanes(name, place) CROSS JOIN LATERAL (
                  SELECT job.seq, job.state, job.ready_at, octet_length(job.payload) AS bytes FROM job
                  WHERE job.queue = of_queue AND job.grp = lanes.name AND job.state <= 2
                  ORDER BY job.seq LIMIT run) AS head) AS due
            WHERE due.ready) AS fit
          WHERE fit.total <= budget OR (untouched AND fit.total = fit.bytes);
        IF number > 0 THEN
          RETURN QUERY UPDATE job SET state = 2, ready_at = 0, node = mine, attempt = job.attempt + 1
            FROM unnest(seqs, places) AS head(seq, place) WHERE job.seq = head.seq
            RETURNING job.seq, job.attempt, job.failures, job.grp, job.content_type, job.payload, job.params, job.owner,
              job.crashes, of_queue, head.place, job.trace;
          INSERT INTO tally SELECT of_queue, change.state, change.jobs
            FROM (VALUES(0, delayed - number), (1, -delayed), (2, number)) AS change(state, jobs)
            WHERE change.jobs <> 0;
          untouched := false;
          budget := budget - spent;
        END IF;
        -- Lanes without a job: the row was wrong, or the first job is larger than what is left of the budget. In the
        -- second case the lane queues up behind the ready ones, and so comes first in a later claim.
        names := ARRAY(SELECT lanes.name FROM unnest(names) WITH ORDINALITY AS lanes(name, place)
          WHERE number = 0 OR NOT lanes.place = ANY(places));
        IF cardinality(names) > 0 THEN
          PERFORM job_lanes(array_fill(of_queue, ARRAY[cardinality(names)]), names, moment);
        END IF;
        CONTINUE;
      END IF;

      SELECT ARRAY[
          (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 1 AND job.state = 0 AND job.grp IS NULL
            AND job.seq + 0 >= bounds[1] LIMIT 1),
          (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 2 AND job.state = 0 AND job.grp IS NULL
            AND job.seq + 0 >= bounds[2] LIMIT 1),
          (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 3 AND job.state = 0 AND job.grp IS NULL
            AND job.seq + 0 >= bounds[3] LIMIT 1),
          (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 4 AND job.state = 0 AND job.grp IS NULL
            AND job.seq + 0 >= bounds[4] LIMIT 1)]
        INTO waiting;
      CONTINUE WHEN (true = ANY(waiting)) IS NOT TRUE;
      IF mine IS NULL THEN
        SELECT node.id INTO mine FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
        CONTINUE WHEN mine IS NULL;
      END IF;
      taken := 0;
      turn_count := turn_counts[i];
      WHILE taken < limits[i] AND true = ANY(waiting) LOOP
        slots := least(limits[i] - taken, 1000);
        shares := '{0,0,0,0}';
        IF cardinality(array_positions(waiting, true)) = 1 THEN
          shares[array_position(waiting, true)] := slots;
        ELSE
          WHILE slots > 0 LOOP
            class := turns[turn_count % cardinality(turns) + 1];
            turn_count := turn_count + 1;
            IF waiting[class] THEN
              shares[class] := shares[class] + 1;
              slots := slots - 1;
            END IF;
          END LOOP;
        END IF;
        FOR p IN 1 .. 4 LOOP
          CONTINUE WHEN shares[p] = 0;
          SELECT array_agg(fit.place), coalesce(sum(fit.bytes), 0) INTO tids, spent FROM (
              SELECT free.place, free.bytes, sum(free.bytes) OVER (ORDER BY free.seq ROWS UNBOUNDED PRECEDING) AS total
              FROM (
                SELECT job.ctid AS place, job.seq, octet_length(job.payload) AS bytes FROM job
                WHERE job.queue = of_queue AND job.priority = p AND job.state = 0 AND job.grp IS NULL
                  AND job.seq + 0 >= bounds[p]
                ORDER BY job.seq + 0 LIMIT shares[p] FOR UPDATE SKIP LOCKED) AS free) AS fit
            WHERE fit.total <= budget OR (untouched AND fit.total = fit.bytes);
          RETURN QUERY UPDATE job SET state = 2, node = mine, attempt = job.attempt + 1 WHERE job.ctid = ANY(tids)
            RETURNING job.seq, job.attempt, job.failures, job.grp, job.content_type, job.payload, job.params, job.owner,
              job.crashes, of_queue, p::bigint, job.trace;
          GET DIAGNOSTICS number = ROW_COUNT;
          IF number > 0 THEN
            INSERT INTO tally VALUES(of_queue, 0, -number), (of_queue, 2, number);
            untouched := false;
            budget := budget - spent;
            taken := taken + number;
          END IF;
          IF number < shares[p] THEN
            waiting[p] := false;
          END IF;
        END LOOP;
      END LOOP;
      RETURN QUERY SELECT -5::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, turn_count, NULL;
    END LOOP;
  END $$;


--
-- Name: job_draw(integer, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.job_draw(amount integer, lowest bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
  DECLARE
    drawn bigint;
    key bigint := (1866 * 4294967296) + 'job_number'::regclass::oid::bigint;
  BEGIN
    PERFORM pg_advisory_lock(key);
    drawn := greatest(coalesce(pg_sequence_last_value('job_number'::regclass), 0) + 1, lowest);
    PERFORM setval('job_number', drawn + amount - 1);
    PERFORM pg_advisory_unlock(key);
    RETURN drawn;
  END $$;


--
-- Name: job_lanes(integer[], text[], bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.job_lanes(queues integer[], names text[], moment bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
  #variable_conflict use_column
  BEGIN
    WITH fact AS MATERIALIZED (
      SELECT wanted.queue, wanted.name, head.seq,
        CASE WHEN (SELECT true FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
            AND job.state = 2 LIMIT 1) THEN 1
          WHEN (SELECT true FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
            AND job.state = 4 LIMIT 1) THEN 2
          WHEN head.state = 1 AND head.ready_at > moment THEN 3 ELSE 0 END AS state,
        CASE WHEN head.state = 1 THEN head.ready_at ELSE 0 END AS ready_at
      FROM unnest(queues, names) AS wanted(queue, name) LEFT JOIN LATERAL (
        SELECT seq, state, ready_at FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
          AND job.state <= 2 ORDER BY job.seq LIMIT 1) AS head ON true),
    gone AS (
      DELETE FROM lane USING fact WHERE lane.queue = fact.queue AND lane.name = fact.name
        AND fact.seq IS NULL AND fact.state = 0)
    UPDATE lane SET state = fact.state, ready_at = fact.ready_at,
      turn = CASE WHEN fact.state = 0 AND lane.state <> 0 THEN nextval('lane_turn') ELSE lane.turn END
    FROM fact WHERE lane.queue = fact.queue AND lane.name = fact.name
      AND NOT (fact.seq IS NULL AND fact.state = 0)
      AND (lane.state <> fact.state OR lane.ready_at <> fact.ready_at);
  END $$;


--
-- Name: job_push(bigint, bigint, text, integer[], bigint[], integer[], integer[], text[], text[], text[], text[], text[], bytea[], integer[], uuid[], integer[], uuid[], bigint[], integer[], text[], bigint[], bigint[], boolean[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.job_push(lowest bigint, moment bigint, patience text, queues integer[], ready_at bigint[], states integer[], priorities integer[], groups text[], owners text[], params text[], traces text[], content_types text[], payloads bytea[], kinds integer[], keys uuid[], places integer[], fingerprints uuid[], untils bigint[], claimed integer[], claimers text[], lanes_from bigint[], jobs_from bigint[], in_turn boolean[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
  #variable_conflict use_column
  DECLARE
    made_queues int[];
    made_names text[];
    known bigint;
    first bigint;
    nodes int[];
    handed_off bigint[];
  BEGIN
    PERFORM set_config('lock_timeout', patience, true);
    IF cardinality(claimed) > 0 THEN
      nodes := ARRAY(SELECT job_room(wanted.queue, wanted.claimer, moment, wanted.turn, jobs_from[4 * wanted.place - 3],
          jobs_from[4 * wanted.place - 2], jobs_from[4 * wanted.place - 1], jobs_from[4 * wanted.place])
        FROM unnest(claimed, claimers, lanes_from) WITH ORDINALITY AS wanted(queue, claimer, turn, place)
        ORDER BY wanted.place);
    END IF;
    WITH made AS (
      INSERT INTO lane(queue, name, turn, ready_at, state)
        SELECT wanted.queue, wanted.name, nextval('lane_turn'), 0, 0 FROM (
          SELECT DISTINCT pushed.queue, pushed.name COLLATE "C" AS name
          FROM unnest(queues, groups) AS pushed(queue, name)
          WHERE pushed.name IS NOT NULL ORDER BY 1, 2) AS wanted
        ON CONFLICT (queue, name) DO UPDATE SET state = lane.state WHERE lane.queue < 0
        RETURNING lane.queue, lane.name)
    SELECT array_agg(made.queue), array_agg(made.name) INTO made_queues, made_names FROM made;
    known := (SELECT max(recent.until) FROM unnest(kinds, keys) AS wanted(kind, key)
      JOIN recent ON recent.kind = wanted.kind AND recent.key = wanted.key);
    IF known > moment THEN
      DELETE FROM lane USING unnest(made_queues, made_names) AS made(queue, name)
        WHERE lane.queue = made.queue AND lane.name = made.name;
      RETURN NULL;
    ELSIF known IS NOT NULL THEN
      DELETE FROM recent USING unnest(kinds, keys) AS wanted(kind, key)
        WHERE recent.kind = wanted.kind AND recent.key = wanted.key AND recent.until <= moment;
    END IF;
    first := job_draw(cardinality(queues), lowest);
    IF nodes IS NULL THEN
      INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload)
        SELECT first + fresh.place - 1, fresh.queue, fresh.ready_at, fresh.state, fresh.priority, fresh.grp,
          fresh.owner, fresh.params, fresh.trace, fresh.content_type, fresh.payload
        FROM unnest(queues, ready_at, states, priorities, groups, owners, params, traces, content_types, payloads)
          WITH ORDINALITY AS fresh(queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, place);
      INSERT INTO tally SELECT fresh.queue, fresh.state, count(*) FROM unnest(queues, states) AS fresh(queue, state)
        GROUP BY 1, 2;
    ELSE
      WITH pushed AS (
        INSERT INTO job(seq, queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, node, attempt)
        SELECT first + fresh.place - 1, fresh.queue, fresh.ready_at,
          CASE WHEN room.node IS NULL THEN fresh.state ELSE 2 END, fresh.priority, fresh.grp, fresh.owner,
          fresh.params, fresh.trace, fresh.content_type, fresh.payload, room.node, CASE WHEN room.node IS NULL THEN 0 ELSE 1 END
        FROM unnest(queues, ready_at, states, priorities, groups, owners, params, traces, content_types, payloads, in_turn)
            WITH ORDINALITY
            AS fresh(queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, in_turn, place)
          LEFT JOIN unnest(claimed, nodes) AS room(queue, node) ON fresh.in_turn AND room.queue = fresh.queue
            AND (fresh.grp IS NULL OR (fresh.queue, fresh.grp) IN (
              SELECT made.queue, made.name FROM unnest(made_queues, made_names) AS made(queue, name)))
        RETURNING seq, queue, state, grp),
      counted AS (
        INSERT INTO tally SELECT pushed.queue, pushed.state, count(*) FROM pushed GROUP BY pushed.queue, pushed.state),
      held AS (
        UPDATE lane SET state = 1, started = true FROM pushed
        WHERE pushed.state = 2 AND lane.queue = pushed.queue AND lane.name = pushed.grp)
      SELECT array_agg(pushed.seq) INTO handed_off FROM pushed WHERE pushed.state = 2;
    END IF;
    INSERT INTO recent(kind, key, seq, fingerprint, until)
      SELECT fresh.kind, fresh.key, first + fresh.place - 1, fresh.fingerprint, fresh.until
      FROM unnest(kinds, keys, places, fingerprints, untils) AS fresh(kind, key, place, fingerprint, until)
      ORDER BY fresh.kind, fresh.key;
    RETURN array_prepend(first, handed_off);
  END $$;


--
-- Name: job_room(integer, text, bigint, bigint, bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.job_room(of_queue integer, called text, moment bigint, lanes_from bigint, first bigint, second bigint, third bigint, fourth bigint) RETURNS integer
    LANGUAGE plpgsql
    AS $$
  #variable_conflict use_column
  DECLARE
    claimer int;
  BEGIN
    SELECT node.id INTO claimer FROM node
      WHERE node.name = called AND NOT node.dead AND NOT (SELECT paused FROM queue WHERE queue.id = of_queue)
        AND (SELECT true FROM lane WHERE lane.queue = of_queue AND lane.state = 0
          AND lane.turn >= lanes_from LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 1 AND job.state = 0
          AND job.grp IS NULL AND job.seq + 0 >= first LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 2 AND job.state = 0
          AND job.grp IS NULL AND job.seq + 0 >= second LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 3 AND job.state = 0
          AND job.grp IS NULL AND job.seq + 0 >= third LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 4 AND job.state = 0
          AND job.grp IS NULL AND job.seq + 0 >= fourth LIMIT 1) IS NULL
        AND coalesce((SELECT ready_at FROM job WHERE job.queue = of_queue AND job.state = 1
          AND job.grp IS NULL ORDER BY ready_at LIMIT 1) > moment, true)
        AND coalesce((SELECT ready_at FROM lane WHERE lane.queue = of_queue AND lane.state = 3
          ORDER BY ready_at LIMIT 1) > moment, true)
      FOR KEY SHARE OF node;
    RETURN claimer;
  END $$;


--
-- Name: job_settle_grouped(text, bigint, text, boolean, bigint[], integer[], text[], bytea[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.job_settle_grouped(called text, moment bigint, patience text, keep boolean, seqs bigint[], attempts integer[], result_types text[], results bytea[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
  #variable_conflict use_column
  DECLARE
    queues int[];
    names text[];
    settled bigint[];
    done_queues int[];
    done_names text[];
    started boolean;
  BEGIN
    PERFORM set_config('lock_timeout', patience, true);
    SELECT array_agg(found.queue), array_agg(found.grp) INTO queues, names FROM (
      SELECT DISTINCT job.queue, job.grp FROM job WHERE job.seq = ANY(seqs) AND job.grp IS NOT NULL) AS found;
    IF queues IS NULL THEN
      RETURN '{}';
    END IF;
    SELECT bool_and(locked.started) INTO started FROM (
      SELECT lane.started FROM unnest(queues, names) AS wanted(queue, name)
        JOIN lane ON lane.queue = wanted.queue AND lane.name = wanted.name
        ORDER BY lane.queue, lane.name FOR UPDATE OF lane) AS locked;
    WITH gone AS (
      DELETE FROM job USING unnest(seqs, attempts, result_types, results) AS done(seq, attempt, result_type, result)
      WHERE job.seq = done.seq AND job.attempt = done.attempt AND job.state + 0 = 2 AND job.grp IS NOT NULL
        AND job.node + 0 = (SELECT node.id FROM node WHERE node.name = called AND NOT node.dead)
      RETURNING job.seq, job.queue, job.attempt, job.failures, job.priority, job.grp, job.owner, job.params,
        job.progress, job.failure, job.failure_detail, done.result_type, done.result),
    counted AS (
      INSERT INTO tally SELECT queue, 2, -count(*) FROM gone GROUP BY queue
        UNION ALL SELECT queue, 5, count(*) FROM gone WHERE keep GROUP BY queue),
    kept AS (
      INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority, grp, owner, params, result_type,
        result, progress, failure, failure_detail)
      SELECT seq, moment, queue, attempt, failures, 0, priority, grp, owner, params, result_type, result, progress,
        failure, failure_detail FROM gone WHERE keep)
    SELECT array_agg(gone.seq), array_agg(gone.queue), array_agg(gone.grp)
      INTO settled, done_queues, done_names FROM gone;
    IF NOT started THEN
      UPDATE lane SET started = true FROM unnest(done_queues, done_names) AS done(queue, name)
        WHERE lane.queue = done.queue AND lane.name = done.name AND NOT lane.started
          AND (SELECT true FROM job WHERE job.queue = done.queue AND job.grp = done.name AND job.state = 2 LIMIT 1);
    END IF;
    -- A lane of which a node still holds a job stays as it is.
    SELECT array_agg(locked.queue), array_agg(locked.name) INTO queues, names
      FROM unnest(queues, names) AS locked(queue, name)
      WHERE (SELECT true FROM job WHERE job.queue = locked.queue AND job.grp = locked.name AND job.state = 2
        LIMIT 1) IS NULL;
    IF queues IS NOT NULL THEN
      PERFORM job_lanes(queues, names, moment);
    END IF;
    RETURN coalesce(settled, '{}');
  END $$;


--
-- Name: may_judge(text, bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.may_judge(whose text, newest bigint, moment bigint, gap bigint, grace bigint) RETURNS boolean
    LANGUAGE sql
    AS $$
  SELECT newest >= moment - gap AND (not_before <= moment OR not_before > moment + grace)
    FROM judgement WHERE of = whose $$;


--
-- Name: moment_now(bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.moment_now(given bigint) RETURNS bigint
    LANGUAGE sql
    AS $$
  SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;


--
-- Name: node_beat(text, bigint, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.node_beat(called text, given bigint, gap bigint, grace bigint, OUT alive boolean, OUT cancelled bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: note_gap(text, bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.note_gap(whose text, newest bigint, moment bigint, gap bigint, grace bigint) RETURNS void
    LANGUAGE sql
    AS $$
  UPDATE judgement SET not_before = moment + grace WHERE of = whose AND newest < moment - gap $$;


--
-- Name: online_beat(text, bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.online_beat(called text, dead_after bigint, given bigint, gap bigint, grace bigint, OUT known boolean, OUT silent integer[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: online_lock(); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.online_lock() RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock((1867 * 4294967296) + 'online'::regclass::oid::bigint);
  END $$;


--
-- Name: room_admit(text, bigint, uuid[], bigint[], bigint[], bigint[], bigint[], text[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_admit(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[], present_until bigint[], pass_until bigint[], kinds text[], OUT outcomes integer[], OUT numbers bigint[]) RETURNS record
    LANGUAGE plpgsql
    SET enable_bitmapscan TO 'off'
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    size int := cardinality(visitors);
    ends bigint[];       -- ends of the visitors' passes, null without one
    takens boolean[];    -- whether the pass is taken
    keeps boolean[];     -- whether a pass that has ended still counts as inside
    held bigint[];       -- places of the passes
    good boolean[];      -- whether the visitor has a good ticket and no pass
    door bigint[];       -- the lowest places of present visitors, including these
    passed int := 0;     -- how many of door are below the current place
    removed int := 0;    -- how many of those have entered in this call
    most bigint;
    here boolean;        -- whether the current place is in door
    before bigint;       -- present visitors ahead
    capacity bigint;
    rate bigint;
    grants int;
    spent int := 0;
    recorded int := 0;   -- admissions that a gate gave without the store
    free bigint;
    old_cursor bigint;
    staying int[] := '{}';
    entering int[] := '{}';
    entering_taken boolean[] := '{}';
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    old_cursor := r.cursor;
    SELECT array_agg(p.until ORDER BY i), array_agg(p.taken ORDER BY i), array_agg(p.place ORDER BY i),
        array_agg(a.epoch = r.epoch AND a.place BETWEEN 1 AND r.length AND p.until IS NULL AND v.until IS NULL
          AND coalesce(get_bit(u.places, (a.place & 1023)::int), 0) = 0 ORDER BY i),
        array_agg(k.until IS NOT NULL ORDER BY i)
      INTO ends, takens, held, good, keeps
      FROM unnest(visitors, epochs, places) WITH ORDINALITY AS a(visitor, epoch, place, i)
      LEFT JOIN LATERAL (SELECT until FROM voided WHERE line = r.line AND visitor = a.visitor LIMIT 1) v ON true
      LEFT JOIN LATERAL (SELECT until, taken, place FROM pass WHERE line = r.line AND visitor = a.visitor
        AND a.epoch = r.epoch AND until > n.latest AND v.until IS NULL LIMIT 1) p ON true
      LEFT JOIN LATERAL (SELECT until FROM pass WHERE line = r.line AND visitor = a.visitor
        AND until <= n.latest LIMIT 1) k ON true
      LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = a.place >> 10 LIMIT 1) u
        ON true;
    capacity := room_capacity(n);
    rate := room_rate(r, n);
    grants := room_grants(r);
    free := room_free(n.settling, capacity, rate, grants, spent);
    -- Visitors ahead are counted up to 1000, and further only as far as the free admissions reach.
    most := CASE WHEN 'RECORDED' = ANY(kinds) THEN n.known ELSE n.door END;
    most := greatest(1000, CASE WHEN most + size <= free THEN 0 ELSE least(most, free) END);
    door := ARRAY(
      SELECT place FROM present WHERE line = r.line AND place >= n.front AND place <= places[size] ORDER BY place
        LIMIT size + most);
    n.front := greatest(n.front, coalesce(door[1], places[size]));
    door := ARRAY(
      SELECT unnest(door)
      UNION SELECT places[i] FROM generate_series(1, size) AS i WHERE good[i] AND present_until[i] > n.latest
      ORDER BY 1);
    outcomes := array_fill(0, ARRAY[size]);
    numbers := array_fill(0::bigint, ARRAY[size]);
    FOR i IN 1 .. size LOOP
      WHILE passed < cardinality(door) AND door[passed + 1] < places[i] LOOP
        passed := passed + 1;
      END LOOP;
      here := passed < cardinality(door) AND door[passed + 1] = places[i];
      before := passed - removed;
      IF ends[i] IS NOT NULL THEN
        outcomes[i] := 3;
        IF kinds[i] = 'RECORDED' OR (kinds[i] = 'TAKEN' AND NOT takens[i]) THEN
          entering := entering || i;
          entering_taken := entering_taken || true;
          numbers[i] := greatest(ends[i], pass_until[i]);
        ELSE
          numbers[i] := ends[i];
        END IF;
        CONTINUE;
      END IF;
      IF kinds[i] = 'RECORDED' THEN
        -- A gate has admitted the visitor already: it counts, whatever became of the ticket since.
        IF epochs[i] = r.epoch THEN
          recorded := recorded + 1;
          rate := rate - (rate > spent)::int;
        END IF;
        IF good[i] THEN
          r.cursor := greatest(r.cursor, places[i]);
          capacity := greatest(0, capacity - (NOT keeps[i])::int);
        END IF;
        free := room_free(n.settling, capacity, rate, grants, spent);
      ELSIF good[i] AND (places[i] > r.cursor OR before >= free) THEN
        outcomes[i] := CASE WHEN places[i] > r.cursor THEN 1 ELSE 2 END;
        numbers[i] := least(1000, before);
        IF present_until[i] > n.latest THEN
          staying := staying || i;
        END IF;
        CONTINUE;
      ELSIF good[i] THEN
        spent := spent + 1;
        capacity := capacity - (NOT keeps[i])::int;
        free := room_free(n.settling, capacity, rate, grants, spent);
      END IF;
      IF good[i] THEN
        outcomes[i] := 3;
        numbers[i] := pass_until[i];
        entering := entering || i;
        entering_taken := entering_taken || (kinds[i] <> 'UNTAKEN');
        removed := removed + here::int;
      END IF;
    END LOOP;
    IF r.cursor > old_cursor THEN
      SELECT n.door + count(*) INTO n.door FROM present
        WHERE line = r.line AND place > old_cursor AND place <= r.cursor;
    END IF;
    n := room_seen(r, n, ARRAY(SELECT places[i] FROM unnest(staying) AS i),
      ARRAY(SELECT present_until[i] FROM unnest(staying) AS i), NULL);
    n := room_issue(r, n, ARRAY(SELECT visitors[i] FROM unnest(entering) AS i),
      ARRAY(SELECT coalesce(held[i], places[i]) FROM unnest(entering) AS i),
      ARRAY(SELECT numbers[i] FROM unnest(entering) AS i), entering_taken);
    PERFORM room_end(r, n, rate, spent, recorded, r.cursor - old_cursor);
  END $$;


--
-- Name: line_number; Type: SEQUENCE; Schema: orderly; Owner: -
--

CREATE SEQUENCE orderly.line_number
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: room; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.room (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    line integer DEFAULT nextval('orderly.line_number'::regclass) NOT NULL,
    epoch bigint DEFAULT 1 NOT NULL,
    length bigint DEFAULT 0 NOT NULL,
    cursor bigint DEFAULT 0 NOT NULL,
    voids bigint DEFAULT 0 NOT NULL,
    granted integer DEFAULT 0 NOT NULL,
    crowded boolean DEFAULT false NOT NULL,
    calls boolean DEFAULT true NOT NULL,
    admits boolean DEFAULT true NOT NULL,
    mode text DEFAULT 'AUTO'::text NOT NULL,
    message text,
    overridden boolean DEFAULT false NOT NULL,
    capacity integer,
    admissions integer,
    period integer
)
WITH (fillfactor='20', autovacuum_vacuum_threshold='500', autovacuum_vacuum_scale_factor='0');


--
-- Name: room_now; Type: TABLE; Schema: orderly; Owner: -
--

CREATE UNLOGGED TABLE orderly.room_now (
    room integer NOT NULL,
    latest bigint NOT NULL,
    horizon bigint NOT NULL,
    settling boolean NOT NULL,
    settled bigint,
    capacity integer,
    admissions integer,
    period integer,
    slowed text NOT NULL,
    governor text,
    lease_until bigint NOT NULL,
    rounds bigint NOT NULL,
    gates integer NOT NULL,
    covered bigint NOT NULL,
    since bigint,
    inside bigint NOT NULL,
    active integer NOT NULL,
    known integer NOT NULL,
    door integer NOT NULL,
    total bigint NOT NULL,
    swept bigint NOT NULL,
    ended bigint NOT NULL,
    front bigint NOT NULL,
    kept bigint NOT NULL,
    kept_until bigint NOT NULL,
    freed bigint NOT NULL
)
WITH (fillfactor='20', autovacuum_vacuum_threshold='500', autovacuum_vacuum_scale_factor='0');


--
-- Name: room_begin(text, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_begin(called text, moment bigint, OUT r orderly.room, OUT n orderly.room_now) RETURNS record
    LANGUAGE plpgsql
    AS $$
  DECLARE
    is_new boolean := false;
  BEGIN
    SELECT * INTO r FROM room WHERE name = called;
    IF NOT FOUND THEN
      INSERT INTO room(name) VALUES(called) ON CONFLICT DO NOTHING;
      is_new := FOUND;
      SELECT * INTO r FROM room WHERE name = called;
    END IF;
    SELECT * INTO n FROM room_now WHERE room = r.id FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO room_now SELECT * FROM room_unknown(r) ON CONFLICT DO NOTHING;
      -- 63 s is GateLease.LONGEST: gates that the server has forgotten may let passes go on for this long.
      INSERT INTO gate SELECT r.id, '', 0, -1000, 0, moment + 63000 WHERE NOT is_new ON CONFLICT DO NOTHING;
      SELECT * INTO n FROM room_now WHERE room = r.id FOR UPDATE;
    END IF;
    -- Reads again: the previous holder of the lock may have changed it.
    SELECT * INTO r FROM room WHERE id = r.id;
    n.latest := greatest(n.latest, moment);
    n := room_expire(r, n);
    n := room_window(n);
  END $$;


--
-- Name: room_begin_anew(text, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_begin_anew(called text, moment bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    INSERT INTO old_line VALUES(r.id, r.line);
    r.line := nextval('line_number');
    r.epoch := r.epoch + 1;
    r.length := 0;
    r.cursor := 0;
    r.crowded := false;
    r.granted := 0;
    n.horizon := 0;
    n.settling := false;
    n.active := 0;
    n.known := 0;
    n.door := 0;
    n.total := 0;
    n.covered := 0;
    n.swept := -1;
    n.front := 0;
    UPDATE gate SET covered = 0 WHERE room = r.id;
    PERFORM room_end(r, n, 0, 0, 0, 0);
  END $$;


--
-- Name: room_capacity(orderly.room_now); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_capacity(n orderly.room_now) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    AS $$
  BEGIN
    RETURN CASE WHEN n.capacity IS NULL THEN 2147483647 ELSE greatest(0, n.capacity - n.active) END;
  END $$;


--
-- Name: room_depart(text, bigint, uuid[], bigint[], bigint[], bigint[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_depart(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[], untils bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    voids uuid[];
    voids_until bigint[];
    leaving uuid[];
    leaving_places bigint[];
    ended int;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    WITH departing AS (
      SELECT a.visitor, greatest(a.until, p.until) AS until, i, coalesce(p.place, a.place) AS place,
          p.place IS NOT NULL AS is_in
        FROM unnest(visitors, epochs, places, untils) WITH ORDINALITY AS a(visitor, epoch, place, until, i)
        LEFT JOIN LATERAL (SELECT place, until FROM pass WHERE line = r.line AND visitor = a.visitor
          AND until > n.latest LIMIT 1) p ON true
        WHERE a.epoch = r.epoch), judged AS (
      SELECT d.*, d.place BETWEEN 1 AND r.length AS is_known,
          coalesce(get_bit(u.places, (d.place & 1023)::int), 0) = 1 AS is_used
        FROM departing d
        LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = d.place >> 10 LIMIT 1) u
          ON true)
      SELECT coalesce(array_agg(visitor ORDER BY i) FILTER (WHERE is_in OR is_used OR NOT is_known), '{}'),
          coalesce(array_agg(until ORDER BY i) FILTER (WHERE is_in OR is_used OR NOT is_known), '{}'),
          coalesce(array_agg(visitor) FILTER (WHERE is_known), '{}'),
          coalesce(array_agg(place) FILTER (WHERE is_known), '{}')
        INTO voids, voids_until, leaving, leaving_places FROM judged;
    INSERT INTO voided(line, visitor, number, until)
      SELECT r.line, a.visitor, r.voids + a.i, a.until
        FROM unnest(voids, voids_until) WITH ORDINALITY AS a(visitor, until, i)
      ON CONFLICT(line, visitor) DO UPDATE SET number = excluded.number,
        until = greatest(voided.until, excluded.until);
    r.voids := r.voids + cardinality(voids);
    DELETE FROM pass WHERE line = r.line AND visitor = ANY(leaving);
    GET DIAGNOSTICS ended = ROW_COUNT;
    n.active := n.active - ended;
    n := room_gone(r, n, leaving_places, NULL);
    PERFORM room_use(r, n, leaving_places);
    PERFORM room_end(r, n, 0, 0, 0, 0);
  END $$;


--
-- Name: room_end(orderly.room, orderly.room_now, bigint, integer, integer, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_end(r orderly.room, n orderly.room_now, rate bigint, spent integer, recorded integer, called bigint) RETURNS orderly.room_now
    LANGUAGE plpgsql
    AS $$
  DECLARE
    beyond int := greatest(0, spent - rate);
    admitted int := spent - beyond + recorded;
  BEGIN
    r.granted := r.granted - beyond;
    IF admitted > 0 THEN
      INSERT INTO admission VALUES(r.id, n.latest, admitted)
        ON CONFLICT(room, at) DO UPDATE SET number = admission.number + excluded.number;
      n.inside := n.inside + admitted;
    END IF;
    IF admitted + beyond + called > 0 THEN
      INSERT INTO pace VALUES(r.id, n.latest / 1000, admitted + beyond, called) ON CONFLICT(room, second)
        DO UPDATE SET admitted = pace.admitted + excluded.admitted, called = pace.called + excluded.called;
      n.total := n.total + admitted + beyond;
    END IF;
    UPDATE room SET line = r.line, epoch = r.epoch, length = r.length, cursor = r.cursor, voids = r.voids,
      granted = r.granted, crowded = r.crowded WHERE id = r.id AND room IS DISTINCT FROM r;
    UPDATE room_now SET latest = n.latest, horizon = n.horizon, settling = n.settling, settled = n.settled,
      capacity = n.capacity, admissions = n.admissions, period = n.period, slowed = n.slowed, governor = n.governor,
      lease_until = n.lease_until, rounds = n.rounds, gates = n.gates, covered = n.covered, since = n.since,
      inside = n.inside, active = n.active, known = n.known, door = n.door, total = n.total, swept = n.swept,
      ended = n.ended, front = n.front, kept = n.kept, kept_until = n.kept_until, freed = n.freed
      WHERE room = n.room;
    RETURN n;
  END $$;


--
-- Name: room_expire(orderly.room, orderly.room_now); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_expire(r orderly.room, n orderly.room_now) RETURNS orderly.room_now
    LANGUAGE plpgsql
    SET enable_bitmapscan TO 'off'
    AS $$
  DECLARE
    free_by bigint;
    passes int;
    visitors int;
    visitors_at_door int;
  BEGIN
    n := room_leases(n);
    free_by := least(n.latest, n.kept);
    DELETE FROM pass WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM pass WHERE line = r.line AND until > n.freed AND until <= free_by LIMIT 10000));
    GET DIAGNOSTICS passes = ROW_COUNT;
    n.active := n.active - passes;
    WITH ending AS (
      DELETE FROM present WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM present WHERE line = r.line AND until > n.ended AND until <= n.latest LIMIT 10000))
        RETURNING place)
      SELECT count(*), count(*) FILTER (WHERE place <= r.cursor) INTO visitors, visitors_at_door FROM ending;
    n.known := n.known - visitors;
    n.door := n.door - visitors_at_door;
    IF passes < 10000 THEN
      n.freed := greatest(n.freed, free_by);
    END IF;
    IF visitors < 10000 THEN
      n.ended := n.latest;
    END IF;
    RETURN n;
  END $$;


--
-- Name: room_forget(orderly.room, orderly.room_now, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_forget(r orderly.room, n orderly.room_now, expired_before bigint) RETURNS orderly.room_now
    LANGUAGE plpgsql
    AS $$
  DECLARE
    old int;
    last bigint;
  BEGIN
    DELETE FROM admission WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM admission WHERE room = r.id AND at <= n.latest - 3600000 LIMIT 1000));
    DELETE FROM pace WHERE room = r.id AND second <= n.latest / 1000 - 60;
    IF r.voids > 100000 AND n.rounds % 60 = 0 THEN
      DELETE FROM voided WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM voided WHERE line = r.line ORDER BY until DESC OFFSET 100000));
    END IF;
    DELETE FROM voided WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM voided WHERE line = r.line AND until <= n.latest LIMIT 1000));
    SELECT max(chunk) INTO last FROM (SELECT chunk FROM used_up WHERE line = r.line AND chunk > n.swept
      ORDER BY chunk LIMIT 500) AS next;
    IF last IS NULL THEN
      n.swept := -1;
    ELSE
      DELETE FROM used_up WHERE line = r.line AND chunk > n.swept AND chunk <= last AND latest < expired_before;
      n.swept := last;
    END IF;
    SELECT line INTO old FROM old_line WHERE room = r.id ORDER BY line LIMIT 1;
    IF FOUND THEN
      DELETE FROM pass WHERE ctid = ANY(ARRAY(SELECT ctid FROM pass WHERE line = old LIMIT 1000));
      IF NOT FOUND THEN
        DELETE FROM present WHERE ctid = ANY(ARRAY(SELECT ctid FROM present WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM voided WHERE ctid = ANY(ARRAY(SELECT ctid FROM voided WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM used_up WHERE ctid = ANY(ARRAY(SELECT ctid FROM used_up WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM old_line WHERE room = r.id AND line = old;
      END IF;
    END IF;
    RETURN n;
  END $$;


--
-- Name: room_free(boolean, bigint, bigint, integer, integer); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_free(settling boolean, capacity bigint, rate bigint, grants integer, spent integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN settling THEN 0 ELSE least(capacity, rate + grants - spent) END
  $$;


--
-- Name: room_gone(orderly.room, orderly.room_now, bigint[], bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_gone(r orderly.room, n orderly.room_now, gone bigint[], reporter bigint) RETURNS orderly.room_now
    LANGUAGE plpgsql
    AS $$
  DECLARE
    were int;
    were_at_door int;
  BEGIN
    IF cardinality(gone) > 0 AND n.known > 0 THEN
      WITH gone_now AS (
        DELETE FROM present WHERE line = r.line AND place = ANY(gone)
          AND (reporter IS NULL OR gate IS NULL OR gate = reporter) RETURNING place)
        SELECT count(*), count(*) FILTER (WHERE place <= r.cursor) INTO were, were_at_door FROM gone_now;
      n.known := n.known - were;
      n.door := n.door - were_at_door;
    END IF;
    RETURN n;
  END $$;


--
-- Name: room_govern(text, bigint, text, bigint, integer, integer, integer, text, integer, bigint, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_govern(called text, moment bigint, who text, lease bigint, most integer, rate integer, span integer, why text, wanted integer, far bigint, expired_before bigint) RETURNS SETOF orderly.room_view
    LANGUAGE plpgsql
    SET enable_bitmapscan TO 'off'
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    last bigint;
    target bigint;
    calls bigint := 0;
    at_door int := wanted;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    IF n.governor <> who AND n.lease_until > n.latest THEN
      PERFORM room_end(r, n, 0, 0, 0, 0);
      RETURN;
    END IF;
    n.governor := who;
    n.lease_until := lease;
    n.rounds := n.rounds + 1;
    DELETE FROM gate WHERE room = r.id AND round < n.rounds - 10 AND lease_until <= n.latest;
    SELECT count(*), coalesce(min(covered), 0) INTO n.gates, n.covered FROM gate
      WHERE room = r.id AND round >= n.rounds - 10;
    IF span IS DISTINCT FROM n.period THEN
      n.since := NULL;
    END IF;
    n.capacity := most;
    n.admissions := rate;
    n.period := span;
    n.slowed := why;
    n := room_window(n);
    n.settled := coalesce(n.settled, n.latest + 5000);
    n.settling := n.settling AND n.latest < n.settled;
    n.horizon := greatest(n.horizon, far);
    IF NOT r.calls THEN
      at_door := least(at_door, room_grants(r));
    END IF;
    last := least(r.length, n.covered);
    IF n.door < at_door AND r.cursor < last THEN
      SELECT place INTO target FROM present WHERE line = r.line AND place > r.cursor AND place <= last
        ORDER BY place OFFSET at_door - n.door - 1 LIMIT 1;
      target := coalesce(target, last);
      SELECT n.door + count(*) INTO n.door FROM present
        WHERE line = r.line AND place > r.cursor AND place <= target;
      calls := target - r.cursor;
      r.cursor := target;
    END IF;
    r.crowded := n.known > 0;
    n := room_forget(r, n, expired_before);
    n := room_end(r, n, 0, 0, 0, calls);
    RETURN NEXT room_see(r, n);
  END $$;


--
-- Name: room_grants(orderly.room); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_grants(r orderly.room) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    AS $$
  BEGIN
    RETURN CASE WHEN r.admits THEN r.granted ELSE 0 END;
  END $$;


--
-- Name: room_issue(orderly.room, orderly.room_now, uuid[], bigint[], bigint[], boolean[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_issue(r orderly.room, n orderly.room_now, visitors uuid[], held bigint[], untils bigint[], takens boolean[]) RETURNS orderly.room_now
    LANGUAGE plpgsql
    AS $$
  DECLARE
    fresh int;
    spent bigint[];
  BEGIN
    IF cardinality(visitors) > 0 THEN
      WITH put AS (
        INSERT INTO pass(line, visitor, place, until, taken)
          SELECT r.line, a.* FROM unnest(visitors, held, untils, takens) AS a
          ON CONFLICT(line, visitor) DO UPDATE SET place = excluded.place,
            until = greatest(pass.until, excluded.until), taken = pass.taken OR excluded.taken
          RETURNING xmax = 0 AS is_new)
        SELECT count(*) INTO fresh FROM put WHERE is_new;
      n.active := n.active + fresh;
      n.freed := least(n.freed, (SELECT min(until) - 1 FROM unnest(untils) AS until));
      n := room_gone(r, n, held, NULL);
      spent := ARRAY(SELECT place FROM unnest(held, takens) AS a(place, taken) WHERE taken);
      IF cardinality(spent) > 0 THEN
        PERFORM room_use(r, n, spent);
      END IF;
    END IF;
    RETURN n;
  END $$;


--
-- Name: room_join(text, bigint, uuid[], bigint[], bigint[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_join(called text, moment bigint, visitors uuid[], present_until bigint[], pass_until bigint[], OUT of_epoch bigint, OUT first bigint, OUT ahead bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    capacity bigint;
    rate bigint;
    grants int;
    spent int := 0;
    reach bigint;
    calls bigint := 0;
    entered int[] := '{}';
    staying bigint[] := '{}';
    staying_until bigint[] := '{}';
    known int;           -- present visitors
    door int;            -- present visitors who were called
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    capacity := room_capacity(n);
    rate := room_rate(r, n);
    grants := room_grants(r);
    reach := greatest(n.horizon, n.covered);
    known := n.known;
    door := n.door;
    of_epoch := r.epoch;
    first := r.length + 1;
    ahead := '{}';
    FOR i IN 1 .. cardinality(visitors) LOOP
      r.length := r.length + 1;
      IF pass_until[i] > n.latest AND r.length <= n.covered AND known < room_free(n.settling, capacity - spent, rate, grants, spent) THEN
        calls := calls + r.length - r.cursor;
        r.cursor := r.length;
        door := known;
        spent := spent + 1;
        entered := entered || i;
        ahead := ahead || -1::bigint;
      ELSE
        ahead := ahead || r.length - 1 - r.cursor + door;
        IF r.length <= reach AND present_until[i] > n.latest THEN
          known := known + 1;
          staying := staying || r.length;
          staying_until := staying_until || present_until[i];
        END IF;
      END IF;
    END LOOP;
    IF calls > 0 THEN
      n.door := n.known;
    END IF;
    n := room_seen(r, n, staying, staying_until, NULL);
    n := room_issue(r, n, ARRAY(SELECT visitors[i] FROM unnest(entered) AS i),
      ARRAY(SELECT first + i - 1 FROM unnest(entered) AS i), ARRAY(SELECT pass_until[i] FROM unnest(entered) AS i),
      array_fill(false, ARRAY[cardinality(entered)]));
    PERFORM room_end(r, n, rate, spent, 0, calls);
  END $$;


--
-- Name: room_leases(orderly.room_now); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_leases(n orderly.room_now) RETURNS orderly.room_now
    LANGUAGE plpgsql STABLE
    AS $$
  BEGIN
    IF n.kept_until <= n.latest THEN
      SELECT coalesce(min(lease_from), 9223372036854775807), coalesce(min(lease_until), 9223372036854775807)
        INTO n.kept, n.kept_until FROM gate WHERE room = n.room AND lease_until > n.latest;
    END IF;
    RETURN n;
  END $$;


--
-- Name: room_peek(orderly.room, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_peek(r orderly.room, moment bigint) RETURNS orderly.room_view
    LANGUAGE plpgsql STABLE
    SET enable_bitmapscan TO 'off'
    AS $$
  DECLARE
    n room_now;
  BEGIN
    SELECT * INTO n FROM room_now WHERE room = r.id;
    IF FOUND THEN
      n.latest := greatest(n.latest, moment);
      n := room_leases(n);
    ELSE
      n := room_unknown(r);
      n.latest := moment;
    END IF;
    SELECT n.active - count(*) INTO n.active FROM pass
      WHERE line = r.line AND until > n.freed AND until <= least(n.latest, n.kept);
    SELECT n.known - count(*), n.door - count(*) FILTER (WHERE place <= r.cursor) INTO n.known, n.door
      FROM present WHERE line = r.line AND until > n.ended AND until <= n.latest;
    RETURN room_see(r, room_window(n));
  END $$;


--
-- Name: room_rate(orderly.room, orderly.room_now); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_rate(r orderly.room, n orderly.room_now) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    AS $$
  BEGIN
    RETURN CASE WHEN NOT r.calls THEN 0 WHEN n.period IS NULL THEN 2147483647
      ELSE greatest(0, n.admissions - n.inside) END;
  END $$;


--
-- Name: room_renew(text, bigint, uuid[], bigint[], bigint[], bigint[], boolean[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_renew(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[], untils bigint[], revives boolean[]) RETURNS boolean[]
    LANGUAGE plpgsql
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    c record;
    capacity bigint;
    within boolean;      -- whether the visitors inside are within the capacity
    answers boolean[] := '{}';
    lives boolean;
    issued_visitors uuid[] := '{}';
    issued_places bigint[] := '{}';
    issued_untils bigint[] := '{}';
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    capacity := room_capacity(n);
    within := n.capacity IS NULL OR n.active <= n.capacity;
    FOR c IN
      SELECT a.*, p.place AS held, k.place IS NOT NULL AS keeps, v.until IS NOT NULL AS is_void
        FROM unnest(visitors, epochs, places, untils, revives) WITH ORDINALITY
          AS a(visitor, epoch, place, until, revive, i)
        LEFT JOIN LATERAL (SELECT place FROM pass WHERE line = r.line AND visitor = a.visitor AND until > n.latest
          LIMIT 1) p ON true
        LEFT JOIN LATERAL (SELECT place FROM pass WHERE line = r.line AND visitor = a.visitor AND until <= n.latest
          LIMIT 1) k ON true
        LEFT JOIN LATERAL (SELECT until FROM voided WHERE line = r.line AND visitor = a.visitor LIMIT 1) v ON true
        ORDER BY i
    LOOP
      lives := c.epoch = r.epoch AND NOT c.is_void AND (c.held IS NOT NULL
        OR (c.revive AND ((c.keeps AND within) OR capacity > 0) AND c.place BETWEEN 1 AND r.length));
      IF lives THEN
        capacity := capacity - (c.held IS NULL AND NOT c.keeps)::int;
        issued_visitors := issued_visitors || c.visitor;
        issued_places := issued_places || coalesce(c.held, c.place);
        issued_untils := issued_untils || c.until;
      END IF;
      answers := answers || lives;
    END LOOP;
    n := room_issue(r, n, issued_visitors, issued_places, issued_untils, array_fill(true, ARRAY[cardinality(issued_visitors)]));
    PERFORM room_end(r, n, 0, 0, 0, 0);
    RETURN answers;
  END $$;


--
-- Name: room_see(orderly.room, orderly.room_now); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_see(r orderly.room, n orderly.room_now) RETURNS orderly.room_view
    LANGUAGE plpgsql STABLE
    AS $$
  DECLARE
    seen room_view;
    this_second bigint := n.latest / 1000;
    free bigint := room_free(n.settling, room_capacity(n), room_rate(r, n), room_grants(r), 0);
  BEGIN
    SELECT r.name, r.line, r.voids, r.epoch, r.mode, r.message, r.length, r.cursor, n.horizon, r.crowded, n.active,
        free, n.door, n.known, r.granted, n.gates,
        coalesce(sum(p.admitted) FILTER (WHERE p.second > this_second - 10), 0), coalesce(sum(p.admitted), 0),
        coalesce(sum(p.called) FILTER (WHERE p.second > this_second - 10), 0), coalesce(sum(p.called), 0), n.total,
        n.slowed, n.capacity, n.admissions, n.period, r.overridden, r.capacity, r.admissions, r.period, n.latest
      INTO seen FROM pace p WHERE p.room = r.id AND p.second > this_second - 60;
    RETURN seen;
  END $$;


--
-- Name: room_seen(orderly.room, orderly.room_now, bigint[], bigint[], bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_seen(r orderly.room, n orderly.room_now, seen bigint[], untils bigint[], reporter bigint) RETURNS orderly.room_now
    LANGUAGE plpgsql
    AS $$
  DECLARE
    fresh int;
    fresh_at_door int;
  BEGIN
    IF cardinality(seen) > 0 THEN
      WITH put AS (
        INSERT INTO present(line, place, until, gate)
          SELECT r.line, place, max(until), reporter FROM unnest(seen, untils) AS a(place, until) GROUP BY place
          ON CONFLICT(line, place) DO UPDATE
            SET until = greatest(present.until, excluded.until), gate = excluded.gate
          RETURNING place, xmax = 0 AS is_new)
        SELECT count(*), count(*) FILTER (WHERE place <= r.cursor) INTO fresh, fresh_at_door FROM put WHERE is_new;
      n.known := n.known + fresh;
      n.door := n.door + fresh_at_door;
      n.front := least(n.front, (SELECT min(place) FROM unnest(seen) AS place));
    END IF;
    RETURN n;
  END $$;


--
-- Name: room_sync(text, bigint, text, bigint, bigint, bigint, bigint, bigint[], bigint[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_sync(called text, moment bigint, reporter text, of_epoch bigint, covers bigint, leased_from bigint, leased_until bigint, places bigint[], untils bigint[]) RETURNS orderly.room_view
    LANGUAGE plpgsql
    AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    reporter_hash bigint := hashtextextended(reporter, 0);
    seen bigint[];
    seen_until bigint[];
    is_current boolean;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    is_current := of_epoch = r.epoch;
    INSERT INTO gate VALUES(r.id, reporter, CASE WHEN is_current THEN covers ELSE 0 END, n.rounds, leased_from,
      leased_until)
      ON CONFLICT(room, name) DO UPDATE SET covered = excluded.covered, round = excluded.round,
        lease_from = excluded.lease_from, lease_until = excluded.lease_until;
    SELECT count(*), min(covered) INTO n.gates, n.covered FROM gate WHERE room = r.id AND round >= n.rounds - 10;
    n.kept_until := 0;
    IF n.kept < n.latest THEN
      n := room_expire(r, n); -- ends the passes that the lease before this one kept
    ELSE
      n := room_leases(n);
    END IF;
    IF is_current AND cardinality(places) > 0 THEN
      n := room_gone(r, n, ARRAY(SELECT a.place FROM unnest(places, untils) AS a(place, until)
        WHERE a.until <= n.latest), reporter_hash);
      SELECT coalesce(array_agg(a.place), '{}'), coalesce(array_agg(a.until), '{}') INTO seen, seen_until
        FROM unnest(places, untils) AS a(place, until)
        LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = a.place >> 10 LIMIT 1) u
          ON true
        WHERE a.until > n.latest AND a.place BETWEEN 1 AND r.length
          AND coalesce(get_bit(u.places, (a.place & 1023)::int), 0) = 0
          AND (SELECT p.place FROM pass p WHERE p.line = r.line AND p.place = a.place AND NOT p.taken
            AND p.until > n.latest LIMIT 1) IS NULL;
      n := room_seen(r, n, seen, seen_until, reporter_hash);
    END IF;
    n := room_end(r, n, 0, 0, 0, 0);
    RETURN room_see(r, n);
  END $$;


--
-- Name: room_touch(text, bigint); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_touch(called text, moment bigint) RETURNS orderly.room_view
    LANGUAGE plpgsql
    AS $$
  DECLARE
    b record;
  BEGIN
    b := room_begin(called, moment);
    RETURN room_see(b.r, room_end(b.r, b.n, 0, 0, 0, 0));
  END $$;


--
-- Name: room_unknown(orderly.room); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_unknown(r orderly.room) RETURNS orderly.room_now
    LANGUAGE plpgsql STABLE
    AS $$
  DECLARE
    n room_now;
  BEGIN
    SELECT r.id, 0, r.cursor, r.crowded, NULL, 0, NULL, NULL, 'NO', NULL, 0, 0, 0, 0, NULL, 0, count(*), 0, 0, 0, -1, 0, 0,
        0, 0, 0
      INTO n FROM pass WHERE line = r.line;
    RETURN n;
  END $$;


--
-- Name: room_use(orderly.room, orderly.room_now, bigint[]); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_use(r orderly.room, n orderly.room_now, spent bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    INSERT INTO used_up(line, chunk, latest, places)
      SELECT r.line, place >> 10, n.latest, bit_or(set_bit(0::bit(1024), (place & 1023)::int, 1))
        FROM unnest(spent) AS place GROUP BY place >> 10 ORDER BY place >> 10
      ON CONFLICT(line, chunk) DO UPDATE
        SET places = used_up.places | excluded.places, latest = greatest(used_up.latest, excluded.latest);
  END $$;


--
-- Name: room_window(orderly.room_now); Type: FUNCTION; Schema: orderly; Owner: -
--

CREATE FUNCTION orderly.room_window(n orderly.room_now) RETURNS orderly.room_now
    LANGUAGE plpgsql STABLE
    AS $$
  DECLARE
    start bigint := n.latest - n.period;
  BEGIN
    IF n.period IS NULL THEN
      n.since := NULL;
    ELSIF n.since IS NULL THEN
      SELECT coalesce(sum(number), 0) INTO n.inside FROM admission WHERE room = n.room AND at > start;
      n.since := start;
    ELSIF n.since < start THEN
      SELECT n.inside - coalesce(sum(number), 0) INTO n.inside
        FROM admission WHERE room = n.room AND at > n.since AND at <= start;
      n.since := start;
    END IF;
    RETURN n;
  END $$;


--
-- Name: admission; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.admission (
    room integer NOT NULL,
    at bigint NOT NULL,
    number integer NOT NULL
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0.02');


--
-- Name: audit; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.audit (
    id bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    operation text NOT NULL,
    object text NOT NULL,
    before text,
    after text,
    outcome text NOT NULL
);


--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: orderly; Owner: -
--

ALTER TABLE orderly.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME orderly.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: crash; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.crash (
    node integer NOT NULL,
    seq bigint NOT NULL
);


--
-- Name: ended; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.ended (
    seq bigint NOT NULL,
    ended_at bigint NOT NULL,
    queue integer NOT NULL,
    attempt integer NOT NULL,
    failures integer NOT NULL,
    state smallint NOT NULL,
    priority smallint NOT NULL,
    grp text COLLATE pg_catalog."C",
    owner text,
    params text,
    result_type text,
    result bytea,
    progress text,
    failure text,
    failure_detail text,
    reason text
);


--
-- Name: gate; Type: TABLE; Schema: orderly; Owner: -
--

CREATE UNLOGGED TABLE orderly.gate (
    room integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    covered bigint NOT NULL,
    round bigint NOT NULL,
    lease_from bigint NOT NULL,
    lease_until bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500');


--
-- Name: job; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.job (
    seq bigint NOT NULL,
    ready_at bigint NOT NULL,
    queue integer NOT NULL,
    node integer,
    attempt integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    crashes integer DEFAULT 0 NOT NULL,
    state smallint NOT NULL,
    priority smallint NOT NULL,
    cancelling boolean DEFAULT false NOT NULL,
    grp text COLLATE pg_catalog."C",
    owner text,
    params text,
    content_type text NOT NULL,
    payload bytea NOT NULL,
    progress text,
    failure text,
    failure_detail text,
    trace text
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');


--
-- Name: job_number; Type: SEQUENCE; Schema: orderly; Owner: -
--

CREATE SEQUENCE orderly.job_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: judgement; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.judgement (
    of text NOT NULL,
    not_before bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: key_value; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.key_value (
    key text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    text text NOT NULL,
    until bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: key_value_version_seq; Type: SEQUENCE; Schema: orderly; Owner: -
--

ALTER TABLE orderly.key_value ALTER COLUMN version ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME orderly.key_value_version_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: lane; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.lane (
    queue integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    turn bigint NOT NULL,
    ready_at bigint NOT NULL,
    state smallint NOT NULL,
    started boolean DEFAULT false NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');


--
-- Name: lane_turn; Type: SEQUENCE; Schema: orderly; Owner: -
--

CREATE SEQUENCE orderly.lane_turn
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: lease; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.lease (
    seq bigint NOT NULL,
    queue integer NOT NULL,
    until bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');


--
-- Name: meta; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.meta (
    version integer NOT NULL,
    salt bigint NOT NULL
);


--
-- Name: node; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.node (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    last_beat bigint NOT NULL,
    dead boolean DEFAULT false NOT NULL,
    ran integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');


--
-- Name: node_id_seq; Type: SEQUENCE; Schema: orderly; Owner: -
--

ALTER TABLE orderly.node ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME orderly.node_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: old_line; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.old_line (
    room integer NOT NULL,
    line integer NOT NULL
);


--
-- Name: online; Type: TABLE; Schema: orderly; Owner: -
--

CREATE UNLOGGED TABLE orderly.online (
    owner text NOT NULL COLLATE pg_catalog."C",
    node integer NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02');


--
-- Name: online_node; Type: TABLE; Schema: orderly; Owner: -
--

CREATE UNLOGGED TABLE orderly.online_node (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    last_beat bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500');


--
-- Name: online_node_id_seq; Type: SEQUENCE; Schema: orderly; Owner: -
--

ALTER TABLE orderly.online_node ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME orderly.online_node_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: pace; Type: TABLE; Schema: orderly; Owner: -
--

CREATE UNLOGGED TABLE orderly.pace (
    room integer NOT NULL,
    second bigint NOT NULL,
    admitted integer NOT NULL,
    called bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500');


--
-- Name: pass; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.pass (
    line integer NOT NULL,
    visitor uuid NOT NULL,
    place bigint NOT NULL,
    until bigint NOT NULL,
    taken boolean NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');


--
-- Name: present; Type: TABLE; Schema: orderly; Owner: -
--

CREATE UNLOGGED TABLE orderly.present (
    line integer NOT NULL,
    place bigint NOT NULL,
    until bigint NOT NULL,
    gate bigint
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');


--
-- Name: queue; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.queue (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    paused boolean DEFAULT false NOT NULL,
    halts boolean DEFAULT false NOT NULL
);


--
-- Name: queue_id_seq; Type: SEQUENCE; Schema: orderly; Owner: -
--

ALTER TABLE orderly.queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME orderly.queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: recent; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.recent (
    kind smallint NOT NULL,
    key uuid NOT NULL,
    until bigint NOT NULL,
    seq bigint NOT NULL,
    fingerprint uuid NOT NULL
);


--
-- Name: room_id_seq; Type: SEQUENCE; Schema: orderly; Owner: -
--

ALTER TABLE orderly.room ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME orderly.room_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: schedule; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.schedule (
    name text NOT NULL COLLATE pg_catalog."C",
    timing text NOT NULL,
    version bigint NOT NULL,
    reached bigint NOT NULL,
    fired bigint,
    skipped bigint,
    job bigint
);


--
-- Name: session; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.session (
    hash text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    opened bigint NOT NULL,
    seen bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: tally; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.tally (
    queue integer NOT NULL,
    state smallint NOT NULL,
    jobs bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');


--
-- Name: token; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.token (
    name text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL,
    role text NOT NULL,
    queues text NOT NULL,
    created bigint NOT NULL,
    ends bigint,
    used bigint
)
WITH (fillfactor='50');


--
-- Name: used_up; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.used_up (
    line integer NOT NULL,
    chunk bigint NOT NULL,
    latest bigint NOT NULL,
    places bit(1024) NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500', autovacuum_vacuum_scale_factor='0.02');


--
-- Name: voided; Type: TABLE; Schema: orderly; Owner: -
--

CREATE TABLE orderly.voided (
    line integer NOT NULL,
    visitor uuid NOT NULL,
    number bigint NOT NULL,
    until bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02');


--
-- Data for Name: admission; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.admission VALUES (1, 1795383730761, 1);


--
-- Data for Name: audit; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.audit OVERRIDING SYSTEM VALUE VALUES (1, 1795383730722, 'local', 'root', '127.0.0.1', 'pause', 'queue mails', 'running', 'paused', 'done');
INSERT INTO orderly.audit OVERRIDING SYSTEM VALUE VALUES (2, 1795383730746, 'local', 'root', '127.0.0.1', 'createToken', 'token ops', NULL, 'role viewer', 'done');
INSERT INTO orderly.audit OVERRIDING SYSTEM VALUE VALUES (3, 1795383730782, 'local', 'root', '127.0.0.1', 'roomMode', 'room sale', 'mode auto, epoch 1, configured limits', 'mode hold, epoch 1, configured limits', 'done');
INSERT INTO orderly.audit OVERRIDING SYSTEM VALUE VALUES (4, 1795383730802, 'local', 'root', '127.0.0.1', 'roomMessage', 'room sale', 'mode hold, epoch 1, configured limits', 'mode hold, epoch 1, configured limits, message "Back at noon"', 'done');
INSERT INTO orderly.audit OVERRIDING SYSTEM VALUE VALUES (5, 1795383730811, 'local', 'root', '127.0.0.1', 'limitRoom', 'room sale', 'mode hold, epoch 1, configured limits, message "Back at noon"', 'mode hold, epoch 1, capacity 7, rate 5 per PT15S, message "Back at noon"', 'done');


--
-- Data for Name: crash; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: ended; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: gate; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.gate VALUES (1, 'edge-6f0254d6c0e39e07', 1001, 6, 0, 0);


--
-- Data for Name: job; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.job VALUES (58831134086070272, 0, 1, NULL, 0, 0, 0, 0, 3, false, 'ann', NULL, NULL, 'application/json', '\x7b226f72646572223a22616e6e2031227d', NULL, NULL, NULL, NULL);
INSERT INTO orderly.job VALUES (58831134086758400, 0, 1, NULL, 0, 0, 0, 0, 3, false, 'ann', NULL, NULL, 'application/json', '\x7b226f72646572223a22616e6e2032227d', NULL, NULL, NULL, NULL);
INSERT INTO orderly.job VALUES (58831134086987776, 0, 1, NULL, 0, 0, 0, 0, 3, false, 'bob', NULL, NULL, 'application/json', '\x7b226f72646572223a22626f622031227d', NULL, NULL, NULL, NULL);
INSERT INTO orderly.job VALUES (58831134087315456, 0, 1, NULL, 0, 0, 0, 0, 3, false, 'ann', NULL, NULL, 'application/json', '\x7b226f72646572223a22616e6e2033227d', NULL, NULL, NULL, NULL);
INSERT INTO orderly.job VALUES (58831134087544832, 0, 3, NULL, 0, 0, 0, 0, 3, false, NULL, NULL, NULL, 'application/json', '\x7b22746f223a22616461406578616d706c652e6f7267227d', NULL, NULL, NULL, NULL);
INSERT INTO orderly.job VALUES (58831134087839744, 0, 3, NULL, 0, 0, 0, 0, 1, false, NULL, NULL, NULL, 'application/json', '\x7b22746f223a22616461406578616d706c652e6f7267227d', NULL, NULL, NULL, NULL);
INSERT INTO orderly.job VALUES (58831134087970816, 0, 3, NULL, 0, 0, 0, 0, 2, false, NULL, NULL, NULL, 'application/json', '\x7b22746f223a22616461406578616d706c652e6f7267227d', NULL, NULL, NULL, NULL);


--
-- Data for Name: judgement; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.judgement VALUES ('jobs', 0);
INSERT INTO orderly.judgement VALUES ('presence', 0);


--
-- Data for Name: key_value; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: lane; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.lane VALUES (1, 'ann', 1, 0, 0, false);
INSERT INTO orderly.lane VALUES (1, 'bob', 3, 0, 0, false);


--
-- Data for Name: lease; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: meta; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.meta VALUES (9, -8111553201024151821);


--
-- Data for Name: node; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.node OVERRIDING SYSTEM VALUE VALUES (1, '26650-3a3eeb73f9d3f718', 1795383730621, false, 0);


--
-- Data for Name: old_line; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: online; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: online_node; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: pace; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.pace VALUES (1, 1795383730, 1, 1);


--
-- Data for Name: pass; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.pass VALUES (1, '06e96785-3196-1af7-904c-7a1b566b6290', 1, 1795383790000, false);


--
-- Data for Name: present; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.present VALUES (1, 2, 1795383735259, 8588018596520997657);


--
-- Data for Name: queue; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.queue OVERRIDING SYSTEM VALUE VALUES (1, 'orders.fifo', false, true);
INSERT INTO orderly.queue OVERRIDING SYSTEM VALUE VALUES (3, 'mails', true, false);


--
-- Data for Name: recent; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.recent VALUES (0, '3ce47e25-34da-dc85-8343-20843b10e8f6', 1795384030655, 58831134086070272, '3ce47e25-34da-dc85-8343-20843b10e8f6');
INSERT INTO orderly.recent VALUES (0, 'cb3794d2-14c6-9009-7f30-84cdbc835c7b', 1795384030676, 58831134086758400, 'cb3794d2-14c6-9009-7f30-84cdbc835c7b');
INSERT INTO orderly.recent VALUES (0, '1f80a225-a7ac-3edc-cd09-d72031f49d90', 1795384030683, 58831134086987776, '1f80a225-a7ac-3edc-cd09-d72031f49d90');
INSERT INTO orderly.recent VALUES (0, '8d074173-0983-07ff-1b4d-c7e83f3ca2fd', 1795384030693, 58831134087315456, '8d074173-0983-07ff-1b4d-c7e83f3ca2fd');


--
-- Data for Name: room; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.room OVERRIDING SYSTEM VALUE VALUES (1, 'sale', 1, 1, 2, 1, 0, 0, true, false, true, 'HOLD', 'Back at noon', true, 7, 5, 15000);


--
-- Data for Name: room_now; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.room_now VALUES (1, 1795383730832, 1001, false, 1795383735573, 7, 5, 15000, 'NO', 'edge-6f0254d6c0e39e07', 1795383733817, 6, 1, 1001, 1795383715832, 1, 1, 1, 0, 1, -1, 1795383730832, 0, 9223372036854775807, 9223372036854775807, 1795383730832);


--
-- Data for Name: schedule; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.schedule VALUES ('nightly', '0 3 * * * Europe/Berlin', 1, 1795383730622, NULL, NULL, NULL);


--
-- Data for Name: session; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: tally; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.tally VALUES (1, 0, 1);
INSERT INTO orderly.tally VALUES (1, 0, 1);
INSERT INTO orderly.tally VALUES (1, 0, 1);
INSERT INTO orderly.tally VALUES (1, 0, 1);
INSERT INTO orderly.tally VALUES (3, 0, 1);
INSERT INTO orderly.tally VALUES (3, 0, 1);
INSERT INTO orderly.tally VALUES (3, 0, 1);


--
-- Data for Name: token; Type: TABLE DATA; Schema: orderly; Owner: -
--

INSERT INTO orderly.token VALUES ('ops', 'd324e9eb54ac95d780c6a805250628795a1dc12ea28912d9f4b78a291888f9ab', 'viewer', '', 1795383730746, NULL, NULL);


--
-- Data for Name: used_up; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Data for Name: voided; Type: TABLE DATA; Schema: orderly; Owner: -
--



--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.audit_id_seq', 5, true);


--
-- Name: job_number; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.job_number', 58831134087970816, true);


--
-- Name: key_value_version_seq; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.key_value_version_seq', 1, false);


--
-- Name: lane_turn; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.lane_turn', 4, true);


--
-- Name: line_number; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.line_number', 1, true);


--
-- Name: node_id_seq; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.node_id_seq', 1, true);


--
-- Name: online_node_id_seq; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.online_node_id_seq', 1, true);


--
-- Name: queue_id_seq; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.queue_id_seq', 3, true);


--
-- Name: room_id_seq; Type: SEQUENCE SET; Schema: orderly; Owner: -
--

SELECT pg_catalog.setval('orderly.room_id_seq', 1, true);


--
-- Name: admission admission_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.admission
    ADD CONSTRAINT admission_pkey PRIMARY KEY (room, at);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);


--
-- Name: crash crash_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.crash
    ADD CONSTRAINT crash_pkey PRIMARY KEY (node, seq);


--
-- Name: ended ended_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.ended
    ADD CONSTRAINT ended_pkey PRIMARY KEY (seq);


--
-- Name: gate gate_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.gate
    ADD CONSTRAINT gate_pkey PRIMARY KEY (room, name);


--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (seq);


--
-- Name: judgement judgement_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.judgement
    ADD CONSTRAINT judgement_pkey PRIMARY KEY (of);


--
-- Name: key_value key_value_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.key_value
    ADD CONSTRAINT key_value_pkey PRIMARY KEY (key);


--
-- Name: lane lane_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.lane
    ADD CONSTRAINT lane_pkey PRIMARY KEY (queue, name);


--
-- Name: lease lease_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (seq);


--
-- Name: node node_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (id);


--
-- Name: old_line old_line_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.old_line
    ADD CONSTRAINT old_line_pkey PRIMARY KEY (room, line);


--
-- Name: online_node online_node_name_key; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.online_node
    ADD CONSTRAINT online_node_name_key UNIQUE (name);


--
-- Name: online_node online_node_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.online_node
    ADD CONSTRAINT online_node_pkey PRIMARY KEY (id);


--
-- Name: online online_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.online
    ADD CONSTRAINT online_pkey PRIMARY KEY (owner, node);


--
-- Name: pace pace_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.pace
    ADD CONSTRAINT pace_pkey PRIMARY KEY (room, second);


--
-- Name: pass pass_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.pass
    ADD CONSTRAINT pass_pkey PRIMARY KEY (line, visitor);


--
-- Name: present present_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.present
    ADD CONSTRAINT present_pkey PRIMARY KEY (line, place);


--
-- Name: queue queue_name_key; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.queue
    ADD CONSTRAINT queue_name_key UNIQUE (name);


--
-- Name: queue queue_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (id);


--
-- Name: recent recent_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.recent
    ADD CONSTRAINT recent_pkey PRIMARY KEY (kind, key);


--
-- Name: room room_name_key; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.room
    ADD CONSTRAINT room_name_key UNIQUE (name);


--
-- Name: room_now room_now_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.room_now
    ADD CONSTRAINT room_now_pkey PRIMARY KEY (room);


--
-- Name: room room_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.room
    ADD CONSTRAINT room_pkey PRIMARY KEY (id);


--
-- Name: schedule schedule_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name);


--
-- Name: session session_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (hash);


--
-- Name: token token_hash_key; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.token
    ADD CONSTRAINT token_hash_key UNIQUE (hash);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (name);


--
-- Name: used_up used_up_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.used_up
    ADD CONSTRAINT used_up_pkey PRIMARY KEY (line, chunk);


--
-- Name: voided voided_pkey; Type: CONSTRAINT; Schema: orderly; Owner: -
--

ALTER TABLE ONLY orderly.voided
    ADD CONSTRAINT voided_pkey PRIMARY KEY (line, visitor);


--
-- Name: audit_at; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX audit_at ON orderly.audit USING btree (at);


--
-- Name: ended_by_queue; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX ended_by_queue ON orderly.ended USING btree (queue, state, seq);


--
-- Name: ended_by_time; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX ended_by_time ON orderly.ended USING btree (ended_at, seq);


--
-- Name: job_dead; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_dead ON orderly.job USING btree (queue, seq) WHERE (state >= 3);


--
-- Name: job_delayed; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_delayed ON orderly.job USING btree (queue, ready_at, seq) WHERE ((state = 1) AND (grp IS NULL));


--
-- Name: job_grouped; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_grouped ON orderly.job USING btree (queue, grp, seq) WHERE ((state <= 2) AND (grp IS NOT NULL));


--
-- Name: job_grouped_halting; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_grouped_halting ON orderly.job USING btree (queue, grp) WHERE (state = 4);


--
-- Name: job_grouped_held; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_grouped_held ON orderly.job USING btree (queue, grp, seq) WHERE ((state = 2) AND (grp IS NOT NULL));


--
-- Name: job_held; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_held ON orderly.job USING btree (node, seq) WHERE (state = 2);


--
-- Name: job_long_dead; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_long_dead ON orderly.job USING btree (ready_at, seq) WHERE (state = 3);


--
-- Name: job_waiting; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX job_waiting ON orderly.job USING btree (queue, priority, ((seq + 0))) WHERE ((state = 0) AND (grp IS NULL));


--
-- Name: lane_delayed; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX lane_delayed ON orderly.lane USING btree (queue, ready_at) WHERE (state = 3);


--
-- Name: lane_ready; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX lane_ready ON orderly.lane USING btree (queue, turn) WHERE (state = 0);


--
-- Name: lease_until; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX lease_until ON orderly.lease USING btree (until, seq);


--
-- Name: node_alive; Type: INDEX; Schema: orderly; Owner: -
--

CREATE UNIQUE INDEX node_alive ON orderly.node USING btree (name) WHERE (NOT dead);


--
-- Name: node_name; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX node_name ON orderly.node USING btree (name);


--
-- Name: online_by_node; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX online_by_node ON orderly.online USING btree (node);


--
-- Name: pass_untaken; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX pass_untaken ON orderly.pass USING btree (line, place) WHERE (NOT taken);


--
-- Name: pass_until; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX pass_until ON orderly.pass USING btree (line, until);


--
-- Name: present_until; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX present_until ON orderly.present USING btree (line, until);


--
-- Name: recent_by_time; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX recent_by_time ON orderly.recent USING btree (kind, until);


--
-- Name: voided_number; Type: INDEX; Schema: orderly; Owner: -
--

CREATE INDEX voided_number ON orderly.voided USING btree (line, number);


--
-- PostgreSQL database dump complete
--


