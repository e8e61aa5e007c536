package dev.orderly.telemetry.metrics;

import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.crowd.PlaceBand;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.telemetry.metrics.Meters.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Gauges of the rooms of this gate, as its last round has seen them: a scrape asks no store for them. */
final class RoomGauges {
    /** A state that is older is not shown: the store was not reached since. */
    private static final Duration FRESH = Duration.ofSeconds(15);

    private final Meters meters;
    private final RoomEngine engine;
    private final Set<Room> counted = new HashSet<>();
    /** The room and the name of each tier whose admissions are counted. */
    private final Set<String> countedTiers = new HashSet<>();

    RoomGauges(Meters meters, RoomEngine engine) {
        this.meters = meters;
        this.engine = engine;
    }

    /** Reads all rooms. Called by one thread at a time. */
    void refresh(Instant now) {
        List<Room> rooms = engine.rooms();
        rooms.stream().filter(counted::add).forEach(this::count);
        List<RoomState> states = rooms.stream().map(Room::state)
                .filter(state -> Duration.between(state.at(), now).compareTo(FRESH) < 0).toList();
        gauge(MetricCatalogue.LENGTH, states, state -> (double) state.line().length());
        gauge(MetricCatalogue.CURSOR, states, state -> (double) state.line().cursor());
        gauge(MetricCatalogue.AHEAD, states, state -> (double) state.waiting());
        gauge(MetricCatalogue.DOOR, states, state -> state.load().door());
        gauge(MetricCatalogue.PRESENT, states, state -> state.load().known());
        gauge(MetricCatalogue.INSIDE, states, state -> state.load().active());
        gauge(MetricCatalogue.FREE, states, state -> state.load().free());
        gauge(MetricCatalogue.GATES, states, state -> state.load().gates());
        meters.gauge(MetricCatalogue.TIER_AHEAD, states.stream().flatMap(state -> state.tiers().stream()
                .map(tier -> new Row(tier.line().waiting(), state.room().value(), tier.name()))).toList());
        rooms.forEach(room -> room.state().tiers().stream().map(TierLine::name)
                .filter(tier -> countedTiers.add(room.name() + " " + tier)).forEach(tier -> count(room, tier)));
        gauge(MetricCatalogue.CAPACITY, states.stream().filter(state -> state.limits().mostPasses().isPresent())
                .toList(), state -> state.limits().mostPasses().orElse(0));
        meters.gauge(MetricCatalogue.MODE, states.stream().map(state -> new Row(1, state.room().value(),
                state.mode().name().toLowerCase(Locale.ROOT))).toList());
        meters.gauge(MetricCatalogue.SHOW_SHARE, rooms.stream().filter(room -> room.showShare().isPresent())
                .map(room -> new Row(room.showShare().orElse(0), room.name().value())).toList());
    }

    private void count(Room room) {
        String name = room.name().value();
        meters.counter(MetricCatalogue.ADMITTED, () -> (double) room.state().pace().admitted(), name);
        for (RoomRefusals.Cause cause : RoomRefusals.Cause.values()) {
            meters.counter(MetricCatalogue.REFUSED, () -> (double) room.visits().refusals().total(cause).count(), name,
                    cause.name().toLowerCase(Locale.ROOT));
        }
        for (PlaceBand band : PlaceBand.values()) {
            meters.counter(MetricCatalogue.PLACES, () -> (double) room.visits().places().total(band), name,
                    band.name().toLowerCase(Locale.ROOT));
        }
    }

    private void count(Room room, String tier) {
        meters.counter(MetricCatalogue.TIER_ADMITTED, () -> room.state().tiers().stream()
                .filter(line -> line.name().equals(tier)).mapToDouble(TierLine::admitted).sum(), room.name().value(),
                tier);
    }

    private void gauge(Metric metric, List<RoomState> states, ToDoubleFunction<RoomState> value) {
        meters.gauge(metric, states.stream()
                .map(state -> new Row(value.applyAsDouble(state), state.room().value())).toList());
    }
}
