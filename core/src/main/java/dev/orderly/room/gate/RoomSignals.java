package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.RoomOptions;
import java.util.Objects;
import java.util.function.DoubleSupplier;

/**
 * External signals of a room, read once a second.
 *
 * @param traffic exchanges with the origin; used only with {@link RoomOptions#health}
 * @param backlog as of {@link Rooms#declare(dev.orderly.room.RoomName, RoomOptions, DoubleSupplier)}
 */
@Internal(to = "dev.orderly")
public record RoomSignals(OriginTraffic traffic, DoubleSupplier backlog) {
    public RoomSignals {
        Objects.requireNonNull(backlog, "backlog");
        Objects.requireNonNull(traffic, "traffic");
    }

    /** Signals without a backlog. */
    public static RoomSignals none() {
        return ofBacklog(() -> 1);
    }

    /** Signals with this backlog. */
    public static RoomSignals ofBacklog(DoubleSupplier backlog) {
        return new RoomSignals(new OriginTraffic(), backlog);
    }
}
