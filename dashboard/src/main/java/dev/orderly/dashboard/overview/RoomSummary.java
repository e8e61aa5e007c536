package dev.orderly.dashboard.overview;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.trend.HourTrend;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.WaitEstimate;
import java.util.Locale;

/** A room in one line. */
public record RoomSummary(RoomState state, WaitEstimate estimate, HourTrend trend) {
    /** The mode in the spelling of the configuration. */
    public String mode() {
        return state.mode().name().toLowerCase(Locale.ROOT);
    }

    /** The wait of a visitor who joins now. */
    public String waitOfNewcomer() {
        return estimate.low() == null
                ? "unknown"
                : Figures.duration(estimate.low()) + " to " + Figures.duration(estimate.high());
    }
}
