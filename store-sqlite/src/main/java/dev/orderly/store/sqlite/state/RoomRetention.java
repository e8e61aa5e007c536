package dev.orderly.store.sqlite.state;

import dev.orderly.room.Rate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Prunes expired rows of one room. Every ten minutes it walks over all places of the room, a bounded span per step. A
 * step that is rolled back is made up for by the next walk.
 */
final class RoomRetention {
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final int STEP = 10_000;

    private final int room;
    private Instant begun = Instant.MIN;
    private boolean walking;
    private long epoch;
    private long place;

    RoomRetention(int room) {
        this.room = room;
    }

    /**
     * Runs a step of the walk, or starts a walk if it is due.
     *
     * @param current the current epoch; all places of earlier epochs are deleted
     * @param before places of the current epoch whose passes ended before are deleted
     */
    void step(Connection connection, long current, Instant before, Instant now) throws SQLException {
        if (!walking) {
            if (now.isBefore(begun) || now.isAfter(begun.plus(EVERY))) {
                begin(connection, current, now);
            }
            return;
        }
        seek(connection);
        if (walking) {
            delete(connection,
                    "DELETE FROM place WHERE room = ? AND epoch = ? AND place >= ? AND place < ? AND until < ?",
                    room, epoch, place, place + STEP, epoch < current ? Long.MAX_VALUE : before.toEpochMilli());
            place += STEP;
        }
    }

    private void begin(Connection connection, long current, Instant now) throws SQLException {
        begun = now;
        walking = true;
        epoch = 0;
        place = 0;
        delete(connection, "DELETE FROM admission WHERE room = ? AND at <= ?", room,
                now.minus(Rate.LONGEST).toEpochMilli());
        delete(connection, "DELETE FROM lobby WHERE room = ? AND epoch < ?", room, current);
        delete(connection, "DELETE FROM user_place WHERE room = ? AND epoch < ?", room, current);
        delete(connection, "DELETE FROM voided WHERE room = ? AND until <= ?", room, now.toEpochMilli());
    }

    /** Moves to the next stored place; ends the walk if there is none. */
    private void seek(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT epoch, place FROM place WHERE room = ? AND (epoch, place) >= (?, ?)
                ORDER BY epoch, place LIMIT 1""")) {
            bind(query, room, epoch, place);
            try (ResultSet row = query.executeQuery()) {
                walking = row.next();
                if (walking) {
                    epoch = row.getLong(1);
                    place = row.getLong(2);
                }
            }
        }
    }

    private static void delete(Connection connection, String sql, long... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, arguments);
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, long... arguments) throws SQLException {
        for (int n = 0; n < arguments.length; n++) {
            statement.setLong(n + 1, arguments[n]);
        }
    }
}
