-- Jobs: the functions of calls. Moments are Unix milliseconds. Each statement of a function has a snapshot of its own,
-- as the statements of a transaction have, so a function is a transaction in one trip.
--
-- Each statement that changes jobs adds its counts to the tally itself: a trigger with transition tables costs as much
-- as the insertion of a job.

-- As draw, with a lock of the session in place of the transaction's, which costs no subtransaction. An error in between
-- leaves the lock until the session ends: only for connections that are closed after an error.
CREATE FUNCTION job_draw(amount int, lowest bigint) RETURNS bigint LANGUAGE plpgsql AS $$
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

-- Recomputes lanes from their jobs, and deletes lanes without a job. A lane that becomes ready queues up behind the
-- ready ones; a lane that stays ready keeps its turn. The caller has locked the lanes, in an earlier statement.
CREATE FUNCTION job_lanes(queues int[], names text[], moment bigint) RETURNS void LANGUAGE plpgsql AS $$
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

-- Settles done jobs of groups; returns the accepted ones. The lanes are locked in one statement and the jobs read in
-- the next, so that jobs pushed meanwhile are seen. Each wait for a lock is bounded by the patience. keep: whether done
-- jobs are kept, for views.
CREATE FUNCTION job_settle_grouped(called text, moment bigint, patience text, keep boolean, seqs bigint[],
    attempts int[], result_types text[], results bytea[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
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
        job.progress, job.failure, job.failure_detail, job.history, job.origin, job.ready_at, job.node, job.trace,
        done.result_type, done.result),
    counted AS (
      INSERT INTO tally SELECT queue, 2, -count(*) FROM gone GROUP BY queue
        UNION ALL SELECT queue, 5, count(*) FROM gone WHERE keep GROUP BY queue),
    kept AS (
      INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority, grp, owner, params, result_type,
        result, progress, failure, failure_detail, history, origin, started_at, node, trace)
      SELECT seq, moment, queue, attempt, failures, 0, priority, grp, owner, params, result_type, result, progress,
        failure, failure_detail, history, origin, ready_at, node, trace FROM gone WHERE keep)
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

-- A node's beat. One statement that commits by itself, so that no lock is held while the answer is under way.
CREATE OR REPLACE FUNCTION node_beat(called text, given bigint, gap bigint, grace bigint,
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
    cancelled := ARRAY(SELECT seq FROM job WHERE job.node + 0 = mine AND job.state = 2 AND job.cancelling);
  END $$;

-- A node's beat, with the queues that it works on; written only when they have changed. names, beats: the last beats of
-- all live nodes.
CREATE FUNCTION job_heartbeat(called text, given bigint, gap bigint, grace bigint, works text[],
    OUT alive boolean, OUT cancelled bigint[], OUT names text[], OUT beats bigint[]) LANGUAGE plpgsql AS $$
  BEGIN
    SELECT beat.alive, beat.cancelled INTO alive, cancelled FROM node_beat(called, given, gap, grace) AS beat;
    UPDATE node SET queues = works WHERE name = called AND NOT dead AND queues IS DISTINCT FROM works;
    SELECT coalesce(array_agg(node.name::text ORDER BY node.id), '{}'),
        coalesce(array_agg(node.last_beat ORDER BY node.id), '{}')
      INTO names, beats FROM node WHERE NOT node.dead;
  END $$;

-- Declares nodes dead that have sent no beat since; returns their number. Does not wait: a node whose row a claim has
-- locked is left to a later call.
CREATE FUNCTION job_declare_dead(names text[], beats bigint[]) RETURNS int LANGUAGE plpgsql AS $$
  DECLARE
    silent int[];
  BEGIN
    silent := ARRAY(
      SELECT node.id FROM node JOIN unnest(names, beats) AS seen(name, beat)
        ON node.name = seen.name AND node.last_beat = seen.beat
      WHERE NOT node.dead ORDER BY node.id FOR UPDATE OF node SKIP LOCKED);
    UPDATE node SET dead = true, ran =
        (SELECT count(*) FROM job WHERE job.node = node.id AND job.state = 2 AND job.grp IS NULL)
        + (SELECT count(*) FROM (
            SELECT DISTINCT queue, grp FROM job WHERE job.node = node.id AND job.state = 2 AND job.grp IS NOT NULL)
          AS held JOIN lane ON lane.queue = held.queue AND lane.name = held.grp WHERE lane.started)
      WHERE id = ANY(silent);
    RETURN cardinality(silent);
  END $$;

-- Whether a node sends beats and was not declared dead.
CREATE FUNCTION job_node_lives(called text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS(SELECT FROM node WHERE node.name = called AND NOT node.dead) $$;

-- A claim. wanted: the queues; grouped: whether each is a FIFO queue; limits: of jobs, or of groups; turns: the
-- classes of a round of turns; turn_counts: the turns given so far; lanes_from and jobs_from: the lower bounds of the
-- scans, the latter four for each queue. runs: the most jobs of a group. passed: jobs that this node does not get.
-- below: jobs that may have become ready below those bounds. due_from: the lower bounds of the scans for due jobs.
-- Calls of older versions give neither of the last two, and get no row for an empty scan.
--
-- Rows with a number above zero are claimed jobs; info is their priority, or the place of their group. Other rows are
-- facts about a queue, by number: -1 paused, -2 info is the next due moment, -3 jobs from number info on became ready,
-- -4 info is the last turn of the lanes taken, -5 info is the number of turns given, -6 the scans of the priorities
-- whose bits the attempt has found no job, although the numbers up to info were drawn, -7 as -6 for lanes and turns.
-- With below, -3 comes for each job, and info is its number.
--
-- A claim that finds nothing writes nothing. The node is locked before the first job or lane, so that it is not
-- declared dead before the commit; its beats go on. Bitmap scans and sorts are off, as the planner does not know the
-- limits.
CREATE FUNCTION job_claim(called text, moment bigint, bytes bigint, turns int[], wanted int[],
    grouped boolean[], limits int[], runs int[], turn_counts bigint[], lanes_from bigint[], jobs_from bigint[],
    passed bigint[], below bigint[], due_from bigint[])
  RETURNS TABLE(seq bigint, attempt int, failures int, grp text, content_type text, payload bytea, params text,
    owner text, crashes int, queue int, info bigint, trace text)
  LANGUAGE plpgsql SET enable_bitmapscan = off SET enable_sort = off AS $$
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
    due_low bigint;
    drawn bigint;
    enough int;
    tids tid[];
    seqs bigint[];
    places bigint[];
    names text[];
    spent bigint;
    number int;
    delayed int;
    last_turn bigint;
    skipped text[];
  BEGIN
    -- Read before the scans, so that each number that is drawn later is larger.
    drawn := coalesce(pg_sequence_last_value('job_number'::regclass), 0);
    FOR i IN 1 .. cardinality(wanted) LOOP
      of_queue := wanted[i];
      run := runs[i];
      due_low := coalesce(due_from[i], 0);
      bounds := jobs_from[4 * i - 3 : 4 * i];
      SELECT queue.paused, CASE WHEN grouped[i]
          THEN (SELECT ready_at FROM lane WHERE lane.queue = of_queue AND lane.state = 3 AND lane.ready_at >= due_low
            ORDER BY ready_at LIMIT 1)
          ELSE (SELECT ready_at FROM job WHERE job.queue = of_queue AND job.state = 1 AND job.grp IS NULL
            AND job.ready_at >= due_low ORDER BY ready_at LIMIT 1) END AS due
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
            AND lane.ready_at >= due_low AND lane.ready_at <= moment
            ORDER BY lane.ready_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
          UPDATE lane SET state = 0, ready_at = 0, turn = nextval('lane_turn') WHERE lane.ctid = ANY(tids);
          SELECT ready_at INTO here.due FROM lane WHERE lane.queue = of_queue AND lane.state = 3
            AND lane.ready_at >= due_low ORDER BY ready_at LIMIT 1;
        ELSE
          tids := ARRAY(SELECT job.ctid FROM job WHERE job.queue = of_queue AND job.state = 1 AND job.grp IS NULL
            AND job.ready_at >= due_low AND job.ready_at <= moment
            ORDER BY job.ready_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
          WITH moved AS (UPDATE job SET state = 0, ready_at = 0 WHERE job.ctid = ANY(tids) RETURNING job.seq),
          counted AS (
            INSERT INTO tally SELECT of_queue, change.state, change.sign * (SELECT count(*) FROM moved)
            FROM (VALUES(1, -1), (0, 1)) AS change(state, sign))
          SELECT min(moved.seq), array_agg(moved.seq) INTO lowest, seqs FROM moved;
          IF below IS NOT NULL THEN
            below := below || seqs;
            RETURN QUERY SELECT -3::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, moved,
              NULL FROM unnest(seqs) AS moved;
          ELSIF lowest IS NOT NULL THEN
            FOR p IN 1 .. 4 LOOP
              bounds[p] := least(bounds[p], lowest);
            END LOOP;
            RETURN QUERY SELECT -3::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue,
              lowest, NULL;
          END IF;
          SELECT ready_at INTO here.due FROM job WHERE job.queue = of_queue AND job.state = 1 AND job.grp IS NULL
            AND job.ready_at >= due_low ORDER BY ready_at LIMIT 1;
        END IF;
      END IF;
      IF here.due IS NOT NULL THEN
        RETURN QUERY SELECT -2::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, here.due, NULL;
      END IF;
      CONTINUE WHEN budget <= 0;

      IF grouped[i] THEN
        last_turn := CASE WHEN below IS NOT NULL THEN coalesce(pg_sequence_last_value('lane_turn'::regclass), 0) END;
        IF (SELECT true FROM lane WHERE lane.queue = of_queue AND lane.state = 0
            AND lane.turn >= lanes_from[i] LIMIT 1) IS NULL THEN
          RETURN QUERY SELECT -7::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, last_turn, NULL
            WHERE last_turn IS NOT NULL;
          CONTINUE;
        END IF;
        IF mine IS NULL THEN
          SELECT node.id INTO mine FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
          CONTINUE WHEN mine IS NULL;
        END IF;
        IF cardinality(passed) > 0 THEN
          -- The groups whose first job is passed over: FIFO groups have no earlier unsettled job.
          skipped := ARRAY(SELECT job.grp FROM job WHERE job.seq = ANY(passed) AND job.queue = of_queue
            AND job.state <= 1 AND (SELECT true FROM job AS earlier WHERE earlier.queue = of_queue
              AND earlier.grp = job.grp AND earlier.state <= 2 AND earlier.seq < job.seq LIMIT 1) IS NULL);
          tids := ARRAY(SELECT lane.ctid FROM lane WHERE lane.queue = of_queue AND lane.state = 0
            AND lane.turn >= lanes_from[i] AND lane.name <> ALL(skipped)
            ORDER BY lane.turn LIMIT least(limits[i], 1000) FOR UPDATE SKIP LOCKED);
        ELSE
          tids := ARRAY(SELECT lane.ctid FROM lane WHERE lane.queue = of_queue AND lane.state = 0
            AND lane.turn >= lanes_from[i] ORDER BY lane.turn LIMIT least(limits[i], 1000) FOR UPDATE SKIP LOCKED);
        END IF;
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
                  bool_and((head.state = 0 OR (head.state = 1 AND head.ready_at <= moment)) AND head.seq <> ALL(passed))
                    OVER (PARTITION BY lanes.place ORDER BY head.seq) AS ready
                FROM unnest(names) WITH ORDINALITY AS lanes(name, place) CROSS JOIN LATERAL (
                  SELECT job.seq, job.state, job.ready_at, octet_length(job.payload) AS bytes FROM job
                  WHERE job.queue = of_queue AND job.grp = lanes.name AND job.state <= 2
                  ORDER BY job.seq LIMIT run) AS head) AS due
            WHERE due.ready) AS fit
          WHERE fit.total <= budget OR (untouched AND fit.total = fit.bytes);
        IF number > 0 THEN
          RETURN QUERY UPDATE job SET state = 2, ready_at = moment, node = mine, attempt = job.attempt + 1
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
      IF below IS NOT NULL THEN
        RETURN QUERY SELECT -6::bigint, sum(1 << (scan.priority - 1)::int)::int, 0, ''::text, ''::text, ''::bytea,
            ''::text, ''::text, 0, of_queue, drawn, NULL
          FROM unnest(waiting) WITH ORDINALITY AS scan(found, priority) WHERE scan.found IS NULL HAVING count(*) > 0;
      END IF;
      IF cardinality(below) > 0 THEN
        FOR class IN SELECT DISTINCT job.priority FROM job WHERE job.seq = ANY(below) AND job.queue + 0 = of_queue
            AND job.state + 0 = 0 AND job.grp IS NULL AND job.seq < bounds[job.priority]
            AND job.seq <> ALL(passed) LOOP
          waiting[class] := true;
        END LOOP;
      END IF;
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
          enough := taken + shares[p];
          -- Jobs below the bound come first, by their numbers.
          FOR step IN CASE WHEN cardinality(below) > 0 THEN 1 ELSE 2 END .. 2 LOOP
            CONTINUE WHEN taken >= enough;
            IF step = 1 THEN
              SELECT array_agg(fit.place), coalesce(sum(fit.bytes), 0) INTO tids, spent FROM (
                  SELECT free.place, free.bytes,
                    sum(free.bytes) OVER (ORDER BY free.seq ROWS UNBOUNDED PRECEDING) AS total
                  FROM (
                    SELECT job.ctid AS place, job.seq, octet_length(job.payload) AS bytes FROM job
                    WHERE job.seq = ANY(below) AND job.queue + 0 = of_queue AND job.priority + 0 = p
                      AND job.state + 0 = 0 AND job.grp IS NULL AND job.seq < bounds[p] AND job.seq <> ALL(passed)
                    ORDER BY job.seq LIMIT enough - taken FOR UPDATE SKIP LOCKED) AS free) AS fit
                WHERE fit.total <= budget OR (untouched AND fit.total = fit.bytes);
            ELSE
              SELECT array_agg(fit.place), coalesce(sum(fit.bytes), 0) INTO tids, spent FROM (
                  SELECT free.place, free.bytes,
                    sum(free.bytes) OVER (ORDER BY free.seq ROWS UNBOUNDED PRECEDING) AS total
                  FROM (
                    SELECT job.ctid AS place, job.seq, octet_length(job.payload) AS bytes FROM job
                    WHERE job.queue = of_queue AND job.priority = p AND job.state = 0 AND job.grp IS NULL
                      AND job.seq + 0 >= bounds[p] AND job.seq <> ALL(passed)
                    ORDER BY job.seq + 0 LIMIT enough - taken FOR UPDATE SKIP LOCKED) AS free) AS fit
                WHERE fit.total <= budget OR (untouched AND fit.total = fit.bytes);
            END IF;
            RETURN QUERY UPDATE job SET state = 2, ready_at = moment, node = mine, attempt = job.attempt + 1
              WHERE job.ctid = ANY(tids)
              RETURNING job.seq, job.attempt, job.failures, job.grp, job.content_type, job.payload, job.params,
                job.owner, job.crashes, of_queue, p::bigint, job.trace;
            GET DIAGNOSTICS number = ROW_COUNT;
            IF number > 0 THEN
              INSERT INTO tally VALUES(of_queue, 0, -number), (of_queue, 2, number);
              untouched := false;
              budget := budget - spent;
              taken := taken + number;
            END IF;
          END LOOP;
          IF taken < enough THEN
            waiting[p] := false;
          END IF;
        END LOOP;
      END LOOP;
      RETURN QUERY SELECT -5::bigint, 0, 0, ''::text, ''::text, ''::bytea, ''::text, ''::text, 0, of_queue, turn_count, NULL;
    END LOOP;
  END $$;

-- The number of the node to which jobs that are pushed into a queue may be handed off: the node of that name, if it is
-- alive, the queue is not paused, and no job of the queue could be claimed; otherwise null. Its row stays locked until
-- the commit, so that the node is not declared dead before it. lanes_from, first, second, third, fourth, due_from: the
-- lower bounds of the scans, as of a claim.
CREATE FUNCTION job_room(of_queue int, called text, moment bigint, lanes_from bigint, first bigint, second bigint,
    third bigint, fourth bigint, due_from bigint) RETURNS int LANGUAGE plpgsql AS $$
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
          AND job.grp IS NULL AND job.ready_at >= due_from ORDER BY ready_at LIMIT 1) > moment, true)
        AND coalesce((SELECT ready_at FROM lane WHERE lane.queue = of_queue AND lane.state = 3
          AND lane.ready_at >= due_from ORDER BY ready_at LIMIT 1) > moment, true)
      FOR KEY SHARE OF node;
    RETURN claimer;
  END $$;

-- Stores jobs of groups or with keys, numbered in the order of the arrays; returns the first number, and the numbers of the jobs
-- that are handed off. Stores nothing and returns null if a key is remembered: some jobs are duplicates then. The locks of the lanes, taken first, make numbers
-- grow in the order of the commits, and guard the keys of their groups. place: the index, from 1, of the job that a key
-- belongs to; no key is given twice. Fails with a unique violation if another push used a key meanwhile.
-- claimed: queues of which jobs may be handed off, to these claimers; lanes_from, jobs_from and due_from: the lower
-- bounds of the scans, those of jobs four for each queue. in_turn: whether a job may be handed off if this call makes its lane.
CREATE FUNCTION job_push(lowest bigint, moment bigint, patience text, queues int[], ready_at bigint[], states int[],
    priorities int[], groups text[], owners text[], params text[], traces text[], content_types text[], payloads bytea[],
    kinds int[], keys uuid[], places int[], fingerprints uuid[], untils bigint[], claimed int[], claimers text[],
    lanes_from bigint[], jobs_from bigint[], in_turn boolean[], due_from bigint[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
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
          jobs_from[4 * wanted.place - 2], jobs_from[4 * wanted.place - 1], jobs_from[4 * wanted.place],
          coalesce(due_from[wanted.place], 0))
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

-- Takes back the crashes of nodes that came back. Locked jobs are left to a later call.
CREATE FUNCTION clear_suspects() RETURNS void LANGUAGE sql AS $$
  WITH none AS MATERIALIZED (
      SELECT crash.node, crash.seq, crash.alone
        FROM crash JOIN node ON node.id = crash.node JOIN job ON job.seq = crash.seq
        WHERE node.dead AND node.ran = 0 FOR UPDATE OF job SKIP LOCKED),
    cleared AS (
      UPDATE job SET crashes = greatest(0, crashes - each.times),
          lone_crashes = greatest(0, lone_crashes - each.alone)
        FROM (SELECT seq, count(*)::int AS times, (count(*) FILTER (WHERE alone))::int AS alone
          FROM none GROUP BY seq) AS each WHERE job.seq = each.seq)
  DELETE FROM crash USING none WHERE crash.node = none.node AND crash.seq = none.seq $$;
