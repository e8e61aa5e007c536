-- Rooms: the tables. Moments are Unix milliseconds.
--
-- What belongs to a line (a room's epoch) has the line's number: a new epoch begins with an empty line, and the old one's
-- rows go some at a time. One number and not two columns, because then no index of a table can be mistaken for another,
-- however little the planner knows of the rows.

CREATE SEQUENCE line_number AS int;

-- calls, admits: whether the mode calls visitors, and whether it lets in those an operator admits. voids: how many
-- visitors were voided ever. overridden: an operator set capacity, admissions and period.
CREATE TABLE room(
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
  line int NOT NULL DEFAULT nextval('line_number'), epoch bigint NOT NULL DEFAULT 1, length bigint NOT NULL DEFAULT 0,
  cursor bigint NOT NULL DEFAULT 0, voids bigint NOT NULL DEFAULT 0, granted int NOT NULL DEFAULT 0,
  crowded boolean NOT NULL DEFAULT false, calls boolean NOT NULL DEFAULT true, admits boolean NOT NULL DEFAULT true,
  mode text NOT NULL DEFAULT 'AUTO', message text, overridden boolean NOT NULL DEFAULT false, capacity int,
  admissions int, period int)
  WITH (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

-- The passes that have not ended.
CREATE TABLE pass(
  line int, visitor uuid, place bigint NOT NULL, until bigint NOT NULL, taken boolean NOT NULL,
  PRIMARY KEY(line, visitor))
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX pass_until ON pass(line, until);
CREATE INDEX pass_untaken ON pass(line, place) WHERE NOT taken;

-- Places whose tickets are used up, one bit each. latest: when the last one was.
CREATE TABLE used_up(
  line int, chunk bigint, latest bigint NOT NULL, places bit(1024) NOT NULL, PRIMARY KEY(line, chunk))
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02);

-- number: grows with every entry, so that a node reads only what is new to it.
CREATE TABLE voided(
  line int, visitor uuid, number bigint NOT NULL, until bigint NOT NULL, PRIMARY KEY(line, visitor))
  WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX voided_number ON voided(line, number);

-- How many admissions were given at a moment, over all epochs.
CREATE TABLE admission(room int, at bigint, number int NOT NULL, PRIMARY KEY(room, at))
  WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);

-- Lines of earlier epochs, until their rows are gone.
CREATE TABLE old_line(room int, line int, PRIMARY KEY(room, line));

-- What follows is lost when the server crashes, and only then.

-- How a room stands. capacity, admissions, period: the limits. inside: admissions after since, if there is a rate.
-- active: rows in pass; known: rows in present; door: those of them up to the cursor. gates, covered: of table gate.
-- ended: what had ended by then is removed; front: nobody present has a lower place. Without these two every call would
-- walk over the index entries of rows that are gone, until they are vacuumed.
-- kept: passes that ended after this keep their rows and places, since a gate that is out of reach may let them go on;
-- kept_until: when that is to be looked up again. freed: passes that had ended by then are removed.
CREATE UNLOGGED TABLE room_now(
  room int PRIMARY KEY, latest bigint NOT NULL, horizon bigint NOT NULL, settling boolean NOT NULL, settled bigint,
  capacity int, admissions int, period int, slowed text NOT NULL, governor text, lease_until bigint NOT NULL,
  rounds bigint NOT NULL, gates int NOT NULL, covered bigint NOT NULL, since bigint, inside bigint NOT NULL,
  active int NOT NULL, known int NOT NULL, door int NOT NULL, total bigint NOT NULL, swept bigint NOT NULL,
  ended bigint NOT NULL, front bigint NOT NULL, kept bigint NOT NULL, kept_until bigint NOT NULL,
  freed bigint NOT NULL)
  WITH (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

-- Visitors who are present and wait. gate: a hash of the one that said so; null for the one the visitor asked last.
CREATE UNLOGGED TABLE present(
  line int, place bigint, until bigint NOT NULL, gate bigint, PRIMARY KEY(line, place))
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX present_until ON present(line, until);

-- lease_from, lease_until: passes that end after the one may go on at this gate until the other, see GateLease. The name
-- is empty for gates that were forgotten in a crash.
CREATE UNLOGGED TABLE gate(
  room int, name text COLLATE "C", covered bigint NOT NULL, round bigint NOT NULL, lease_from bigint NOT NULL,
  lease_until bigint NOT NULL, PRIMARY KEY(room, name))
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500);

-- Admissions and called places by second.
CREATE UNLOGGED TABLE pace(
  room int, second bigint, admitted int NOT NULL, called bigint NOT NULL, PRIMARY KEY(room, second))
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500);
