package dev.orderly.server;

import dev.orderly.VisitorStore;
import dev.orderly.config.Config;
import dev.orderly.config.RoomConfig;
import dev.orderly.flow.OriginTraffic;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.room.GatedRoom;
import dev.orderly.http.room.RoomGate;
import dev.orderly.http.room.WaitingStreams;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The rooms of a site, and the gateway that applies them at the edge. Started before the edge, closed after it. */
final class EdgeRooms implements AutoCloseable {
    private final RoomEngine rooms;
    private final Gateway gateway;
    private final EdgeHandlers handlers;

    /**
     * Declares the rooms. Blocks on the store.
     *
     * @param capacity limits of clients
     * @param jobs engine whose queues may slow a room
     */
    EdgeRooms(Config.Site site, EdgeCapacity capacity, VisitorStore store, TokenKeys keys, JobClient jobs) {
        SecureRandom random = new SecureRandom();
        GateId id = new GateId("edge-" + Long.toHexString(random.nextLong()));
        this.rooms = new RoomEngine(store.rooms(), new RoomTokens(keys), id, store.roomClock(Time.system()), random);
        BacklogSignal backlog = new BacklogSignal(jobs, Time.system());
        List<GatedRoom> gated = site.rooms().stream().map(room -> declare(room, backlog)).toList();
        this.gateway = Gateway.of(site.origins()).withTrusted(site.trusted()).withLimits(capacity.forwarding());
        this.handlers = gated.isEmpty()
                ? EdgeHandlers.NONE
                : EdgeHandlers.NONE.withRooms(new RoomGate(gated, new WaitingStreams(capacity.waiting())));
    }

    private GatedRoom declare(RoomConfig config, BacklogSignal backlog) {
        OriginTraffic traffic = new OriginTraffic();
        RoomConfig.Backlog slowing = config.backlog();
        DoubleSupplier share = slowing == null ? () -> 1 : backlog.of(slowing.queue(), slowing.target());
        Room room = rooms.declare(config.name(), config.options(), new RoomSignals(traffic, share));
        return new GatedRoom(room, config.match(), config.page(), config.waitingStatus(), traffic);
    }

    RoomEngine rooms() {
        return rooms;
    }

    Gateway gateway() {
        return gateway;
    }

    /** The rooms as handlers of the edge. */
    EdgeHandlers handlers() {
        return handlers;
    }

    /** Starts the governors. Blocks until each room has had one round. */
    void start() {
        if (!rooms.rooms().isEmpty()) {
            rooms.start();
        }
    }

    @Override
    public void close() {
        rooms.close();
    }
}
