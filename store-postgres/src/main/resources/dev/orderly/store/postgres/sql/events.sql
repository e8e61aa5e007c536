-- What jobs await from outside, and what has come, by the number of the job: see JobEvent. Upkeep deletes those whose
-- job is gone.
CREATE TABLE IF NOT EXISTS job_event(
  seq bigint, name text COLLATE "C", until bigint, awaiting int NOT NULL, over smallint NOT NULL, at bigint,
  source text, content_type text, value bytea, PRIMARY KEY(seq, name));
