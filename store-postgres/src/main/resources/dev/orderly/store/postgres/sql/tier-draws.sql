-- Draws in rooms with tiers. lobby_bases, lobby_ends: as lobby_base and lobby_end, of the lines of tiers by number from 1, with
-- spaces between; null for none.
ALTER TABLE room ADD COLUMN IF NOT EXISTS lobby_bases text, ADD COLUMN IF NOT EXISTS lobby_ends text;
