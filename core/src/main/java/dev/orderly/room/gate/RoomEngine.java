package dev.orderly.room.gate;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.CachedThreads;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of one gate. Declare them, then {@link #start}; a room moves on by itself once a second, whether anybody
 * asks or not. Thread-safe.
 */
public final class RoomEngine implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RoomStore store;
    private final GateContext context;
    private final List<StoreBatches> calls = new CopyOnWriteArrayList<>();
    private final Executor executor;
    private final BackgroundLoop loop;
    private final Runnable ring;
    private volatile Instant nextRound = Instant.EPOCH;
    private volatile long roundEnded;
    private final ConcurrentMap<RoomName, Room> rooms = new ConcurrentSkipListMap<>();

    /**
     * @param gate unique among the processes that share the store, and per run
     * @param random unpredictable: visitors' ids come from it
     */
    public RoomEngine(RoomStore store, RoomTokens tokens, GateId gate, Time time, RandomGenerator random) {
        this(new GateContext(gate, store, tokens, Time.steady(time, Instant.MIN), random),
                new CachedThreads("room-calls"), null);
    }

    /** @param ring is told when {@link #callUp} has something to do; null for the loop of this engine */
    private RoomEngine(GateContext context, Executor executor, @Nullable Runnable ring) {
        this.store = context.store();
        this.context = context;
        this.executor = executor;
        this.loop = new BackgroundLoop("rooms", context.time(), this::round);
        this.ring = ring == null ? loop::ring : ring;
        this.roundEnded = context.time().nanos();
    }

    /**
     * An engine without rooms, whose batches are done where the caller wants them. With that, {@link #step} and a
     * seeded {@code random} a simulation runs the same way each time.
     *
     * @param ring is told when {@link #callUp} has something to do, and by that soon after
     */
    public RoomEngine withBatchesOn(Executor executor, Runnable ring) {
        return new RoomEngine(context, executor, ring);
    }

    /**
     * Makes a room known here.
     *
     * @throws StoreException if the store cannot say how it stands
     * @throws IllegalStateException if it was declared before
     */
    public Room declare(RoomName name, RoomOptions options, RoomSignals signals) {
        RoomCache cache = begin(name, options);
        StoreBatches ofRoom = new StoreBatches(name, store, context.time(), executor);
        Room room = new Room(context, cache, new RoomSync(context, cache, signals, executor), ofRoom);
        if (rooms.putIfAbsent(name, room) != null) {
            throw new IllegalStateException("Room " + name + " is declared twice: declare it once");
        }
        calls.add(ofRoom);
        return room;
    }

    private RoomCache begin(RoomName name, RoomOptions options) {
        Time time = context.time();
        Instant now = time.now();
        GateLease lease = store.isShared() ? GateLease.taken(now) : null;
        RoomState first = store.sync(name, new GateReport(context.gate(), 0, 0, List.of(),
                lease == null ? GateLease.NONE : lease), now);
        return new RoomCache(options, first, new Outage(first, lease, time), time, ring);
    }

    /** Lets the rooms move. Blocks until each has been governed once. */
    public void start() {
        step();
        loop.start();
    }

    /** The rooms declared here, by name. */
    public List<Room> rooms() {
        return List.copyOf(rooms.values());
    }

    public Optional<Room> find(RoomName name) {
        return Optional.ofNullable(rooms.get(name));
    }

    /**
     * Does what an operator asks for. Blocks; seen by this gate at once, by others within a second.
     *
     * @throws StoreException if the store cannot do it
     */
    public RoomState change(RoomName name, RoomChange change) {
        RoomState changed = store.change(name, change, context.time().now());
        nextRound = Instant.EPOCH;
        loop.ring();
        return changed;
    }

    /**
     * Ends the stay of a visitor, or voids the ticket. Blocks; as {@link #change}.
     *
     * @throws IllegalArgumentException if the room is not declared here
     */
    public void revoke(RoomName name, VisitorId visitor) {
        Room room = find(name).orElseThrow(() -> new IllegalArgumentException("There is no room " + name));
        store.depart(name, List.of(new Departure(visitor, room.state().epoch(), 0,
                context.time().now().plus(room.options().stay().longestToken()))), context.time().now());
        room.ended(visitor);
    }

    /** How the room stands, from the store. Blocks. */
    public List<RoomState> states() {
        return store.rooms(context.time().now());
    }

    /** One round of all rooms: for tests, and before the loop takes over. */
    public void step() {
        rooms.values().forEach(room -> room.rounds().step());
        roundEnded = context.time().nanos();
    }

    /**
     * Between two rounds: lets in connected visitors for whom others have left. Not beside {@link #step}.
     *
     * @return after which to call it again, unless rung before
     */
    public Duration callUp() {
        return rooms.values().stream().map(room -> room.rounds().callUp()).min(Comparator.naturalOrder()).orElse(ROUND);
    }

    /** How long ago a round of all rooms ended; a second or so while the rooms move. */
    public Duration sinceRound() {
        return Duration.ofNanos(context.time().nanos() - roundEnded);
    }

    /**
     * Stops moving rooms, answers what was asked, and tells the store that this gate is gone. Idempotent; passes and places
     * stay good.
     */
    @Override
    public void close() {
        loop.stop(PATIENCE);
        long deadline = context.time().deadline(PATIENCE);
        for (StoreBatches ofRoom : calls) {
            ofRoom.close(Duration.ofNanos(Math.max(0, deadline - context.time().nanos())));
        }
        rooms.values().forEach(Room::leaveStore);
    }

    private Duration round() {
        Instant now = context.time().now();
        if (now.isBefore(nextRound)) {
            Duration until = Duration.between(now, nextRound);
            Duration early = callUp();
            return early.compareTo(until) < 0 ? early : until;
        }
        nextRound = now.plus(ROUND);
        step();
        return RoomRounds.TOGETHER;
    }
}
