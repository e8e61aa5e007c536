-- The steps that jobs have done, by the number of the job: see JobStep. Upkeep deletes those whose job is gone.
CREATE TABLE IF NOT EXISTS job_step(
  seq bigint, name text COLLATE "C", number int NOT NULL, attempt int NOT NULL, at bigint NOT NULL, content_type text,
  value bytea, PRIMARY KEY(seq, name));
