-- Functions with the arguments of an earlier version, whose nodes call them while they are replaced. A function leaves
-- this file when nodes of that version may no longer share a schema with those of the present one.

-- Version 0.1.0.
CREATE FUNCTION job_claim(called text, moment bigint, bytes bigint, turns int[], wanted int[],
    grouped boolean[], limits int[], runs int[], turn_counts bigint[], lanes_from bigint[], jobs_from bigint[])
  RETURNS TABLE(seq bigint, attempt int, failures int, grp text, content_type text, payload bytea, params text,
    owner text, crashes int, queue int, info bigint, trace text)
  LANGUAGE plpgsql SET enable_bitmapscan = off SET enable_sort = off AS $$
  #variable_conflict use_column
  BEGIN
    -- Rows with a number of zero or less were facts: -1 paused, -2 the next due moment, -3 the lowest job that became
    -- ready, -4 the last turn of the groups taken, -5 the number of turns given. The info of a job is its priority, or
    -- the place of its group.
    RETURN QUERY WITH answer AS MATERIALIZED (
      SELECT * FROM job_claim(called, moment, bytes, '{}'::bigint[], turns, wanted, grouped, limits, runs, turn_counts,
        lanes_from, jobs_from, '{}'::bigint[], array_fill(0::bigint, ARRAY[cardinality(wanted)]), NULL, NULL, NULL,
        NULL))
    SELECT fact.number::bigint, 0, 0, '', '', ''::bytea, '', '', 0, answer.queue, fact.info, NULL::text
    FROM answer CROSS JOIN LATERAL (VALUES
      (-1, CASE WHEN (answer.facts).paused THEN 0 END), (-2, (answer.facts).due),
      (-3, (SELECT min(became.seq) FROM unnest((answer.facts).ready) AS became(seq))),
      (-4, CASE WHEN (answer.facts).taken IS NOT NULL THEN (answer.facts).turn END),
      (-5, (answer.facts).given)) AS fact(number, info)
    WHERE answer.seq IS NULL AND fact.info IS NOT NULL
    UNION ALL
    SELECT answer.seq, answer.attempt, answer.failures, answer.grp, answer.content_type, answer.payload, answer.params,
      answer.owner, answer.crashes, answer.queue,
      CASE WHEN answer.grp IS NULL THEN answer.priority ELSE (
        SELECT array_position((other.facts).taken, answer.grp) FROM answer AS other
        WHERE other.queue = answer.queue AND other.seq IS NULL) END::bigint, answer.trace
    FROM answer WHERE answer.seq IS NOT NULL;
  END $$;

CREATE FUNCTION job_room(of_queue int, called text, moment bigint, lanes_from bigint, first bigint, second bigint,
    third bigint, fourth bigint) RETURNS int LANGUAGE plpgsql AS $$
  BEGIN
    RETURN job_room(of_queue, called, moment, lanes_from, first, second, third, fourth, 0::bigint);
  END $$;

CREATE FUNCTION job_push(lowest bigint, moment bigint, patience text, queues int[], ready_at bigint[], states int[],
    priorities int[], groups text[], owners text[], params text[], traces text[], content_types text[], payloads bytea[],
    kinds int[], keys uuid[], places int[], fingerprints uuid[], untils bigint[], claimed int[], claimers text[],
    lanes_from bigint[], jobs_from bigint[], in_turn boolean[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
  BEGIN
    RETURN job_push(lowest, moment, patience, queues, ready_at, states, priorities, groups, owners, params, traces,
      content_types, payloads, kinds, keys, places, fingerprints, untils, claimed, claimers, lanes_from, jobs_from,
      in_turn, '{}'::bigint[]);
  END $$;

CREATE FUNCTION room_join(called text, moment bigint, visitors uuid[], present_until bigint[], pass_until bigint[],
    OUT of_epoch bigint, OUT first bigint, OUT ahead bigint[]) LANGUAGE plpgsql AS $$
  BEGIN
    SELECT joined.of_epoch, joined.first, joined.ahead INTO of_epoch, first, ahead
      FROM room_join(called, moment, visitors, present_until, pass_until, NULL::text[]) AS joined;
  END $$;

CREATE FUNCTION room_sync(called text, moment bigint, reporter text, of_epoch bigint, covers bigint,
    leased_from bigint, leased_until bigint, places bigint[], untils bigint[]) RETURNS room_view LANGUAGE plpgsql AS $$
  BEGIN
    RETURN room_sync(called, moment, reporter, of_epoch, covers, leased_from, leased_until, places, untils, 0);
  END $$;
