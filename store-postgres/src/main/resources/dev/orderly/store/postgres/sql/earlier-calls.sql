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
      lanes_from, jobs_from, '{}'::bigint[]);
  END $$;
