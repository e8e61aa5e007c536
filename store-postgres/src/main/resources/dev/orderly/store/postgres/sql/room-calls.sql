-- The calls of RoomStore by visitors and gates, a function for each. The rules are those of RoomStateMachine in the
-- core. Arrays are in list order and name no visitor twice.

-- first: the first issued place; the others follow. ahead: visitors ahead, -1 for a visitor who enters at once. leaves: what
-- tickets add to the root of a draw, in hexadecimal digits; null for none.
CREATE FUNCTION room_join(called text, moment bigint, visitors uuid[], present_until bigint[], pass_until bigint[],
    leaves text[], OUT of_epoch bigint, OUT first bigint, OUT ahead bigint[]) LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    capacity bigint;
    rate bigint;
    grants int;
    spent int := 0;
    reach bigint;
    calls bigint := 0;
    entered int[] := '{}';
    staying bigint[] := '{}';
    staying_until bigint[] := '{}';
    known int;           -- present visitors
    door int;            -- present visitors who were called
    tickets bigint[] := '{}';
    ticket_leaves text[] := '{}';
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    IF r.tiers > 0 THEN
      of_epoch := r.epoch;
      first := r.length + 1;
      SELECT j.ahead INTO ahead FROM room_join_lines(r, n, visitors, present_until, pass_until, leaves,
        array_fill(NULL::text, ARRAY[cardinality(visitors)])) AS j;
      RETURN;
    END IF;
    capacity := room_capacity(n);
    rate := room_rate(r, n);
    grants := room_grants(r);
    reach := greatest(n.horizon, n.covered);
    known := n.known;
    door := n.door;
    of_epoch := r.epoch;
    first := r.length + 1;
    ahead := '{}';
    FOR i IN 1 .. cardinality(visitors) LOOP
      r.length := r.length + 1;
      IF r.lobby_open AND (leaves[i] IS NOT NULL OR r.lobby_base >= 0) THEN
        IF r.lobby_base < 0 THEN
          r.lobby_base := r.length - 1;
          r.voids := r.voids + 1;
        END IF;
        ahead := ahead || r.length - 1 - r.cursor + door;
        tickets := tickets || r.length;
        ticket_leaves := ticket_leaves || coalesce(leaves[i], repeat('0', 64));
      ELSIF pass_until[i] > n.latest AND r.length <= n.covered AND known < room_free(n.settling, capacity - spent, rate, grants, spent) THEN
        calls := calls + r.length - r.cursor;
        r.cursor := r.length;
        door := known;
        spent := spent + 1;
        entered := entered || i;
        ahead := ahead || -1::bigint;
      ELSE
        ahead := ahead || r.length - 1 - r.cursor + door;
        IF r.length <= reach AND present_until[i] > n.latest THEN
          known := known + 1;
          staying := staying || r.length;
          staying_until := staying_until || present_until[i];
        END IF;
      END IF;
    END LOOP;
    IF calls > 0 THEN
      n.door := n.known;
    END IF;
    IF cardinality(tickets) > 0 THEN
      INSERT INTO lobby(line, place, leaf)
        SELECT r.line, t.place, decode(t.leaf, 'hex') FROM unnest(tickets, ticket_leaves) AS t(place, leaf)
        ON CONFLICT(line, place) DO UPDATE SET leaf = excluded.leaf;
    END IF;
    n := room_seen(r, n, staying, staying_until, NULL);
    n := room_issue(r, n, ARRAY(SELECT visitors[i] FROM unnest(entered) AS i),
      ARRAY(SELECT first + i - 1 FROM unnest(entered) AS i), ARRAY(SELECT pass_until[i] FROM unnest(entered) AS i),
      array_fill(false, ARRAY[cardinality(entered)]));
    PERFORM room_end(r, n, rate, spent, 0, calls);
  END $$;

-- Requests in the order of their places. outcomes: 0 spent, 1 waits and is not called, 2 waits at the door, 3 entered.
-- numbers: present visitors ahead for a waiting visitor, at most 1000; end of the pass for a visitor who entered.
CREATE FUNCTION room_admit(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[],
    present_until bigint[], pass_until bigint[], kinds text[], OUT outcomes int[], OUT numbers bigint[])
  LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    size int := cardinality(visitors);
    ends bigint[];       -- ends of the visitors' passes, null without one
    takens boolean[];    -- whether the pass is taken
    keeps boolean[];     -- whether a pass that has ended still counts as inside
    held bigint[];       -- places of the passes
    good boolean[];      -- whether the visitor has a good ticket and no pass
    door bigint[];       -- the lowest places of present visitors, including these
    passed int := 0;     -- how many of door are below the current place
    removed int := 0;    -- how many of those have entered in this call
    most bigint;
    here boolean;        -- whether the current place is in door
    before bigint;       -- present visitors ahead
    capacity bigint;
    rate bigint;
    grants int;
    spent int := 0;
    recorded int := 0;   -- admissions that a gate gave without the store
    free bigint;
    old_cursor bigint;
    staying int[] := '{}';
    entering int[] := '{}';
    entering_taken boolean[] := '{}';
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    IF r.tiers > 0 THEN
      SELECT a.outcomes, a.numbers INTO outcomes, numbers
        FROM room_admit_lines(r, n, visitors, epochs, places, present_until, pass_until, kinds) AS a;
      RETURN;
    END IF;
    old_cursor := r.cursor;
    SELECT array_agg(p.until ORDER BY i), array_agg(p.taken ORDER BY i), array_agg(p.place ORDER BY i),
        array_agg(a.epoch = r.epoch AND a.place BETWEEN 1 AND r.length AND p.until IS NULL AND v.until IS NULL
          AND coalesce(get_bit(u.places, (a.place & 1023)::int), 0) = 0 ORDER BY i),
        array_agg(k.until IS NOT NULL ORDER BY i)
      INTO ends, takens, held, good, keeps
      FROM unnest(visitors, epochs, places) WITH ORDINALITY AS a(visitor, epoch, place, i)
      LEFT JOIN LATERAL (SELECT until FROM voided WHERE line = r.line AND visitor = a.visitor LIMIT 1) v ON true
      LEFT JOIN LATERAL (SELECT until, taken, place FROM pass WHERE line = r.line AND visitor = a.visitor
        AND a.epoch = r.epoch AND until > n.latest AND v.until IS NULL LIMIT 1) p ON true
      LEFT JOIN LATERAL (SELECT until FROM pass WHERE line = r.line AND visitor = a.visitor
        AND until <= n.latest LIMIT 1) k ON true
      LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = a.place >> 10 LIMIT 1) u
        ON true;
    capacity := room_capacity(n);
    rate := room_rate(r, n);
    grants := room_grants(r);
    free := room_free(n.settling, capacity, rate, grants, spent);
    -- Visitors ahead are counted up to 1000, and further only as far as the free admissions reach.
    most := CASE WHEN 'RECORDED' = ANY(kinds) THEN n.known ELSE n.door END;
    most := greatest(1000, CASE WHEN most + size <= free THEN 0 ELSE least(most, free) END);
    door := ARRAY(
      SELECT place FROM present WHERE line = r.line AND place >= n.front AND place <= places[size] ORDER BY place
        LIMIT size + most);
    n.front := greatest(n.front, coalesce(door[1], places[size]));
    door := ARRAY(
      SELECT unnest(door)
      UNION SELECT places[i] FROM generate_series(1, size) AS i WHERE good[i] AND present_until[i] > n.latest
      ORDER BY 1);
    outcomes := array_fill(0, ARRAY[size]);
    numbers := array_fill(0::bigint, ARRAY[size]);
    FOR i IN 1 .. size LOOP
      WHILE passed < cardinality(door) AND door[passed + 1] < places[i] LOOP
        passed := passed + 1;
      END LOOP;
      here := passed < cardinality(door) AND door[passed + 1] = places[i];
      before := passed - removed;
      IF ends[i] IS NOT NULL THEN
        outcomes[i] := 3;
        IF kinds[i] = 'RECORDED' OR (kinds[i] = 'TAKEN' AND NOT takens[i]) THEN
          entering := entering || i;
          entering_taken := entering_taken || true;
          numbers[i] := greatest(ends[i], pass_until[i]);
        ELSE
          numbers[i] := ends[i];
        END IF;
        CONTINUE;
      END IF;
      IF kinds[i] = 'RECORDED' THEN
        -- A gate has admitted the visitor already: it counts, whatever became of the ticket since.
        IF epochs[i] = r.epoch THEN
          recorded := recorded + 1;
          rate := rate - (rate > spent)::int;
        END IF;
        IF good[i] THEN
          r.cursor := greatest(r.cursor, places[i]);
          capacity := greatest(0, capacity - (NOT keeps[i])::int);
        END IF;
        free := room_free(n.settling, capacity, rate, grants, spent);
      ELSIF good[i] AND (places[i] > r.cursor OR before >= free) THEN
        outcomes[i] := CASE WHEN places[i] > r.cursor THEN 1 ELSE 2 END;
        numbers[i] := least(1000, before);
        IF present_until[i] > n.latest THEN
          staying := staying || i;
        END IF;
        CONTINUE;
      ELSIF good[i] THEN
        spent := spent + 1;
        capacity := capacity - (NOT keeps[i])::int;
        free := room_free(n.settling, capacity, rate, grants, spent);
      END IF;
      IF good[i] THEN
        outcomes[i] := 3;
        numbers[i] := pass_until[i];
        entering := entering || i;
        entering_taken := entering_taken || (kinds[i] <> 'UNTAKEN');
        removed := removed + here::int;
      END IF;
    END LOOP;
    IF r.cursor > old_cursor THEN
      SELECT n.door + count(*) INTO n.door FROM present
        WHERE line = r.line AND place > old_cursor AND place <= r.cursor;
    END IF;
    n := room_seen(r, n, ARRAY(SELECT places[i] FROM unnest(staying) AS i),
      ARRAY(SELECT present_until[i] FROM unnest(staying) AS i), NULL);
    n := room_issue(r, n, ARRAY(SELECT visitors[i] FROM unnest(entering) AS i),
      ARRAY(SELECT coalesce(held[i], places[i]) FROM unnest(entering) AS i),
      ARRAY(SELECT numbers[i] FROM unnest(entering) AS i), entering_taken);
    PERFORM room_end(r, n, rate, spent, recorded, r.cursor - old_cursor);
  END $$;

CREATE FUNCTION room_renew(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[],
    untils bigint[], revives boolean[]) RETURNS boolean[] LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    c record;
    capacity bigint;
    within boolean;      -- whether the visitors inside are within the capacity
    answers boolean[] := '{}';
    lives boolean;
    issued_visitors uuid[] := '{}';
    issued_places bigint[] := '{}';
    issued_untils bigint[] := '{}';
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    capacity := room_capacity(n);
    within := n.capacity IS NULL OR n.active <= n.capacity;
    FOR c IN
      SELECT a.*, p.place AS held, k.place IS NOT NULL AS keeps, v.until IS NOT NULL AS is_void
        FROM unnest(visitors, epochs, places, untils, revives) WITH ORDINALITY
          AS a(visitor, epoch, place, until, revive, i)
        LEFT JOIN LATERAL (SELECT place FROM pass WHERE line = r.line AND visitor = a.visitor AND until > n.latest
          LIMIT 1) p ON true
        LEFT JOIN LATERAL (SELECT place FROM pass WHERE line = r.line AND visitor = a.visitor AND until <= n.latest
          LIMIT 1) k ON true
        LEFT JOIN LATERAL (SELECT until FROM voided WHERE line = r.line AND visitor = a.visitor LIMIT 1) v ON true
        ORDER BY i
    LOOP
      lives := c.epoch = r.epoch AND NOT c.is_void AND (c.held IS NOT NULL
        OR (c.revive AND ((c.keeps AND within) OR capacity > 0) AND (c.place BETWEEN 1 AND r.length OR (r.tiers > 0 AND room_issued(r, c.place)))));
      IF lives THEN
        capacity := capacity - (c.held IS NULL AND NOT c.keeps)::int;
        issued_visitors := issued_visitors || c.visitor;
        issued_places := issued_places || coalesce(c.held, c.place);
        issued_untils := issued_untils || c.until;
      END IF;
      answers := answers || lives;
    END LOOP;
    n := room_issue(r, n, issued_visitors, issued_places, issued_untils, array_fill(true, ARRAY[cardinality(issued_visitors)]));
    PERFORM room_end(r, n, 0, 0, 0, 0);
    RETURN answers;
  END $$;

-- Gives places of waiting visitors to the heirs, with the passes that were not taken yet. 10000 is MoveRequest.MOST.
CREATE FUNCTION room_move(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[], heirs uuid[],
    untils bigint[]) RETURNS boolean[] LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    moves int;
    known voided;
    held bigint;         -- end of the visitor's pass
    moved boolean;
    answers boolean[] := '{}';
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    SELECT count(*) INTO moves FROM voided WHERE - line = - r.line AND moved_to IS NOT NULL;
    FOR i IN 1 .. cardinality(visitors) LOOP
      SELECT * INTO known FROM voided WHERE line = r.line AND visitor = visitors[i];
      IF FOUND OR epochs[i] <> r.epoch THEN
        moved := epochs[i] = r.epoch AND coalesce(known.moved_to = heirs[i], false);
      ELSE
        moved := (places[i] BETWEEN 1 AND r.length OR (r.tiers > 0 AND room_issued(r, places[i]))) AND visitors[i] <> heirs[i] AND moves < 10000
          AND NOT EXISTS(SELECT FROM voided WHERE line = r.line AND visitor = heirs[i])
          AND NOT EXISTS(SELECT FROM pass WHERE line = r.line AND visitor = heirs[i])
          AND NOT EXISTS(SELECT FROM used_up u WHERE u.line = r.line AND u.chunk = room_move.places[i] >> 10
            AND get_bit(u.places, (room_move.places[i] & 1023)::int) = 1);
        IF moved THEN
          held := NULL;
          UPDATE pass SET visitor = heirs[i] WHERE line = r.line AND visitor = visitors[i] RETURNING until INTO held;
          r.voids := r.voids + 1;
          INSERT INTO voided(line, visitor, number, until, moved_to)
            VALUES(r.line, visitors[i], r.voids, greatest(untils[i], held), heirs[i]);
          UPDATE user_place SET visitor = heirs[i] WHERE - line = - r.line AND visitor = visitors[i];
          moves := moves + 1;
        END IF;
      END IF;
      answers := answers || moved;
    END LOOP;
    PERFORM room_end(r, n, 0, 0, 0, 0);
    RETURN answers;
  END $$;

CREATE FUNCTION room_depart(called text, moment bigint, visitors uuid[], epochs bigint[], places bigint[],
    untils bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    voids uuid[];
    voids_until bigint[];
    leaving uuid[];
    leaving_places bigint[];
    ended int;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    WITH departing AS (
      SELECT a.visitor, greatest(a.until, p.until, u.until) AS until, i, coalesce(p.place, a.place) AS place,
          p.place IS NOT NULL OR u.until IS NOT NULL AS is_in
        FROM unnest(visitors, epochs, places, untils) WITH ORDINALITY AS a(visitor, epoch, place, until, i)
        LEFT JOIN LATERAL (SELECT place, until FROM pass WHERE line = r.line AND visitor = a.visitor
          AND until > n.latest LIMIT 1) p ON true
        LEFT JOIN LATERAL (SELECT until FROM user_place u WHERE - u.line = - r.line AND u.visitor = a.visitor
          AND room_holds(n, u) LIMIT 1) u ON true
        WHERE a.epoch = r.epoch), judged AS (
      SELECT d.*, (d.place BETWEEN 1 AND r.length OR (r.tiers > 0 AND room_issued(r, d.place))) AND m.moved_to IS NULL
            AND (r.lobby_base < 0 OR NOT room_in_lobby(r, d.place)) AS is_known,
          coalesce(get_bit(u.places, (d.place & 1023)::int), 0) = 1 AS is_used
        FROM departing d
        LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = d.place >> 10 LIMIT 1) u
          ON true
        LEFT JOIN LATERAL (SELECT m.moved_to FROM voided m WHERE m.line = r.line AND m.visitor = d.visitor LIMIT 1) m
          ON true)
      SELECT coalesce(array_agg(visitor ORDER BY i) FILTER (WHERE is_in OR is_used OR NOT is_known), '{}'),
          coalesce(array_agg(until ORDER BY i) FILTER (WHERE is_in OR is_used OR NOT is_known), '{}'),
          coalesce(array_agg(visitor) FILTER (WHERE is_known), '{}'),
          coalesce(array_agg(place) FILTER (WHERE is_known), '{}')
        INTO voids, voids_until, leaving, leaving_places FROM judged;
    INSERT INTO voided(line, visitor, number, until)
      SELECT r.line, a.visitor, r.voids + a.i, a.until
        FROM unnest(voids, voids_until) WITH ORDINALITY AS a(visitor, until, i)
      ON CONFLICT(line, visitor) DO UPDATE SET number = excluded.number,
        until = greatest(voided.until, excluded.until);
    r.voids := r.voids + cardinality(voids);
    DELETE FROM user_place u WHERE - line = - r.line AND visitor = ANY(voids) AND room_holds(n, u);
    DELETE FROM pass WHERE line = r.line AND visitor = ANY(leaving);
    GET DIAGNOSTICS ended = ROW_COUNT;
    n.active := n.active - ended;
    n := room_gone(r, n, leaving_places, NULL);
    PERFORM room_use(r, n, leaving_places);
    PERFORM room_end(r, n, 0, 0, 0, 0);
  END $$;

-- A gate's report. Names no place twice. knows: the number of draws that the gate knows.
CREATE FUNCTION room_sync(called text, moment bigint, reporter text, of_epoch bigint, covers bigint,
    leased_from bigint, leased_until bigint, places bigint[], untils bigint[], knows int)
  RETURNS room_view LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    reporter_hash bigint := hashtextextended(reporter, 0);
    seen bigint[];
    seen_until bigint[];
    is_current boolean;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    is_current := of_epoch = r.epoch AND knows = r.drawn;
    INSERT INTO gate(room, name, covered, round, lease_from, lease_until)
      VALUES(r.id, reporter, CASE WHEN is_current THEN covers ELSE 0 END, n.rounds, leased_from,
      leased_until)
      ON CONFLICT(room, name) DO UPDATE SET covered = excluded.covered, round = excluded.round,
        lease_from = excluded.lease_from, lease_until = excluded.lease_until,
        tiers = CASE WHEN is_current THEN gate.tiers END;
    SELECT count(*), min(covered) INTO n.gates, n.covered FROM gate WHERE room = r.id AND round >= n.rounds - 10;
    n.kept_until := 0;
    IF n.kept < n.latest THEN
      n := room_expire(r, n); -- ends the passes that the lease before this one kept
    ELSE
      n := room_leases(n);
    END IF;
    IF is_current AND cardinality(places) > 0 THEN
      n := room_gone(r, n, ARRAY(SELECT a.place FROM unnest(places, untils) AS a(place, until)
        WHERE a.until <= n.latest), reporter_hash);
      SELECT coalesce(array_agg(a.place), '{}'), coalesce(array_agg(a.until), '{}') INTO seen, seen_until
        FROM unnest(places, untils) AS a(place, until)
        LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = a.place >> 10 LIMIT 1) u
          ON true
        WHERE a.until > n.latest AND (a.place BETWEEN 1 AND r.length OR (r.tiers > 0 AND room_issued(r, a.place)))
          AND coalesce(get_bit(u.places, (a.place & 1023)::int), 0) = 0
          AND (SELECT p.place FROM pass p WHERE - p.line = - r.line AND p.place = a.place AND NOT p.taken
            AND p.until > n.latest LIMIT 1) IS NULL;
      n := room_seen(r, n, seen, seen_until, reporter_hash);
    END IF;
    n := room_end(r, n, 0, 0, 0, 0);
    RETURN room_see(r, n);
  END $$;
