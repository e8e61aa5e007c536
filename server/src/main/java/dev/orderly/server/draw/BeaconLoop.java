package dev.orderly.server.draw;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.operate.OperationRefusedException;
import dev.orderly.room.Beacon;
import dev.orderly.room.BeaconRound;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.time.Time;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the value of a round of drand for each draw that waits for one: at its moment by the node that governs the
 * room, some seconds later by every other node, again after 1 s, then after twice as long each, up to 30 s. The store
 * takes the first value.
 */
public final class BeaconLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BeaconLoop.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration STOP = Duration.ofSeconds(5);
    /** For which the other nodes let the one that governs the room fetch the value alone. */
    private static final Duration BEHIND = Duration.ofSeconds(5);
    private static final int LONGEST = 30;
    private static final int DOUBLINGS = 5;

    private final RoomEngine rooms;
    private final BiConsumer<RoomName, String> taker;
    private final Supplier<HttpClient> client;
    private final Time time;
    private final BackgroundLoop loop;
    private final Map<RoomName, Attempts> attempts = new ConcurrentHashMap<>();

    /** The attempts of a room at a beacon. Used by the loop. */
    private final class Attempts {
        final Beacon beacon;
        final LogLimit log = new LogLimit(LOG, time, MINUTE);
        private int failures;
        private long next = time.nanos();
        private @Nullable CompletableFuture<String> running;

        Attempts(Beacon beacon) {
            this.beacon = beacon;
        }

        void step(Room room, BeaconRound round) {
            CompletableFuture<String> request = running;
            if (request == null && time.reached(next)) {
                running = RoundRequest.send(client.get(), round);
            } else if (request != null && request.isDone()) {
                running = null;
                take(room, request);
            }
        }

        private void take(Room room, CompletableFuture<String> answer) {
            try {
                taker.accept(room.name(), answer.join());
                next = time.deadline(PERIOD);
                LOG.info("Room {}: the value of its draw came from {}", room.name(), beacon.source());
            } catch (CompletionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                failed(room, "it gave no value: " + (cause instanceof IllegalArgumentException
                        ? cause.getMessage()
                        : cause.toString()));
            } catch (OperationRefusedException e) {
                LOG.debug("Room {}: the value of its draw came from elsewhere: {}", room.name(), e.getMessage());
                next = time.deadline(PERIOD);
            } catch (RuntimeException e) { // of the store, or of the audit log
                failed(room, "its value was not stored: " + e.getMessage());
            }
        }

        private void failed(Room room, String why) {
            next = time.deadline(Duration.ofSeconds(Math.min(LONGEST, 1L << Math.min(DOUBLINGS, failures++))));
            room.beaconFailed(why);
            log.warn("Room {}: its draw waits for {}, and {}. It is asked again; the value can also be typed:"
                    + " orderly room draw-value {} VALUE", room.name(), beacon.source(), why, room.name());
        }
    }

    /**
     * A loop that is not started yet.
     *
     * @param taker stores the value of a room's draw, with an entry in the audit log; throws what operations throw
     * @param client follows no redirects; asked at each request
     */
    public BeaconLoop(RoomEngine rooms, BiConsumer<RoomName, String> taker, Supplier<HttpClient> client,
            Time time) {
        this.rooms = rooms;
        this.taker = taker;
        this.client = client;
        this.time = time;
        this.loop = new BackgroundLoop("beacons", time, this::step);
    }

    public void start() {
        loop.start();
    }

    /** One round; returns the time until the next. Asks, and takes what was answered since; waits for no answer. */
    Duration step() {
        for (Room room : rooms.rooms()) {
            Beacon beacon = room.awaitedBeacon().orElse(null);
            BeaconRound round = beacon == null ? null : beacon.round().orElse(null);
            Attempts known = attempts.get(room.name());
            if (known != null && !known.beacon.equals(beacon)) {
                attempts.remove(room.name());
                room.beaconFailed(null);
            }
            if (beacon != null && round != null
                    && !room.now().isBefore(room.governs() ? beacon.at() : beacon.at().plus(BEHIND))) {
                attempts.computeIfAbsent(room.name(), _ -> new Attempts(beacon)).step(room, round);
            }
        }
        return PERIOD;
    }

    @Override
    public void close() {
        loop.stop(STOP);
    }
}
