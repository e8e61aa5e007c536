package dev.orderly.room.gate;

import dev.orderly.room.OpeningStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the gates of a room know of one visitor who waits.
 *
 * @param latest the visitor's presence, by the gate that saw the visitor last
 * @param place null if no gate knows the visitor
 * @param connected what a gate with a connected page of the visitor knows; null if none is
 * @param paused whether the gate that saw the visitor last admits nobody because the store is out of reach
 * @param settling whether that gate waits for reports after a restart
 * @param closed what keeps all visitors out by the clock of the gate that asks; null if nothing does
 */
record GateSightings(VisitorPresence latest, @Nullable Long place, @Nullable Sighting connected, boolean paused,
        boolean settling, List<String> unreachable, @Nullable OpeningStatus closed) {
    GateSightings(VisitorPresence latest, @Nullable Long place, @Nullable Sighting connected, boolean paused,
            boolean settling, List<String> unreachable) {
        this(latest, place, connected, paused, settling, unreachable, null);
    }

    /** This in a room that has not opened, or is closed. */
    GateSightings in(@Nullable OpeningStatus status) {
        return new GateSightings(latest, place, connected, paused, settling, unreachable, status);
    }

    /** A gate with what it knows; the sighting is null if it knows nothing. */
    record Gate(String name, @Nullable Sighting sighting, boolean paused, boolean settling) {
        private @Nullable Instant seen() {
            return sighting == null ? null : sighting.seen();
        }

        private boolean isHere() {
            return sighting != null && sighting.here();
        }
    }

    /**
     * Puts together what gates know.
     *
     * @param own the gate that asks
     * @param others gates of the same epoch
     */
    static GateSightings of(Gate own, List<Gate> others, List<String> unreachable) {
        List<Gate> all = Stream.concat(Stream.of(own), others.stream()).toList();
        Gate latest = all.stream().max(Comparator.comparing(Gate::isHere).thenComparing(Gate::seen,
                Comparator.nullsFirst(Comparator.naturalOrder()))).filter(gate -> gate.seen() != null).orElse(own);
        Instant until = all.stream().map(Gate::seen).filter(Objects::nonNull).max(Comparator.naturalOrder())
                .orElse(null);
        Optional<Gate> connected = all.stream()
                .filter(gate -> gate.sighting != null && gate.sighting.isConnected()).findFirst();
        Long place = all.stream().map(Gate::sighting).filter(Objects::nonNull).map(Sighting::place).findFirst()
                .orElse(null);
        return new GateSightings(new VisitorPresence(until, connected.isPresent(),
                connected.map(Gate::name).orElse(latest.isHere() ? latest.name : null)), place,
                connected.map(Gate::sighting).orElse(null), latest.paused, latest.settling, unreachable);
    }

    /** The gates in a sentence: all of them, or those that answered. */
    String gates() {
        return unreachable.isEmpty() ? "gate" : "gate that answers";
    }
}
