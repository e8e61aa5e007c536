-- Places of users with one place each. The rules are those of UserPlaces in the core.

-- Whether the user has this place still. An ended pass keeps its row while a gate out of reach may let it go on.
CREATE FUNCTION room_holds(n room_now, u user_place) RETURNS boolean STABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN (NOT u.taken AND u.until > n.latest) OR EXISTS(SELECT FROM pass p WHERE p.line = u.line AND p.visitor = u.visitor);
  END $$;

-- The place of a user; nothing for a user without one.
CREATE FUNCTION room_user(called text, moment bigint, asking uuid, OUT holder uuid, OUT held bigint, OUT ahead bigint, OUT ends bigint,
  OUT stays boolean)
  LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    n room_now;
  BEGIN
    b := room_begin(called, moment);
    n := room_end(b.r, b.n, 0, 0, 0, 0);
    SELECT u.visitor, u.place, u.ahead, u.until, u.taken AND (SELECT true FROM pass p
        WHERE p.line = u.line AND p.visitor = u.visitor AND p.until > n.latest LIMIT 1) IS NULL
      INTO holder, held, ahead, ends, stays FROM user_place u WHERE u.line = (b.r).line AND u.who = asking AND room_holds(n, u);
  END $$;

-- Records the places of users. The places before have ended for good: their passes are void.
CREATE FUNCTION room_give(called text, moment bigint, users uuid[], visitors uuid[], issued bigint[], ahead bigint[],
    ends bigint[], void_until bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    before uuid[];
    untils bigint[];
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    SELECT coalesce(array_agg(u.visitor), '{}'), coalesce(array_agg(a.until), '{}') INTO before, untils
      FROM unnest(users, void_until) AS a(who, until)
      JOIN LATERAL (SELECT * FROM user_place u WHERE u.line = r.line AND u.who = a.who LIMIT 1) u ON true;
    INSERT INTO voided(line, visitor, number, until)
      SELECT r.line, a.visitor, r.voids + a.i, a.until
        FROM unnest(before, untils) WITH ORDINALITY AS a(visitor, until, i)
      ON CONFLICT(line, visitor) DO UPDATE SET number = excluded.number,
        until = greatest(voided.until, excluded.until);
    r.voids := r.voids + cardinality(before);
    INSERT INTO user_place(line, who, visitor, place, ahead, until, taken)
      SELECT r.line, a.who, a.visitor, a.place, greatest(a.ahead, 0), a.until, false
        FROM unnest(users, visitors, issued, ahead, ends) AS a(who, visitor, place, ahead, until)
      ON CONFLICT(line, who) DO UPDATE SET visitor = excluded.visitor, place = excluded.place, ahead = excluded.ahead,
        until = excluded.until, taken = false;
    PERFORM room_end(r, b.n, 0, 0, 0, 0);
  END $$;

-- As room_join_tiers, for users, none twice. holders: the visitors who have the places, null where the place is new; ends:
-- of the tickets of those places.
CREATE FUNCTION room_join_users(called text, moment bigint, visitors uuid[], present_until bigint[],
    pass_until bigint[], leaves text[], wanted text[], users uuid[], until bigint[], void_until bigint[],
    OUT of_epoch bigint, OUT issued bigint[], OUT ahead bigint[], OUT holders uuid[], OUT ends bigint[])
  LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    n room_now;
    fresh int[];         -- the requests of users without a place
    new_places bigint[];
    new_ahead bigint[];
  BEGIN
    b := room_begin(called, moment);
    n := room_end(b.r, b.n, 0, 0, 0, 0);
    of_epoch := (b.r).epoch;
    SELECT array_agg(u.place ORDER BY i), array_agg(u.ahead ORDER BY i), array_agg(u.visitor ORDER BY i),
        array_agg(u.until ORDER BY i), coalesce(array_agg(i ORDER BY i) FILTER (WHERE u.visitor IS NULL), '{}')
      INTO issued, ahead, holders, ends, fresh
      FROM unnest(users) WITH ORDINALITY AS a(who, i)
      LEFT JOIN LATERAL (SELECT * FROM user_place u WHERE u.line = (b.r).line AND u.who = a.who AND room_holds(n, u)
        LIMIT 1) u ON true;
    IF cardinality(fresh) = 0 THEN
      RETURN;
    END IF;
    SELECT j.issued, j.ahead INTO new_places, new_ahead FROM room_join_tiers(called, moment,
      ARRAY(SELECT visitors[i] FROM unnest(fresh) AS i), ARRAY(SELECT present_until[i] FROM unnest(fresh) AS i),
      ARRAY(SELECT pass_until[i] FROM unnest(fresh) AS i), ARRAY(SELECT leaves[i] FROM unnest(fresh) AS i),
      ARRAY(SELECT wanted[i] FROM unnest(fresh) AS i)) AS j;
    PERFORM room_give(called, moment, ARRAY(SELECT users[i] FROM unnest(fresh) AS i),
      ARRAY(SELECT visitors[i] FROM unnest(fresh) AS i), new_places, new_ahead,
      ARRAY(SELECT room_join_users.until[i] FROM unnest(fresh) AS i), ARRAY(SELECT void_until[i] FROM unnest(fresh) AS i));
    FOR k IN 1 .. cardinality(fresh) LOOP
      issued[fresh[k]] := new_places[k];
      ahead[fresh[k]] := new_ahead[k];
    END LOOP;
  END $$;
