package dev.orderly.telemetry.metrics;

import dev.orderly.Orderly;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.store.StoreLoad;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The parts of a process that gauges read.
 *
 * @param store answers from memory
 * @param edge answers from memory
 */
public record Watched(Orderly orderly, RoomEngine rooms, Supplier<StoreLoad> store, Supplier<EdgeReading> edge) {
    public Watched {
        Objects.requireNonNull(edge, "edge");
        Objects.requireNonNull(orderly, "orderly");
        Objects.requireNonNull(rooms, "rooms");
        Objects.requireNonNull(store, "store");
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
