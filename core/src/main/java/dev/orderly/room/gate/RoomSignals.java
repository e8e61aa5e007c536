package dev.orderly.room.gate;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.RoomOptions;
import java.util.function.DoubleSupplier;

/**
 * What a room listens to besides its own line. Asked once a second.
 *
 * @param traffic what the origin does; heeded only with {@link RoomOptions#health}
 * @param backlog 1 while work that visitors cause is done in time, falling to 0 as it takes twice as long. May block, and may fail
 *     with any exception: for a minute the last value counts then, and after that nobody is slowed
 */
public record RoomSignals(OriginTraffic traffic, DoubleSupplier backlog) {
    /** Nothing is measured. */
    public static RoomSignals none() {
        return new RoomSignals(new OriginTraffic(), () -> 1);
    }
}
