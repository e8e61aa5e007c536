package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.CachedThreads;
import dev.orderly.node.NodeQuestions;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The rooms of one gate. Thread-safe. */
@Internal(to = "dev.orderly")
public final class RoomEngine implements Rooms {
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** The most visitors of an answer of {@link #front}. */
    public static final int FRONT_MAX = 200;
    /** The most takers in each list of an answer of {@link #places}. */
    public static final int PLACES_MAX = 100;

    private final RoomStore store;
    private final GateContext context;
    private final Executor executor;
    private final BackgroundLoop loop;
    private final Runnable ring;
    private volatile Instant nextRound = Instant.EPOCH;
    private volatile long roundEnded;
    private volatile boolean started;
    private final ConcurrentMap<RoomName, Room> rooms = new ConcurrentSkipListMap<>();
    private final GateQuestions gates = new GateQuestions(name -> Optional.ofNullable(rooms.get(name)));

    /**
     * An engine without rooms, with a random id of its gate and unpredictable ids of visitors.
     *
     * @param time the clock that the gates of the store share, see {@link dev.orderly.VisitorStore#roomClock}
     */
    public RoomEngine(RoomStore store, RoomTokens tokens, Time time) {
        this(store, tokens, new GateId(UUID.randomUUID().toString()), time, new SecureRandom());
    }

    /**
     * @param gate unique among the processes that share the store, and per run
     * @param random unpredictable: the source of visitor ids
     */
    public RoomEngine(RoomStore store, RoomTokens tokens, GateId gate, Time time, RandomGenerator random) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(tokens, "tokens");
        Objects.requireNonNull(gate, "gate");
        Objects.requireNonNull(random, "random");
        this(new GateContext(gate, store, tokens, Time.steady(time, Instant.MIN), random, RoomObserver.NONE),
                new CachedThreads("room-calls", time), null);
    }

    /** @param ring is run when {@link #callUp} has work; null to wake the loop of this engine */
    private RoomEngine(GateContext context, Executor executor, @Nullable Runnable ring) {
        this.store = context.store();
        this.context = context;
        this.executor = executor;
        this.loop = new BackgroundLoop("rooms", context.time(), this::round);
        this.ring = ring == null ? loop::ring : ring;
        this.roundEnded = context.time().nanos();
    }

    /**
     * An engine without rooms that runs its group commits on the given executor. With {@link #step} and a seeded
     * {@code random}, a simulation is deterministic.
     *
     * @param ring is run when {@link #callUp} has work and should be called soon
     */
    public RoomEngine withCommitsOn(Executor executor, Runnable ring) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(ring, "ring");
        return new RoomEngine(context, executor, ring);
    }

    /** An engine without rooms whose visitors are observed. */
    public RoomEngine observedBy(RoomObserver observer) {
        Objects.requireNonNull(observer, "observer");
        return new RoomEngine(context.with(observer), executor, null);
    }

    /** The engine of an application's rooms. */
    public static RoomEngine of(Rooms rooms) {
        return (RoomEngine) Objects.requireNonNull(rooms, "rooms");
    }

    @Override
    public Room declare(RoomName name, RoomOptions options) {
        return declare(name, options, RoomSignals.none());
    }

    @Override
    public Room declare(RoomName name, RoomOptions options, DoubleSupplier backlog) {
        return declare(name, options, RoomSignals.ofBacklog(backlog));
    }

    /** Declares a room with the signals of its origin, as {@link #declare(RoomName, RoomOptions)}. */
    public Room declare(RoomName name, RoomOptions options, RoomSignals signals) {
        Objects.requireNonNull(name, "name");
        RoomCache cache = begin(name, options);
        Room room = new Room(context, cache, new RoomSync(context, cache, signals, executor), executor);
        if (started) {
            room.rounds().step(); // no other thread knows the room yet
        }
        if (rooms.putIfAbsent(name, room) != null) {
            throw new IllegalStateException("Room " + name + " is declared twice: declare it once");
        }
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

    @Override
    public void start() {
        step();
        started = true;
        loop.start();
    }

    @Override
    public List<Room> rooms() {
        return List.copyOf(rooms.values());
    }

    @Override
    public Optional<Room> find(RoomName name) {
        Objects.requireNonNull(name, "name");
        return Optional.ofNullable(rooms.get(name));
    }

    @Override
    public RoomState change(RoomName name, RoomChange change) {
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(name, "name");
        RoomState changed = store.change(name, change, context.time().now());
        find(name).ifPresent(room -> room.changed(changed));
        nextRound = Instant.EPOCH;
        loop.ring();
        return changed;
    }

    @Override
    public void revoke(RoomName name, VisitorId visitor) {
        Objects.requireNonNull(visitor, "visitor");
        Room room = declared(name);
        store.depart(name, List.of(new Departure(visitor, room.state().epoch(), 0,
                context.time().now().plus(room.options().stay().longestToken()))), context.time().now());
        room.ended(visitor);
    }

    @Override
    public void revokeInvitations(RoomName name, long series) {
        Room room = declared(name);
        VisitorId id = InvitationId.revocation(series);
        store.depart(name, List.of(new Departure(id, room.state().epoch(), 0,
                context.time().now().plus(Room.INVITATION_LIFE))), context.time().now());
        room.ended(id);
    }

    /**
     * Joins the gates of the other nodes: from now on this engine answers their questions about its rooms, and
     * {@link #diagnose}, {@link #front}, {@link #refusals} and {@link #places} ask them. Called once; ends with this
     * engine.
     *
     * @param nodes those of this process's {@link dev.orderly.node.NodeDirectory}
     * @throws IllegalStateException if an engine of this process has joined already
     */
    public void join(NodeQuestions nodes) {
        Objects.requireNonNull(nodes, "nodes");
        gates.join(nodes);
    }

    @Override
    public VisitorDiagnosis diagnose(RoomName name, VisitorQuery query) {
        Objects.requireNonNull(query, "query");
        Room room = declared(name);
        return switch (query) {
            case VisitorQuery.ByTicket(String text) -> room.visits().diagnose(room, text, gates);
            case VisitorQuery.ById(VisitorId visitor) -> VisitorDiagnosis
                    .stored(visitor, store.find(name, visitor, context.time().now()))
                    .orElseGet(() -> VisitorDiagnosis.of(visitor, room.state(), gates.ofVisitor(room, visitor),
                            context.time().now()));
            case VisitorQuery.ByPlace(long place) -> diagnose(room, place);
            case VisitorQuery.ByTier(String tier, long number) -> diagnose(room, room.state().tiers().stream()
                    .filter(line -> line.name().equals(tier)).findFirst()
                    .map(line -> Tiers.start(line.number()) + Math.min(number, Tiers.number(-1)))
                    .orElseThrow(() -> new IllegalArgumentException("Room " + name + " has no line of a tier " + tier
                            + ": use the name that orderly room show " + name + " shows")));
        };
    }

    private VisitorDiagnosis diagnose(Room room, long place) {
        Instant now = context.time().now();
        PlaceUse use = store.use(room.name(), place, now);
        VisitorId holder = use.holder();
        return Optional.ofNullable(holder)
                .flatMap(visitor -> VisitorDiagnosis.stored(visitor, store.find(room.name(), visitor, now)))
                .orElseGet(() -> VisitorDiagnosis.of(place, use.usedUp(), room.state(),
                        gates.ofPlace(room, room.state().epoch(), place), context.time().now()));
    }

    /**
     * The visitors at the front of the line who are present at any gate, also while the store is out of reach. Blocks
     * for other gates, up to {@link NodeQuestions#PATIENCE}.
     *
     * @param most number of visitors, 1 to {@value #FRONT_MAX}
     * @throws IllegalArgumentException if the room is not declared here, or {@code most} is out of bounds
     */
    public RoomFront front(RoomName name, int most) {
        if (most < 1 || most > FRONT_MAX) {
            throw new IllegalArgumentException("The front of a room with " + most + " visitors: use 1 to "
                    + FRONT_MAX);
        }
        return gates.front(declared(name), most);
    }

    /**
     * What the gates refused to visitors, each since its start. Blocks for other gates, up to
     * {@link NodeQuestions#PATIENCE}.
     *
     * @throws IllegalArgumentException if the room is not declared here
     */
    public RefusalReport refusals(RoomName name) {
        return gates.allRefusals(declared(name));
    }

    /**
     * Who took the places of a room lately: in the present hour of each gate and the one before. Blocks for other
     * gates, up to {@link NodeQuestions#PATIENCE}.
     *
     * @param most takers in each list, 1 to {@value #PLACES_MAX}
     * @throws IllegalArgumentException if the room is not declared here, or {@code most} is out of bounds
     */
    public PlaceReport places(RoomName name, int most) {
        if (most < 1 || most > PLACES_MAX) {
            throw new IllegalArgumentException("The places of a room by " + most + " takers: use 1 to " + PLACES_MAX);
        }
        return gates.places(declared(name), most);
    }

    private Room declared(RoomName name) {
        Objects.requireNonNull(name, "name");
        return find(name).orElseThrow(() -> new IllegalArgumentException("There is no room " + name
                + " at this gate: declare it first"));
    }

    @Override
    public List<RoomState> states() {
        return store.rooms(context.time().now());
    }

    /** Runs one round of all rooms. Blocks. For tests, and before the loop starts. */
    public void step() {
        rooms.values().forEach(room -> room.rounds().step());
        roundEnded = context.time().nanos();
    }

    /**
     * Admits connected visitors for whom others have left, between two rounds. Must not run concurrently with {@link
     * #step}.
     *
     * @return time until the next call, unless {@code ring} runs before
     */
    public Duration callUp() {
        return rooms.values().stream().map(room -> room.rounds().callUp()).min(Comparator.naturalOrder()).orElse(ROUND);
    }

    /** Time since a round of all rooms ended; about a second while the loop runs. */
    public Duration sinceRound() {
        return Duration.ofNanos(context.time().nanos() - roundEnded);
    }

    @Override
    public void close() {
        gates.leave();
        loop.stop(PATIENCE);
        long deadline = context.time().deadline(PATIENCE);
        for (Room room : rooms.values()) {
            room.visits().close(Duration.ofNanos(Math.max(0, deadline - context.time().nanos())));
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
        return RoomRounds.DEPARTURE_GATHER;
    }
}
