-- Draws of openings. draws: a DrawLedger's text, with the seeds; the other columns are its numbers: whether the lobby takes
-- tickets, the last place before it, the last place of the closed lobby (-1 for none), and the number of draws so far.
ALTER TABLE room ADD COLUMN IF NOT EXISTS draws text,
  ADD COLUMN IF NOT EXISTS lobby_open boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS lobby_base bigint NOT NULL DEFAULT -1,
  ADD COLUMN IF NOT EXISTS lobby_end bigint NOT NULL DEFAULT -1,
  ADD COLUMN IF NOT EXISTS drawn int NOT NULL DEFAULT 0;

-- The leaves of tickets in lobbies with a draw.
CREATE TABLE IF NOT EXISTS lobby(line int, place bigint, leaf bytea NOT NULL, PRIMARY KEY(line, place))
  WITH (autovacuum_vacuum_scale_factor = 0.02);
