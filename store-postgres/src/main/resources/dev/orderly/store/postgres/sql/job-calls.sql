-- Jobs: the functions of calls. Moments are Unix milliseconds. Each statement of a function has a snapshot of its own,
-- as the statements of a transaction have, so a function is a transaction in one trip.
--
-- Each statement that changes jobs adds its counts to the tally itself: a trigger with transition tables costs as much
-- as the insertion of a job.
--
-- A row that another row names is found by = ANY(ARRAY[...]), of which the planner can only make a lookup. Of = it also
-- makes a join that walks over all entries of the index, once the table is known to be small: an old snapshot, such as
-- that of a report, keeps the entries of all rows that have gone since. An order is that of the other row, as an order
-- of the table is a reason for the same walk.

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
            AND job.state - RUNNING = 0 LIMIT 1) THEN LANE_HELD
          WHEN (SELECT true FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
            AND job.state - HALTING = 0 LIMIT 1) THEN LANE_HALTED
          WHEN head.state = DELAYED AND head.ready_at > moment THEN LANE_DELAYED ELSE LANE_READY END AS state,
        CASE WHEN head.state = DELAYED THEN head.ready_at ELSE 0 END AS ready_at
      FROM unnest(queues, names) AS wanted(queue, name) LEFT JOIN LATERAL (
        SELECT seq, state, ready_at FROM job WHERE job.queue = wanted.queue AND job.grp = wanted.name
          AND job.state <= RUNNING ORDER BY job.seq + 0 LIMIT 1) AS head ON true),
    gone AS (
      DELETE FROM lane USING fact WHERE lane.queue = ANY(ARRAY[fact.queue]) AND lane.name = ANY(ARRAY[fact.name])
        AND fact.seq IS NULL AND fact.state = LANE_READY)
    UPDATE lane SET state = fact.state, ready_at = fact.ready_at,
      turn = CASE WHEN fact.state = LANE_READY AND lane.state <> LANE_READY THEN nextval('lane_turn') ELSE lane.turn END
    FROM fact WHERE lane.queue = ANY(ARRAY[fact.queue]) AND lane.name = ANY(ARRAY[fact.name])
      AND NOT (fact.seq IS NULL AND fact.state = LANE_READY)
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
        JOIN lane ON lane.queue = ANY(ARRAY[wanted.queue]) AND lane.name = ANY(ARRAY[wanted.name])
        ORDER BY wanted.queue, wanted.name COLLATE "C" FOR UPDATE OF lane) AS locked;
    WITH gone AS (
      DELETE FROM job USING unnest(seqs, attempts, result_types, results) AS done(seq, attempt, result_type, result)
      WHERE job.seq = ANY(ARRAY[done.seq]) AND job.attempt = done.attempt AND job.state + 0 = RUNNING
        AND job.grp IS NOT NULL AND job.node + 0 = (SELECT node.id FROM node WHERE node.name = called AND NOT node.dead)
      RETURNING job.seq, job.queue, job.attempt, job.failures, job.priority, job.grp, job.owner, job.params,
        job.progress, job.failure, job.failure_detail, job.history, job.origin, job.ready_at, job.node, job.trace,
        job.batch, done.result_type, done.result),
    told AS (
      INSERT INTO batch_tally(batch, done) SELECT batch, count(*) FROM gone WHERE batch IS NOT NULL GROUP BY batch),
    counted AS (
      INSERT INTO tally SELECT queue, RUNNING, -count(*) FROM gone GROUP BY queue
        UNION ALL SELECT queue, ENDED, count(*) FROM gone WHERE keep GROUP BY queue),
    kept AS (
      INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority, grp, owner, params, result_type,
        result, progress, failure, failure_detail, history, origin, started_at, node, trace)
      SELECT seq, moment, queue, attempt, failures, DONE, priority, grp, owner, params, result_type, result, progress,
        failure, failure_detail, history, origin, ready_at, node, trace FROM gone WHERE keep)
    SELECT array_agg(gone.seq), array_agg(gone.queue), array_agg(gone.grp)
      INTO settled, done_queues, done_names FROM gone;
    IF NOT started THEN
      UPDATE lane SET started = true FROM unnest(done_queues, done_names) AS done(queue, name)
        WHERE lane.queue = ANY(ARRAY[done.queue]) AND lane.name = ANY(ARRAY[done.name]) AND NOT lane.started
          AND (SELECT true FROM job WHERE job.queue = done.queue AND job.grp = done.name
            AND job.state - RUNNING = 0 LIMIT 1);
    END IF;
    -- A lane of which a node still holds a job stays as it is.
    SELECT array_agg(locked.queue), array_agg(locked.name) INTO queues, names
      FROM unnest(queues, names) AS locked(queue, name)
      WHERE (SELECT true FROM job WHERE job.queue = locked.queue AND job.grp = locked.name
        AND job.state - RUNNING = 0 LIMIT 1) IS NULL;
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
    cancelled := ARRAY(SELECT seq FROM job WHERE job.node + 0 = mine AND job.state = RUNNING AND job.cancelling);
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
        (SELECT count(*) FROM job WHERE job.node = node.id AND job.state = RUNNING AND job.grp IS NULL)
        + (SELECT count(*) FROM (
            SELECT DISTINCT queue, grp FROM (
              SELECT queue, grp FROM job WHERE job.node = node.id AND job.state = RUNNING OFFSET 0) AS own
            WHERE grp IS NOT NULL) AS held
          JOIN lane ON lane.queue = ANY(ARRAY[held.queue]) AND lane.name = ANY(ARRAY[held.grp]) WHERE lane.started)
      WHERE id = ANY(silent);
    RETURN cardinality(silent);
  END $$;

-- Whether a node sends beats and was not declared dead.
CREATE FUNCTION job_node_lives(called text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS(SELECT FROM node WHERE node.name = called AND NOT node.dead) $$;

-- The first moment from due_from on at which a delayed job or group of a queue is due; null for none.
CREATE FUNCTION job_due(of_queue int, grouped boolean, due_from bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    IF grouped THEN
      RETURN (SELECT lane.ready_at FROM lane WHERE lane.queue = of_queue AND lane.state = LANE_DELAYED
        AND lane.ready_at >= due_from ORDER BY lane.ready_at LIMIT 1);
    END IF;
    RETURN (SELECT job.ready_at FROM job WHERE job.queue = of_queue AND job.state = DELAYED AND job.grp IS NULL
      AND job.ready_at >= due_from ORDER BY job.ready_at LIMIT 1);
  END $$;

-- Makes what is due of a queue ready, at most 1,000 jobs or groups. due: the first moment at which something is due
-- then; due_from: its lower bound. ready: the jobs that became ready; of groups none.
CREATE FUNCTION job_promote(called text, of_queue int, grouped boolean, moment bigint, due_from bigint,
    OUT due bigint, OUT ready bigint[]) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    tids tid[];
    keys text[];
    classes int[];
    numbers bigint[];
  BEGIN
    due := job_due(of_queue, grouped, due_from);
    IF due IS NULL OR due > moment THEN
      RETURN;
    END IF;
    PERFORM FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
    IF grouped THEN
      tids := ARRAY(SELECT lane.ctid FROM lane WHERE lane.queue = of_queue AND lane.state = LANE_DELAYED
        AND lane.ready_at >= due_from AND lane.ready_at <= moment
        ORDER BY lane.ready_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
      UPDATE lane SET state = LANE_READY, ready_at = 0, turn = nextval('lane_turn') WHERE lane.ctid = ANY(tids);
    ELSE
      tids := ARRAY(SELECT job.ctid FROM job WHERE job.queue = of_queue AND job.state = DELAYED AND job.grp IS NULL
        AND job.ready_at >= due_from AND job.ready_at <= moment
        ORDER BY job.ready_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
      WITH moved AS (UPDATE job SET state = WAITING, ready_at = 0 WHERE job.ctid = ANY(tids)
          RETURNING job.seq, job.flow_key, job.priority),
      counted AS (
        INSERT INTO tally VALUES(of_queue, DELAYED, -cardinality(tids)), (of_queue, WAITING, cardinality(tids)))
      SELECT array_agg(moved.seq), array_agg(moved.flow_key) FILTER (WHERE moved.flow_key IS NOT NULL),
          array_agg(moved.priority) FILTER (WHERE moved.flow_key IS NOT NULL),
          array_agg(moved.seq) FILTER (WHERE moved.flow_key IS NOT NULL)
        INTO ready, keys, classes, numbers FROM moved;
      IF keys IS NOT NULL THEN
        PERFORM key_wake(array_fill(of_queue, ARRAY[cardinality(keys)]), keys, classes, numbers);
      END IF;
    END IF;
    due := job_due(of_queue, grouped, due_from);
  END $$;

-- Holds the groups of a queue that are ready for longest, at most so many, and chooses the first jobs of each, at most
-- run. taken: the names of the groups, in their order. turn: the last turn of a group that the scan from turn_from has
-- taken or, with no group ready, of any that was drawn before; null if that is not known. tids: the jobs, of spent
-- bytes together; delayed: the number of those that were. A job of a held group changes only with the group's lock.
-- of_limit: the limit with the rate of each group, null for none; limit_moment: the present by the server's clock. Tokens
-- are in the idle rows of flow_key, which only claims change that hold the group. A group whose rate lets none start is
-- left as delayed until the next may, a minute at most; rests_until: the first such moment. tokens, fresh, cost and short
-- as of key_choose.
CREATE FUNCTION job_choose_grouped(called text, of_queue int, moment bigint, passed bigint[], most int, run int,
    turn_from bigint, budget bigint, any_size boolean, of_limit int, limit_moment bigint, tokens bigint, fresh boolean,
    OUT taken text[], OUT turn bigint, OUT tids tid[], OUT spent bigint, OUT delayed int, OUT rests_until bigint,
    OUT cost bigint, OUT short boolean)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    skipped text[];
    open_names text[];
    paused_names text[];
    resting_names text[];
    resting_until bigint[];
    rounds int := 1;
    served text[];
    served_costs int[];
    turns bigint[];
    empty text[];
  BEGIN
    turn := coalesce(pg_sequence_last_value('lane_turn'::regclass), 0);
    IF (SELECT true FROM lane WHERE lane.queue = of_queue AND lane.state = LANE_READY AND lane.turn >= turn_from
        LIMIT 1) IS NULL THEN
      RETURN;
    END IF;
    turn := NULL;
    PERFORM FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    -- The groups whose first job is passed over: FIFO groups have no earlier unsettled job.
    skipped := ARRAY(SELECT job.grp FROM job WHERE job.seq = ANY(passed) AND job.queue = of_queue
      AND job.state <= DELAYED AND (SELECT true FROM job AS earlier WHERE earlier.queue = of_queue
        AND earlier.grp = job.grp AND earlier.state <= RUNNING AND earlier.seq + 0 < job.seq LIMIT 1) IS NULL);
    IF of_limit IS NULL AND (SELECT true FROM key_setting WHERE key_setting.queue = of_queue LIMIT 1) IS NULL THEN
      WITH held AS (
        UPDATE lane SET state = LANE_HELD, started = true WHERE lane.ctid = ANY(ARRAY(
          SELECT free.ctid FROM lane AS free WHERE free.queue = of_queue AND free.state = LANE_READY
            AND free.turn >= turn_from AND free.name <> ALL(skipped)
          ORDER BY free.turn LIMIT least(most, 1000) FOR UPDATE SKIP LOCKED))
        RETURNING lane.name, lane.turn)
      SELECT array_agg(held.name ORDER BY held.turn), max(held.turn), array_agg(held.turn ORDER BY held.turn)
        INTO taken, turn, turns FROM held;
    ELSE
      -- Groups that are found paused are left as paused, those whose pause is about to change as they are, and those
      -- whose rate lets none start as delayed. Each round looks further.
      LOOP
        open_names := ARRAY(SELECT ready.name FROM lane AS ready WHERE ready.queue = of_queue
          AND ready.state = LANE_READY AND ready.turn >= turn_from AND ready.name <> ALL(skipped)
          ORDER BY ready.turn LIMIT least(least(most, 1000) * rounds, 1000) FOR UPDATE SKIP LOCKED);
        paused_names := ARRAY(SELECT key_setting.name FROM key_setting
          WHERE key_setting.queue = of_queue AND key_setting.name = ANY(open_names) AND key_setting.paused);
        resting_names := '{}';
        IF of_limit IS NOT NULL THEN
          SELECT coalesce(array_agg(rests.name), '{}'), array_agg(rests.until) INTO resting_names, resting_until
            FROM key_rests(of_queue, of_limit, open_names, limit_moment) AS rests WHERE rests.name <> ALL(paused_names);
        END IF;
        open_names := ARRAY(SELECT ready.name FROM unnest(open_names) WITH ORDINALITY AS ready(name, place)
          WHERE ready.name <> ALL(paused_names || resting_names) ORDER BY ready.place LIMIT most);
        EXIT WHEN cardinality(paused_names || resting_names) = 0;
        IF cardinality(resting_names) > 0 THEN
          UPDATE lane SET state = LANE_DELAYED, ready_at = moment + rests.until - limit_moment
            FROM unnest(resting_names, resting_until) AS rests(name, until)
            WHERE lane.queue = of_queue AND lane.name = ANY(ARRAY[rests.name]);
          rests_until := least(rests_until,
            moment - limit_moment + (SELECT min(rests.until) FROM unnest(resting_until) AS rests(until)));
        END IF;
        WITH parked AS (
          UPDATE lane SET state = LANE_PAUSED WHERE lane.queue = of_queue AND lane.name = ANY(ARRAY(
            SELECT key_setting.name FROM key_setting WHERE key_setting.queue = of_queue
              AND key_setting.name = ANY(paused_names) AND key_setting.paused FOR SHARE SKIP LOCKED))
          RETURNING lane.name)
        SELECT skipped || ARRAY(SELECT unnest(paused_names) EXCEPT SELECT parked.name FROM parked) INTO skipped;
        EXIT WHEN cardinality(open_names) > 0;
        rounds := least(2 * rounds, 1000);
      END LOOP;
      WITH held AS (
        UPDATE lane SET state = LANE_HELD, started = true WHERE lane.queue = of_queue AND lane.name = ANY(open_names)
        RETURNING lane.name, lane.turn)
      SELECT array_agg(held.name ORDER BY held.turn), max(held.turn), array_agg(held.turn ORDER BY held.turn)
        INTO taken, turn, turns FROM held;
    END IF;
    IF taken IS NULL THEN
      RETURN;
    END IF;
    SELECT array_agg(fit.tid), sum(fit.bytes), count(*) FILTER (WHERE fit.state = DELAYED), array_agg(DISTINCT fit.name),
        sum(fit.cost), CASE WHEN of_limit IS NOT NULL THEN array_agg(fit.cost ORDER BY fit.name) END
      INTO tids, spent, delayed, served, cost, served_costs FROM (
        SELECT due.*, sum(due.bytes) OVER up AS total, sum(due.cost) OVER up AS total_cost, row_number() OVER up AS number FROM (
          SELECT lanes.name, lanes.place, head.*,
            bool_and((head.state = WAITING OR (head.state = DELAYED AND head.ready_at <= moment))
                AND head.seq <> ALL(passed)) OVER (PARTITION BY lanes.place ORDER BY head.seq) AS ready
          FROM unnest(taken) WITH ORDINALITY AS lanes(name, place) CROSS JOIN LATERAL (
            SELECT job.seq, job.ctid AS tid, job.state, job.ready_at, octet_length(job.payload) AS bytes,
              coalesce(job.cost, 1) AS cost FROM job
            WHERE job.queue = of_queue AND job.grp = lanes.name AND job.state <= RUNNING
            ORDER BY job.seq + 0 LIMIT run) AS head) AS due
        WHERE due.ready WINDOW up AS (ORDER BY due.place, due.seq ROWS UNBOUNDED PRECEDING)) AS fit
      WHERE (fit.total <= budget OR (any_size AND fit.total = fit.bytes))
        AND (tokens IS NULL OR fit.total_cost <= tokens OR (fresh AND fit.number = 1));
    short := tokens IS NOT NULL AND cardinality(taken) > coalesce(cardinality(served), 0);
    IF of_limit IS NOT NULL AND cardinality(served) > 0 THEN
      PERFORM key_take(of_queue, of_limit, served, served_costs, limit_moment);
    END IF;
    -- Groups without a job: the row was wrong, or the first job is larger than what is left of the budget. In the
    -- second case the group queues up behind the ready ones, and so comes first in a later claim.
    IF cardinality(taken) > coalesce(cardinality(served), 0) THEN
      empty := ARRAY(SELECT unnest(taken) EXCEPT SELECT unnest(served));
      PERFORM job_lanes(array_fill(of_queue, ARRAY[cardinality(empty)]), empty, moment);
      IF short THEN -- those that the limit has left out keep their turns
        turn := NULL;
        UPDATE lane SET turn = kept.turn FROM unnest(taken, turns) AS kept(name, turn)
          WHERE lane.queue = of_queue AND lane.name = ANY(ARRAY[kept.name]) AND kept.name = ANY(empty)
            AND lane.state = LANE_READY;
      END IF;
    END IF;
  END $$;

-- Locks the first waiting jobs of a standard queue, at most so many: in turns among the priorities that have some, and
-- of a priority those below the bound of its scan first. turns: the priorities of a round of turns. given: the number
-- of turns given; null if no turn could be. idle: the priorities whose scans have found no job, although the numbers up
-- to drawn were drawn. tids: the jobs, of spent bytes together.
CREATE FUNCTION job_choose_standard(called text, of_queue int, passed bigint[], below bigint[], most int,
    bounds bigint[], budget bigint, any_size boolean, turns int[], turn_count bigint,
    OUT given bigint, OUT idle int[], OUT drawn bigint, OUT tids tid[], OUT spent bigint) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    waiting boolean[];
    last bigint[] := '{0,0,0,0}';
    shares int[];
    slots int;
    class int;
    fit record;
  BEGIN
    -- Read before the scans, so that each number that is drawn later is larger.
    drawn := coalesce(pg_sequence_last_value('job_number'::regclass), 0);
    waiting := ARRAY(
      SELECT (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = scan.class AND job.state = WAITING
        AND job.grp IS NULL AND job.seq + 0 >= bounds[scan.class] LIMIT 1)
      FROM generate_series(1, 4) AS scan(class));
    idle := array_positions(waiting, NULL);
    IF cardinality(below) > 0 THEN
      FOR class IN SELECT DISTINCT job.priority FROM job WHERE job.seq = ANY(below) AND job.queue + 0 = of_queue
          AND job.state + 0 = WAITING AND job.grp IS NULL AND job.seq < bounds[job.priority]
          AND job.seq <> ALL(passed) LOOP
        waiting[class] := true;
      END LOOP;
    END IF;
    IF true = ANY(waiting) THEN
      PERFORM FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
      IF NOT FOUND THEN
        RETURN;
      END IF;
    END IF;
    given := turn_count;
    tids := '{}';
    spent := 0;
    WHILE cardinality(tids) < most AND true = ANY(waiting) LOOP
      slots := least(most - cardinality(tids), 1000);
      shares := '{0,0,0,0}';
      IF cardinality(array_positions(waiting, true)) = 1 THEN
        shares[array_position(waiting, true)] := slots;
      ELSE
        WHILE slots > 0 LOOP
          class := turns[given % cardinality(turns) + 1];
          given := given + 1;
          IF waiting[class] THEN
            shares[class] := shares[class] + 1;
            slots := slots - 1;
          END IF;
        END LOOP;
      END IF;
      FOR class IN 1 .. 4 LOOP
        CONTINUE WHEN shares[class] = 0;
        SELECT array_agg(free.tid) AS tids, sum(free.bytes) AS bytes, max(free.seq) AS last INTO fit FROM (
          SELECT locked.*, sum(locked.bytes) OVER (ORDER BY locked.seq ROWS UNBOUNDED PRECEDING) AS total FROM (
            SELECT * FROM (SELECT job.seq, job.ctid AS tid, octet_length(job.payload) AS bytes FROM job
              WHERE job.seq = ANY(below) AND job.queue + 0 = of_queue AND job.priority + 0 = class
                AND job.state + 0 = WAITING AND job.grp IS NULL AND job.seq < bounds[class] AND job.seq > last[class]
                AND job.seq <> ALL(passed)
              ORDER BY job.seq LIMIT shares[class] FOR UPDATE SKIP LOCKED) AS by_number
            UNION ALL
            SELECT * FROM (SELECT job.seq, job.ctid, octet_length(job.payload) FROM job
              WHERE job.queue = of_queue AND job.priority = class AND job.state = WAITING AND job.grp IS NULL
                AND job.seq + 0 >= greatest(bounds[class], last[class] + 1) AND job.seq <> ALL(passed)
              ORDER BY job.seq + 0 LIMIT shares[class] FOR UPDATE SKIP LOCKED) AS by_scan
            LIMIT shares[class]) AS locked) AS free
          WHERE free.total <= budget - spent OR (any_size AND spent = 0 AND free.total = free.bytes);
        waiting[class] := cardinality(fit.tids) = shares[class];
        IF fit.last IS NOT NULL THEN
          tids := tids || fit.tids;
          spent := spent + fit.bytes;
          last[class] := fit.last;
        END IF;
      END LOOP;
    END LOOP;
  END $$;

-- The facts about a queue in the answer of a claim: whether it is paused, and the results of job_promote,
-- job_choose_grouped and job_choose_standard. Null is what the claim has not looked at. room: the number of jobs that
-- the limit of the queue has allowed; null without a limit. holding: whether jobs may wait for their keys.
DO $$ BEGIN
  IF to_regtype('job_facts') IS NULL THEN
    CREATE TYPE job_facts AS (
      paused boolean, due bigint, ready bigint[], taken text[], turn bigint, given bigint, idle int[], drawn bigint,
      room int);
  ELSIF NOT EXISTS(SELECT FROM pg_type JOIN pg_attribute ON attrelid = typrelid
      WHERE pg_type.oid = to_regtype('job_facts') AND attname = 'room') THEN
    ALTER TYPE job_facts ADD ATTRIBUTE room int;
  END IF;
  IF NOT EXISTS(SELECT FROM pg_type JOIN pg_attribute ON attrelid = typrelid
      WHERE pg_type.oid = to_regtype('job_facts') AND attname = 'holding') THEN
    ALTER TYPE job_facts ADD ATTRIBUTE holding boolean;
  END IF;
END $$;

-- Number of further jobs that a limit allows, and of tokens that its rate has left, null without a rate; fresh: whether no
-- token counts; held: the jobs that hold a slot, null without a bound on them; moment: by
-- the server's clock, of a limit with a rate. Exact if the caller has locked the row of the limit in an earlier
-- statement, as nobody else adds jobs to it then; otherwise a hint. enough: the room beyond which the hint need not be
-- exact, so that it looks at no job then; null for an exact one.
CREATE FUNCTION limit_room(of_limit int, given bigint, enough int, OUT room int, OUT held bigint[], OUT moment bigint,
    OUT tokens bigint, OUT fresh boolean) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    own record;
  BEGIN
    SELECT * INTO own FROM flow_limit WHERE flow_limit.id = of_limit;
    room := 2147483647;
    IF own.concurrency - cardinality(own.held) >= enough THEN
      room := enough;
    ELSIF own.concurrency > 0 THEN
      held := ARRAY(SELECT job.seq FROM job WHERE job.seq = ANY(own.held) AND job.state + 0 = RUNNING);
      room := own.concurrency - cardinality(held);
    END IF;
    IF own.starts > 0 THEN
      moment := moment_now(given);
      tokens := own.starts - (
        SELECT coalesce(sum(slot.tokens), 0) FROM unnest(own.ends, own.tokens) AS slot(until, tokens)
        WHERE least(slot.until, moment + own.width) > moment - own.span
          AND slot.until <= moment + own.width + own.span);
      fresh := tokens = own.starts;
      room := least(room, tokens);
    END IF;
    room := greatest(coalesce(room, 0), 0);
    IF EXISTS(SELECT FROM flow_rest WHERE flow_rest.limit_id = of_limit AND flow_rest.queue = 0 AND flow_rest.key = ''
        AND flow_rest.until BETWEEN moment_now(given) + 1 AND moment_now(given) + 90000000) THEN
      room := 0;
    END IF;
  END $$;

-- As limit_room, with the row of the limit locked. Nothing is allowed if another claim has locked it, so that claims of
-- several limits do not wait for each other, or if the queue has another limit by now; with the lock it keeps this one.
CREATE FUNCTION limit_lock(of_limit int, of_queue int, given bigint, OUT room int, OUT held bigint[],
    OUT moment bigint, OUT tokens bigint, OUT fresh boolean) LANGUAGE plpgsql AS $$
  BEGIN
    room := 0;
    PERFORM FROM flow_limit WHERE flow_limit.id = of_limit FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND AND of_limit = (SELECT queue.flow_limit FROM queue WHERE queue.id = of_queue) THEN
      SELECT exact.room, exact.held, exact.moment, exact.tokens, exact.fresh INTO room, held, moment, tokens, fresh
        FROM limit_room(of_limit, given, NULL) AS exact;
    END IF;
  END $$;

-- The first jobs of these that the rate of a limit lets start, by what they cost; cost: what they cost together.
CREATE FUNCTION limit_fit(tids tid[], tokens bigint, fresh boolean, OUT fits tid[], OUT cost bigint)
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(each.tid ORDER BY each.place), '{}'), coalesce(sum(each.cost), 0) FROM (
    SELECT listed.tid, listed.place, priced.cost,
      sum(priced.cost) OVER (ORDER BY listed.place ROWS UNBOUNDED PRECEDING) AS total
    FROM unnest(tids) WITH ORDINALITY AS listed(tid, place) CROSS JOIN LATERAL (
      SELECT coalesce(job.cost, 1) AS cost FROM job WHERE job.ctid = ANY(ARRAY[listed.tid])) AS priced) AS each
  WHERE each.total <= tokens OR (fresh AND each.place = 1) $$;

-- Notes that jobs were claimed under a limit whose row the caller has locked; held, moment: the results of limit_room.
CREATE FUNCTION limit_take(of_limit int, held bigint[], moment bigint, claimed bigint[], cost bigint) RETURNS void
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    own record;
  BEGIN
    SELECT * INTO own FROM flow_limit WHERE flow_limit.id = of_limit;
    IF moment IS NOT NULL THEN
      SELECT array_agg(slot.until), array_agg(slot.tokens) INTO own.ends, own.tokens FROM (
        SELECT each.until, sum(each.tokens)::int AS tokens FROM (
          SELECT least(old.until, moment + own.width) AS until, old.tokens
            FROM unnest(own.ends, own.tokens) AS old(until, tokens)
            WHERE old.until <= moment + own.width + own.span
          UNION ALL SELECT (moment / own.width + 1) * own.width, cost) AS each
        WHERE each.until > moment - own.span GROUP BY each.until) AS slot;
    END IF;
    UPDATE flow_limit SET held = limit_take.held || claimed, ends = own.ends, tokens = own.tokens
      WHERE flow_limit.id = of_limit;
  END $$;

-- A claim. wanted: the queues; grouped: whether each is a FIFO queue; limits: of jobs, or of groups; runs: the most
-- jobs of a group. passed: jobs that this node does not get. turns: the priorities of a round of turns; turn_counts:
-- the turns given so far. lanes_from, jobs_from and due_from: the lower bounds of the scans for groups, jobs and due
-- ones, jobs_from four for each queue; below: jobs that may have become ready below those bounds.
--
-- A row is either a claimed job, or the facts about a queue. A claim that finds nothing writes nothing. The node is
-- locked before the first job or lane, so that it is not declared dead before the commit; its beats go on. Bitmap scans
-- and sorts are off, as the planner does not know the limits. given: a moment in place of the server's, for limits.
--
-- Of a queue with a limit, the row of the limit is locked before slots and tokens are counted. A limit that is full, or
-- a queue without ready jobs, is found without the lock.
--
-- Jobs with keys come after all others; ran_keys, ran_means: keys of which the node has ended jobs, of the queues in
-- ran_queues, with the mean run time of each in microseconds, 0 for none; an empty one as of
-- key_startable. Without these arrays no job with a key is handed out: earlier versions do not know them.
CREATE FUNCTION job_claim(called text, moment bigint, bytes bigint, passed bigint[], turns int[], wanted int[],
    grouped boolean[], limits int[], runs int[], turn_counts bigint[], lanes_from bigint[], jobs_from bigint[],
    below bigint[], due_from bigint[], given bigint, ran_queues int[], ran_keys text[], ran_means bigint[])
  RETURNS TABLE(queue int, facts job_facts, seq bigint, attempt int, failures int, crashes int, priority int, grp text,
    content_type text, payload bytea, params text, owner text, trace text)
  LANGUAGE plpgsql SET enable_bitmapscan = off SET enable_sort = off AS $$
  #variable_conflict use_column
  DECLARE
    budget bigint := bytes;
    tids tid[];
    spent bigint;
    delayed int;
    number int;
    of_limit int;
    room int;
    held bigint[];
    moment_of_limit bigint;
    keyed boolean;
    locked boolean;
    key_limit int;
    key_moment bigint;
    key_tids tid[];
    key_spent bigint;
    woken tid[];
    present bigint;
    own_keys text[];
    own_means bigint[];
    rests_until bigint;
    tokens bigint;
    fresh boolean;
    cost bigint;
    key_cost bigint;
    short boolean;
  BEGIN
    FOR i IN 1 .. cardinality(wanted) LOOP
      queue := wanted[i];
      facts := NULL;
      SELECT queue.paused, queue.flow_limit, queue.keyed, queue.key_limit INTO facts.paused, of_limit, keyed, key_limit
        FROM queue WHERE queue.id = wanted[i];
      CONTINUE WHEN facts.paused IS NULL;
      tids := NULL;
      spent := NULL;
      delayed := 0;
      cost := 0;
      short := false;
      tokens := NULL;
      room := limits[i];
      IF NOT facts.paused THEN
        SELECT * INTO facts.due, facts.ready FROM job_promote(called, wanted[i], grouped[i], moment, due_from[i]);
        IF of_limit IS NOT NULL THEN
          room := least(limits[i], (SELECT hint.room FROM limit_room(of_limit, given, limits[i]) AS hint));
          IF room > 0 AND grouped[i] AND (SELECT true FROM lane WHERE lane.queue = wanted[i]
              AND lane.state = LANE_READY AND lane.turn >= lanes_from[i] LIMIT 1) THEN
            SELECT least(limits[i], exact.room), exact.held, exact.moment, exact.tokens, exact.fresh
              INTO room, held, moment_of_limit, tokens, fresh FROM limit_lock(of_limit, wanted[i], given) AS exact;
          END IF;
        END IF;
        IF room > 0 AND grouped[i] AND budget > 0 THEN
          IF key_limit IS NOT NULL THEN
            key_limit := (SELECT flow_limit.id FROM flow_limit WHERE flow_limit.id = key_limit AND flow_limit.starts > 0);
            key_moment := moment_now(given);
          END IF;
          SELECT * INTO facts.taken, facts.turn, tids, spent, delayed, rests_until, cost, short FROM job_choose_grouped(called,
            wanted[i], moment, passed, room, CASE WHEN coalesce(of_limit, key_limit) IS NULL THEN runs[i] ELSE 1 END,
            lanes_from[i], budget, budget = bytes, key_limit, key_moment, tokens, fresh);
          facts.due := least(facts.due, rests_until);
        ELSIF room > 0 AND NOT grouped[i] AND budget > 0 THEN
          SELECT *, 0 INTO facts.given, facts.idle, facts.drawn, tids, spent, delayed
            FROM job_choose_standard(called, wanted[i], passed, below || facts.ready, room,
              jobs_from[4 * i - 3 : 4 * i], budget, budget = bytes, turns, turn_counts[i]);
          IF of_limit IS NOT NULL AND cardinality(tids) > 0 THEN
            SELECT least(limits[i], exact.room), exact.held, exact.moment, exact.tokens, exact.fresh
              INTO room, held, moment_of_limit, tokens, fresh FROM limit_lock(of_limit, wanted[i], given) AS exact;
            tids := tids[1 : room];
            IF tokens IS NOT NULL THEN
              SELECT fit.fits, fit.cost, cardinality(fit.fits) < cardinality(tids) INTO tids, cost, short
                FROM limit_fit(tids, tokens, fresh) AS fit;
            END IF;
          END IF;
        END IF;
        IF keyed AND ran_keys IS NOT NULL AND NOT grouped[i] AND NOT short THEN
          IF room > coalesce(cardinality(tids), 0) AND budget > coalesce(spent, 0) THEN
            SELECT array_agg(ran.key), array_agg(ran.mean) INTO own_keys, own_means
              FROM unnest(ran_queues, ran_keys, ran_means) AS ran(queue, key, mean) WHERE ran.queue = wanted[i];
            key_moment := moment_now(given);
            SELECT startable.woken, startable.present INTO woken, present FROM key_startable(wanted[i], own_keys,
              key_moment, room - coalesce(cardinality(tids), 0)) AS startable;
            locked := of_limit IS NULL OR coalesce(cardinality(tids), 0) > 0;
            IF NOT locked AND (cardinality(woken) > 0 OR (SELECT true FROM flow_key
                WHERE flow_key.queue = wanted[i] AND flow_key.state = KEY_READY LIMIT 1)) THEN
              SELECT least(limits[i], exact.room), exact.held, exact.moment, exact.tokens, exact.fresh
                INTO room, held, moment_of_limit, tokens, fresh FROM limit_lock(of_limit, wanted[i], given) AS exact;
              locked := true;
            END IF;
            IF locked THEN -- a key that became ready since is for the next claim
              SELECT chosen.tids, chosen.spent, chosen.cost, chosen.short INTO key_tids, key_spent, key_cost, short
                FROM key_choose(called, wanted[i],
                key_limit, passed, room - coalesce(cardinality(tids), 0), budget - coalesce(spent, 0),
                budget = bytes AND coalesce(cardinality(tids), 0) = 0, own_keys, own_means, key_moment,
                woken, present, tokens - cost, fresh AND cost = 0, (
                  SELECT greatest(1, total.concurrency * each.share / 100)
                  FROM flow_limit AS each, flow_limit AS total WHERE each.id = key_limit AND each.share > 0
                    AND total.id = of_limit AND total.concurrency > 0)) AS chosen;
              cost := cost + key_cost;
              tids := coalesce(tids, '{}') || key_tids;
              spent := coalesce(spent, 0) + key_spent;
            END IF;
          END IF;
          facts.holding := EXISTS(SELECT FROM flow_key
            WHERE flow_key.queue = wanted[i] AND flow_key.state >= KEY_RESTING)
            OR EXISTS(SELECT FROM flow_wake WHERE flow_wake.queue = wanted[i]);
        END IF;
        IF of_limit IS NOT NULL THEN
          IF short THEN
            room := coalesce(cardinality(tids), 0);
          END IF;
          facts.room := room;
        END IF;
      END IF;
      RETURN NEXT;
      IF cardinality(tids) > 0 THEN
        IF of_limit IS NOT NULL THEN
          PERFORM limit_take(of_limit, held, moment_of_limit,
            ARRAY(SELECT job.seq FROM job WHERE job.ctid = ANY(tids)), cost);
        END IF;
        RETURN QUERY UPDATE job SET state = RUNNING, ready_at = moment, attempt = job.attempt + 1,
            node = (SELECT node.id FROM node WHERE node.name = called AND NOT node.dead)
          WHERE job.ctid = ANY(tids)
          RETURNING wanted[i], NULL::job_facts, job.seq, job.attempt, job.failures, job.crashes, job.priority::int,
            job.grp, job.content_type, job.payload, job.params, job.owner, job.trace;
        GET DIAGNOSTICS number = ROW_COUNT;
        ASSERT number = cardinality(tids), 'A chosen job has changed without its lock or that of its group';
        INSERT INTO tally SELECT wanted[i], change.state, change.jobs
          FROM (VALUES(WAITING, delayed - number), (DELAYED, -delayed), (RUNNING, number)) AS change(state, jobs)
          WHERE change.jobs <> 0;
        budget := budget - spent;
      END IF;
    END LOOP;
  END $$;

-- The number of the node to which jobs that are pushed into a queue may be handed off: the node of that name, if it is
-- alive, the queue is not paused and has no limit, nor its keys, and no job of the queue could be claimed; otherwise null. Its row stays locked until
-- the commit, so that the node is not declared dead before it. lanes_from, first, second, third, fourth, due_from: the
-- lower bounds of the scans, as of a claim.
CREATE FUNCTION job_room(of_queue int, called text, moment bigint, lanes_from bigint, first bigint, second bigint,
    third bigint, fourth bigint, due_from bigint) RETURNS int LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    claimer int;
  BEGIN
    SELECT node.id INTO claimer FROM node
      WHERE node.name = called AND NOT node.dead
        AND NOT (SELECT paused OR flow_limit IS NOT NULL OR key_limit IS NOT NULL FROM queue WHERE queue.id = of_queue)
        AND (SELECT true FROM lane WHERE lane.queue = of_queue AND lane.state = LANE_READY
          AND lane.turn >= lanes_from LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 1 AND job.state = WAITING
          AND job.grp IS NULL AND job.seq + 0 >= first LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 2 AND job.state = WAITING
          AND job.grp IS NULL AND job.seq + 0 >= second LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 3 AND job.state = WAITING
          AND job.grp IS NULL AND job.seq + 0 >= third LIMIT 1) IS NULL
        AND (SELECT true FROM job WHERE job.queue = of_queue AND job.priority = 4 AND job.state = WAITING
          AND job.grp IS NULL AND job.seq + 0 >= fourth LIMIT 1) IS NULL
        AND coalesce((SELECT ready_at FROM job WHERE job.queue = of_queue AND job.state = DELAYED
          AND job.grp IS NULL AND job.ready_at >= due_from ORDER BY ready_at LIMIT 1) > moment, true)
        AND coalesce((SELECT ready_at FROM lane WHERE lane.queue = of_queue AND lane.state = LANE_DELAYED
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
      JOIN recent ON recent.kind = ANY(ARRAY[wanted.kind]) AND recent.key = ANY(ARRAY[wanted.key]));
    IF known > moment THEN
      DELETE FROM lane USING unnest(made_queues, made_names) AS made(queue, name)
        WHERE lane.queue = ANY(ARRAY[made.queue]) AND lane.name = ANY(ARRAY[made.name]);
      RETURN NULL;
    ELSIF known IS NOT NULL THEN
      DELETE FROM recent USING unnest(kinds, keys) AS wanted(kind, key)
        WHERE recent.kind = ANY(ARRAY[wanted.kind]) AND recent.key = ANY(ARRAY[wanted.key]) AND recent.until <= moment;
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
          CASE WHEN room.node IS NULL THEN fresh.state ELSE RUNNING END, fresh.priority, fresh.grp, fresh.owner,
          fresh.params, fresh.trace, fresh.content_type, fresh.payload, room.node, CASE WHEN room.node IS NULL THEN 0 ELSE 1 END
        FROM unnest(queues, ready_at, states, priorities, groups, owners, params, traces, content_types, payloads, in_turn)
            WITH ORDINALITY
            AS fresh(queue, ready_at, state, priority, grp, owner, params, trace, content_type, payload, in_turn, place)
          LEFT JOIN unnest(claimed, nodes) AS room(queue, node) ON fresh.in_turn AND room.queue = fresh.queue
            AND (fresh.grp IS NULL OR ((fresh.queue, fresh.grp) IN (
                SELECT made.queue, made.name FROM unnest(made_queues, made_names) AS made(queue, name))
              AND (SELECT key_setting.paused FROM key_setting WHERE key_setting.queue = fresh.queue
                AND key_setting.name = fresh.grp) IS NOT TRUE))
        RETURNING seq, queue, state, grp),
      counted AS (
        INSERT INTO tally SELECT pushed.queue, pushed.state, count(*) FROM pushed GROUP BY pushed.queue, pushed.state),
      held AS (
        UPDATE lane SET state = LANE_HELD, started = true FROM pushed
        WHERE pushed.state = RUNNING AND lane.queue = ANY(ARRAY[pushed.queue]) AND lane.name = ANY(ARRAY[pushed.grp]))
      SELECT array_agg(pushed.seq) INTO handed_off FROM pushed WHERE pushed.state = RUNNING;
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
        FROM crash JOIN node ON node.id = crash.node JOIN job ON job.seq = ANY(ARRAY[crash.seq])
        WHERE node.dead AND node.ran = 0 FOR UPDATE OF job SKIP LOCKED),
    cleared AS (
      UPDATE job SET crashes = greatest(0, crashes - each.times),
          lone_crashes = greatest(0, lone_crashes - each.alone)
        FROM (SELECT seq, count(*)::int AS times, (count(*) FILTER (WHERE alone))::int AS alone
          FROM none GROUP BY seq) AS each WHERE job.seq = ANY(ARRAY[each.seq]))
  DELETE FROM crash USING none WHERE crash.node = none.node AND crash.seq = none.seq $$;
