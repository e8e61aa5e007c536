package dev.orderly.store.sqlite.copy;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.StoredLine;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopiedRecord.Admission;
import dev.orderly.store.copy.CopiedRecord.LobbyTicket;
import dev.orderly.store.copy.CopiedRecord.Pass;
import dev.orderly.store.copy.CopiedRecord.Revocation;
import dev.orderly.store.copy.CopiedRecord.Room;
import dev.orderly.store.copy.CopiedRecord.UsedPlaces;
import dev.orderly.store.copy.CopiedRecord.UserPlace;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort.Chunk;
import dev.orderly.store.copy.CopySource.Page;
import dev.orderly.store.sql.CopiedRooms;
import dev.orderly.store.sql.CopiedRooms.Line;
import dev.orderly.store.sql.CopiedRooms.Part;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rooms, and the places, passes, revocations and admissions of their epochs. */
final class SqliteRoomCopy {
    /** Used-up places have no visitor when they come from a store that keeps no more than their number. */
    private static final byte[] NO_VISITOR = new byte[16];
    private static final int CHUNKS = 64;

    Page read(Connection connection, CopyKind kind, String after, int limit, Instant moment) throws SQLException {
        if (kind == CopyKind.ROOMS) {
            return Page.whole(CopySql.list(connection, "SELECT name, epoch, length, cursor, crowded, granted, mode,"
                    + " message, override AS overridden, capacity, admissions, period, openings,"
                    + " draws, lobby_open, lobby_base, lobby_end, drawn, tiers, lobby_bases, lobby_ends FROM room",
                    CopiedRooms::room));
        }
        return CopiedRooms.page(after, name -> CopySql.list(connection,
                "SELECT name, id, epoch FROM room WHERE name >= ? ORDER BY name LIMIT 2",
                row -> new Line(new RoomName(row.getString("name")), row.getInt("id"), row.getLong("epoch")), name),
                (line, behind) -> part(connection, kind, line, behind, limit, moment));
    }

    private static Part part(Connection connection, CopyKind kind, Line line, String behind, int limit,
            Instant moment) throws SQLException {
        long now = moment.toEpochMilli();
        long number = kind == CopyKind.REVOCATIONS || kind == CopyKind.USER_PLACES || behind.isEmpty()
                ? Long.MIN_VALUE
                : Long.parseLong(behind);
        return switch (kind) {
            case USED_PLACES -> usedPlaces(connection, line, Math.max(0, number));
            case PASSES -> Part.of(CopySql.list(connection, "SELECT place, visitor, until, used_up FROM place"
                    + " WHERE room = ? AND epoch = ? AND place > ? AND until > ? ORDER BY place LIMIT ?",
                    row -> new Pass(line.name(), VisitorId.of(row.getBytes("visitor")), row.getLong("place"),
                            Instant.ofEpochMilli(row.getLong("until")), row.getBoolean("used_up")),
                    line.id(), line.number(), number, now, limit), limit, last -> Long.toString(last.place()));
            case REVOCATIONS -> Part.of(CopySql.list(connection, "SELECT visitor, until, moved_to FROM voided"
                    + " WHERE room = ? AND visitor > ? AND until > ? ORDER BY visitor LIMIT ?",
                    row -> new Revocation(line.name(), VisitorId.of(row.getBytes("visitor")),
                            Instant.ofEpochMilli(row.getLong("until")), visitor(row.getBytes("moved_to"))),
                    line.id(), HexFormat.of().parseHex(behind), now, limit), limit,
                    last -> HexFormat.of().formatHex(last.visitor().bytes()));
            case USER_PLACES -> Part.of(CopySql.list(connection, "SELECT user, visitor, place, ahead, until, taken"
                    + " FROM user_place WHERE room = ? AND epoch = ? AND user > ? ORDER BY user LIMIT ?",
                    row -> new UserPlace(line.name(), VisitorId.of(row.getBytes("user")),
                            VisitorId.of(row.getBytes("visitor")), row.getLong("place"), row.getLong("ahead"),
                            Instant.ofEpochMilli(row.getLong("until")), row.getBoolean("taken")),
                    line.id(), line.number(), HexFormat.of().parseHex(behind), limit), limit,
                    last -> HexFormat.of().formatHex(last.user().bytes()));
            case LOBBY_TICKETS -> Part.of(CopySql.list(connection, "SELECT place, leaf FROM lobby"
                    + " WHERE room = ? AND epoch = ? AND place > ? ORDER BY place LIMIT ?",
                    row -> new LobbyTicket(line.name(), row.getLong("place"),
                            HexFormat.of().formatHex(row.getBytes("leaf"))),
                    line.id(), line.number(), number, limit), limit, last -> Long.toString(last.place()));
            default -> Part.of(CopySql.list(connection, "SELECT at, number FROM admission"
                    + " WHERE room = ? AND at > ? ORDER BY at LIMIT ?",
                    row -> new Admission(line.name(), Instant.ofEpochMilli(row.getLong("at")), row.getInt("number")),
                    line.id(), Math.max(number, now - Rate.LONGEST.toMillis()), limit), limit,
                    last -> Long.toString(last.at().toEpochMilli()));
        };
    }

    private static @Nullable VisitorId visitor(byte @Nullable [] column) {
        return column == null ? null : VisitorId.of(column);
    }

    /** The chunks of the next {@value #CHUNKS} spans from the first used-up place on. */
    private static Part usedPlaces(Connection connection, Line line, long from) throws SQLException {
        List<Long> next = CopySql.list(connection, "SELECT place FROM place"
                + " WHERE room = ? AND epoch = ? AND place >= ? AND used_up ORDER BY place LIMIT 1",
                row -> row.getLong("place"), line.id(), line.number(), from);
        if (next.isEmpty()) {
            return new Part(List.of(), null);
        }
        long first = next.getFirst();
        long end = (first / UsedPlaces.PLACES + CHUNKS) * UsedPlaces.PLACES;
        List<UsedPlaces> chunks = new ArrayList<>();
        CopySql.list(connection, "SELECT place FROM place WHERE room = ? AND epoch = ? AND place >= ? AND place < ?"
                + " AND used_up ORDER BY place", row -> {
                    long place = row.getLong("place");
                    if (chunks.isEmpty() || chunks.getLast().chunk() != place / UsedPlaces.PLACES) {
                        chunks.add(UsedPlaces.none(line.name(), place / UsedPlaces.PLACES));
                    }
                    chunks.getLast().add(place);
                    return true;
                }, line.id(), line.number(), first, end);
        return new Part(chunks, Long.toString(end));
    }

    void write(Connection connection, Chunk chunk) throws SQLException {
        long moment = chunk.moment().toEpochMilli();
        for (CopiedRecord each : chunk.records()) {
            switch (each) {
                case Room room -> write(connection, room, moment);
                case UsedPlaces places -> write(connection, places, moment);
                case Pass pass -> CopySql.update(connection,
                        "INSERT OR REPLACE INTO place(room, epoch, place, until, used_up, visitor)"
                                + " SELECT id, epoch, ?, ?, ?, ? FROM room WHERE name = ?",
                        pass.place(), pass.until().toEpochMilli(), pass.taken(), pass.visitor().bytes(),
                        pass.room().value());
                case Revocation revocation -> CopySql.update(connection,
                        "INSERT INTO voided(room, visitor, until, moved_to) SELECT id, ?, ?, ? FROM room"
                                + " WHERE name = ?",
                        revocation.visitor().bytes(), revocation.until().toEpochMilli(),
                        revocation.movedTo() == null ? null : revocation.movedTo().bytes(),
                        revocation.room().value());
                case Admission admission -> CopySql.update(connection,
                        "INSERT INTO admission(room, at, number) SELECT id, ?, ? FROM room WHERE name = ?",
                        admission.at().toEpochMilli(), admission.number(), admission.room().value());
                case LobbyTicket ticket -> CopySql.update(connection,
                        "INSERT INTO lobby(room, epoch, place, leaf) SELECT id, epoch, ?, ? FROM room WHERE name = ?",
                        ticket.place(), HexFormat.of().parseHex(ticket.leaf()), ticket.room().value());
                case UserPlace user -> CopySql.update(connection,
                        "INSERT INTO user_place(room, epoch, user, visitor, place, ahead, until, taken)"
                                + " SELECT id, epoch, ?, ?, ?, ?, ?, ? FROM room WHERE name = ?",
                        user.user().bytes(), user.visitor().bytes(), user.place(), user.ahead(),
                        user.until().toEpochMilli(), user.taken(), user.room().value());
                default -> throw new IllegalArgumentException("No record of a room: " + each.kind());
            }
        }
    }

    private static void write(Connection connection, Room room, long moment) throws SQLException {
        Limits limits = room.override();
        Rate rate = limits == null ? null : limits.rate();
        CopySql.update(connection, "INSERT INTO room(name, epoch, length, cursor, crowded, granted, mode, message,"
                + " override, capacity, admissions, period, at, openings, draws, lobby_open, lobby_base,"
                + " lobby_end, drawn, tiers, lobby_bases, lobby_ends)"
                + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                room.name().value(), room.epoch(), room.line().length(), room.line().cursor(), room.line().crowded(),
                room.granted(), room.mode().name(), room.message() == null ? null : room.message().stored(),
                limits != null, limits == null ? null : limits.capacity(), rate == null ? null : rate.admissions(),
                rate == null ? null : rate.period().toMillis(), moment, OpeningChange.stored(room.openings()),
                room.draws().stored(), room.draws().open(), room.draws().base(), room.draws().end(),
                room.draws().drawn(), StoredLine.stored(room.tiers()), DrawLedger.text(room.draws().bases()),
                DrawLedger.text(room.draws().ends()));
    }

    /** Stores places as ended at the moment of the copy; the passes, which follow, replace places of live passes. */
    private static void write(Connection connection, UsedPlaces places, long moment) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO place(room, epoch, place, until, used_up, visitor)"
                        + " SELECT id, epoch, ?, ?, true, ? FROM room WHERE name = ?")) {
            for (int offset = 0; offset < UsedPlaces.PLACES; offset++) {
                if (places.has(offset)) {
                    CopySql.add(insert, places.chunk() * UsedPlaces.PLACES + offset, moment, NO_VISITOR,
                            places.room().value());
                }
            }
            insert.executeBatch();
        }
    }
}
