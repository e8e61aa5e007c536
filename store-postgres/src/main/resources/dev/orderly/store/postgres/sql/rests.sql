-- The rests that throttled jobs have said, of limits (limit_id) and of keys (queue and key; limit_id is 0), until a moment by
-- the server's clock, at most a day ahead: a later one is of a clock that was set back. A row of its own beside those of limits and keys, which claims lock: whatever ends a job waits for
-- no claim.
CREATE TABLE IF NOT EXISTS flow_rest(
  limit_id int NOT NULL, queue int NOT NULL, key text COLLATE "C" NOT NULL, until bigint NOT NULL, job text NOT NULL,
  attempt int NOT NULL, PRIMARY KEY(limit_id, queue, key))
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
