-- Jobs: the functions of calls. Moments are Unix milliseconds. Each statement of a function has a snapshot of its own,
-- as the statements of a transaction have, so a function is a transaction in one trip.
--
-- Each statement that changes jobs adds its counts to the tally itself: a trigger with transition tables costs as much
-- as the insertion of a job.

-- Drops the functions of an older version.
DO $$
  DECLARE
    old regprocedure;
  BEGIN
    FOR old IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, 'job_')
    LOOP
      EXECUTE 'DROP FUNCTION ' || old;
    END LOOP;
  END $$;

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
