-- Places by invitations. The rules are those of RoomStateMachine in the core. What became of an invitation is in voided,
-- under an id that no visitor has.

-- What a place is to its visitor: 0 nothing, 1 waits and is not called, 2 is called or has a pass. lobby: as in room_redeem.
CREATE FUNCTION room_worth(r room, n room_now, holder uuid, held bigint, lobby bigint) RETURNS int STABLE LANGUAGE plpgsql AS $$
  DECLARE
    line_number int := least(held >> 44, 1000)::int;
  BEGIN
    IF holder IS NULL OR EXISTS(SELECT FROM voided v WHERE v.line = r.line AND v.visitor = holder) THEN
      RETURN 0;
    ELSIF EXISTS(SELECT FROM pass p WHERE p.line = r.line AND p.visitor = holder AND p.until > n.latest) THEN
      RETURN 2;
    ELSIF lobby IS NOT NULL THEN
      RETURN 1;
    ELSIF NOT room_issued(r, held) OR EXISTS(SELECT FROM used_up u WHERE u.line = r.line AND u.chunk = held >> 10
        AND get_bit(u.places, (held & 1023)::int) = 1) THEN
      RETURN 0;
    END IF;
    RETURN CASE WHEN held <= CASE WHEN line_number = 0 THEN r.cursor
      ELSE (SELECT t.cursor FROM tier t WHERE t.room = r.id AND t.number = line_number) END THEN 2 ELSE 1 END;
  END $$;

-- leaf: as in room_join. code, series: the ids of the invitation and of its series. former: the visitor of the former place; null for none.
-- lobby: the end of a former ticket that waits for a draw; null for any other place. keeper: the visitor who has the place of the
-- user; null if the user has none. stays: whether a gate out of reach may let an ended stay of the user go on. outcome: TAKEN, or why there is no place. issued: the place. ahead: as in room_join. 10000 is MoveRequest.MOST.
CREATE FUNCTION room_redeem(called text, moment bigint, asking uuid, present_until bigint, pass_until bigint,
    leaf text, wanted text, code uuid, series uuid, invited_epoch bigint, ends bigint, former uuid, former_place bigint,
    lobby bigint, keeper uuid, stays boolean, OUT outcome text, OUT of_epoch bigint, OUT issued bigint, OUT ahead bigint) LANGUAGE plpgsql AS $$
  DECLARE
    b record;
    r room;
    n room_now;
    known voided;
    own int;
    worth int;
    half text := left(replace(asking::text, '-', ''), 16);
  BEGIN
    b := room_begin(called, moment);
    r := b.r;
    n := b.n;
    SELECT v.* INTO known FROM voided v WHERE v.line = r.line AND v.visitor = code;
    SELECT t.number INTO own FROM tier t WHERE t.room = r.id AND t.number > 0 AND t.name = wanted;
    worth := room_worth(r, n, former, former_place, lobby);
    PERFORM room_end(r, n, 0, 0, 0, 0);
    of_epoch := r.epoch;
    issued := 0;
    IF invited_epoch = r.epoch AND left(replace(known.moved_to::text, '-', ''), 16) = half THEN
      outcome := 'TAKEN';
      issued := ('x' || right(replace(known.moved_to::text, '-', ''), 16))::bit(64)::bigint;
      ahead := greatest(0, issued - 1 - coalesce((SELECT t.cursor FROM tier t
        WHERE t.room = r.id AND t.number = (issued >> 44)::int), 0));
      RETURN;
    END IF;
    outcome := CASE
      WHEN invited_epoch <> r.epoch OR ends <= n.latest THEN 'OVER'
      WHEN EXISTS(SELECT FROM voided v WHERE v.line = r.line AND v.visitor = series) THEN 'REVOKED'
      WHEN known.line IS NOT NULL THEN CASE WHEN known.moved_to IS NULL THEN 'REVOKED' ELSE 'USED' END
      WHEN stays THEN 'LATER'
      WHEN keeper <> former OR (former IS NULL AND keeper IS NOT NULL) THEN 'SHARED'
      WHEN worth = 2 OR (worth = 1 AND former_place >> 44 = coalesce(own, 0)) THEN 'SOONER'
      WHEN own IS NULL OR (former IS NOT NULL AND (lobby IS NOT NULL) <> room_in_lobby(r, former_place))
        OR (SELECT count(*) FROM voided v WHERE - v.line = - r.line AND v.moved_to IS NOT NULL) >= 10000 THEN 'LATER'
      ELSE 'TAKEN' END;
    IF outcome <> 'TAKEN' THEN
      RETURN;
    END IF;
    IF worth = 1 THEN
      PERFORM room_depart(called, moment, ARRAY[former], ARRAY[r.epoch],
        ARRAY[CASE WHEN lobby IS NULL THEN former_place ELSE 0 END], ARRAY[coalesce(lobby, moment)]);
    END IF;
    SELECT j.issued[1], j.ahead[1] INTO issued, ahead FROM room_join_tiers(called, moment, ARRAY[asking],
      ARRAY[present_until], ARRAY[pass_until], ARRAY[leaf], ARRAY[wanted]) AS j;
    UPDATE room SET voids = voids + 1 WHERE id = r.id RETURNING voids INTO r.voids;
    INSERT INTO voided(line, visitor, number, until, moved_to)
      VALUES(r.line, code, r.voids, ends, (half || lpad(to_hex(issued), 16, '0'))::uuid);
  END $$;
