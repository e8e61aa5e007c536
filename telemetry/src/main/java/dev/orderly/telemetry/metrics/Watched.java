package dev.orderly.telemetry.metrics;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.store.StoreLoad;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a process that gauges read. An application without rooms or without an edge has none of their gauges.
 *
 * @param rooms null for none
 * @param store answers from memory
 * @param edge answers from memory; null for none
 */
public record Watched(Orderly orderly, @Nullable RoomEngine rooms, Supplier<StoreLoad> store,
        @Nullable Supplier<EdgeReading> edge) {
    public Watched {
        Objects.requireNonNull(orderly, "orderly");
        Objects.requireNonNull(store, "store");
    }

    /** An instance and the store that it was opened on. */
    public static Watched of(Orderly orderly, Store store) {
        return new Watched(orderly, null, Objects.requireNonNull(store, "store")::load, null);
    }

    /** The same with the rooms of a gate in this process. */
    public Watched withRooms(RoomEngine value) {
        return new Watched(orderly, Objects.requireNonNull(value, "value"), store, edge);
    }

    /**
     * The load of the edge.
     *
     * @param connections open connections of clients
     * @param refused connections that were refused since the start
     * @param requests requests under way
     * @param bodyBytes bytes of request bodies in memory
     * @param streams event streams of waiting visitors
     */
    public record EdgeReading(int connections, long refused, int requests, long bodyBytes, int streams) {}
}
