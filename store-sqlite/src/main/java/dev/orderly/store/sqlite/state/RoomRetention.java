package dev.orderly.store.sqlite.state;

import dev.orderly.room.Rate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Forgets what need not be kept of one room any more. From time to time it walks over all of its places, a bounded span
 * at each step. A step that is rolled back is simply not done: the next walk comes by again.
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
     * A step, if it is time for one.
     *
     * @param current places of earlier epochs go, whatever they are
     * @param before places whose passes ended before go too
     */
    void step(Connection connection, long current, Instant before, Instant now) throws SQLException {
        if (!walking) {
            if (now.isBefore(begun) || now.isAfter(begun.plus(EVERY))) {
                begin(connection, now);
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

    private void begin(Connection connection, Instant now) throws SQLException {
        begun = now;
        walking = true;
        epoch = 0;
        place = 0;
        delete(connection, "DELETE FROM admission WHERE room = ? AND at <= ?", room,
                now.minus(Rate.LONGEST).toEpochMilli());
        delete(connection, "DELETE FROM voided WHERE room = ? AND until <= ?", room, now.toEpochMilli());
    }

    /** Goes on to the next place that is kept; ends the walk if there is none. */
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
