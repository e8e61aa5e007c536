-- Places of users with one place each. who: a keyed hash of the user. visitor: who has the place on all devices.
-- taken: a pass was taken, which used up the ticket. place: less than zero once ticket and pass have ended. The other columns are those of a UserPlace of the core.
CREATE TABLE IF NOT EXISTS user_place(
  line int, who uuid, visitor uuid NOT NULL, place bigint NOT NULL, ahead bigint NOT NULL, until bigint NOT NULL,
  taken boolean NOT NULL, PRIMARY KEY(line, who))
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX IF NOT EXISTS user_place_visitor ON user_place(line, visitor);
CREATE INDEX IF NOT EXISTS user_place_until ON user_place(line, until);
