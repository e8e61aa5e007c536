package dev.orderly.live;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.Quota;
import dev.orderly.flow.TokenBucket;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The live connections of one node: what transports bring, and where messages go. Thread-safe; nothing here blocks but
 * {@link #close}.
 */
public final class LiveEngine implements AutoCloseable {
    private static final Duration HARD_STOP = Duration.ofSeconds(5);

    private static final int PLATFORM_THREADS = 256;

    /** What applications do with messages and changes of presence may compute, so it runs on platform threads at first. */
    private final CachedThreads threads = new CachedThreads("live", PLATFORM_THREADS);
    private final Presence presence;
    private final PresenceKeeper keeper;
    private final Registry registry;
    private final MessageRunner runner;
    private final TokenBucket.Pace pace;
    private final Rates<UserId> userRates;
    private final Rates<String> addressRates;
    private final Quota<String> addresses;
    private final Users users;
    private volatile boolean stopping;

    /** The engine of a node that is the only one. */
    public LiveEngine(LiveOptions options, Time time, JsonMapper json) {
        this(options, time, json, LiveNode.alone());
    }

    /** @param time as other nodes count it */
    public LiveEngine(LiveOptions options, Time time, JsonMapper json, LiveNode node) {
        this.addresses = new Quota<>(new Quota.Limit(options.connections(), options.connectionsPerAddress()));
        this.pace = TokenBucket.Pace.of(time, options.messages(), options.per(), 2 * options.messages());
        this.userRates = new Rates<>(pace);
        int ofAddress = options.messages() * LiveOptions.USERS_OF_AN_ADDRESS;
        this.addressRates = new Rates<>(TokenBucket.Pace.of(time, ofAddress, options.per(), 2 * ofAddress));
        this.presence = new Presence(threads, time);
        this.keeper = new PresenceKeeper(node, presence, time);
        this.registry = new Registry(options.connectionsPerUser(), keeper, userRates);
        this.runner = new MessageRunner(time, options.timeout(), json);
        this.users = new Users(new Delivery(registry, node, time), presence, runner, json);
    }

    /** Joins the other nodes; the first connection does so too. Idempotent. */
    public void start() {
        keeper.start();
    }

    /** As {@link dev.orderly.job.JobWorker#stalls}. */
    public List<String> stalls() {
        return keeper.stall().stream().toList();
    }

    /** What applications use. */
    public Users users() {
        return users;
    }

    // ---- for transports

    /**
     * Counts a connection of an address, authenticated or not, unless there are too many in all or of the address. Every
     * one that was taken is given back by {@link #leave}.
     *
     * @param address what connections are counted by
     */
    public Quota.Taken enter(String address) {
        return addresses.take(address);
    }

    /** As {@link #enter}, of a connection that has ended. */
    public void leave(String address) {
        if (addresses.give(address) == 0) {
            addressRates.forget(address);
        }
    }

    /** What {@link #enter} would answer as things stand. */
    public Quota.Taken look(String address) {
        return addresses.look(address);
    }

    /** How many connections there may be, in all and of one address. */
    public Quota.Limit limit() {
        return addresses.limit();
    }

    /** Whether the user may have another connection, as things stand. */
    public boolean hasRoom(UserId user) {
        return registry.hasRoom(user);
    }

    /**
     * Makes a connection a user's; the user may get messages before this returns. The transport tells when it is closed.
     *
     * @param welcome is sent before any other message; null for none
     * @return empty if the user has too many, or this node stops
     */
    public Optional<LiveSession> connect(UserId user, LiveConnection connection, @Nullable Message welcome) {
        LiveSession session = new LiveSession(user, connection, this);
        if (stopping || !registry.add(session, welcome)) {
            return Optional.empty();
        }
        if (stopping) { // perhaps it came too late to be closed with the others
            registry.remove(session);
            return Optional.empty();
        }
        return Optional.of(session);
    }

    /**
     * Takes no more connections, closes all that are open, interrupts the handlers of messages, and has the other nodes
     * know that nobody is connected here. Waits for that and its own loops only, some seconds at most. Idempotent.
     */
    @Override
    public void close() {
        stopping = true;
        registry.forEach(session -> session.transport().close(CloseCode.STOPPING, "The server stops"));
        keeper.stop();
        runner.stop(HARD_STOP);
    }

    void closed(LiveSession session) {
        registry.remove(session);
    }

    /** Whether the user, and the address the message came from, may send another now. */
    boolean mayReceive(LiveSession session) {
        return userRates.take(session.user()) && addressRates.take(session.transport().address());
    }

    Executor threads() {
        return threads;
    }

    MessageRunner runner() {
        return runner;
    }

    /** How fast a user may send messages, and a connection frames without content. */
    public TokenBucket.Pace pace() {
        return pace;
    }
}
