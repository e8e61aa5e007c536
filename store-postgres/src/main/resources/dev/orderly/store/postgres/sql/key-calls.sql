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
    held_queues int[];
    held_keys text[];
    some_rest boolean;
  BEGIN
    UPDATE queue SET keyed = true WHERE queue.id = ANY(queues) AND NOT queue.keyed;
    SELECT array_agg(held.queue), array_agg(held.key), bool_or(held.state = KEY_RESTING)
      INTO held_queues, held_keys, some_rest FROM (
        SELECT known.queue, known.key, known.state
        FROM (SELECT DISTINCT unnest(queues) AS queue, unnest(keys) AS key) AS waits
          JOIN flow_key AS known ON known.queue = ANY(ARRAY[waits.queue]) AND known.key = ANY(ARRAY[waits.key])
        WHERE known.state <> KEY_IDLE FOR KEY SHARE OF known) AS held;
    INSERT INTO flow_wake SELECT waits.queue, waits.key COLLATE "C" FROM unnest(queues, keys) AS waits(queue, key)
      WHERE waits.key IS NOT NULL
      EXCEPT SELECT held.queue, held.key COLLATE "C" FROM unnest(held_queues, held_keys) AS held(queue, key);
    IF some_rest THEN
      INSERT INTO flow_wake SELECT DISTINCT known.queue, known.key
        FROM unnest(queues, keys, classes, seqs) AS waits(queue, key, class, seq)
          JOIN flow_key AS known ON known.queue = ANY(ARRAY[waits.queue]) AND known.key = ANY(ARRAY[waits.key])
        WHERE known.state = KEY_RESTING AND coalesce((
          SELECT job.priority > waits.class OR (job.priority = waits.class AND coalesce(job.seq >= waits.seq, false))
          FROM job WHERE job.queue = waits.queue AND job.flow_key = waits.key AND job.flow_key IS NOT NULL
            AND job.state = WAITING
          ORDER BY job.priority, job.seq + 0 LIMIT 1), true);
    END IF;
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

-- The moment since which a key is idle that has become so, a second later at most: rows that change again within it
-- keep what their indexes have.
CREATE FUNCTION key_idle_at(moment bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (moment / 1000 + 1) * 1000 $$;

-- Finds the keys of a queue whose jobs may start from now on. woken: rows of idle or unknown keys that pushes have
-- woken. The rows are locked and still idle: the caller serves them, or makes them ready. present: the turn after
-- which woken keys begin. If more keys are woken than the caller wants, all of them become ready here. So do resting
-- keys that were woken, keys whose moment has come, and ran_keys, of which the node has ended jobs. An empty name
-- among ran_keys asks for full keys that have a free slot by now, since another node has ended a job; the look
-- writes nothing. Each new turn is one microsecond behind the present one, so that keys with an older turn come
-- first. A key that another claim has locked, or wakes now, is left to a later claim: claims of several queues that
-- waited for each other here could wait in a circle. No push holds the row of an idle key until its commit, so that
-- the claim that serves it may leave it idle. A moment beyond the longest rest is of a clock that was wrong.
CREATE FUNCTION key_startable(of_queue int, ran_keys text[], moment bigint, most int, OUT woken tid[],
    OUT present bigint) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    names text[];
    idle text[];
    serves boolean;
  BEGIN
    woken := '{}';
    IF EXISTS(SELECT FROM flow_wake WHERE flow_wake.queue = of_queue) THEN
      present := key_present(of_queue);
      WITH first AS MATERIALIZED (
        SELECT asked.ctid AS tid, asked.key FROM flow_wake AS asked WHERE asked.queue = of_queue
        ORDER BY asked.key LIMIT 2000),
      seen AS MATERIALIZED ( -- without the last key, of which some rows may be beyond the bound
        SELECT first.tid, first.key FROM first CROSS JOIN (
          SELECT count(*) AS rows, min(first.key) AS lowest, max(first.key) AS highest FROM first) AS bound
        WHERE bound.rows < 2000 OR first.key < bound.highest OR bound.lowest = bound.highest),
      got AS MATERIALIZED (
        SELECT asked.ctid AS tid FROM flow_wake AS asked WHERE asked.ctid = ANY(ARRAY(SELECT seen.tid FROM seen))
        FOR UPDATE SKIP LOCKED),
      known AS MATERIALIZED (
        SELECT flow_key.key FROM flow_key WHERE flow_key.queue = of_queue
          AND flow_key.key = ANY(ARRAY(SELECT DISTINCT seen.key FROM seen))),
      held AS MATERIALIZED (
        SELECT flow_key.key, flow_key.ctid AS tid, flow_key.state FROM flow_key WHERE flow_key.queue = of_queue
          AND flow_key.key = ANY(ARRAY(SELECT DISTINCT seen.key FROM seen)) FOR NO KEY UPDATE SKIP LOCKED),
      elsewhere AS MATERIALIZED (
        SELECT seen.key FROM seen WHERE seen.tid NOT IN (SELECT got.tid FROM got)
        UNION (SELECT known.key FROM known EXCEPT SELECT held.key FROM held)),
      taken AS MATERIALIZED (
        SELECT seen.tid, seen.key FROM seen WHERE seen.key NOT IN (SELECT elsewhere.key FROM elsewhere)),
      done AS (DELETE FROM flow_wake WHERE flow_wake.ctid = ANY(ARRAY(SELECT taken.tid FROM taken)))
      SELECT ARRAY(SELECT DISTINCT taken.key FROM taken), coalesce(array_agg(held.key), '{}'),
        coalesce(array_agg(held.tid), '{}')
        INTO names, idle, woken FROM held WHERE held.state = KEY_IDLE AND held.key IN (SELECT taken.key FROM taken);
      serves := cardinality(names) <= most;
      IF NOT serves THEN
        woken := '{}';
      ELSIF cardinality(idle) = cardinality(names) THEN
        names := '{}';
      ELSE
        names := ARRAY(SELECT unnest(names) EXCEPT SELECT unnest(idle));
      END IF;
      IF cardinality(names) > 0 THEN
        WITH made AS (
          INSERT INTO flow_key(queue, key, turn, state, ready_at)
            SELECT of_queue, fresh.key, present + 1, CASE WHEN serves THEN KEY_IDLE ELSE KEY_READY END,
              key_idle_at(moment)
            FROM unnest(names) AS fresh(key) ORDER BY fresh.key COLLATE "C"
            ON CONFLICT (queue, key) DO UPDATE SET state = KEY_READY, look = 250,
              turn = CASE WHEN flow_key.state = KEY_IDLE THEN excluded.turn
                ELSE greatest(flow_key.turn, excluded.turn) END
              WHERE flow_key.state = KEY_RESTING OR (flow_key.state = KEY_IDLE AND NOT serves)
            RETURNING flow_key.ctid AS tid, flow_key.state)
        SELECT woken || coalesce(array_agg(made.tid), '{}') INTO woken FROM made WHERE made.state = KEY_IDLE;
      END IF;
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

-- The sub-windows of a rate that still count.
CREATE FUNCTION key_slots(ends bigint[], tokens int[], width bigint, span bigint, moment bigint) RETURNS flow_slot[]
  LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT (least(slot.until, moment + width), slot.tokens)::flow_slot
    FROM unnest(ends, tokens) AS slot(until, tokens)
    WHERE least(slot.until, moment + width) > moment - span AND slot.until <= moment + width + span) $$;

-- The tokens of sub-windows together.
CREATE FUNCTION key_used(slots flow_slot[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(slot.tokens), 0) FROM unnest(slots) AS slot $$;

-- The ends of sub-windows in their order, and the tokens of each.
CREATE FUNCTION key_ends(slots flow_slot[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT slot.until FROM unnest(slots) AS slot GROUP BY slot.until ORDER BY slot.until) $$;
CREATE FUNCTION key_tokens(slots flow_slot[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT sum(slot.tokens)::int FROM unnest(slots) AS slot GROUP BY slot.until ORDER BY slot.until) $$;

-- Whether a key is paused, as its settings say; they cannot change until the commit then.
CREATE FUNCTION key_stays_paused(of_queue int, of_key text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM key_setting WHERE key_setting.queue = of_queue AND key_setting.name = of_key AND key_setting.paused
      FOR SHARE SKIP LOCKED;
    RETURN FOUND;
  END $$;

-- Locks the next jobs with keys of a queue, most of them at most, and the rows of their keys. Keys take turns; the
-- jobs of one key come by priority, then by number. woken, present: as of key_startable. tokens: the tokens that are
-- left in the limit of the queue, null for any number; fresh: whether all its tokens are left, so that the first job
-- may cost more. cost: the cost of the jobs; short: whether a job costs more than is left. share: the running jobs
-- of a key from which on other keys come first, null for any number. of_limit: the limit of each key, null for none;
-- bounds in key_setting count in its place. A paused key is left as paused if its setting cannot change before the
-- commit. Of each key no more jobs are read than it may get, and of all keys together two for each job that is
-- wanted. While there may be further keys, each gets few jobs; keys that have more come once more if the others have
-- too few. Where no key has bounds, a pause or a rest, a statement of its own chooses: it takes two thirds of the time.
CREATE FUNCTION key_choose(called text, of_queue int, of_limit int, passed bigint[], most int, budget bigint,
    any_size boolean, ran_keys text[], ran_means bigint[], moment bigint, woken tid[], present bigint, tokens bigint,
    fresh boolean, share int, OUT tids tid[], OUT spent bigint, OUT cost bigint, OUT short boolean)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    own flow_limit;
    seen text[] := '{}';
    locked tid[];
    asked text[];
    empty text[];
    wanted int;
    got tid[];
    bytes bigint;
    got_cost bigint;
    over text[] := '{}';
    more_over text[];
    looked_for int;
    ends_here boolean := false; -- no other key could start a job: those that have more get what is left
    shared int;
    each_most int;
    bounded boolean;
  BEGIN
    tids := '{}';
    spent := 0;
    cost := 0;
    short := false;
    IF of_limit IS NOT NULL THEN
      SELECT * INTO own FROM flow_limit WHERE flow_limit.id = of_limit;
    END IF;
    bounded := of_limit IS NOT NULL OR tokens IS NOT NULL
      OR EXISTS(SELECT FROM key_setting WHERE key_setting.queue = of_queue)
      OR EXISTS(SELECT FROM flow_rest WHERE flow_rest.limit_id = 0 AND flow_rest.queue = of_queue);
    WHILE cardinality(tids) < most AND NOT short LOOP
      wanted := most - cardinality(tids);
      -- Fewer keys than were looked for: there are no others.
      EXIT WHEN cardinality(over) = 0 AND cardinality(locked) < looked_for;
      looked_for := least(CASE WHEN cardinality(got) = 0 THEN 100 ELSE wanted END, 100);
      locked := ARRAY(
        SELECT free.ctid FROM flow_key AS free WHERE free.queue = of_queue AND free.state = KEY_READY
          AND free.key <> ALL(seen) ORDER BY free.turn
        LIMIT looked_for FOR NO KEY UPDATE SKIP LOCKED);
      IF cardinality(locked) + cardinality(woken) = 0 THEN
        EXIT WHEN ends_here OR cardinality(over) = 0;
        ends_here := true;
        seen := ARRAY(SELECT unnest(seen) EXCEPT SELECT unnest(over));
        over := '{}';
        locked := NULL;
        CONTINUE;
      END IF;
      IF cardinality(seen) = 0 THEN
        PERFORM FROM node WHERE node.name = called AND NOT node.dead FOR KEY SHARE;
        EXIT WHEN NOT FOUND;
      END IF;
      shared := CASE WHEN NOT ends_here THEN share END;
      each_most := least(wanted, greatest(CASE WHEN ends_here OR cardinality(locked) < looked_for THEN 10 ELSE 2 END,
        2 * wanted / (cardinality(locked) + cardinality(woken))));
      IF NOT bounded THEN
        WITH able AS MATERIALIZED (
          SELECT known.*, greatest(2, coalesce(known.mean, avg(known.mean) OVER (), 1000))::bigint AS step FROM (
            SELECT flow_key.ctid AS tid, flow_key.key, flow_key.state = KEY_IDLE AS idle,
              CASE WHEN flow_key.state = KEY_IDLE THEN present + 1 ELSE flow_key.turn END AS turn,
              key_mean(flow_key.mean, ran_means[array_position(ran_keys, flow_key.key COLLATE "default")]) AS mean,
              ARRAY(SELECT job.seq FROM job WHERE job.seq = ANY(flow_key.held)
                AND (job.state + 0 = RUNNING OR job.ctid = ANY(tids))) AS held
            FROM flow_key WHERE flow_key.ctid = ANY(woken || locked)) AS known),
        heads AS MATERIALIZED (
          SELECT able.*, head.tid AS job, head.seq, head.bytes, head.cost, head.place,
            able.turn + (head.total_cost - head.cost) * able.step AS job_turn
          FROM able LEFT JOIN LATERAL (
            SELECT next.*, row_number() OVER up AS place, sum(next.cost) OVER up AS total_cost FROM (
              SELECT job.seq + 0 AS seq, job.priority, job.ctid AS tid, octet_length(job.payload) AS bytes,
                coalesce(job.cost, 1) AS cost
              FROM job
              WHERE job.queue = of_queue AND job.flow_key = able.key AND job.flow_key IS NOT NULL
                AND job.state = WAITING AND job.seq <> ALL(passed) AND job.ctid <> ALL(tids)
              ORDER BY job.priority, job.seq + 0 LIMIT each_most + 1) AS next
            WINDOW up AS (ORDER BY next.priority, next.seq ROWS UNBOUNDED PRECEDING)) AS head ON true),
        free AS MATERIALIZED (
          SELECT job.ctid AS tid FROM job WHERE job.ctid = ANY(ARRAY(
              SELECT ordered.job FROM (
                SELECT heads.job, heads.bytes, sum(heads.bytes) OVER turns AS total, row_number() OVER turns AS number
                FROM heads WHERE heads.place <= each_most
                WINDOW turns AS (ORDER BY heads.job_turn, heads.seq ROWS UNBOUNDED PRECEDING)) AS ordered
              WHERE ordered.number <= wanted AND (ordered.total <= budget - spent
                OR (any_size AND spent = 0 AND ordered.total = ordered.bytes))))
            AND job.state + 0 = WAITING FOR UPDATE SKIP LOCKED),
        served AS MATERIALIZED (
          SELECT each.*, each.was_idle AND NOT each.more AND cardinality(passed) = 0 AS idle FROM (
            SELECT heads.tid, heads.key, heads.idle AS was_idle, heads.turn, heads.mean, heads.step, heads.held,
              count(free.tid)::int AS jobs, count(heads.job) > count(free.tid) AS more,
              array_agg(heads.seq) FILTER (WHERE free.tid IS NOT NULL) AS seqs,
              coalesce(sum(heads.cost) FILTER (WHERE free.tid IS NOT NULL), 0) AS cost,
              coalesce(sum(heads.bytes) FILTER (WHERE free.tid IS NOT NULL), 0) AS bytes
            FROM heads LEFT JOIN free ON free.tid = heads.job GROUP BY 1, 2, 3, 4, 5, 6, 7) AS each),
        changed AS (
          UPDATE flow_key SET held = served.held || served.seqs, mean = served.mean, look = 250,
            ready_at = key_idle_at(moment),
            turn = CASE WHEN served.idle THEN flow_key.turn ELSE served.turn + served.cost * served.step END,
            state = CASE WHEN served.idle THEN KEY_IDLE ELSE KEY_READY END
          FROM served WHERE flow_key.ctid = served.tid AND (served.jobs > 0 OR served.was_idle))
        SELECT ARRAY(SELECT free.tid FROM free), sum(served.bytes), sum(served.cost), array_agg(served.key),
          coalesce(array_agg(served.key) FILTER (WHERE NOT served.more AND NOT served.idle), '{}'),
          coalesce(array_agg(served.key) FILTER (WHERE served.more AND served.jobs = each_most), '{}')
          INTO got, bytes, got_cost, asked, empty, more_over FROM served;
      ELSE
        WITH able AS MATERIALIZED (
          SELECT known.*, greatest(2, coalesce(known.mean, avg(known.mean) OVER (), 1000))::bigint AS step,
            CASE WHEN known.rest IS NULL AND NOT known.paused THEN greatest(0, least(each_most,
              CASE WHEN known.concurrency > 0 THEN known.concurrency - cardinality(known.held) END,
              shared - cardinality(known.held),
              CASE WHEN known.starts > 0 THEN known.starts - known.used END))::int ELSE 0 END AS room,
            CASE WHEN known.starts > 0 THEN known.starts - known.used ELSE 9223372036854775807 END AS tokens
          FROM (
            SELECT each.*, CASE WHEN each.starts > 0 THEN key_used(each.slots) ELSE 0 END AS used FROM (
              SELECT flow_key.ctid AS tid, flow_key.key, flow_key.state = KEY_IDLE AS idle, flow_key.look,
                CASE WHEN flow_key.state = KEY_IDLE THEN present + 1 ELSE flow_key.turn END AS turn,
                key_mean(flow_key.mean, ran_means[array_position(ran_keys, flow_key.key COLLATE "default")]) AS mean,
                bound.*,
                ARRAY(SELECT job.seq FROM job WHERE job.seq = ANY(flow_key.held)
                  AND (job.state + 0 = RUNNING OR job.ctid = ANY(tids))) AS held,
                CASE WHEN bound.starts > 0
                  THEN key_slots(flow_key.ends, flow_key.tokens, bound.width, bound.span, moment) END AS slots,
                (SELECT flow_rest.until FROM flow_rest WHERE flow_rest.limit_id = 0 AND flow_rest.queue = of_queue
                  AND flow_rest.key = flow_key.key
                  AND flow_rest.until BETWEEN moment + 1 AND moment + 90000000) AS rest
              FROM flow_key
                LEFT JOIN key_setting ON key_setting.queue = of_queue AND key_setting.name = flow_key.key
                CROSS JOIN LATERAL (
                  SELECT coalesce(key_setting.paused, false) AS paused,
                    coalesce(key_setting.own_concurrency, own.concurrency) AS concurrency,
                    coalesce(key_setting.own_starts, own.starts) AS starts,
                    coalesce(key_setting.own_width, own.width) AS width,
                    coalesce(key_setting.own_span, own.span) AS span) AS bound
              WHERE flow_key.ctid = ANY(woken || locked)) AS each) AS known),
        heads AS MATERIALIZED (
          SELECT able.tid AS key, able.turn + (head.total_cost - head.cost) * able.step AS turn,
            head.place <= able.room
              AND (head.total_cost <= able.tokens OR (head.place = 1 AND able.used = 0)) AS may, head.*
          FROM able CROSS JOIN LATERAL (
            SELECT next.*, row_number() OVER up AS place, sum(next.cost) OVER up AS total_cost FROM (
              SELECT job.seq + 0 AS seq, job.priority, job.ctid AS tid, octet_length(job.payload) AS bytes,
                coalesce(job.cost, 1) AS cost
              FROM job
              WHERE job.queue = of_queue AND job.flow_key = able.key AND job.flow_key IS NOT NULL
                AND job.state = WAITING AND job.seq <> ALL(passed) AND job.ctid <> ALL(tids)
              ORDER BY job.priority, job.seq + 0 LIMIT able.room + 1) AS next
            WINDOW up AS (ORDER BY next.priority, next.seq ROWS UNBOUNDED PRECEDING)) AS head),
        affordable AS MATERIALIZED (
          SELECT ordered.*, tokens IS NULL OR ordered.total_cost <= tokens - key_choose.cost
            OR (fresh AND key_choose.cost = 0 AND ordered.number = 1) AS affordable
          FROM (
            SELECT heads.tid, heads.bytes, sum(heads.bytes) OVER turns AS total,
              sum(heads.cost) OVER turns AS total_cost, row_number() OVER turns AS number
            FROM heads WHERE heads.may
            WINDOW turns AS (ORDER BY heads.turn, heads.seq ROWS UNBOUNDED PRECEDING)) AS ordered
          WHERE ordered.number <= wanted),
        free AS MATERIALIZED (
          SELECT job.ctid AS tid, octet_length(job.payload) AS bytes FROM job WHERE job.ctid = ANY(ARRAY(
              SELECT affordable.tid FROM affordable WHERE affordable.affordable AND (affordable.total <= budget - spent
                OR (any_size AND spent = 0 AND affordable.total = affordable.bytes))))
            AND job.state + 0 = WAITING FOR UPDATE SKIP LOCKED),
        next AS MATERIALIZED (
          SELECT able.*, coalesce(own_jobs.jobs, 0) AS jobs, coalesce(own_jobs.cost, 0) AS cost,
            coalesce(own_jobs.seqs, '{}') AS seqs, coalesce(own_jobs.more, false) AS more,
            CASE WHEN able.starts > 0 AND able.used + coalesce(own_jobs.cost, 0) > 0
              THEN able.used + coalesce(own_jobs.cost, 0) > able.starts - coalesce((SELECT heads.cost FROM heads
                WHERE heads.key = able.tid AND heads.seq <> ALL(coalesce(own_jobs.seqs, '{}'))
                ORDER BY heads.place LIMIT 1), 1) ELSE false END AS used_up,
            CASE WHEN able.starts > 0 AND own_jobs.jobs > 0
              THEN able.slots || ((moment / able.width + 1) * able.width, own_jobs.cost)::flow_slot
              ELSE able.slots END AS after
          FROM able LEFT JOIN (
            SELECT each.key, count(*) FILTER (WHERE each.taken)::int AS jobs, bool_or(NOT each.taken) AS more,
              array_agg(each.seq) FILTER (WHERE each.taken) AS seqs,
              (sum(each.cost) FILTER (WHERE each.taken))::int AS cost
            FROM (SELECT heads.key, heads.seq, heads.cost, heads.tid = ANY(ARRAY(SELECT free.tid FROM free)) AS taken
              FROM heads) AS each GROUP BY each.key) AS own_jobs ON own_jobs.key = able.tid),
        changed AS (
          UPDATE flow_key SET held = next.held || next.seqs, mean = next.mean,
            turn = CASE WHEN goes.idle THEN flow_key.turn ELSE next.turn + next.cost * next.step END,
            ends = CASE WHEN next.starts > 0 THEN key_ends(next.after) ELSE '{}' END,
            tokens = CASE WHEN next.starts > 0 THEN key_tokens(next.after) ELSE '{}' END,
            look = CASE WHEN next.jobs > 0 THEN 250 ELSE least(2 * next.look, 4000) END,
            state = CASE WHEN goes.idle THEN KEY_IDLE
              WHEN next.more AND next.paused
                THEN CASE WHEN key_stays_paused(of_queue, next.key) THEN KEY_PAUSED ELSE KEY_READY END
              WHEN next.more AND (next.rest IS NOT NULL OR next.used_up)
                THEN KEY_RESTING
              WHEN next.more AND next.concurrency > 0 AND next.concurrency <= cardinality(next.held) + next.jobs
                THEN KEY_FULL ELSE KEY_READY END,
            ready_at = CASE WHEN goes.idle THEN key_idle_at(moment)
              WHEN next.rest IS NOT NULL THEN least(next.rest, moment + 60000)
              WHEN next.used_up AND next.used + next.cost >= next.starts
              THEN least((key_ends(next.after))[1] + next.span, moment + 60000)
              ELSE moment + CASE WHEN next.jobs > 0 THEN 250 ELSE least(2 * next.look, 4000) END END
          FROM next CROSS JOIN LATERAL (SELECT next.idle AND NOT next.more AND cardinality(passed) = 0 AS idle) AS goes
          WHERE flow_key.ctid = next.tid
          RETURNING next.key, next.more, goes.idle, next.jobs, next.room, next.jobs + cardinality(next.held) AS runs)
        SELECT ARRAY(SELECT free.tid FROM free),
          (SELECT coalesce(sum(free.bytes), 0) FROM free),
          (SELECT coalesce(sum(next.cost), 0) FROM next),
          EXISTS(SELECT FROM affordable WHERE NOT affordable.affordable), array_agg(changed.key),
          coalesce(array_agg(changed.key) FILTER (WHERE NOT changed.more AND NOT changed.idle), '{}'),
          coalesce(array_agg(changed.key) FILTER (WHERE changed.more AND (changed.runs >= shared
            OR (changed.jobs > 0 AND changed.jobs = changed.room))), '{}')
          INTO got, bytes, got_cost, short, asked, empty, more_over FROM changed;
      END IF;
      woken := '{}';
      seen := seen || asked;
      over := over || more_over;
      tids := tids || got;
      spent := spent + bytes;
      cost := cost + got_cost;
      -- A key without a further job is idle, unless somebody who holds its row is about to add one.
      IF cardinality(empty) > 0 THEN
        empty := ARRAY(SELECT held.key FROM flow_key AS held WHERE held.queue = of_queue AND held.key = ANY(empty)
          FOR UPDATE SKIP LOCKED);
        UPDATE flow_key SET state = KEY_IDLE, ready_at = key_idle_at(moment)
          WHERE flow_key.queue = of_queue AND flow_key.key = ANY(empty) AND (
            SELECT true FROM job WHERE job.queue = of_queue AND job.flow_key = flow_key.key
              AND job.flow_key IS NOT NULL AND job.state = WAITING AND job.ctid <> ALL(tids) LIMIT 1) IS NULL;
      END IF;
    END LOOP;
    IF cardinality(woken) > 0 THEN
      UPDATE flow_key SET state = KEY_READY, look = 250, turn = present + 1 WHERE flow_key.ctid = ANY(woken);
    END IF;
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
