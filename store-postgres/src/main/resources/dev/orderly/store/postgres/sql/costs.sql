-- job.cost: the tokens of each rate that a start takes, null for 1. flow_limit.share: of the limit of each key, the
-- percentage of the slots of the queue's limit that a key has at most while another asks; 0 for none.
ALTER TABLE job ADD COLUMN IF NOT EXISTS cost int;
ALTER TABLE flow_limit ADD COLUMN IF NOT EXISTS share int NOT NULL DEFAULT 0;
