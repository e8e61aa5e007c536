-- Rooms: the functions shared by room-calls.sql and room-control.sql. Moments are Unix milliseconds.
--
-- A call begins with room_begin, which locks the room's row in room_now until the commit, changes r and n, and ends
-- with room_end, which writes them. Every change of a room holds that lock, so the counts in room_now are exact. The
-- lock is on that row and not on the one in room, because a lock on a logged table is written to disk.
--
-- Bitmap scans are off where a few of very many rows are read in order: without statistics the planner estimates any
-- range at a handful of rows, and would read and sort it whole.

-- The state of a room of which only the durable part is left.
CREATE FUNCTION room_unknown(r room) RETURNS room_now STABLE LANGUAGE plpgsql AS $$
  DECLARE
    n room_now;
  BEGIN
    SELECT r.id AS room, 0 AS latest, r.cursor AS horizon, r.crowded AS settling, NULL AS settled, 0 AS capacity,
        NULL AS admissions, NULL AS period, 'NO' AS slowed, NULL AS governor, 0 AS lease_until, 0 AS rounds, 0 AS gates,
        0 AS covered, NULL AS since, 0 AS inside, count(*) AS active, 0 AS known, 0 AS door, 0 AS total, -1 AS swept,
        0 AS ended, 0 AS front, 0 AS kept, 0 AS kept_until, 0 AS freed
      INTO n FROM pass WHERE line = r.line;
    RETURN n;
  END $$;

-- Reads from the gates' leases which ended passes still count as inside, if the last result is out of date.
CREATE FUNCTION room_leases(n room_now) RETURNS room_now STABLE LANGUAGE plpgsql AS $$
  BEGIN
    IF n.kept_until <= n.latest THEN
      SELECT coalesce(min(lease_from), 9223372036854775807), coalesce(min(lease_until), 9223372036854775807)
        INTO n.kept, n.kept_until FROM gate WHERE room = n.room AND lease_until > n.latest;
    END IF;
    RETURN n;
  END $$;

-- Removes ended passes and presences, at most 10000 of each in a call; the rest counts until a later call.
CREATE FUNCTION room_expire(r room, n room_now) RETURNS room_now
  LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  DECLARE
    free_by bigint;
    passes int;
    visitors int;
    visitors_at_door int;
  BEGIN
    n := room_leases(n);
    free_by := least(n.latest, n.kept);
    DELETE FROM pass WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM pass WHERE line + 0 = r.line AND until + 0 > n.freed AND until + 0 <= free_by LIMIT 10000));
    GET DIAGNOSTICS passes = ROW_COUNT;
    n.active := n.active - passes;
    WITH ending AS (
      DELETE FROM present WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM present WHERE line + 0 = r.line AND until + 0 > n.ended AND until + 0 <= n.latest LIMIT 10000))
        RETURNING place)
      SELECT count(*), count(*) FILTER (WHERE place <= r.cursor) INTO visitors, visitors_at_door FROM ending;
    n.known := n.known - visitors;
    n.door := n.door - visitors_at_door;
    IF passes < 10000 THEN
      n.freed := greatest(n.freed, free_by);
    END IF;
    IF visitors < 10000 THEN
      n.ended := n.latest;
    END IF;
    RETURN n;
  END $$;

-- Brings the count of admissions inside the rate's period up to the latest moment.
CREATE FUNCTION room_window(n room_now) RETURNS room_now STABLE LANGUAGE plpgsql AS $$
  DECLARE
    start bigint := n.latest - n.period;
  BEGIN
    IF n.period IS NULL THEN
      n.since := NULL;
    ELSIF n.since IS NULL THEN
      SELECT coalesce(sum(number), 0) INTO n.inside FROM admission WHERE room = n.room AND at > start;
      n.since := start;
    ELSIF n.since < start THEN
      SELECT n.inside - coalesce(sum(number), 0) INTO n.inside
        FROM admission WHERE room = n.room AND at > n.since AND at <= start;
      n.since := start;
    END IF;
    RETURN n;
  END $$;

-- Locks a room, and creates it if it does not exist. Advances its time, and removes what has ended by then.
CREATE FUNCTION room_begin(called text, moment bigint, OUT r room, OUT n room_now) LANGUAGE plpgsql AS $$
  DECLARE
    is_new boolean := false;
  BEGIN
    SELECT * INTO r FROM room WHERE name = called;
    IF NOT FOUND THEN
      INSERT INTO room(name) VALUES(called) ON CONFLICT DO NOTHING;
      is_new := FOUND;
      SELECT * INTO r FROM room WHERE name = called;
    END IF;
    SELECT * INTO n FROM room_now WHERE room = r.id FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO room_now SELECT * FROM room_unknown(r) ON CONFLICT DO NOTHING;
      IF FOUND AND r.tiers > 0 THEN
        UPDATE tier SET horizon = cursor WHERE room = r.id;
      END IF;
      -- 63 s is GateLease.LONGEST: gates that the server has forgotten may let passes go on for this long.
      INSERT INTO gate(room, name, covered, round, lease_from, lease_until)
        SELECT r.id, '', 0, -1000, 0, moment + 63000 WHERE NOT is_new ON CONFLICT DO NOTHING;
      SELECT * INTO n FROM room_now WHERE room = r.id FOR UPDATE;
    END IF;
    -- Reads again: the previous holder of the lock may have changed it.
    SELECT * INTO r FROM room WHERE id = r.id;
    n.latest := greatest(n.latest, moment);
    n := room_expire(r, n);
    n := room_window(n);
  END $$;

-- Three bounds of admissions: what is left of the capacity, of the rate (0 unless the mode calls visitors), and of an
-- operator's grants.
CREATE FUNCTION room_capacity(n room_now) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN CASE WHEN n.capacity IS NULL THEN 2147483647 ELSE greatest(0, n.capacity - n.active) END;
  END $$;

CREATE FUNCTION room_rate(r room, n room_now) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN CASE WHEN NOT r.calls THEN 0 WHEN n.period IS NULL THEN 2147483647
      ELSE greatest(0, n.admissions - n.inside) END;
  END $$;

CREATE FUNCTION room_grants(r room) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN CASE WHEN r.admits THEN r.granted ELSE 0 END;
  END $$;

-- Free admissions, from these bounds. spent: admissions of this call, which count against the rate and the grants; the
-- caller has taken them off the capacity. In language sql, which is inlined, so that a call for each visitor costs
-- nothing.
CREATE FUNCTION room_free(settling boolean, capacity bigint, rate bigint, grants int, spent int) RETURNS bigint
  IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE WHEN settling THEN 0 ELSE least(capacity, rate + grants - spent) END
  $$;

-- Writes the changed room. spent: admissions of this call, taken from the rate first and then from an operator's
-- grants; recorded: further admissions that count towards the rate; called: number of called places.
CREATE FUNCTION room_end(r room, n room_now, rate bigint, spent int, recorded int, called bigint) RETURNS room_now
  LANGUAGE plpgsql AS $$
  DECLARE
    beyond int := greatest(0, spent - rate);
    admitted int := spent - beyond + recorded;
  BEGIN
    r.granted := r.granted - beyond;
    IF admitted > 0 THEN
      INSERT INTO admission(room, at, number) VALUES(r.id, n.latest, admitted)
        ON CONFLICT(room, at) DO UPDATE SET number = admission.number + excluded.number;
      n.inside := n.inside + admitted;
    END IF;
    IF admitted + beyond + called > 0 THEN
      INSERT INTO pace(room, second, admitted, called) VALUES(r.id, n.latest / 1000, admitted + beyond, called)
        ON CONFLICT(room, second)
        DO UPDATE SET admitted = pace.admitted + excluded.admitted, called = pace.called + excluded.called;
      n.total := n.total + admitted + beyond;
    END IF;
    UPDATE room SET line = r.line, epoch = r.epoch, length = r.length, cursor = r.cursor, voids = r.voids,
      granted = r.granted, crowded = r.crowded, lobby_base = r.lobby_base,
      lobby_bases = r.lobby_bases WHERE id = r.id AND room IS DISTINCT FROM r;
    UPDATE room_now SET latest = n.latest, horizon = n.horizon, settling = n.settling, settled = n.settled,
      capacity = n.capacity, admissions = n.admissions, period = n.period, slowed = n.slowed, governor = n.governor,
      lease_until = n.lease_until, rounds = n.rounds, gates = n.gates, covered = n.covered, since = n.since,
      inside = n.inside, active = n.active, known = n.known, door = n.door, total = n.total, swept = n.swept,
      ended = n.ended, front = n.front, kept = n.kept, kept_until = n.kept_until, freed = n.freed
      WHERE room = n.room;
    RETURN n;
  END $$;

-- Marks the tickets of places as used up.
CREATE FUNCTION room_use(r room, n room_now, spent bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO used_up(line, chunk, latest, places)
      SELECT r.line, place >> 10, n.latest, bit_or(set_bit(0::bit(1024), (place & 1023)::int, 1))
        FROM unnest(spent) AS place GROUP BY place >> 10 ORDER BY place >> 10
      ON CONFLICT(line, chunk) DO UPDATE
        SET places = used_up.places | excluded.places, latest = greatest(used_up.latest, excluded.latest);
  END $$;

-- Records visitors as present at least until these moments. reporter: hash of the reporting gate, null for the visitor
-- itself.
CREATE FUNCTION room_seen(r room, n room_now, seen bigint[], untils bigint[], reporter bigint) RETURNS room_now
  LANGUAGE plpgsql AS $$
  DECLARE
    fresh int;
    fresh_at_door int;
  BEGIN
    IF cardinality(seen) > 0 THEN
      WITH put AS (
        INSERT INTO present(line, place, until, gate)
          SELECT r.line, place, max(until), reporter FROM unnest(seen, untils) AS a(place, until) GROUP BY place
          ON CONFLICT(line, place) DO UPDATE
            SET until = greatest(present.until, excluded.until), gate = excluded.gate
          RETURNING place, xmax = 0 AS is_new)
        SELECT count(*), count(*) FILTER (WHERE place <= r.cursor) INTO fresh, fresh_at_door FROM put WHERE is_new;
      n.known := n.known + fresh;
      n.door := n.door + fresh_at_door;
      n.front := least(n.front, (SELECT min(place) FROM unnest(seen) AS place));
    END IF;
    RETURN n;
  END $$;

-- Removes present visitors. reporter: only visitors last reported by this gate or by themselves; null for all.
CREATE FUNCTION room_gone(r room, n room_now, gone bigint[], reporter bigint) RETURNS room_now LANGUAGE plpgsql AS $$
  DECLARE
    were int;
    were_at_door int;
  BEGIN
    IF cardinality(gone) > 0 AND n.known > 0 THEN
      WITH gone_now AS (
        DELETE FROM present WHERE line = r.line AND place = ANY(gone)
          AND (reporter IS NULL OR gate IS NULL OR gate = reporter) RETURNING place)
        SELECT count(*), count(*) FILTER (WHERE place <= r.cursor) INTO were, were_at_door FROM gone_now;
      n.known := n.known - were;
      n.door := n.door - were_at_door;
    END IF;
    RETURN n;
  END $$;

-- Issues passes or extends them, at least until these moments; one for each visitor. A taken pass uses its ticket up.
CREATE FUNCTION room_issue(r room, n room_now, visitors uuid[], held bigint[], untils bigint[], takens boolean[])
  RETURNS room_now LANGUAGE plpgsql AS $$
  DECLARE
    fresh int;
    spent bigint[];
  BEGIN
    IF cardinality(visitors) > 0 THEN
      WITH put AS (
        INSERT INTO pass(line, visitor, place, until, taken)
          SELECT r.line, a.* FROM unnest(visitors, held, untils, takens) AS a
          ON CONFLICT(line, visitor) DO UPDATE SET place = excluded.place,
            until = greatest(pass.until, excluded.until), taken = pass.taken OR excluded.taken
          RETURNING xmax = 0 AS is_new)
        SELECT count(*) INTO fresh FROM put WHERE is_new;
      n.active := n.active + fresh;
      n.freed := least(n.freed, (SELECT min(until) - 1 FROM unnest(untils) AS until));
      n := room_gone(r, n, held, NULL);
      spent := ARRAY(SELECT place FROM unnest(held, takens) AS a(place, taken) WHERE taken);
      IF cardinality(spent) > 0 THEN
        PERFORM room_use(r, n, spent);
        -- 3600000 is TokenLifetimes.REVIVABLE: a stay that was over goes on.
        UPDATE user_place u SET taken = true, place = abs(u.place), until = u.until - CASE WHEN u.place < 0 THEN 3600000 ELSE 0 END
          FROM unnest(visitors, takens) AS a(visitor, taken)
          WHERE - u.line = - r.line AND u.visitor = a.visitor AND a.taken AND (NOT u.taken OR u.place < 0);
      END IF;
    END IF;
    RETURN n;
  END $$;

-- The columns of RoomState. Never changed, since functions that nodes of other versions call return it.
DO $$ BEGIN
  IF to_regtype('room_view') IS NULL THEN
    CREATE TYPE room_view AS (
      name text, line int, voids bigint, epoch bigint, mode text, message text, length bigint, cursor bigint,
      horizon bigint, crowded boolean, active int, free int, door int, known int, granted int, gates int,
      admitted10 bigint, admitted60 bigint, called10 bigint, called60 bigint, admitted bigint, slowed text,
      capacity int, admissions int, period int, overridden boolean, set_capacity int, set_admissions int,
      set_period int, latest bigint);
  END IF;
END $$;

-- Whether the ticket of this number waits for a draw: as DrawLedger.isInLobby.
CREATE FUNCTION room_in_lobby(r room, number bigint) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
  DECLARE
    line_number int := least(number >> 44, 1000)::int;
    before bigint := CASE WHEN line_number = 0 THEN r.lobby_base
      ELSE coalesce((string_to_array(nullif(r.lobby_bases, ''), ' '))[line_number]::bigint, line_number::bigint << 44) END;
  BEGIN
    RETURN r.lobby_base >= 0 AND number > before AND (r.lobby_end < 0 OR number <= CASE WHEN line_number = 0 THEN r.lobby_end
      ELSE coalesce((string_to_array(nullif(r.lobby_ends, ''), ' '))[line_number]::bigint, before) END);
  END $$;

CREATE FUNCTION room_see(r room, n room_now) RETURNS room_view STABLE LANGUAGE plpgsql AS $$
  DECLARE
    seen room_view;
    this_second bigint := n.latest / 1000;
    free bigint := room_free(n.settling, room_capacity(n), room_rate(r, n), room_grants(r), 0);
  BEGIN
    SELECT r.name, r.line, r.voids, r.epoch, r.mode, r.message, r.length, r.cursor, n.horizon, r.crowded, n.active,
        free, n.door, n.known, r.granted, n.gates,
        coalesce(sum(p.admitted) FILTER (WHERE p.second > this_second - 10), 0), coalesce(sum(p.admitted), 0),
        coalesce(sum(p.called) FILTER (WHERE p.second > this_second - 10), 0), coalesce(sum(p.called), 0), n.total,
        n.slowed, n.capacity, n.admissions, n.period, r.overridden, r.capacity, r.admissions, r.period, n.latest
      INTO seen FROM pace p WHERE p.room = r.id AND p.second > this_second - 60;
    RETURN seen;
  END $$;

-- The state of a room, without its lock: ended passes and presences are left out of the counts and not removed.
CREATE FUNCTION room_peek(r room, moment bigint) RETURNS room_view
  STABLE LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  DECLARE
    n room_now;
  BEGIN
    SELECT * INTO n FROM room_now WHERE room = r.id;
    IF FOUND THEN
      n.latest := greatest(n.latest, moment);
      n := room_leases(n);
    ELSE
      n := room_unknown(r);
      n.latest := moment;
    END IF;
    SELECT n.active - count(*) INTO n.active FROM pass
      WHERE line + 0 = r.line AND until + 0 > n.freed AND until + 0 <= least(n.latest, n.kept);
    SELECT n.known - count(*), n.door - count(*) FILTER (WHERE place <= r.cursor) INTO n.known, n.door
      FROM present WHERE line + 0 = r.line AND until + 0 > n.ended AND until + 0 <= n.latest;
    RETURN room_see(r, room_window(n));
  END $$;
