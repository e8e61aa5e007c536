package dev.orderly.live;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.TokenBucket;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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

    private final LiveOptions options;
    /** What applications do with messages and changes of presence may compute, so it runs on platform threads at first. */
    private final CachedThreads threads = new CachedThreads("live", PLATFORM_THREADS);
    private final Presence presence = new Presence(threads);
    private final PresenceKeeper keeper;
    private final Registry registry;
    private final MessageRunner runner;
    private final TokenBucket.Pace pace;
    private final Rates<UserId> userRates;
    private final Rates<String> addressRates;
    private final ConcurrentMap<String, Integer> addresses = new ConcurrentHashMap<>();
    private final Users users;
    private volatile boolean stopping;

    /** The engine of a node that is the only one. */
    public LiveEngine(LiveOptions options, Time time, JsonMapper json) {
        this(options, time, json, LiveNode.alone());
    }

    /** @param time as other nodes count it */
    public LiveEngine(LiveOptions options, Time time, JsonMapper json, LiveNode node) {
        this.options = options;
        this.pace = TokenBucket.Pace.of(time, options.messages(), options.per(), 2 * options.messages());
        this.userRates = new Rates<>(pace);
        int ofAddress = options.messages() * LiveOptions.USERS_OF_AN_ADDRESS;
        this.addressRates = new Rates<>(TokenBucket.Pace.of(time, ofAddress, options.per(), 2 * ofAddress));
        this.keeper = new PresenceKeeper(node, presence, time);
        this.registry = new Registry(options.connectionsPerUser(), keeper, userRates);
        this.runner = new MessageRunner(time, options.timeout(), json);
        this.users = new Users(new Delivery(registry, node), presence, runner, json);
    }

    /** Joins the other nodes; the first connection does so too. Idempotent. */
    public void start() {
        keeper.start();
    }

    /** What applications use. */
    public Users users() {
        return users;
    }

    // ---- for transports

    /**
     * Counts a connection of an address, authenticated or not, unless the address has too many. Every one that was
     * taken is given back by {@link #leave}.
     *
     * @param address what connections are counted by
     */
    public boolean enter(String address) {
        boolean[] taken = {false};
        addresses.compute(address, (_, count) -> {
            int before = count == null ? 0 : count;
            taken[0] = before < options.connectionsPerAddress();
            return taken[0] ? Integer.valueOf(before + 1) : count;
        });
        return taken[0];
    }

    /** As {@link #enter}, of a connection that has ended. */
    public void leave(String address) {
        addresses.computeIfPresent(address, (_, count) -> {
            if (count > 1) {
                return count - 1;
            }
            addressRates.forget(address);
            return null;
        });
    }

    /** Whether the address may have another connection, as things stand. */
    public boolean hasRoom(String address) {
        return addresses.getOrDefault(address, 0) < options.connectionsPerAddress();
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

    TokenBucket.Pace pace() {
        return pace;
    }
}
