package dev.orderly.store.postgres.room;

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
import dev.orderly.text.LocalizedText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of the SQL type {@code room_view}.
 *
 * @param line number of the line
 * @param voids number of revocations so far
 * @param bare the room's state without its revoked visitors
 */
public record RoomRow(int line, long voids, RoomState bare) {
    /** @param now the caller's moment, which may be finer than the milliseconds of the database */
    static RoomRow read(ResultSet row, Instant now) throws SQLException {
        Instant latest = Instant.ofEpochMilli(row.getLong("latest"));
        Line line = new Line(row.getLong("length"), row.getLong("cursor"), row.getLong("horizon"),
                row.getBoolean("crowded"));
        Load load = new Load(row.getInt("active"), row.getInt("free"), row.getInt("door"), row.getInt("known"),
                row.getInt("granted"), row.getInt("gates"));
        Pace pace = new Pace(count(row, "admitted10"), count(row, "admitted60"), count(row, "called10"),
                count(row, "called60"), row.getLong("admitted"));
        return new RoomRow(row.getInt("line"), row.getLong("voids"),
                new RoomState(new RoomName(row.getString("name")), row.getLong("epoch"),
                        RoomMode.valueOf(row.getString("mode")), message(row.getString("message")), line, load, pace,
                        limits(row, ""), SlowdownReason.valueOf(row.getString("slowed")),
                        row.getBoolean("overridden") ? limits(row, "set_") : null, Map.of(), Set.of(),
                        latest.isAfter(now) ? latest : now));
    }

    RoomName room() {
        return bare.room();
    }

    Instant at() {
        return bare.at();
    }

    RoomState with(Map<VisitorId, Instant> voided, Set<VisitorId> moved, List<OpeningChange> openings,
            DrawLedger draws, List<TierLine> tiers) {
        Load load = tiers.isEmpty()
                ? bare.load()
                : new Load(bare.load().active(), bare.load().free(),
                        bare.load().door() + tiers.stream().mapToInt(TierLine::door).sum(), bare.load().known(),
                        bare.load().granted(), bare.load().gates());
        return new RoomState(bare.room(), bare.epoch(), bare.mode(), bare.message(), bare.line(), load,
                bare.pace(), bare.limits(), bare.slowed(), bare.override(), voided, moved,
                openings, draws, tiers, bare.at());
    }

    private static @Nullable LocalizedText message(@Nullable String stored) {
        return stored == null ? null : LocalizedText.ofStored(stored);
    }

    private static int count(ResultSet row, String column) throws SQLException {
        return (int) Math.min(Integer.MAX_VALUE, row.getLong(column));
    }

    private static Limits limits(ResultSet row, String prefix) throws SQLException {
        Integer capacity = number(row, prefix + "capacity");
        Integer admissions = number(row, prefix + "admissions");
        return new Limits(capacity, admissions == null
                ? null
                : new Rate(admissions, Duration.ofMillis(row.getLong(prefix + "period"))));
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        int number = row.getInt(column);
        return row.wasNull() ? null : Integer.valueOf(number);
    }
}
