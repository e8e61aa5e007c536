package dev.orderly.telemetry.metrics;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records the visitors of this gate. Rooms are declared by name, so their number is bounded. */
final class RoomMeters implements RoomObserver {
    private final Meters meters;
    private final Map<RoomName, Timer> announced = new ConcurrentHashMap<>();
    private final Map<RoomName, Timer> waited = new ConcurrentHashMap<>();

    RoomMeters(Meters meters) {
        this.meters = meters;
    }

    @Override
    public void announced(RoomName room, Duration likely) {
        announced.computeIfAbsent(room, name -> meters.timer(MetricCatalogue.ANNOUNCED, name.value())).record(likely);
    }

    @Override
    public void entered(RoomName room, Duration wait) {
        waited.computeIfAbsent(room, name -> meters.timer(MetricCatalogue.WAITED, name.value())).record(wait);
    }
}
