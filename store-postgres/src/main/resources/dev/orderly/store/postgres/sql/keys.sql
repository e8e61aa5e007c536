-- Keys of standard queues. job.flow_key: the key of a job; the class in job.priority of such a job is 4 more than its
-- priority, so that scans for jobs without keys do not meet it.
ALTER TABLE job ADD COLUMN IF NOT EXISTS flow_key text COLLATE "C";
CREATE INDEX IF NOT EXISTS job_keyed ON job(queue, flow_key, priority, seq) WHERE flow_key IS NOT NULL AND state = 0;

-- keyed: whether jobs with keys were pushed; key_limit: the number of the limit that each key has; key_declarer: the node
-- whose declaration that is.
ALTER TABLE queue ADD COLUMN IF NOT EXISTS keyed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS key_limit int, ADD COLUMN IF NOT EXISTS key_declarer text COLLATE "C";

-- The keys that are known to claims, which alone change them. turn: in microseconds of handler time; mean: the mean run
-- time of the key's jobs, likewise; held, ends, tokens: as of flow_limit; ready_at: the moment from which a key that
-- rests, or is full, is looked at again, by the server's clock; of an idle key since when it is; look: the wait of the
-- last such look in milliseconds.
CREATE TABLE IF NOT EXISTS flow_key(
  queue int NOT NULL, key text COLLATE "C" NOT NULL, turn bigint NOT NULL, state smallint NOT NULL DEFAULT 0,
  ready_at bigint NOT NULL DEFAULT 0, look int NOT NULL DEFAULT 250, mean double precision,
  held bigint[] NOT NULL DEFAULT '{}', ends bigint[] NOT NULL DEFAULT '{}', tokens int[] NOT NULL DEFAULT '{}',
  PRIMARY KEY(queue, key))
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX IF NOT EXISTS flow_key_ready ON flow_key(queue, turn) WHERE state = 0;
CREATE INDEX IF NOT EXISTS flow_key_idle ON flow_key(ready_at) WHERE state = 1;
CREATE INDEX IF NOT EXISTS flow_key_look ON flow_key(queue, ready_at) WHERE state >= 2;
CREATE INDEX IF NOT EXISTS flow_key_held ON flow_key(queue, turn) WHERE state >= 2;

-- Keys that have a waiting job, and were idle or not known when it came: a claim makes them ready.
CREATE TABLE IF NOT EXISTS flow_wake(queue int NOT NULL, key text COLLATE "C" NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX IF NOT EXISTS flow_wake_key ON flow_wake(queue, key);
