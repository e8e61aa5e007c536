package dev.orderly.store.postgres.room;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.CopiedRooms;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The revoked visitors of each room, the changes of its openings and its draws, as this node has read them. Every gate
 * asks for all of them every second, so only new rows are read. Beyond 100,000 of a room the visitors whose tokens
 * expire first are dropped, but none whose place was moved. Thread-safe.
 */
final class RevokedVisitorCache {
    private static final int MOST = 100_000;

    private final ConcurrentMap<RoomName, Known> rooms = new ConcurrentHashMap<>();

    private record Entry(VisitorId visitor, long number, Instant until, boolean moved) {}

    /** The columns that are the same in every row. */
    private record Planned(@Nullable String openings, DrawLedger draws, boolean tiers) {}

    /** @param firstEnd the earliest moment at which an entry may be dropped */
    private record Known(int line, long voids, Map<VisitorId, Entry> entries, Revoked revoked, Instant firstEnd) {}

    /**
     * @param moved the visitors whose places were moved
     * @param openings changes of openings by operators
     * @param draws without the seeds of draws that are not made yet
     * @param tiers whether the room has lines of tiers
     */
    record Revoked(Map<VisitorId, Instant> untils, Set<VisitorId> moved, List<OpeningChange> openings,
            DrawLedger draws, boolean tiers) {
        private static final Revoked NOBODY = new Revoked(Map.of(), Set.of(), List.of(), DrawLedger.NONE, false);

        /** The state of the row's room. */
        RoomState addTo(Connection connection, RoomRow view) throws SQLException {
            return view.with(untils, moved, openings, draws, tiers
                    ? RoomFunctions.tiers(connection, view.room(), view.at())
                    : List.of());
        }
    }

    /** The revoked visitors that belong to this row of the room. */
    Revoked of(Connection connection, RoomRow view) throws SQLException {
        if (view.voids() == 0) {
            return Revoked.NOBODY;
        }
        Known before = rooms.get(view.room());
        if (before != null && (before.line != view.line() || before.voids > view.voids())) {
            before = null;
        }
        if (before == null || before.voids < view.voids() || !before.firstEnd.isAfter(view.at())) {
            before = refreshed(connection, view, before);
            rooms.put(view.room(), before);
        }
        return before.revoked;
    }

    private static Known refreshed(Connection connection, RoomRow view, @Nullable Known before) throws SQLException {
        Map<VisitorId, Entry> entries = before == null ? new HashMap<>() : new HashMap<>(before.entries);
        List<OpeningChange> openings = before == null ? List.of() : before.revoked.openings;
        DrawLedger draws = before == null ? DrawLedger.NONE : before.revoked.draws;
        boolean tiers = before != null && before.revoked.tiers;
        if (before == null || before.voids < view.voids()) {
            List<Planned> changes = new Sql(connection, """
                    SELECT v.visitor, v.number, v.until, v.moved_to IS NOT NULL, r.openings, r.draws, r.lobby_open,
                        r.lobby_base, r.lobby_end, r.drawn, r.lobby_bases, r.lobby_ends, r.tiers FROM room r
                      LEFT JOIN voided v ON v.line + 0 = r.line AND v.number > ? WHERE r.name = ? ORDER BY v.number""")
                    .with(before == null ? 0 : before.voids).with(view.room().value()).list(row -> {
                        UUID visitor = row.getObject(1, UUID.class);
                        if (visitor != null) {
                            VisitorId id = RoomFunctions.visitor(visitor);
                            entries.put(id, new Entry(id, row.getLong(2), Instant.ofEpochMilli(row.getLong(3)),
                                    row.getBoolean(4)));
                        }
                        return new Planned(row.getString("openings"), CopiedRooms.draws(row), row.getInt("tiers") > 0);
                    });
            openings = changes.isEmpty() ? List.of() : OpeningChange.ofStored(changes.getFirst().openings);
            draws = changes.isEmpty() ? DrawLedger.NONE : changes.getFirst().draws.published();
            tiers = !changes.isEmpty() && changes.getFirst().tiers;
        }
        entries.values().removeIf(entry -> !entry.until.isAfter(view.at()));
        long revoked = entries.values().stream().filter(entry -> !entry.moved).count();
        if (revoked > MOST) {
            entries.values().stream().filter(entry -> !entry.moved).sorted(Comparator.comparing(Entry::until))
                    .limit(revoked - MOST).toList().forEach(entry -> entries.remove(entry.visitor));
        }
        Map<VisitorId, Instant> untils = new HashMap<>();
        Set<VisitorId> moved = new HashSet<>();
        Instant firstEnd = Instant.MAX;
        for (Entry entry : entries.values()) {
            untils.put(entry.visitor, entry.until);
            if (entry.moved) {
                moved.add(entry.visitor);
            }
            firstEnd = entry.until.isBefore(firstEnd) ? entry.until : firstEnd;
        }
        return new Known(view.line(), view.voids(), entries,
                new Revoked(Map.copyOf(untils), Set.copyOf(moved), openings, draws, tiers),
                firstEnd);
    }
}
