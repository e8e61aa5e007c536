-- Jobs with keys: the functions of calls. Only claims change flow_key, under locks for which they do not wait. Whatever
-- makes a job of a key wait calls key_wake in the same transaction: it holds the row of a key that is not idle until
-- the commit, so that no claim finds the key idle before, or leaves a row in flow_wake. So nobody waits for an open
-- transaction, and no wake is lost.

-- A sub-window of a rate while a claim computes with it.
DO $$ BEGIN
  IF to_regtype('flow_slot') IS NULL THEN
    CREATE TYPE flow_slot AS (until bigint, tokens int);
  END IF;
END $$;

-- Jobs that wait from now on: their queues, keys, classes and numbers, null for new ones. A key that rests until it has
-- the tokens for its first job is woken as well by one that comes before that: it may cost less.
CREATE FUNCTION key_wake(queues int[], keys text[], classes int[], seqs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    awake_queues int[];
    awake_keys text[];
  BEGIN
    UPDATE queue SET keyed = true WHERE queue.id = ANY(queues) AND NOT queue.keyed;
    SELECT array_agg(held.queue), array_agg(held.key) INTO awake_queues, awake_keys FROM (
      SELECT known.queue, known.key, known.state FROM (
        SELECT DISTINCT waits.queue, waits.key COLLATE "C" AS key FROM unnest(queues, keys) AS waits(queue, key)) AS woken
        JOIN flow_key AS known ON known.queue = ANY(ARRAY[woken.queue]) AND known.key = ANY(ARRAY[woken.key])
      WHERE known.state <> KEY_IDLE FOR KEY SHARE OF known) AS held
    WHERE held.state <> KEY_RESTING OR NOT EXISTS(
      SELECT FROM unnest(queues, keys, classes, seqs) AS waits(queue, key, class, seq)
      WHERE waits.queue = held.queue AND waits.key = held.key AND coalesce((
        SELECT job.priority > waits.class OR (job.priority = waits.class AND coalesce(job.seq >= waits.seq, false)) FROM job
        WHERE job.queue = held.queue AND job.flow_key = held.key AND job.flow_key IS NOT NULL AND job.state = WAITING
        ORDER BY job.priority, job.seq + 0 LIMIT 1), true));
    INSERT INTO flow_wake SELECT DISTINCT waits.queue, waits.key COLLATE "C"
      FROM unnest(queues, keys) AS waits(queue, key)
      WHERE waits.key IS NOT NULL AND (waits.queue, waits.key COLLATE "C") NOT IN (
        SELECT awake.queue, awake.key FROM unnest(awake_queues, awake_keys) AS awake(queue, key));
  END $$;

-- Wakes the keys of those jobs that wait now.
CREATE FUNCTION key_wake_jobs(seqs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    queues int[];
    keys text[];
    classes int[];
    numbers bigint[];
  BEGIN
    SELECT array_agg(job.queue), array_agg(job.flow_key), array_agg(job.priority), array_agg(job.seq)
      INTO queues, keys, classes, numbers FROM job
      WHERE job.seq = ANY(seqs) AND job.flow_key IS NOT NULL AND job.state + 0 = WAITING;
    IF queues IS NOT NULL THEN
      PERFORM key_wake(queues, keys, classes, numbers);
    END IF;
  END $$;

-- The turn at which a key of a queue begins that comes, or comes back: the first of the ready keys or, with none, the
-- last of those that wait for slots or tokens.
CREATE FUNCTION key_present(of_queue int) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT flow_key.turn FROM flow_key WHERE flow_key.queue = of_queue AND flow_key.state = KEY_READY
      ORDER BY flow_key.turn LIMIT 1),
    (SELECT flow_key.turn FROM flow_key WHERE flow_key.queue = of_queue AND flow_key.state >= KEY_RESTING
      ORDER BY flow_key.turn DESC LIMIT 1), 0) $$;

-- A mean run time with the newest report about it.
CREATE FUNCTION key_mean(mean double precision, ran bigint) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN ran IS NULL OR ran <= 0 THEN mean ELSE coalesce(mean + 0.2 * (ran - mean), ran) END $$;

-- Makes keys ready: those that were woken, those that a node names as it has ended jobs of them, and those whose moment
-- has come. An empty name asks for a look at keys that are full, without a write: those that have a slot by now, which
-- another node has freed. Each new turn is one microsecond behind the present one, so that the keys that are there come first. A key
-- that another claim has locked, or wakes now, is left to a later claim: claims of several queues that waited for each
-- other here could wait in a circle. A moment beyond the longest rest is of a clock that was wrong.
CREATE FUNCTION key_ready(of_queue int, ran_keys text[], moment bigint) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    woken text[];
    wakes tid[];
    present bigint;
  BEGIN
    woken := ARRAY(
      WITH RECURSIVE step(key, number) AS (
        (SELECT first.key, 1 FROM flow_wake AS first WHERE first.queue = of_queue ORDER BY first.key LIMIT 1)
        UNION ALL
        SELECT (SELECT next.key FROM flow_wake AS next WHERE next.queue = of_queue AND next.key > step.key
          ORDER BY next.key LIMIT 1), step.number + 1
        FROM step WHERE step.key IS NOT NULL AND step.number < 1000)
      SELECT step.key FROM step WHERE step.key IS NOT NULL);
    IF cardinality(woken) > 0 THEN
      present := key_present(of_queue);
      WITH seen AS MATERIALIZED (
        SELECT asked.ctid AS tid, asked.key FROM flow_wake AS asked
        WHERE asked.queue = of_queue AND asked.key = ANY(woken) LIMIT 10000),
      got AS MATERIALIZED (
        SELECT asked.ctid AS tid FROM flow_wake AS asked WHERE asked.ctid = ANY(ARRAY(SELECT seen.tid FROM seen))
        FOR UPDATE SKIP LOCKED),
      known AS MATERIALIZED (
        SELECT flow_key.key FROM flow_key WHERE flow_key.queue = of_queue AND flow_key.key = ANY(woken)),
      held AS MATERIALIZED (
        SELECT flow_key.key FROM flow_key WHERE flow_key.queue = of_queue AND flow_key.key = ANY(woken)
        FOR NO KEY UPDATE SKIP LOCKED),
      elsewhere AS MATERIALIZED (
        SELECT seen.key FROM seen WHERE NOT EXISTS(SELECT FROM got WHERE got.tid = seen.tid)
        UNION (SELECT known.key FROM known EXCEPT SELECT held.key FROM held))
      SELECT coalesce(array_agg(seen.tid), '{}'), coalesce(array_agg(DISTINCT seen.key), '{}') INTO wakes, woken
        FROM seen WHERE NOT EXISTS(SELECT FROM elsewhere WHERE elsewhere.key = seen.key);
      DELETE FROM flow_wake WHERE flow_wake.ctid = ANY(wakes);
      INSERT INTO flow_key(queue, key, turn) SELECT of_queue, fresh.key, present + 1
        FROM unnest(woken) AS fresh(key) ORDER BY fresh.key COLLATE "C"
        ON CONFLICT (queue, key) DO UPDATE SET state = KEY_READY, look = 250,
          turn = CASE WHEN flow_key.state = KEY_IDLE THEN excluded.turn ELSE greatest(flow_key.turn, excluded.turn) END
          WHERE flow_key.state IN (KEY_IDLE, KEY_RESTING);
    END IF;
    IF '' = ANY(ran_keys) THEN
      ran_keys := ran_keys || ARRAY(
        SELECT waits.key FROM (SELECT flow_key.key, flow_key.state, flow_key.held FROM flow_key
            WHERE flow_key.queue = of_queue AND flow_key.state >= KEY_RESTING LIMIT 1000) AS waits
          WHERE waits.state = KEY_FULL AND cardinality(waits.held) > (SELECT count(*) FROM job
            WHERE job.seq = ANY(waits.held) AND job.state + 0 = RUNNING));
    END IF;
    IF NOT EXISTS(SELECT FROM flow_key WHERE flow_key.queue = of_queue AND flow_key.state >= KEY_RESTING) THEN
      RETURN;
    END IF;
    UPDATE flow_key SET state = KEY_READY, turn = greatest(flow_key.turn, key_present(of_queue) + 1)
      WHERE flow_key.ctid = ANY(ARRAY(
        SELECT named.ctid FROM flow_key AS named WHERE named.queue = of_queue AND named.key = ANY(ran_keys)
          AND named.state = KEY_FULL FOR NO KEY UPDATE SKIP LOCKED));
    UPDATE flow_key SET state = KEY_READY, turn = greatest(flow_key.turn, key_present(of_queue) + 1)
      WHERE flow_key.ctid = ANY(ARRAY(
        SELECT due.ctid FROM flow_key AS due WHERE due.queue = of_queue AND due.state >= KEY_RESTING
          AND due.ready_at <= moment ORDER BY due.ready_at LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED)
        || ARRAY(
        SELECT due.ctid FROM flow_key AS due WHERE due.queue = of_queue AND due.state >= KEY_RESTING
          AND due.ready_at > moment + 60000 ORDER BY due.ready_at LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED));
  END $$;

-- Locks the next jobs with keys of a queue, at most so many, and the keys that they are of: of each the first by
-- priority and then number, in the order of turns that the keys have one after the other. tokens: those that the limit of
-- the queue has left, null for any number; fresh: whether it has given none, so that the first job may cost more. cost:
-- that of the jobs; short: whether one costs more than is left. share: as many jobs of a key run as this before other keys
-- come first, null for any number. of_limit: the limit of each
-- key; null for none; bounds in key_setting count in its place. A key that is found paused is left as paused, if the row
-- that says so is not about to change. Of a key, no more jobs are read than it may get, and two for each that is wanted of all.
CREATE FUNCTION job_choose_keyed(called text, of_queue int, of_limit int, passed bigint[], most int, budget bigint,
    any_size boolean, ran_keys text[], ran_means bigint[], moment bigint, tokens bigint, fresh boolean, share int,
    OUT tids tid[], OUT spent bigint, OUT cost bigint, OUT short boolean) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    own flow_limit;
    seen text[] := '{}';
    locked text[];
    empty text[];
    wanted int;
    got tid[];
    bytes bigint;
    got_cost bigint;
    alone boolean := share IS NULL;
    over text[] := '{}';
    more_over text[];
    looked_for int;
  BEGIN
    tids := '{}';
    spent := 0;
    cost := 0;
    short := false;
    SELECT * INTO own FROM flow_limit WHERE flow_limit.id = of_limit;
    WHILE cardinality(tids) < most AND NOT short LOOP
      wanted := most - cardinality(tids);
      -- Fewer keys than were looked for: there are no others.
      EXIT WHEN alone AND cardinality(over) = 0 AND cardinality(locked) < looked_for;
      looked_for := least(CASE WHEN cardinality(got) = 0 THEN 100 ELSE wanted END, 100);
      locked := ARRAY(
        SELECT free.key FROM flow_key AS free WHERE free.queue = of_queue AND free.state = KEY_READY
          AND free.key <> ALL(seen) ORDER BY free.turn
        LIMIT looked_for FOR NO KEY UPDATE SKIP LOCKED);
      IF cardinality(locked) = 0 THEN
        EXIT WHEN alone OR cardinality(over) = 0;
        alone := true; -- no other key could start a job: those that have their share get what is left
        seen := ARRAY(SELECT unnest(seen) EXCEPT SELECT unnest(over));
        CONTINUE;
      END IF;
      IF cardinality(seen) = 0 THEN
        PERFORM FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
        IF NOT FOUND THEN
          RETURN;
        END IF;
      END IF;
      seen := seen || locked;
      -- The queue comes with each key: of a constant the planner makes a scan of all keys of the queue.
      WITH asked AS MATERIALIZED (SELECT of_queue AS queue, each.key FROM unnest(locked) AS each(key)),
      firm AS MATERIALIZED (
        SELECT key_setting.name FROM key_setting WHERE key_setting.queue = of_queue
          AND key_setting.name = ANY(locked) AND key_setting.paused FOR SHARE SKIP LOCKED),
      known AS MATERIALIZED (
        SELECT flow_key.queue, flow_key.key, flow_key.turn, flow_key.look, key_mean(flow_key.mean, ran.mean) AS mean,
          bound.*, EXISTS(SELECT FROM firm WHERE firm.name = asked.key) AS firm,
          ARRAY(SELECT job.seq FROM job WHERE job.seq = ANY(flow_key.held)
            AND (job.state + 0 = RUNNING OR (share IS NOT NULL AND job.ctid = ANY(tids)))) AS held,
          ARRAY(SELECT (least(slot.until, moment + bound.width), slot.tokens)::flow_slot
            FROM unnest(flow_key.ends, flow_key.tokens) AS slot(until, tokens)
            WHERE bound.starts > 0 AND least(slot.until, moment + bound.width) > moment - bound.span
              AND slot.until <= moment + bound.width + bound.span) AS slots,
          (SELECT flow_rest.until FROM flow_rest WHERE flow_rest.limit_id = 0 AND flow_rest.queue = ANY(ARRAY[asked.queue])
            AND flow_rest.key = ANY(ARRAY[asked.key])
            AND flow_rest.until BETWEEN moment + 1 AND moment + 90000000) AS rest
        FROM asked
          JOIN flow_key ON flow_key.queue = ANY(ARRAY[asked.queue]) AND flow_key.key = ANY(ARRAY[asked.key])
          LEFT JOIN unnest(ran_keys, ran_means) AS ran(key, mean) ON ran.key = asked.key
          LEFT JOIN key_setting ON key_setting.queue = ANY(ARRAY[asked.queue])
            AND key_setting.name = ANY(ARRAY[asked.key])
          CROSS JOIN LATERAL (
            SELECT coalesce(key_setting.paused, false) AS paused,
              coalesce(key_setting.own_concurrency, own.concurrency) AS concurrency,
              coalesce(key_setting.own_starts, own.starts) AS starts,
              coalesce(key_setting.own_width, own.width) AS width,
              coalesce(key_setting.own_span, own.span) AS span) AS bound),
      able AS MATERIALIZED (
        SELECT known.*, greatest(2, coalesce(known.mean, avg(known.mean) OVER (), 1000))::bigint AS step,
          CASE WHEN known.rest IS NULL AND NOT known.paused THEN greatest(0, least(wanted, greatest(10, 2 * wanted / cardinality(locked)),
            CASE WHEN known.concurrency > 0 THEN known.concurrency - cardinality(known.held) END,
            CASE WHEN NOT alone THEN share - cardinality(known.held) END,
            CASE WHEN known.starts > 0 THEN known.starts - counted.used END))::int ELSE 0 END AS room,
          CASE WHEN known.starts > 0 THEN known.starts - counted.used ELSE 9223372036854775807 END AS tokens, counted.used
        FROM known CROSS JOIN LATERAL (
          SELECT coalesce(sum(slot.tokens), 0) AS used FROM unnest(known.slots) AS slot) AS counted),
      heads AS MATERIALIZED (
        SELECT able.key, able.turn + (head.total_cost - head.cost) * able.step AS turn,
          head.place <= able.room AND (head.total_cost <= able.tokens OR (head.place = 1 AND able.used = 0)) AS may, head.*
        FROM able CROSS JOIN LATERAL (
          SELECT next.*, row_number() OVER up AS place, sum(next.cost) OVER up AS total_cost FROM (
            SELECT job.seq, job.priority, job.ctid AS tid, octet_length(job.payload) AS bytes, coalesce(job.cost, 1) AS cost
            FROM job
            WHERE job.queue = of_queue AND job.flow_key = able.key AND job.flow_key IS NOT NULL AND job.state = WAITING
              AND job.seq <> ALL(passed) AND (share IS NULL OR job.ctid <> ALL(tids))
            ORDER BY job.priority, job.seq + 0 LIMIT able.room + 1) AS next
          WINDOW up AS (ORDER BY next.priority, next.seq ROWS UNBOUNDED PRECEDING)) AS head),
      ordered AS MATERIALIZED (
        SELECT heads.key, heads.seq, heads.tid, heads.bytes, heads.cost,
          sum(heads.bytes) OVER turns AS total, sum(heads.cost) OVER turns AS total_cost,
          row_number() OVER turns AS number
        FROM heads WHERE heads.may
        WINDOW turns AS (ORDER BY heads.turn, heads.seq ROWS UNBOUNDED PRECEDING)),
      affordable AS MATERIALIZED (
        SELECT ordered.*, tokens IS NULL OR ordered.total_cost <= tokens - job_choose_keyed.cost
          OR (fresh AND job_choose_keyed.cost = 0 AND ordered.number = 1) AS affordable
        FROM ordered WHERE ordered.number <= wanted),
      fit AS MATERIALIZED (
        SELECT affordable.key, affordable.seq, affordable.tid, affordable.bytes, affordable.cost FROM affordable
        WHERE affordable.affordable AND (affordable.total <= budget - spent
          OR (any_size AND spent = 0 AND affordable.total = affordable.bytes))),
      free AS MATERIALIZED (
        SELECT job.seq, job.ctid AS tid FROM job WHERE job.ctid = ANY(ARRAY(SELECT fit.tid FROM fit))
          AND job.state + 0 = WAITING FOR UPDATE SKIP LOCKED),
      taken AS MATERIALIZED (
        SELECT fit.key, count(*)::int AS jobs, array_agg(fit.seq) AS seqs, sum(fit.bytes) AS bytes,
          sum(fit.cost)::int AS cost
        FROM fit JOIN free ON free.seq = fit.seq GROUP BY fit.key),
      next AS MATERIALIZED (
        SELECT able.*, coalesce(taken.jobs, 0) AS jobs, coalesce(taken.cost, 0) AS cost, coalesce(taken.seqs, '{}') AS seqs,
          coalesce(found.jobs, 0) > coalesce(taken.jobs, 0) AS more,
          CASE WHEN able.starts > 0 AND able.used + coalesce(taken.cost, 0) > 0
            THEN able.used + coalesce(taken.cost, 0) > able.starts - coalesce((SELECT heads.cost FROM heads
              WHERE heads.key = able.key AND heads.seq <> ALL(coalesce(taken.seqs, '{}'))
              ORDER BY heads.place LIMIT 1), 1) ELSE false END AS used_up,
          CASE WHEN able.starts > 0 AND taken.jobs > 0
            THEN able.slots || ((moment / able.width + 1) * able.width, taken.cost)::flow_slot ELSE able.slots END AS after
        FROM able LEFT JOIN taken ON taken.key = able.key
          LEFT JOIN (SELECT heads.key, count(*) AS jobs FROM heads GROUP BY heads.key) AS found ON found.key = able.key),
      changed AS (
        UPDATE flow_key SET turn = next.turn + next.cost * next.step, mean = next.mean, held = next.held || next.seqs,
          ends = slots.ends, tokens = slots.tokens,
          look = CASE WHEN next.jobs > 0 THEN 250 ELSE least(2 * next.look, 4000) END,
          state = CASE WHEN next.more AND next.paused THEN CASE WHEN next.firm THEN KEY_PAUSED ELSE KEY_READY END
            WHEN next.more AND (next.rest IS NOT NULL OR next.used_up)
              THEN KEY_RESTING
            WHEN next.more AND next.concurrency > 0 AND next.concurrency <= cardinality(next.held) + next.jobs
              THEN KEY_FULL ELSE KEY_READY END,
          ready_at = CASE WHEN next.rest IS NOT NULL THEN least(next.rest, moment + 60000)
            WHEN next.used_up AND next.used + next.cost >= next.starts
            THEN least(slots.first + next.span, moment + 60000)
            ELSE moment + CASE WHEN next.jobs > 0 THEN 250 ELSE least(2 * next.look, 4000) END END
        FROM next CROSS JOIN LATERAL (
          SELECT coalesce(array_agg(slot.until), '{}') AS ends, coalesce(array_agg(slot.tokens), '{}') AS tokens,
            coalesce(min(slot.until), 0) AS first FROM (
              SELECT each.until, sum(each.tokens)::int AS tokens FROM unnest(next.after) AS each GROUP BY each.until)
            AS slot) AS slots
        WHERE flow_key.queue = ANY(ARRAY[next.queue]) AND flow_key.key = ANY(ARRAY[next.key])
        RETURNING next.key, next.more, next.jobs + cardinality(next.held) AS runs)
      SELECT ARRAY(SELECT free.tid FROM free), (SELECT coalesce(sum(taken.bytes), 0) FROM taken),
        (SELECT coalesce(sum(taken.cost), 0) FROM taken),
        EXISTS(SELECT FROM affordable WHERE NOT affordable.affordable),
        ARRAY(SELECT changed.key FROM changed WHERE NOT changed.more),
        ARRAY(SELECT changed.key FROM changed WHERE changed.more AND NOT alone AND changed.runs >= share)
        INTO got, bytes, got_cost, short, empty, more_over;
      over := over || more_over;
      tids := tids || got;
      spent := spent + bytes;
      cost := cost + got_cost;
      -- A key without a further job is idle, unless somebody who holds its row is about to add one.
      IF cardinality(empty) > 0 THEN
        empty := ARRAY(SELECT held.key FROM flow_key AS held WHERE held.queue = of_queue AND held.key = ANY(empty)
          FOR UPDATE SKIP LOCKED);
        UPDATE flow_key SET state = KEY_IDLE, ready_at = moment
          WHERE flow_key.queue = of_queue AND flow_key.key = ANY(empty) AND (
            SELECT true FROM job WHERE job.queue = of_queue AND job.flow_key = flow_key.key
              AND job.flow_key IS NOT NULL AND job.state = WAITING AND job.ctid <> ALL(tids) LIMIT 1) IS NULL;
      END IF;
    END LOOP;
  END $$;

-- The groups among these whose rate does not let their next job start, and the moment from which it may, or is looked at
-- again, a minute ahead at most. A job that costs more than the rate ever gives starts when no token counts.
CREATE FUNCTION key_rests(of_queue int, of_limit int, names text[], moment bigint)
  RETURNS TABLE(name text, until bigint) LANGUAGE sql STABLE AS $$
  SELECT known.key, least(used.first + own.span, moment + 60000)
    FROM flow_limit AS own CROSS JOIN unnest(names) AS asked(name)
      JOIN flow_key AS known ON known.queue = ANY(ARRAY[of_queue]) AND known.key = ANY(ARRAY[asked.name])
      CROSS JOIN LATERAL (
        SELECT sum(slot.tokens) AS tokens, min(least(slot.until, moment + own.width)) AS first
        FROM unnest(known.ends, known.tokens) AS slot(until, tokens)
        WHERE least(slot.until, moment + own.width) > moment - own.span
          AND slot.until <= moment + own.width + own.span) AS used
    WHERE own.id = of_limit AND used.tokens > 0 AND used.tokens > own.starts - coalesce((
      SELECT coalesce(job.cost, 1) FROM job WHERE job.queue = of_queue AND job.grp = asked.name
        AND job.state <= RUNNING ORDER BY job.seq + 0 LIMIT 1), 1) $$;

-- Takes the tokens for a job of each of these groups. The row of a group is idle: ready_at is the moment from which no
-- token counts.
CREATE FUNCTION key_take(of_queue int, of_limit int, names text[], costs int[], moment bigint) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO flow_key(queue, key, turn, state, ready_at, ends, tokens)
    SELECT of_queue, taken.name, 0, KEY_IDLE, (moment / own.width + 1) * own.width + own.span,
      ARRAY[(moment / own.width + 1) * own.width], ARRAY[taken.cost]
    FROM flow_limit AS own CROSS JOIN unnest(names, costs) AS taken(name, cost) WHERE own.id = of_limit
    ORDER BY taken.name COLLATE "C"
    ON CONFLICT (queue, key) DO UPDATE SET ready_at = excluded.ready_at, (ends, tokens) = (
      SELECT array_agg(slot.until), array_agg(slot.tokens) FROM (
        SELECT each.until, sum(each.tokens)::int AS tokens
        FROM flow_limit AS own CROSS JOIN LATERAL (
          SELECT least(old.until, moment + own.width) AS until, old.tokens
            FROM unnest(flow_key.ends, flow_key.tokens) AS old(until, tokens)
            WHERE old.until <= moment + own.width + own.span
          UNION ALL SELECT excluded.ends[1], excluded.tokens[1]) AS each
        WHERE own.id = of_limit AND each.until > moment - own.span GROUP BY each.until) AS slot) $$;

-- Forgets keys that are idle for ten seconds, of which no job runs and no token counts, and rests that are over, at most
-- so many of each.
CREATE FUNCTION key_forget(given bigint, most int) RETURNS int LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    moment bigint := moment_now(given);
    old tid[];
    number int;
  BEGIN
    old := ARRAY(SELECT flow_key.ctid FROM flow_key WHERE flow_key.state = KEY_IDLE
      AND flow_key.ready_at < moment - 10000 ORDER BY flow_key.ready_at LIMIT most FOR UPDATE SKIP LOCKED);
    DELETE FROM flow_key WHERE flow_key.ctid = ANY(old) AND flow_key.state = KEY_IDLE
      AND (SELECT true FROM job WHERE job.seq = ANY(flow_key.held) AND job.state + 0 = RUNNING LIMIT 1) IS NULL
      AND NOT EXISTS(SELECT FROM queue LEFT JOIN flow_limit ON flow_limit.id = queue.key_limit AND flow_limit.starts > 0
          LEFT JOIN key_setting ON key_setting.queue = flow_key.queue AND key_setting.name = flow_key.key
        WHERE queue.id = flow_key.queue AND moment - coalesce(key_setting.own_span, flow_limit.span)
          < (SELECT max(slot.until) FROM unnest(flow_key.ends) AS slot(until)));
    GET DIAGNOSTICS number = ROW_COUNT;
    DELETE FROM flow_rest WHERE flow_rest.ctid = ANY(ARRAY(SELECT past.ctid FROM flow_rest AS past
      WHERE past.until NOT BETWEEN moment + 1 AND moment + 90000000 LIMIT most FOR UPDATE SKIP LOCKED));
    RETURN number;
  END $$;

-- Stores jobs of standard queues, some of them with keys or a cost (costs may be null), numbered in the order of the arrays; returns the first number.
-- draw: the name of the function that draws numbers.
CREATE FUNCTION job_push_keyed(lowest bigint, queues int[], ready_at bigint[], states int[], priorities int[],
    keys text[], owners text[], params text[], traces text[], content_types text[], payloads bytea[], costs int[],
    draw text) RETURNS bigint LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    first bigint;
    woken_queues int[];
    woken_keys text[];
    woken_classes int[];
  BEGIN
    SELECT array_agg(fresh.queue), array_agg(fresh.key), array_agg(fresh.class)
      INTO woken_queues, woken_keys, woken_classes
      FROM unnest(queues, states, keys, priorities) AS fresh(queue, state, key, class)
      WHERE fresh.key IS NOT NULL AND fresh.state = WAITING;
    IF woken_queues IS NOT NULL THEN
      PERFORM key_wake(woken_queues, woken_keys, woken_classes, NULL);
    END IF;
    first := CASE draw WHEN 'job_draw' THEN job_draw(cardinality(queues), lowest)
      ELSE draw(cardinality(queues), lowest) END;
    INSERT INTO job(seq, queue, ready_at, state, priority, flow_key, owner, params, trace, content_type, payload, cost)
      SELECT first + fresh.place - 1, fresh.queue, fresh.ready_at, fresh.state, fresh.priority, fresh.key, fresh.owner,
        fresh.params, fresh.trace, fresh.content_type, fresh.payload, nullif(fresh.cost, 1)
      FROM unnest(queues, ready_at, states, priorities, keys, owners, params, traces, content_types, payloads, costs)
        WITH ORDINALITY
        AS fresh(queue, ready_at, state, priority, key, owner, params, trace, content_type, payload, cost, place);
    INSERT INTO tally SELECT fresh.queue, fresh.state, count(*) FROM unnest(queues, states) AS fresh(queue, state)
      GROUP BY 1, 2;
    RETURN first;
  END $$;
