-- Rooms with tiers: the functions that room-calls.sql and room-control.sql call there. The rules are those of Lines and
-- TierLedger in the core. Arrays of lines have the line with the number n at the index n + 1.

-- Whether a place was issued, in any line.
CREATE FUNCTION room_issued(r room, place bigint) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN place BETWEEN 1 AND r.length OR (r.tiers > 0 AND place >> 44 > 0 AND EXISTS(
      SELECT FROM tier t WHERE t.room = r.id AND t.number = (room_issued.place >> 44)::int
        AND room_issued.place > t.number::bigint << 44 AND room_issued.place <= t.length));
  END $$;

-- The place of a line of a tier up to which all gates have reported who is present.
CREATE FUNCTION room_covered(n room_now, number int) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN CASE WHEN number = 0 THEN n.covered ELSE (
      SELECT coalesce(min(coalesce(g.tiers[number], number::bigint << 44)), number::bigint << 44)
        FROM gate g WHERE g.room = n.room AND g.round >= n.rounds - 10) END;
  END $$;

-- Present visitors of a line behind one place and up to another.
CREATE FUNCTION room_between(r room, behind bigint, last bigint) RETURNS int STABLE
  LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  BEGIN
    RETURN (SELECT count(*) FROM present p WHERE p.line = r.line AND p.place > behind AND p.place <= last);
  END $$;

-- The visitors at the door of all lines who go before a visitor of a line with so many ahead in it.
CREATE FUNCTION room_turns(number int, ahead bigint, moment bigint, doors int[], costs bigint[], served bigint[],
    last bigint[]) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
  DECLARE
    own int := number + 1;
    is_first boolean := ahead = 0 AND moment - last[own] >= 60000;
    turn bigint := served[own] + ahead * costs[own];
    sum bigint := ahead;
    behind bigint;
    due boolean;
  BEGIN
    FOR i IN 1 .. cardinality(doors) LOOP
      CONTINUE WHEN i = own OR doors[i] <= 0;
      due := moment - last[i] >= 60000;
      IF is_first THEN
        sum := sum + (due AND (last[i] < last[own] OR (last[i] = last[own] AND i < own)))::int;
      ELSE
        behind := turn - served[i] + (i < own)::int;
        sum := sum + least(doors[i], greatest(
          CASE WHEN behind <= 0 THEN 0 ELSE (behind + costs[i] - 1) / costs[i] END, due::int));
      END IF;
    END LOOP;
    RETURN sum;
  END $$;

-- Writes the lines that a call has changed.
CREATE FUNCTION room_write_lines(r room, lengths bigint[], cursors bigint[], served bigint[], last bigint[],
    admitted bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE tier t SET length = a.length, cursor = a.cursor, served = a.served, last = a.last, admitted = a.admitted
      FROM unnest(lengths, cursors, room_write_lines.served, room_write_lines.last, room_write_lines.admitted)
        WITH ORDINALITY AS a(length, cursor, served, last, admitted, i)
      WHERE t.room = r.id AND t.number = a.i - 1
        AND (t.number > 0 OR (t.served, t.last, t.admitted) IS DISTINCT FROM (a.served, a.last, a.admitted))
        AND (t.length, t.cursor, t.served, t.last, t.admitted)
          IS DISTINCT FROM (a.length, a.cursor, a.served, a.last, a.admitted);
  END $$;

-- As room_join, behind room_begin. wanted: the tiers of the visitors, null for none. places: in list order.
CREATE FUNCTION room_join_lines(r room, n room_now, visitors uuid[], present_until bigint[], pass_until bigint[],
    leaves text[], wanted text[], OUT places bigint[], OUT ahead bigint[]) LANGUAGE plpgsql AS $$
  DECLARE
    capacity bigint := room_capacity(n);
    rate bigint := room_rate(r, n);
    grants int := room_grants(r);
    names text[];
    lengths bigint[];
    cursors bigint[];
    horizons bigint[];
    costs bigint[];
    served bigint[];
    last bigint[];
    admitted bigint[];
    covered bigint[];
    doors int[];
    waiting int[];       -- present visitors of each line
    here int;            -- those of the first line before this call
    old_cursor bigint := r.cursor;
    own int;
    place bigint;
    known int := n.known;
    spent int := 0;
    calls bigint := 0;
    entered int[] := '{}';
    staying bigint[] := '{}';
    staying_until bigint[] := '{}';
    in_lobby boolean;
    tickets bigint[] := '{}';
    ticket_leaves text[] := '{}';
  BEGIN
    SELECT array_agg(t.name ORDER BY t.number), array_agg(t.length ORDER BY t.number),
        array_agg(t.cursor ORDER BY t.number), array_agg(t.horizon ORDER BY t.number),
        array_agg(1000000 / t.share ORDER BY t.number), array_agg(t.served ORDER BY t.number),
        array_agg(t.last ORDER BY t.number), array_agg(t.admitted ORDER BY t.number),
        array_agg(room_covered(n, t.number) ORDER BY t.number)
      INTO names, lengths, cursors, horizons, costs, served, last, admitted, covered FROM tier t WHERE t.room = r.id;
    lengths[1] := r.length;
    cursors[1] := r.cursor;
    horizons[1] := n.horizon;
    FOR i IN 1 .. cardinality(names) LOOP
      doors[i] := room_between(r, (i - 1)::bigint << 44, cursors[i]);
      waiting[i] := room_between(r, (i - 1)::bigint << 44, (i::bigint << 44) - 1);
    END LOOP;
    here := waiting[1];
    places := '{}';
    ahead := '{}';
    FOR i IN 1 .. cardinality(visitors) LOOP
      own := coalesce(array_position(names[2:], wanted[i]), 0) + 1;
      in_lobby := r.lobby_open AND (leaves[i] IS NOT NULL OR r.lobby_base >= 0);
      IF in_lobby AND r.lobby_base < 0 THEN
        r.lobby_base := lengths[1];
        r.lobby_bases := array_to_string(lengths[2:], ' ');
        r.voids := r.voids + 1;
      END IF;
      place := lengths[own] + 1;
      lengths[own] := place;
      places := places || place;
      IF in_lobby THEN
        ahead := ahead || place - 1 - cursors[own] + doors[own];
        tickets := tickets || place;
        ticket_leaves := ticket_leaves || coalesce(leaves[i], repeat('0', 64));
      ELSIF pass_until[i] > n.latest AND place <= covered[own]
          AND known < room_free(n.settling, capacity - spent, rate, grants, spent) THEN
        calls := calls + place - cursors[own];
        cursors[own] := place;
        doors[own] := waiting[own];
        served[own] := served[own] + costs[own];
        last[own] := n.latest;
        admitted[own] := admitted[own] + 1;
        spent := spent + 1;
        entered := entered || i;
        ahead := ahead || -1::bigint;
      ELSE
        ahead := ahead || place - 1 - cursors[own] + doors[own];
        IF place <= greatest(horizons[own], covered[own]) AND present_until[i] > n.latest THEN
          known := known + 1;
          waiting[own] := waiting[own] + 1;
          staying := staying || place;
          staying_until := staying_until || present_until[i];
        END IF;
      END IF;
    END LOOP;
    r.length := lengths[1];
    r.cursor := cursors[1];
    IF r.cursor > old_cursor THEN
      n.door := here;
    END IF;
    IF cardinality(tickets) > 0 THEN
      INSERT INTO lobby(line, place, leaf)
        SELECT r.line, t.place, decode(t.leaf, 'hex') FROM unnest(tickets, ticket_leaves) AS t(place, leaf)
        ON CONFLICT ON CONSTRAINT lobby_pkey DO UPDATE SET leaf = excluded.leaf;
    END IF;
    n := room_seen(r, n, staying, staying_until, NULL);
    n := room_issue(r, n, ARRAY(SELECT visitors[i] FROM unnest(entered) AS i),
      ARRAY(SELECT places[i] FROM unnest(entered) AS i), ARRAY(SELECT pass_until[i] FROM unnest(entered) AS i),
      array_fill(false, ARRAY[cardinality(entered)]));
    PERFORM room_write_lines(r, lengths, cursors, served, last, admitted);
    PERFORM room_end(r, n, rate, spent, 0, calls);
  END $$;

-- As room_join, for visitors of tiers: issued has their places.
CREATE FUNCTION room_join_tiers(called text, moment bigint, visitors uuid[], present_until bigint[],
    pass_until bigint[], leaves text[], wanted text[], OUT of_epoch bigint, OUT issued bigint[], OUT ahead bigint[])
  LANGUAGE plpgsql AS $$
  DECLARE
    b record;
  BEGIN
    b := room_begin(called, moment);
    of_epoch := (b.r).epoch;
    IF (b.r).tiers > 0 THEN
      SELECT j.places, j.ahead INTO issued, ahead
        FROM room_join_lines(b.r, b.n, visitors, present_until, pass_until, leaves, wanted) AS j;
    ELSE
      PERFORM room_end(b.r, b.n, 0, 0, 0, 0);
      SELECT array(SELECT j.first + i - 1 FROM generate_series(1, cardinality(visitors)) AS i), j.ahead
        INTO issued, ahead FROM room_join(called, moment, visitors, present_until, pass_until, leaves) AS j;
    END IF;
  END $$;

-- As room_admit, behind room_begin.
CREATE FUNCTION room_admit_lines(r room, n room_now, visitors uuid[], epochs bigint[], places bigint[],
    present_until bigint[], pass_until bigint[], kinds text[], OUT outcomes int[], OUT numbers bigint[])
  LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  DECLARE
    size int := cardinality(visitors);
    ends bigint[];       -- ends of the visitors' passes, null without one
    takens boolean[];    -- whether the pass is taken
    keeps boolean[];     -- whether a pass that has ended still counts as inside
    held bigint[];       -- places of the passes
    good boolean[];      -- whether the visitor has a good ticket and no pass
    lengths bigint[];
    cursors bigint[];
    costs bigint[];
    served bigint[];
    last bigint[];
    admitted bigint[];
    doors int[];         -- called visitors who are present, including these
    at_door bigint := 0; -- of all lines
    most bigint;
    door bigint[];       -- the lowest places of present visitors in the lines of these, including these
    passed int := 0;     -- how many of door are below the current place
    lower int := 0;      -- how many of those are of lower lines
    removed int := 0;    -- how many of the line have entered in this call
    here boolean;        -- whether the current place is in door
    before bigint;       -- present visitors ahead in the line
    own int := 0;
    old_cursor bigint := r.cursor;
    calls bigint := 0;
    capacity bigint := room_capacity(n);
    rate bigint := room_rate(r, n);
    grants int := room_grants(r);
    spent int := 0;
    recorded int := 0;   -- admissions that a gate gave without the store
    free bigint;
    staying int[] := '{}';
    entering int[] := '{}';
    entering_taken boolean[] := '{}';
  BEGIN
    SELECT array_agg(p.until ORDER BY i), array_agg(p.taken ORDER BY i), array_agg(p.place ORDER BY i),
        array_agg(a.epoch = r.epoch AND room_issued(r, a.place) AND p.until IS NULL AND v.until IS NULL
          AND coalesce(get_bit(u.places, (a.place & 1023)::int), 0) = 0 ORDER BY i),
        array_agg(k.until IS NOT NULL ORDER BY i)
      INTO ends, takens, held, good, keeps
      FROM unnest(visitors, epochs, places) WITH ORDINALITY AS a(visitor, epoch, place, i)
      LEFT JOIN LATERAL (SELECT until FROM voided WHERE line = r.line AND visitor = a.visitor LIMIT 1) v ON true
      LEFT JOIN LATERAL (SELECT until, taken, pass.place FROM pass WHERE line = r.line AND visitor = a.visitor
        AND a.epoch = r.epoch AND until > n.latest AND v.until IS NULL LIMIT 1) p ON true
      LEFT JOIN LATERAL (SELECT until FROM pass WHERE line = r.line AND visitor = a.visitor
        AND until <= n.latest LIMIT 1) k ON true
      LEFT JOIN LATERAL (SELECT u.places FROM used_up u WHERE u.line = r.line AND u.chunk = a.place >> 10 LIMIT 1) u
        ON true;
    SELECT array_agg(t.length ORDER BY t.number), array_agg(t.cursor ORDER BY t.number),
        array_agg(1000000 / t.share ORDER BY t.number), array_agg(t.served ORDER BY t.number),
        array_agg(t.last ORDER BY t.number), array_agg(t.admitted ORDER BY t.number)
      INTO lengths, cursors, costs, served, last, admitted FROM tier t WHERE t.room = r.id;
    lengths[1] := r.length;
    cursors[1] := r.cursor;
    FOR i IN 1 .. cardinality(cursors) LOOP
      doors[i] := (SELECT count(*) FROM (
        SELECT p.place FROM present p WHERE p.line = r.line AND p.place > (i - 1)::bigint << 44
          AND p.place <= cursors[i]
        UNION SELECT places[j] FROM generate_series(1, size) AS j WHERE good[j] AND present_until[j] > n.latest
          AND places[j] > (i - 1)::bigint << 44 AND places[j] <= cursors[i]) AS here);
      at_door := at_door + doors[i];
    END LOOP;
    free := room_free(n.settling, capacity, rate, grants, spent);
    -- Visitors ahead are counted up to 1000, and further only as far as the free admissions reach.
    most := CASE WHEN 'RECORDED' = ANY(kinds) THEN n.known ELSE at_door END;
    most := greatest(1000, CASE WHEN most + size <= free THEN 0 ELSE least(most, free) END,
      CASE WHEN 'RECORDED' = ANY(kinds) THEN n.known ELSE 0 END);
    door := ARRAY(
      SELECT lowest.place FROM (
        SELECT a.place >> 44 AS number, max(a.place) AS place FROM unnest(places) AS a(place) GROUP BY 1) AS asked,
        LATERAL (SELECT p.place FROM present p WHERE p.line = r.line AND p.place > asked.number << 44
          AND p.place <= asked.place ORDER BY p.place LIMIT size + most) AS lowest
      UNION SELECT places[i] FROM generate_series(1, size) AS i WHERE good[i] AND present_until[i] > n.latest
      ORDER BY 1);
    outcomes := array_fill(0, ARRAY[size]);
    numbers := array_fill(0::bigint, ARRAY[size]);
    FOR i IN 1 .. size LOOP
      IF own <> least(places[i] >> 44, 1000)::int + 1 THEN
        own := least(places[i] >> 44, 1000)::int + 1;
        WHILE passed < cardinality(door) AND door[passed + 1] <= (own - 1)::bigint << 44 LOOP
          passed := passed + 1;
        END LOOP;
        lower := passed;
        removed := 0;
      END IF;
      WHILE passed < cardinality(door) AND door[passed + 1] < places[i] LOOP
        passed := passed + 1;
      END LOOP;
      here := passed < cardinality(door) AND door[passed + 1] = places[i];
      before := passed - lower - removed;
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
          IF places[i] > cursors[own] THEN
            calls := calls + places[i] - cursors[own];
            cursors[own] := places[i];
            doors[own] := before + here::int;
          END IF;
          capacity := greatest(0, capacity - (NOT keeps[i])::int);
        END IF;
      ELSIF good[i] THEN
        IF places[i] > cursors[own] OR before >= free
            OR room_turns(own - 1, before, n.latest, doors, costs, served, last) >= free THEN
          outcomes[i] := CASE WHEN places[i] > cursors[own] THEN 1 ELSE 2 END;
          numbers[i] := least(1000, before);
          IF present_until[i] > n.latest THEN
            staying := staying || i;
          END IF;
          CONTINUE;
        END IF;
        spent := spent + 1;
        capacity := capacity - (NOT keeps[i])::int;
      END IF;
      IF own <= cardinality(served) AND (good[i] OR (kinds[i] = 'RECORDED' AND epochs[i] = r.epoch)) THEN
        served[own] := served[own] + costs[own];
        last[own] := n.latest;
        admitted[own] := admitted[own] + 1;
      END IF;
      free := room_free(n.settling, capacity, rate, grants, spent);
      IF good[i] THEN
        outcomes[i] := 3;
        numbers[i] := pass_until[i];
        entering := entering || i;
        entering_taken := entering_taken || (kinds[i] <> 'UNTAKEN');
        removed := removed + here::int;
        doors[own] := doors[own] - here::int;
      END IF;
    END LOOP;
    r.cursor := cursors[1];
    IF r.cursor > old_cursor THEN
      n.door := n.door + room_between(r, old_cursor, r.cursor);
    END IF;
    n := room_seen(r, n, ARRAY(SELECT places[i] FROM unnest(staying) AS i),
      ARRAY(SELECT present_until[i] FROM unnest(staying) AS i), NULL);
    n := room_issue(r, n, ARRAY(SELECT visitors[i] FROM unnest(entering) AS i),
      ARRAY(SELECT coalesce(held[i], places[i]) FROM unnest(entering) AS i),
      ARRAY(SELECT numbers[i] FROM unnest(entering) AS i), entering_taken);
    PERFORM room_write_lines(r, lengths, cursors, served, last, admitted);
    PERFORM room_end(r, n, rate, spent, recorded, calls);
  END $$;

-- Takes over the shares of the lines, and drops unused lines that are not among them. Answers the number of lines.
CREATE FUNCTION room_share_out(r room, rest int, names text[], shares int[]) RETURNS int LANGUAGE plpgsql AS $$
  DECLARE
    t tier;
    highest int;
  BEGIN
    INSERT INTO tier(room, number, name, share, length, cursor, horizon)
      SELECT r.id, 0, '-', rest, 0, 0, 0 WHERE cardinality(names) > 0 ON CONFLICT(room, number) DO NOTHING;
    UPDATE tier SET share = rest WHERE room = r.id AND number = 0 AND share <> rest;
    FOR i IN 1 .. cardinality(names) LOOP
      SELECT * INTO t FROM tier WHERE room = r.id AND number = i;
      IF NOT FOUND THEN
        INSERT INTO tier(room, number, name, share, length, cursor, horizon)
          VALUES(r.id, i, names[i], shares[i], i::bigint << 44, i::bigint << 44, i::bigint << 44);
      ELSIF t.length > i::bigint << 44 AND t.name <> names[i] THEN
        EXIT;
      ELSIF (t.name, t.share) <> (names[i], shares[i]) THEN
        UPDATE tier SET name = names[i], share = shares[i] WHERE room = r.id AND number = i;
      END IF;
    END LOOP;
    SELECT greatest(cardinality(names), coalesce(max(number), 0)) INTO highest FROM tier
      WHERE room = r.id AND length > number::bigint << 44;
    DELETE FROM tier WHERE room = r.id AND (number > highest OR highest = 0);
    RETURN highest;
  END $$;

-- Counts anew what the lines were served, and calls so many present visitors as their shares of the wanted ones are.
CREATE FUNCTION room_call_lines(INOUT r room, INOUT n room_now, wanted int, OUT calls bigint)
  LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
  DECLARE
    shares int[];
    lengths bigint[];
    cursors bigint[];
    served bigint[];
    last bigint[];
    admitted bigint[];
    ends bigint[];       -- places up to which visitors may be called
    present_in int[];    -- present visitors up to there
    doors int[];         -- wanted visitors at the door
    open_lines int[] := '{}'; -- lines with more visitors than their share
    more int[];
    left_over bigint := wanted;
    few bigint;
    all_shares int;
    least_served bigint;
    door int;
    target bigint;
  BEGIN
    SELECT array_agg(t.share ORDER BY t.number), array_agg(t.length ORDER BY t.number),
        array_agg(t.cursor ORDER BY t.number), array_agg(t.served ORDER BY t.number),
        array_agg(t.last ORDER BY t.number), array_agg(t.admitted ORDER BY t.number),
        min(t.served) FILTER (WHERE EXISTS(SELECT FROM present p WHERE p.line = r.line
          AND p.place > t.number::bigint << 44 AND p.place < (t.number + 1)::bigint << 44))
      INTO shares, lengths, cursors, served, last, admitted, least_served FROM tier t WHERE t.room = r.id;
    lengths[1] := r.length;
    cursors[1] := r.cursor;
    calls := 0;
    FOR i IN 1 .. cardinality(shares) LOOP
      served[i] := CASE WHEN least_served IS NULL THEN 0
        ELSE least(1000000 / shares[i], greatest(0, served[i] - least_served)) END;
      ends[i] := least(lengths[i], room_covered(n, i - 1));
      present_in[i] := room_between(r, (i - 1)::bigint << 44, ends[i]);
      doors[i] := least(wanted, 1);
      IF present_in[i] > 0 THEN
        open_lines := open_lines || i;
      END IF;
    END LOOP;
    WHILE wanted > 0 AND cardinality(open_lines) > 0 LOOP
      all_shares := (SELECT sum(shares[i]) FROM unnest(open_lines) AS i);
      left_over := greatest(0, left_over);
      few := 0;
      more := '{}';
      FOR i IN 1 .. cardinality(shares) LOOP
        CONTINUE WHEN NOT i = ANY(open_lines);
        doors[i] := greatest(1, (left_over * shares[i] + all_shares - 1) / all_shares);
        IF present_in[i] <= doors[i] THEN
          few := few + present_in[i];
        ELSE
          more := more || i;
        END IF;
      END LOOP;
      EXIT WHEN cardinality(more) = cardinality(open_lines);
      open_lines := more;
      left_over := left_over - few;
    END LOOP;
    FOR i IN 1 .. cardinality(shares) LOOP
      door := room_between(r, (i - 1)::bigint << 44, cursors[i]);
      IF door < doors[i] AND cursors[i] < ends[i] THEN
        target := (SELECT p.place FROM present p WHERE p.line = r.line AND p.place > cursors[i] AND p.place <= ends[i]
          ORDER BY p.place OFFSET doors[i] - door - 1 LIMIT 1);
        target := coalesce(target, ends[i]);
        calls := calls + target - cursors[i];
        cursors[i] := target;
      END IF;
    END LOOP;
    r.cursor := cursors[1];
    n.door := room_between(r, 0, r.cursor);
    PERFORM room_write_lines(r, lengths, cursors, served, last, admitted);
  END $$;

-- As room_govern, with the shares of the lines. reach: gates report visitors of tiers up to so many places behind the
-- cursor.
CREATE FUNCTION room_govern_tiers(called text, moment bigint, who text, lease bigint, most int, rate int, span int,
    why text, wanted int, far bigint, expired_before bigint, rest int, reach bigint, names text[], shares int[])
  RETURNS SETOF room_view LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    number_of_lines int;
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    IF n.governor IS NULL OR n.governor = who OR n.lease_until <= n.latest THEN
      number_of_lines := room_share_out(r, rest, names, shares);
      IF number_of_lines <> r.tiers THEN
        r.voids := r.voids + 1;
        UPDATE room SET tiers = number_of_lines WHERE id = r.id;
        r.tiers := number_of_lines;
      END IF;
      UPDATE tier SET horizon = greatest(horizon, cursor + reach) WHERE room = r.id AND number > 0
        AND horizon < cursor + reach;
    END IF;
    PERFORM room_end(r, n, 0, 0, 0, 0);
    RETURN QUERY SELECT * FROM room_govern(called, moment, who, lease, most, rate, span, why, wanted, far,
      expired_before);
  END $$;

-- As room_sync. covers_tiers: what the gate covers of the lines of tiers, by number from 1.
CREATE FUNCTION room_sync_tiers(called text, moment bigint, reporter text, of_epoch bigint, covers bigint,
    leased_from bigint, leased_until bigint, places bigint[], untils bigint[], knows int, covers_tiers bigint[])
  RETURNS room_view LANGUAGE plpgsql AS $$
  DECLARE
    view room_view;
  BEGIN
    view := room_sync(called, moment, reporter, of_epoch, covers, leased_from, leased_until, places, untils, knows);
    UPDATE gate g SET tiers = covers_tiers FROM room r
      WHERE r.name = called AND g.room = r.id AND g.name = reporter AND r.epoch = of_epoch AND r.drawn = knows;
    RETURN view;
  END $$;
