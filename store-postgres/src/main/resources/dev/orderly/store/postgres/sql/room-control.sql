-- The calls of RoomStore by governors and operators. The rules are those of RoomStateMachine in the core.

-- Deletes rows that are not needed any more, a bounded number in each call. A chunk of used-up tickets is deleted if
-- the last of them was used up before expired_before.
CREATE FUNCTION room_forget(r room, n room_now, expired_before bigint) RETURNS room_now LANGUAGE plpgsql AS $$
  DECLARE
    old int;
    last bigint;
  BEGIN
    DELETE FROM admission WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM admission WHERE room = r.id AND at <= n.latest - 3600000 LIMIT 1000));
    DELETE FROM pace WHERE room = r.id AND second <= n.latest / 1000 - 60;
    IF r.voids > 100000 AND n.rounds % 60 = 0 THEN
      DELETE FROM voided WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM voided WHERE line * 1 = r.line AND moved_to IS NULL ORDER BY until + 0 DESC OFFSET 100000));
    END IF;
    DELETE FROM voided WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM voided WHERE line * 1 = r.line AND until + 0 <= n.latest LIMIT 1000));
    -- Late enough for a place that the user takes next to void the passes of these: 3600000 is TokenLifetimes.REVIVABLE.
    UPDATE user_place SET place = - place, until = n.latest + 3600000, taken = true WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM user_place u WHERE line + 0 = r.line AND until + 0 <= n.latest AND place > 0 AND (
        SELECT true FROM pass p WHERE p.line = r.line AND p.visitor = u.visitor LIMIT 1) IS NULL LIMIT 1000));
    DELETE FROM user_place WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM user_place u WHERE line + 0 = r.line AND until + 0 <= n.latest AND place < 0 AND (
        SELECT true FROM pass p WHERE p.line = r.line AND p.visitor = u.visitor LIMIT 1) IS NULL LIMIT 1000));
    SELECT max(chunk) INTO last FROM (SELECT chunk FROM used_up WHERE line = r.line AND chunk > n.swept
      ORDER BY chunk LIMIT 500) AS next;
    IF last IS NULL THEN
      n.swept := -1;
    ELSE
      DELETE FROM used_up WHERE line = r.line AND chunk > n.swept AND chunk <= last AND latest < expired_before;
      n.swept := last;
    END IF;
    SELECT line INTO old FROM old_line WHERE room = r.id ORDER BY line LIMIT 1;
    IF FOUND THEN
      DELETE FROM pass WHERE ctid = ANY(ARRAY(SELECT ctid FROM pass WHERE line = old LIMIT 1000));
      IF NOT FOUND THEN
        DELETE FROM present WHERE ctid = ANY(ARRAY(SELECT ctid FROM present WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM voided WHERE ctid = ANY(ARRAY(SELECT ctid FROM voided WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM used_up WHERE ctid = ANY(ARRAY(SELECT ctid FROM used_up WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM user_place WHERE ctid = ANY(ARRAY(SELECT ctid FROM user_place WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM lobby WHERE ctid = ANY(ARRAY(SELECT ctid FROM lobby WHERE line = old LIMIT 1000));
      END IF;
      IF NOT FOUND THEN
        DELETE FROM old_line WHERE room = r.id AND line = old;
      END IF;
    END IF;
    RETURN n;
  END $$;

-- A governor's step. No row if another governor holds the lease.
CREATE FUNCTION room_govern(called text, moment bigint, who text, lease bigint, most int, rate int, span int, why text,
    wanted int, far bigint, expired_before bigint) RETURNS SETOF room_view
  LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    last bigint;
    target bigint;
    calls bigint := 0;
    at_door int := wanted;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    IF n.governor <> who AND n.lease_until > n.latest THEN
      PERFORM room_end(r, n, 0, 0, 0, 0);
      RETURN;
    END IF;
    n.governor := who;
    n.lease_until := lease;
    n.rounds := n.rounds + 1;
    DELETE FROM gate WHERE room = r.id AND round < n.rounds - 10 AND lease_until <= n.latest;
    SELECT count(*), coalesce(min(covered), 0) INTO n.gates, n.covered FROM gate
      WHERE room = r.id AND round >= n.rounds - 10;
    IF span IS DISTINCT FROM n.period THEN
      n.since := NULL;
    END IF;
    n.capacity := most;
    n.admissions := rate;
    n.period := span;
    n.slowed := why;
    n := room_window(n);
    n.settled := coalesce(n.settled, n.latest + 5000);
    n.settling := n.settling AND n.latest < n.settled;
    n.horizon := greatest(n.horizon, far);
    IF NOT r.calls THEN
      at_door := least(at_door, room_grants(r));
    END IF;
    last := least(r.length, n.covered);
    IF r.tiers > 0 THEN
      SELECT c.r, c.n, c.calls INTO b FROM room_call_lines(r, n, at_door) AS c;
      r := b.r;
      n := b.n;
      calls := b.calls;
    ELSIF n.door < at_door AND r.cursor < last THEN
      SELECT place INTO target FROM present WHERE line = r.line AND place > r.cursor AND place <= last
        ORDER BY place OFFSET at_door - n.door - 1 LIMIT 1;
      target := coalesce(target, last);
      SELECT n.door + count(*) INTO n.door FROM present
        WHERE line = r.line AND place > r.cursor AND place <= target;
      calls := target - r.cursor;
      r.cursor := target;
    END IF;
    r.crowded := n.known > 0;
    n := room_forget(r, n, expired_before);
    n := room_end(r, n, 0, 0, 0, calls);
    RETURN NEXT room_see(r, n);
  END $$;

-- Locks the room for an operator's change, and returns its state.
CREATE FUNCTION room_touch(called text, moment bigint) RETURNS room_view LANGUAGE plpgsql AS $$
  DECLARE
    b record;
  BEGIN
    b := room_begin(called, moment);
    RETURN room_see(b.r, room_end(b.r, b.n, 0, 0, 0, 0));
  END $$;

-- Begins a new epoch with an empty line: every earlier ticket and pass is void.
CREATE FUNCTION room_begin_anew(called text, moment bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    INSERT INTO old_line(room, line) VALUES(r.id, r.line);
    r.line := nextval('line_number');
    r.epoch := r.epoch + 1;
    r.length := 0;
    r.cursor := 0;
    r.crowded := false;
    r.granted := 0;
    n.horizon := 0;
    n.settling := false;
    n.active := 0;
    n.known := 0;
    n.door := 0;
    n.total := 0;
    n.covered := 0;
    n.swept := -1;
    n.front := 0;
    UPDATE gate SET covered = 0, tiers = NULL WHERE room = r.id;
    UPDATE tier SET length = number::bigint << 44, cursor = number::bigint << 44, horizon = number::bigint << 44,
      served = 0, last = 0, admitted = 0 WHERE room = r.id;
    PERFORM room_end(r, n, 0, 0, 0, 0);
  END $$;
