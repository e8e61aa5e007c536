package dev.orderly.dashboard.overview;

import dev.orderly.dashboard.chart.HourTrend;
import dev.orderly.dashboard.chart.Trends;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.StoreState;
import dev.orderly.history.HistorySubject;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.Room;
import dev.orderly.store.watch.StoreWatch.Outage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A room in one line.
 *
 * @param outage of the store of the room, whose figures are those of before; null while it answers
 */
public record RoomSummary(RoomState state, WaitEstimate estimate, HourTrend trend, @Nullable Outage outage) {
    /** The line of a room of this node. May block on the store. */
    public static RoomSummary of(Room room, Trends trends, StoreState store) {
        return new RoomSummary(room.state(), room.forNewcomer(), trends.of(HistorySubject.of(room.name())),
                store.ofRooms().orElse(null));
    }

    /** The mode in the spelling of the configuration. */
    public String mode() {
        return state.mode().name().toLowerCase(Locale.ROOT);
    }

    /** The time of day of old figures; null while they are of now. */
    public @Nullable String asOf() {
        return outage == null ? null : "as of " + Figures.utc(outage.since()).split(" ", 2)[1];
    }

    /** The wait of a visitor who joins now. */
    public String waitOfNewcomer() {
        return estimate.low() == null || outage != null
                ? "unknown"
                : Figures.duration(estimate.low()) + " to " + Figures.duration(estimate.high());
    }
}
