-- Rooms: the tables. Moments are Unix milliseconds.
--
-- Rows of a line (a room's epoch) have the line's number. A new epoch begins with an empty line, and the old rows are
-- deleted in batches. One number and not two columns, so that without statistics the planner cannot choose a wrong
-- index.

CREATE SEQUENCE line_number AS int;

-- calls, admits: whether the mode calls visitors, and whether an operator's grants count in it. voids: number of
-- revocations so far. overridden: an operator has set capacity, admissions and period.
CREATE TABLE room(
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
  line int NOT NULL DEFAULT nextval('line_number'), epoch bigint NOT NULL DEFAULT 1, length bigint NOT NULL DEFAULT 0,
  cursor bigint NOT NULL DEFAULT 0, voids bigint NOT NULL DEFAULT 0, granted int NOT NULL DEFAULT 0,
  crowded boolean NOT NULL DEFAULT false, calls boolean NOT NULL DEFAULT true, admits boolean NOT NULL DEFAULT true,
  mode text NOT NULL DEFAULT 'AUTO', message text, overridden boolean NOT NULL DEFAULT false, capacity int,
  admissions int, period int)
  WITH (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

-- The passes that count as inside. A pass that has ended stays while a gate's lease keeps it.
CREATE TABLE pass(
  line int, visitor uuid, place bigint NOT NULL, until bigint NOT NULL, taken boolean NOT NULL,
  PRIMARY KEY(line, visitor))
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX pass_until ON pass(line, until);
CREATE INDEX pass_untaken ON pass(line, place) WHERE NOT taken;

-- Used-up tickets, a bit for each place. latest: moment of the last change.
CREATE TABLE used_up(
  line int, chunk bigint, latest bigint NOT NULL, places bit(1024) NOT NULL, PRIMARY KEY(line, chunk))
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02);

-- Revoked visitors. number: grows with every entry, so that a node reads only new entries.
CREATE TABLE voided(
  line int, visitor uuid, number bigint NOT NULL, until bigint NOT NULL, PRIMARY KEY(line, visitor))
  WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX voided_number ON voided(line, number);

-- Number of admissions at a moment, over all epochs.
CREATE TABLE admission(room int, at bigint, number int NOT NULL, PRIMARY KEY(room, at))
  WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);

-- Lines of earlier epochs, until their rows are gone.
CREATE TABLE old_line(room int, line int, PRIMARY KEY(room, line));

-- The tables below are unlogged: a crash of the server loses them, nothing else does.

-- The state of a room. capacity, admissions, period: the limits. inside: admissions after since, if there is a rate.
-- active: rows in pass; known: rows in present; door: rows in present up to the cursor. gates, covered: from table
-- gate. ended: presences that had ended by then are removed; front: no present visitor has a lower place. Without these
-- two every call would walk over the index entries of deleted rows, until they are vacuumed. kept: passes that ended
-- after this moment keep their rows and count as inside, since an unreachable gate may let them go on; kept_until:
-- moment at which kept is computed again. freed: passes that had ended by then are removed.
CREATE UNLOGGED TABLE room_now(
  room int PRIMARY KEY, latest bigint NOT NULL, horizon bigint NOT NULL, settling boolean NOT NULL, settled bigint,
  capacity int, admissions int, period int, slowed text NOT NULL, governor text, lease_until bigint NOT NULL,
  rounds bigint NOT NULL, gates int NOT NULL, covered bigint NOT NULL, since bigint, inside bigint NOT NULL,
  active int NOT NULL, known int NOT NULL, door int NOT NULL, total bigint NOT NULL, swept bigint NOT NULL,
  ended bigint NOT NULL, front bigint NOT NULL, kept bigint NOT NULL, kept_until bigint NOT NULL,
  freed bigint NOT NULL)
  WITH (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

-- Present waiting visitors. gate: a hash of the gate that reported the visitor last; null if the visitor's own request
-- did.
CREATE UNLOGGED TABLE present(
  line int, place bigint, until bigint NOT NULL, gate bigint, PRIMARY KEY(line, place))
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX present_until ON present(line, until);

-- lease_from, lease_until: at this gate passes that end after the first moment may go on until the second, see
-- GateLease. An empty name means the gates that a crash made forgotten.
CREATE UNLOGGED TABLE gate(
  room int, name text COLLATE "C", covered bigint NOT NULL, round bigint NOT NULL, lease_from bigint NOT NULL,
  lease_until bigint NOT NULL, PRIMARY KEY(room, name))
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500);

-- Admissions and called places by second.
CREATE UNLOGGED TABLE pace(
  room int, second bigint, admitted int NOT NULL, called bigint NOT NULL, PRIMARY KEY(room, second))
  WITH (fillfactor = 50, autovacuum_vacuum_threshold = 500);
