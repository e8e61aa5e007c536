package dev.orderly.store.postgres.copy;

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
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.CopiedRooms;
import dev.orderly.store.sql.CopiedRooms.Line;
import dev.orderly.store.sql.CopiedRooms.Part;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Rooms, and the used-up tickets, passes, revocations and admissions of their lines. */
final class PostgresRoomCopy {
    /** Chunks of {@link UsedPlaces} in a row of {@code used_up}. */
    private static final int CHUNKS = 4;
    private static final int ROW = CHUNKS * UsedPlaces.PLACES;

    Page read(Connection connection, CopyKind kind, String after, int limit, Instant moment) throws SQLException {
        if (kind == CopyKind.ROOMS) {
            return Page.whole(new Sql(connection, "SELECT name, epoch, length, cursor, crowded, granted, mode, message,"
                    + " overridden, capacity, admissions, period, openings, draws, lobby_open,"
                    + " lobby_base, lobby_end, drawn, lobby_bases, lobby_ends,"
                    + " (SELECT string_agg(concat_ws(' ', t.name, t.share, t.length,"
                    + " t.cursor, t.served, t.last, t.admitted), chr(10) ORDER BY t.number) FROM tier t"
                    + " WHERE t.room = room.id) AS tiers FROM room").list(CopiedRooms::room));
        }
        return CopiedRooms.page(after, name -> new Sql(connection,
                "SELECT name, id, line FROM room WHERE name >= ? ORDER BY name LIMIT 2").with(name)
                .list(row -> new Line(new RoomName(row.getString("name")), row.getInt("id"), row.getInt("line"))),
                (line, behind) -> part(connection, kind, line, behind, limit, moment));
    }

    private static Part part(Connection connection, CopyKind kind, Line line, String behind, int limit,
            Instant moment) throws SQLException {
        long now = moment.toEpochMilli();
        return switch (kind) {
            case USED_PLACES -> usedPlaces(connection, line, behind.isEmpty() ? -1 : Long.parseLong(behind), limit);
            case PASSES -> Part.of(new Sql(connection, "SELECT visitor, place, until, taken FROM pass"
                    + " WHERE line = ? AND visitor > ? AND until > ? ORDER BY visitor LIMIT ?").with(line.number())
                    .with(visitor(behind)).with(now).with(limit)
                    .list(row -> new Pass(line.name(), visitor(row), row.getLong("place"),
                            Instant.ofEpochMilli(row.getLong("until")), row.getBoolean("taken"))),
                    limit, last -> column(last.visitor()).toString());
            case REVOCATIONS -> Part.of(new Sql(connection, "SELECT visitor, until, moved_to FROM voided"
                    + " WHERE line = ? AND visitor > ? AND until > ? ORDER BY visitor LIMIT ?").with(line.number())
                    .with(visitor(behind)).with(now).with(limit)
                    .list(row -> new Revocation(line.name(), visitor(row), Instant.ofEpochMilli(row.getLong("until")),
                            row.getObject("moved_to", UUID.class) == null
                                    ? null
                                    : visitor(row.getObject("moved_to", UUID.class)))),
                    limit, last -> column(last.visitor()).toString());
            case USER_PLACES -> Part.of(new Sql(connection, "SELECT who, visitor, place, ahead, until, taken"
                    + " FROM user_place WHERE line = ? AND who > ? ORDER BY who LIMIT ?").with(line.number())
                    .with(visitor(behind)).with(limit)
                    .list(row -> new UserPlace(line.name(), visitor(row.getObject("who", UUID.class)), visitor(row),
                            row.getLong("place"), row.getLong("ahead"), Instant.ofEpochMilli(row.getLong("until")),
                            row.getBoolean("taken"))),
                    limit, last -> column(last.user()).toString());
            case LOBBY_TICKETS -> Part.of(new Sql(connection, "SELECT place, leaf FROM lobby"
                    + " WHERE line = ? AND place > ? ORDER BY place LIMIT ?").with(line.number())
                    .with(behind.isEmpty() ? 0 : Long.parseLong(behind)).with(limit)
                    .list(row -> new LobbyTicket(line.name(), row.getLong("place"),
                            HexFormat.of().formatHex(row.getBytes("leaf")))),
                    limit, last -> Long.toString(last.place()));
            default -> Part.of(new Sql(connection, "SELECT at, number FROM admission WHERE room = ? AND at > ?"
                    + " ORDER BY at LIMIT ?").with(line.id())
                    .with(Math.max(behind.isEmpty() ? Long.MIN_VALUE : Long.parseLong(behind),
                            now - Rate.LONGEST.toMillis()))
                    .with(limit)
                    .list(row -> new Admission(line.name(), Instant.ofEpochMilli(row.getLong("at")),
                            row.getInt("number"))),
                    limit, last -> Long.toString(last.at().toEpochMilli()));
        };
    }

    private static UUID visitor(String behind) {
        return behind.isEmpty() ? new UUID(0, 0) : UUID.fromString(behind);
    }

    private static VisitorId visitor(ResultSet row) throws SQLException {
        return visitor(row.getObject("visitor", UUID.class));
    }

    private static VisitorId visitor(UUID column) {
        return new VisitorId(column.getMostSignificantBits(), column.getLeastSignificantBits());
    }

    private static UUID column(VisitorId visitor) {
        return new UUID(visitor.high(), visitor.low());
    }

    private static Part usedPlaces(Connection connection, Line line, long behind, int limit) throws SQLException {
        List<CopiedRecord> found = new ArrayList<>();
        List<Long> rows = new Sql(connection,
                "SELECT chunk, places::text AS places FROM used_up WHERE line = ? AND chunk > ?"
                        + " ORDER BY chunk LIMIT ?")
                .with(line.number()).with(behind).with(limit).list(row -> {
                    String bits = row.getString("places");
                    long chunk = row.getLong("chunk");
                    for (int part = 0; part < CHUNKS; part++) {
                        UsedPlaces places = UsedPlaces.none(line.name(), chunk * CHUNKS + part);
                        int start = part * UsedPlaces.PLACES;
                        int at = bits.indexOf('1', start);
                        for (; at >= 0 && at < start + UsedPlaces.PLACES; at = bits.indexOf('1', at + 1)) {
                            places.add(chunk * ROW + at);
                        }
                        if (bits.indexOf('1', start) >= 0
                                && bits.indexOf('1', start) < start + UsedPlaces.PLACES) {
                            found.add(places);
                        }
                    }
                    return chunk;
                });
        return new Part(found, rows.size() < limit ? null : Long.toString(rows.getLast()));
    }

    void write(Connection connection, Chunk chunk) throws SQLException {
        for (CopiedRecord each : chunk.records()) {
            switch (each) {
                case Room room -> write(connection, room);
                case UsedPlaces places -> write(connection, places, chunk.moment());
                case Pass pass -> new Sql(connection, "INSERT INTO pass(line, visitor, place, until, taken)"
                        + " SELECT line, ?, ?, ?, ? FROM room WHERE name = ?").with(column(pass.visitor()))
                        .with(pass.place()).with(pass.until().toEpochMilli()).with(pass.taken())
                        .with(pass.room().value()).update();
                case Revocation revocation -> new Sql(connection, "WITH counted AS ("
                        + "UPDATE room SET voids = voids + 1 WHERE name = ? RETURNING line, voids)"
                        + " INSERT INTO voided(line, visitor, number, until, moved_to)"
                        + " SELECT line, ?, voids, ?, ?::uuid FROM counted")
                        .with(revocation.room().value()).with(column(revocation.visitor()))
                        .with(revocation.until().toEpochMilli())
                        .with(revocation.movedTo() == null ? null : column(revocation.movedTo())).update();
                case Admission admission -> new Sql(connection, "INSERT INTO admission(room, at, number)"
                        + " SELECT id, ?, ? FROM room WHERE name = ?").with(admission.at().toEpochMilli())
                        .with(admission.number()).with(admission.room().value()).update();
                case LobbyTicket ticket -> new Sql(connection, "INSERT INTO lobby(line, place, leaf)"
                        + " SELECT line, ?, decode(?, 'hex') FROM room WHERE name = ?").with(ticket.place())
                        .with(ticket.leaf()).with(ticket.room().value()).update();
                case UserPlace user -> new Sql(connection, "INSERT INTO user_place(line, who, visitor, place, ahead,"
                        + " until, taken) SELECT line, ?, ?, ?, ?, ?, ? FROM room WHERE name = ?")
                        .with(column(user.user())).with(column(user.visitor())).with(user.place()).with(user.ahead())
                        .with(user.until().toEpochMilli()).with(user.taken()).with(user.room().value()).update();
                default -> throw new IllegalArgumentException("No record of a room: " + each.kind());
            }
        }
    }

    private static void write(Connection connection, Room room) throws SQLException {
        Limits limits = room.override();
        Rate rate = limits == null ? null : limits.rate();
        new Sql(connection, "INSERT INTO room(name, epoch, length, cursor, crowded, granted, mode, calls, admits,"
                + " message, overridden, capacity, admissions, period, openings, voids, draws,"
                + " lobby_open, lobby_base, lobby_end, drawn, tiers, lobby_bases, lobby_ends)"
                + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1),"
                + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .with(room.name().value()).with(room.epoch()).with(room.line().length()).with(room.line().cursor())
                .with(room.line().crowded()).with(room.granted()).with(room.mode().name()).with(room.mode().calls())
                .with(room.mode().admits()).with(room.message() == null ? null : room.message().stored())
                .with(limits != null).with(limits == null || limits.capacity() == null ? -1 : limits.capacity())
                .with(rate == null ? -1 : rate.admissions())
                .with(rate == null ? -1 : Math.toIntExact(rate.period().toMillis()))
                .with(OpeningChange.stored(room.openings()))
                .with(room.openings().isEmpty() && room.draws().equals(DrawLedger.NONE) && room.tiers().isEmpty()
                        ? 0L
                        : 1L)
                .with(room.draws().stored()).with(room.draws().open()).with(room.draws().base())
                .with(room.draws().end()).with(room.draws().drawn()).with(Math.max(0, room.tiers().size() - 1))
                .with(DrawLedger.text(room.draws().bases())).with(DrawLedger.text(room.draws().ends()))
                .update();
        for (int number = 0; number < room.tiers().size(); number++) {
            StoredLine line = room.tiers().get(number);
            new Sql(connection, "INSERT INTO tier(room, number, name, share, length, cursor, horizon, served, last,"
                    + " admitted) SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM room WHERE name = ?").with(number)
                    .with(line.name()).with(line.share()).with(line.length()).with(line.cursor()).with(line.cursor())
                    .with(line.served()).with(line.last()).with(line.admitted()).with(room.name().value()).update();
        }
    }

    private static void write(Connection connection, UsedPlaces places, Instant moment) throws SQLException {
        StringBuilder bits = new StringBuilder("0".repeat(ROW));
        int start = (int) (places.chunk() % CHUNKS) * UsedPlaces.PLACES;
        for (int offset = 0; offset < UsedPlaces.PLACES; offset++) {
            if (places.has(offset)) {
                bits.setCharAt(start + offset, '1');
            }
        }
        new Sql(connection, "INSERT INTO used_up(line, chunk, latest, places)"
                + " SELECT line, ?, ?, ?::text::bit(1024) FROM room WHERE name = ?"
                + " ON CONFLICT(line, chunk) DO UPDATE SET places = used_up.places | excluded.places")
                .with(places.chunk() / CHUNKS).with(moment.toEpochMilli()).with(bits.toString())
                .with(places.room().value()).update();
    }
}
