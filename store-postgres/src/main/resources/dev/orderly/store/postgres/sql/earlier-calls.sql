-- Functions with the arguments of an earlier version, whose nodes call them while they are replaced. A function leaves
-- this file when nodes of that version may no longer share a schema with those of the present one.

-- Version 0.1.0.
CREATE FUNCTION job_claim(called text, moment bigint, bytes bigint, turns int[], wanted int[],
    grouped boolean[], limits int[], runs int[], turn_counts bigint[], lanes_from bigint[], jobs_from bigint[])
  RETURNS TABLE(seq bigint, attempt int, failures int, grp text, content_type text, payload bytea, params text,
    owner text, crashes int, queue int, info bigint, trace text)
  LANGUAGE plpgsql SET enable_bitmapscan = off SET enable_sort = off AS $$
  BEGIN
    RETURN QUERY SELECT * FROM job_claim(called, moment, bytes, turns, wanted, grouped, limits, runs, turn_counts,
      lanes_from, jobs_from, '{}'::bigint[], NULL::bigint[], NULL::bigint[]);
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
