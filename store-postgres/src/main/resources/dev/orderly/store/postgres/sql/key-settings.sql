-- What operators have set for keys of standard queues, and for groups of FIFO queues. own_*: bounds in place of those
-- of the limit that each key has, null where that counts; own_width, own_span: as of flow_limit. Claims lock a row,
-- without a wait, before they leave its key or lane as paused: whoever deletes the row finds the key or lane paused.
CREATE TABLE IF NOT EXISTS key_setting(
  queue int NOT NULL, name text COLLATE "C" NOT NULL, paused boolean NOT NULL, own_concurrency int, own_starts int,
  own_period bigint, own_width bigint, own_span bigint, set_by text NOT NULL, set_at bigint NOT NULL,
  PRIMARY KEY(queue, name));
