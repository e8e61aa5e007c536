-- Limits over all nodes. held: the jobs that may hold a slot, more than do: a claim drops those that run no more and adds
-- its own, under the lock of the row, so that whatever ends a job touches no limit. Empty without a bound on concurrency.
-- ends, tokens: the sub-windows of a StartWindow of the core; width: their length; span: the time for which a token
-- counts; in milliseconds, as the period, by the server's clock.
CREATE TABLE IF NOT EXISTS flow_limit(
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, concurrency int NOT NULL,
  starts int NOT NULL, period bigint NOT NULL, width bigint NOT NULL, span bigint NOT NULL,
  declarer text COLLATE "C", held bigint[] NOT NULL DEFAULT '{}', ends bigint[] NOT NULL DEFAULT '{}',
  tokens int[] NOT NULL DEFAULT '{}') WITH (fillfactor = 50);

-- flow_limit: the number of the queue's limit; limit_declarer: the node whose declaration that is.
ALTER TABLE queue ADD COLUMN IF NOT EXISTS flow_limit int, ADD COLUMN IF NOT EXISTS limit_declarer text COLLATE "C";
