package dev.orderly.store.sqlite.table;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.state.LobbyLeaves;
import dev.orderly.room.state.PlaceRecord;
import dev.orderly.room.state.PlaceSet;
import dev.orderly.room.state.Revocation;
import dev.orderly.room.state.RoomRecord;
import dev.orderly.room.state.RoomStateMachine.Delta;
import dev.orderly.room.state.RoomStateMachine.Snapshot;
import dev.orderly.room.store.StoredLine;
import dev.orderly.room.store.UserPlace;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.CopiedRooms;
import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import dev.orderly.text.LocalizedText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Statements on the tables of rooms: {@code room}, {@code place}, {@code admission}, {@code voided},
 * {@code lobby}, {@code user_place}. */
public final class RoomTable {
    private final Connection connection;
    private final DeferredWrite room;
    private final DeferredWrite place;
    private final DeferredWrite admission;
    private final DeferredWrite voided;
    private final DeferredWrite lobby;
    private final DeferredWrite user;
    private final DeferredWrite userGone;

    RoomTable(Connection connection, DeferredWrites writes) throws SQLException {
        this.connection = connection;
        room = writes.prepare("""
                INSERT OR REPLACE INTO room(id, name, epoch, length, cursor, crowded, mode, message, granted, override,
                  capacity, admissions, period, at, openings, draws, lobby_open, lobby_base, lobby_end, drawn,
                  tiers, lobby_bases, lobby_ends)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""");
        place = writes.prepare(
                "INSERT OR REPLACE INTO place(room, epoch, place, until, used_up, visitor) VALUES(?, ?, ?, ?, ?, ?)");
        admission = writes.prepare("""
                INSERT INTO admission(room, at, number) VALUES(?, ?, ?)
                ON CONFLICT(room, at) DO UPDATE SET number = number + excluded.number""");
        lobby = writes.prepare("INSERT OR REPLACE INTO lobby(room, epoch, place, leaf) VALUES(?, ?, ?, ?)");
        user = writes
                .prepare("INSERT OR REPLACE INTO user_place(room, epoch, user, visitor, place, ahead, until, taken)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
        userGone = writes.prepare("DELETE FROM user_place WHERE room = ? AND epoch = ? AND user = ?");
        voided = writes.prepare("INSERT OR REPLACE INTO voided(room, visitor, until, moved_to) VALUES(?, ?, ?, ?)");
    }

    /** All rooms with their numbers. */
    public Map<RoomName, Integer> all() throws SQLException {
        Map<RoomName, Integer> found = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT name, id FROM room");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.put(new RoomName(rows.getString(1)), rows.getInt(2));
            }
        }
        return found;
    }

    // ---- writing

    /** @param epoch epoch of the room after the delta */
    public void write(int id, long epoch, Delta delta) throws SQLException {
        if (delta.room() != null) {
            write(id, delta.room());
        }
        if (delta.newEpoch()) {
            // The places of the old epoch are never read again; RoomRetention deletes them later.
            deleteRevoked(id);
        }
        for (PlaceRecord each : delta.places()) {
            write(id, epoch, each);
        }
        for (Map.Entry<Long, byte[]> each : delta.leaves().entrySet()) {
            PreparedStatement into = lobby.next();
            into.setInt(1, id);
            into.setLong(2, epoch);
            into.setLong(3, each.getKey());
            into.setBytes(4, each.getValue());
            into.addBatch();
        }
        for (Map.Entry<VisitorId, Optional<UserPlace>> each : delta.users().entrySet()) {
            write(id, epoch, each.getKey(), each.getValue().orElse(null));
        }
        for (Map.Entry<Instant, Integer> each : delta.admissions().entrySet()) {
            PreparedStatement into = admission.next();
            into.setInt(1, id);
            into.setLong(2, each.getKey().toEpochMilli());
            into.setInt(3, each.getValue());
            into.addBatch();
        }
        for (Map.Entry<VisitorId, Revocation> each : delta.revoked().entrySet()) {
            VisitorId movedTo = each.getValue().movedTo();
            PreparedStatement into = voided.next();
            into.setInt(1, id);
            into.setBytes(2, each.getKey().bytes());
            into.setLong(3, ColumnCodecs.millis(each.getValue().until()));
            into.setBytes(4, movedTo == null ? null : movedTo.bytes());
            into.addBatch();
        }
    }

    private void write(int id, RoomRecord record) throws SQLException {
        Limits limits = record.override();
        Rate rate = limits == null ? null : limits.rate();
        PreparedStatement into = room.next();
        into.setInt(1, id);
        into.setString(2, record.room().value());
        into.setLong(3, record.epoch());
        into.setLong(4, record.length());
        into.setLong(5, record.cursor());
        into.setBoolean(6, record.crowded());
        into.setString(7, record.mode().name());
        into.setString(8, record.message() == null ? null : record.message().stored());
        into.setInt(9, record.granted());
        into.setBoolean(10, limits != null);
        into.setObject(11, limits == null ? null : limits.capacity(), Types.INTEGER);
        into.setObject(12, rate == null ? null : rate.admissions(), Types.INTEGER);
        into.setObject(13, rate == null ? null : rate.period().toMillis(), Types.INTEGER);
        into.setLong(14, record.at().toEpochMilli());
        into.setString(15, OpeningChange.stored(record.openings()));
        into.setString(16, record.draws().stored());
        into.setBoolean(17, record.draws().open());
        into.setLong(18, record.draws().base());
        into.setLong(19, record.draws().end());
        into.setInt(20, record.draws().drawn());
        into.setString(21, StoredLine.stored(record.tiers()));
        into.setString(22, DrawLedger.text(record.draws().bases()));
        into.setString(23, DrawLedger.text(record.draws().ends()));
        into.addBatch();
    }

    private void write(int id, long epoch, PlaceRecord record) throws SQLException {
        PreparedStatement into = place.next();
        into.setInt(1, id);
        into.setLong(2, epoch);
        into.setLong(3, record.place());
        into.setLong(4, record.until().toEpochMilli());
        into.setBoolean(5, record.usedUp());
        into.setBytes(6, record.visitor().bytes());
        into.addBatch();
    }

    private void write(int id, long epoch, VisitorId key, @Nullable UserPlace has) throws SQLException {
        PreparedStatement into = has == null ? userGone.next() : user.next();
        into.setInt(1, id);
        into.setLong(2, epoch);
        into.setBytes(3, key.bytes());
        if (has != null) {
            into.setBytes(4, has.visitor().bytes());
            into.setLong(5, has.place());
            into.setLong(6, has.ahead());
            into.setLong(7, has.until().toEpochMilli());
            into.setBoolean(8, has.taken());
        }
        into.addBatch();
    }

    private void deleteRevoked(int id) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM voided WHERE room = ?")) {
            delete.setInt(1, id);
            delete.executeUpdate();
        }
    }

    // ---- reading

    public Snapshot read(int id) throws SQLException {
        RoomRecord record = record(id);
        long at = record.at().toEpochMilli();
        PlaceSet usedUp = new PlaceSet();
        each("SELECT place FROM place WHERE room = ? AND epoch = ? AND used_up AND until <= ?",
                List.of(id, record.epoch(), at), row -> usedUp.add(row.getLong("place")));
        List<PlaceRecord> places = new ArrayList<>();
        each("SELECT place, visitor, until, used_up FROM place WHERE room = ? AND epoch = ? AND until > ?",
                List.of(id, record.epoch(), at), row -> places.add(new PlaceRecord(row.getLong("place"),
                        VisitorId.of(row.getBytes("visitor")), Instant.ofEpochMilli(row.getLong("until")),
                        row.getBoolean("used_up"))));
        Map<VisitorId, Revocation> revoked = new HashMap<>();
        each("SELECT visitor, until, moved_to FROM voided WHERE room = ?", List.of(id),
                row -> revoked.put(VisitorId.of(row.getBytes("visitor")), revocation(row)));
        Map<Instant, Integer> admissions = new TreeMap<>();
        each("SELECT at, number FROM admission WHERE room = ? AND at > ?",
                List.of(id, at - Rate.LONGEST.toMillis()),
                row -> admissions.put(Instant.ofEpochMilli(row.getLong("at")), row.getInt("number")));
        LobbyLeaves leaves = new LobbyLeaves();
        each("SELECT place, leaf FROM lobby WHERE room = ? AND epoch = ?", List.of(id, record.epoch()),
                row -> leaves.put(row.getLong("place"), row.getBytes("leaf")));
        Map<VisitorId, UserPlace> users = new HashMap<>();
        each("SELECT user, visitor, place, ahead, until, taken FROM user_place WHERE room = ? AND epoch = ?",
                List.of(id, record.epoch()), row -> users.put(VisitorId.of(row.getBytes("user")),
                        new UserPlace(VisitorId.of(row.getBytes("visitor")), row.getLong("place"),
                                row.getLong("ahead"), Instant.ofEpochMilli(row.getLong("until")),
                                row.getBoolean("taken"))));
        return new Snapshot(record, usedUp, places, revoked, admissions, leaves, users);
    }

    private static Revocation revocation(ResultSet row) throws SQLException {
        byte[] movedTo = row.getBytes("moved_to");
        return new Revocation(Instant.ofEpochMilli(row.getLong("until")),
                movedTo == null ? null : VisitorId.of(movedTo));
    }

    private RoomRecord record(int id) throws SQLException {
        List<RoomRecord> found = new ArrayList<>();
        each("""
                SELECT name, epoch, length, cursor, crowded, mode, message, granted, at, override, capacity, admissions,
                  period, openings, draws, lobby_open, lobby_base, lobby_end, drawn, tiers, lobby_bases,
                  lobby_ends FROM room WHERE id = ?""",
                List.of(id),
                row -> found.add(new RoomRecord(new RoomName(row.getString("name")), row.getLong("epoch"),
                        row.getLong("length"), row.getLong("cursor"), row.getBoolean("crowded"),
                        RoomMode.valueOf(row.getString("mode")), message(row.getString("message")),
                        row.getInt("granted"), limits(row), OpeningChange.ofStored(row.getString("openings")),
                        CopiedRooms.draws(row), StoredLine.ofStored(row.getString("tiers")),
                        Instant.ofEpochMilli(row.getLong("at")))));
        return found.getFirst();
    }

    private static @Nullable LocalizedText message(@Nullable String stored) {
        return stored == null ? null : LocalizedText.ofStored(stored);
    }

    private static @Nullable Limits limits(ResultSet row) throws SQLException {
        if (!row.getBoolean("override")) {
            return null;
        }
        int capacity = row.getInt("capacity");
        boolean unbounded = row.wasNull();
        int admissions = row.getInt("admissions");
        Rate rate = row.wasNull() ? null : new Rate(admissions, Duration.ofMillis(row.getLong("period")));
        return new Limits(unbounded ? null : Integer.valueOf(capacity), rate);
    }

    private void each(String sql, List<? extends Number> arguments, RowSink sink) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int n = 0; n < arguments.size(); n++) {
                query.setLong(n + 1, arguments.get(n).longValue());
            }
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    sink.accept(rows);
                }
            }
        }
    }

    /** Callback for a row. */
    @FunctionalInterface
    private interface RowSink {
        void accept(ResultSet row) throws SQLException;
    }
}
