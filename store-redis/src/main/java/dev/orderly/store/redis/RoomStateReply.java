package dev.orderly.store.redis;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.StoredLine;
import dev.orderly.text.LocalizedText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A room's state in the form of answer.lua: lists of numbers and texts in a fixed order. */
record RoomStateReply(List<Object> parts) {
    private static final String NONE = "-";
    /** Index of the part with the lines of tiers. */
    private static final int TIERS = 8;

    /**
     * The revoked visitors that belong to a stamp of the store.
     *
     * @param stamp changes with every change of the visitors
     * @param moved the visitors whose places were moved
     * @param draws without the seeds of draws that are not made yet
     */
    record KnownVoid(String stamp, Map<VisitorId, Instant> untils, Set<VisitorId> moved, DrawLedger draws) {
        static final KnownVoid NOBODY = new KnownVoid("", Map.of(), Set.of(), DrawLedger.NONE);

        KnownVoid {
            untils = Map.copyOf(untils);
            moved = Set.copyOf(moved);
        }
    }

    /** Limits in the form of the scripts: capacity, admissions, period in milliseconds. */
    static String text(Limits limits) {
        Rate rate = limits.rate();
        return (limits.capacity() == null ? NONE : limits.capacity().toString()) + " "
                + (rate == null ? NONE + " " + NONE : rate.admissions() + " " + rate.period().toMillis());
    }

    static Limits limits(String text) {
        String[] parts = text.split(" ", -1);
        Rate rate = parts[1].equals(NONE)
                ? null
                : new Rate(Integer.parseInt(parts[1]), Duration.ofMillis(Long.parseLong(parts[2])));
        return new Limits(parts[0].equals(NONE) ? null : Integer.valueOf(parts[0]), rate);
    }

    /** The revoked visitors of this state; the known ones if the answer has none. */
    KnownVoid voided(KnownVoid known) {
        List<?> found = list(5);
        if (found == null) {
            return known;
        }
        Map<VisitorId, Instant> untils = new HashMap<>();
        for (int n = 0; n < found.size(); n += 2) {
            untils.put(visitor(found.get(n)), Instant.ofEpochMilli(Long.parseLong(String.valueOf(found.get(n + 1)))));
        }
        Set<VisitorId> moved = Objects.requireNonNull(list(6)).stream().map(RoomStateReply::visitor)
                .collect(Collectors.toSet());
        List<String> draws = Objects.requireNonNull(list(7)).stream()
                .map(each -> each == null ? "" : String.valueOf(each)).toList();
        return new KnownVoid(text(4, 5), untils, moved, draws(draws).published());
    }

    /** Draws of the fields of a room, in the order of answer.lua; an absent one is empty. */
    static DrawLedger draws(List<String> fields) {
        return DrawLedger.of(ifAny(fields.get(0)), number(fields.get(1), 0) == 1, number(fields.get(2), -1),
                number(fields.get(3), -1), (int) number(fields.get(4), 0), ifAny(fields.get(5)), ifAny(fields.get(6)));
    }

    private static @Nullable String ifAny(String field) {
        return field.isEmpty() ? null : field;
    }

    private static long number(String field, long absent) {
        return field.isEmpty() ? absent : Long.parseLong(field);
    }

    private static VisitorId visitor(@Nullable Object text) {
        return VisitorId.parse(String.valueOf(text)).orElseThrow();
    }

    RoomState state(RoomName room, KnownVoid voided) {
        Line line = new Line(number(1, 1), number(1, 2), number(1, 3), number(1, 4) == 1);
        Load load = new Load(count(2, 0), count(2, 1), count(2, 2), count(2, 3), count(2, 4), count(2, 5));
        Pace pace = new Pace(count(3, 0), count(3, 1), count(3, 2), count(3, 3), number(3, 4));
        String message = find(4, 1);
        String override = find(4, 4);
        return new RoomState(room, number(1, 0), RoomMode.valueOf(text(4, 0)),
                message == null ? null : LocalizedText.ofStored(message), line, load, pace,
                limits(text(4, 2)), SlowdownReason.valueOf(text(4, 3)), override == null ? null : limits(override),
                voided.untils(), voided.moved(), OpeningChange.ofStored(find(4, 6)), voided.draws(), tiers(),
                Instant.ofEpochMilli(number(1, 5)));
    }

    /** The lines of tiers; the answer ends before them in a room without tiers. */
    private List<TierLine> tiers() {
        if (parts.size() <= TIERS) {
            return List.of();
        }
        List<String> rows = text(TIERS, 0).lines().toList();
        List<Integer> door = new ArrayList<>();
        List<Integer> known = new ArrayList<>();
        List<Long> horizons = new ArrayList<>();
        for (int number = 0; number < rows.size(); number++) {
            door.add(count(TIERS, 2 * number + 1));
            known.add(count(TIERS, 2 * number + 2));
            horizons.add(Long.parseLong(rows.get(number).substring(rows.get(number).lastIndexOf(' ') + 1)));
        }
        return StoredLine.tiers(StoredLine.ofStored(text(TIERS, 0)), horizons, door, known);
    }

    private @Nullable List<?> list(int part) {
        return (List<?>) parts.get(part);
    }

    private @Nullable Object at(int part, int index) {
        return Objects.requireNonNull(list(part)).get(index);
    }

    private long number(int part, int index) {
        return (Long) Objects.requireNonNull(at(part, index));
    }

    private int count(int part, int index) {
        return (int) Math.min(Integer.MAX_VALUE, number(part, index));
    }

    private @Nullable String find(int part, int index) {
        return (String) at(part, index);
    }

    private String text(int part, int index) {
        return Objects.requireNonNull(find(part, index));
    }
}
