-- Lines of rooms with tiers. tiers: their number. number: of the line; the first line, 0, has its places in room. The
-- other columns are those of a StoredLine of the core, and the horizon.
ALTER TABLE room ADD COLUMN IF NOT EXISTS tiers int NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS tier(
  room int, number int, name text COLLATE "C" NOT NULL, share int NOT NULL, length bigint NOT NULL,
  cursor bigint NOT NULL, horizon bigint NOT NULL, served bigint NOT NULL DEFAULT 0, last bigint NOT NULL DEFAULT 0,
  admitted bigint NOT NULL DEFAULT 0, PRIMARY KEY(room, number))
  WITH (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

-- tiers: what the gate covers of the lines of tiers, by number from 1; null for nothing.
ALTER TABLE gate ADD COLUMN IF NOT EXISTS tiers bigint[];
