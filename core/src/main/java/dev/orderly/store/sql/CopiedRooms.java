package dev.orderly.store.sql;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.store.StoredLine;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopiedRecord.Room;
import dev.orderly.store.copy.CopyPosition;
import dev.orderly.store.copy.CopySource.Page;
import dev.orderly.text.LocalizedText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reading of rooms for a copy, in the form that the SQL stores share: room by room, and pages of each. */
public final class CopiedRooms {
    private CopiedRooms() {}

    /** A room with the number of its present line or epoch. */
    public record Line(RoomName name, int id, long number) {}

    /**
     * Records of one room.
     *
     * @param next position in the room; null at its end
     */
    public record Part(List<? extends CopiedRecord> records, @Nullable String next) {
        /** The records of a query with a limit. */
        public static <T extends CopiedRecord> Part of(List<T> found, int limit, Function<T, String> position) {
            return new Part(found, found.size() < limit ? null : position.apply(found.getLast()));
        }
    }

    /** The first two rooms from a name on, by name. */
    @FunctionalInterface
    public interface Lines {
        List<Line> from(String name) throws SQLException;
    }

    /** The records of a room behind a position; empty for its first. */
    @FunctionalInterface
    public interface Parts {
        Part behind(Line line, String position) throws SQLException;
    }

    /** The page that follows a page. */
    public static Page page(String after, Lines rooms, Parts parts) throws SQLException {
        CopyPosition from = CopyPosition.of(after);
        List<Line> lines = rooms.from(from.text(0));
        if (lines.isEmpty()) {
            return Page.whole(List.of());
        }
        Line line = lines.getFirst();
        Part part = parts.behind(line, line.name.value().equals(from.text(0)) ? from.text(1) : "");
        return new Page(List.copyOf(part.records), part.next != null
                ? CopyPosition.behind(line.name.value(), part.next).toString()
                : lines.size() == 2 ? CopyPosition.behind(lines.get(1).name.value(), "").toString() : null);
    }

    /** A room of a row with its columns; {@code overridden} says whether its limits are an operator's. */
    public static Room room(ResultSet row) throws SQLException {
        String message = row.getString("message");
        return new Room(new RoomName(row.getString("name")), row.getLong("epoch"),
                new Room.Line(row.getLong("length"), row.getLong("cursor"), row.getBoolean("crowded")),
                row.getInt("granted"), RoomMode.valueOf(row.getString("mode")),
                message == null ? null : LocalizedText.ofStored(message), limits(row),
                OpeningChange.ofStored(row.getString("openings")), draws(row),
                StoredLine.ofStored(row.getString("tiers")));
    }

    /** The draws of a row of a room. */
    public static DrawLedger draws(ResultSet row) throws SQLException {
        return DrawLedger.of(row.getString("draws"), row.getBoolean("lobby_open"), row.getLong("lobby_base"),
                row.getLong("lobby_end"), row.getInt("drawn"), row.getString("lobby_bases"),
                row.getString("lobby_ends"));
    }

    private static @Nullable Limits limits(ResultSet row) throws SQLException {
        if (!row.getBoolean("overridden")) {
            return null;
        }
        int capacity = row.getInt("capacity");
        Integer most = row.wasNull() ? null : Integer.valueOf(capacity);
        int admissions = row.getInt("admissions");
        return new Limits(most, row.wasNull() ? null : new Rate(admissions, Duration.ofMillis(row.getLong("period"))));
    }
}
