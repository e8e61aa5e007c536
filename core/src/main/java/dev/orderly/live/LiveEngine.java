package dev.orderly.live;

import dev.orderly.Internal;
import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.Lifecycle;
import dev.orderly.flow.Quota;
import dev.orderly.flow.TokenBucket;
import dev.orderly.node.NodeQuestions;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The live connections of one node: transports add connections, and messages are routed to them. Thread-safe; nothing
 * here blocks but its end.
 */
@Internal(to = "dev.orderly")
public final class LiveEngine {
    private static final Duration HARD_STOP = Duration.ofSeconds(5);

    private static final int PLATFORM_THREADS = 256;

    /**
     * Message handlers and presence callbacks may compute, so they run on platform threads as long as there are some
     * left.
     */
    private final CachedThreads threads;
    private final OnlineChanges presence;
    private final OnlineReporter keeper;
    private final ConnectionRegistry registry;
    private final MessageRunner runner;
    private final TokenBucket.Pace pace;
    private final SendRates<UserId> userRates;
    private final SendRates<String> addressRates;
    private final Quota<String> addresses;
    private final UserQuestions questions;
    private final Users users;
    private final Time time;
    private volatile boolean stopping;

    /** The engine of a single node. */
    public LiveEngine(LiveOptions options, Time time, JsonMapper json, Lifecycle lifecycle) {
        this(options, time, json, LiveNode.alone(), lifecycle);
    }

    /**
     * The engine of one of several nodes.
     *
     * @param time as all nodes of the store count it
     * @param lifecycle its start joins the other nodes, as the first connection does too. Its end accepts no more
     *     connections, closes all open connections, interrupts the message handlers, and removes this node's users from
     *     the shared presence; it waits for that and for its own loops only, some seconds at most
     */
    public LiveEngine(LiveOptions options, Time time, JsonMapper json, LiveNode node, Lifecycle lifecycle) {
        Objects.requireNonNull(json, "json");
        this.time = time;
        this.threads = new CachedThreads("live", PLATFORM_THREADS, time);
        this.addresses = new Quota<>(new Quota.Limit(options.connections(), options.connectionsPerAddress()));
        this.pace = TokenBucket.Pace.of(time, options.messages(), options.per(), 2 * options.messages());
        this.userRates = new SendRates<>(pace);
        int ofAddress = options.messages() * LiveOptions.USERS_OF_AN_ADDRESS;
        this.addressRates = new SendRates<>(TokenBucket.Pace.of(time, ofAddress, options.per(), 2 * ofAddress));
        this.presence = new OnlineChanges(threads, time);
        this.keeper = new OnlineReporter(node, presence, time);
        this.registry = new ConnectionRegistry(options.connectionsPerUser(), keeper, userRates);
        this.runner = new MessageRunner(time, options.timeout(), json);
        this.questions = new UserQuestions(registry);
        this.users = new Users(new Delivery(registry, node, time), presence, runner, json, questions);
        lifecycle.of(keeper::start, this::end);
    }

    /**
     * Answers the questions of other nodes about connected users from now on, and asks them likewise. Called once.
     *
     * @throws IllegalStateException if an engine of this process does so already
     */
    public void join(NodeQuestions nodes) {
        Objects.requireNonNull(nodes, "nodes");
        questions.join(nodes);
    }

    /** Stalled background work of presence, a line for the operator each. Answers from memory. */
    public List<String> stalls() {
        return keeper.stall().stream().toList();
    }

    /** The view for applications. */
    public Users users() {
        return users;
    }

    /** The number of users who are connected to this node. */
    public int onlineHere() {
        return registry.size();
    }

    // ---- for transports

    /**
     * Counts a connection of an address, authenticated or not, unless a limit is reached, in all or of the address.
     * Each counted connection is given back by {@link #leave}.
     *
     * @param address the key by which connections are limited
     */
    public Quota.Taken enter(String address) {
        Objects.requireNonNull(address, "address");
        return addresses.take(address);
    }

    /** Ends the count of a connection that {@link #enter} has counted. */
    public void leave(String address) {
        Objects.requireNonNull(address, "address");
        if (addresses.give(address) == 0) {
            addressRates.forget(address);
        }
    }

    /** The answer that {@link #enter} would give now; nothing is counted. */
    public Quota.Taken look(String address) {
        Objects.requireNonNull(address, "address");
        return addresses.look(address);
    }

    /** The limits of connections, in all and of one address. */
    public Quota.Limit limit() {
        return addresses.limit();
    }

    /** The number of connections of all addresses, authenticated or not. */
    public int connections() {
        return addresses.held();
    }

    /** Whether the user may open another connection now. */
    public boolean hasRoom(UserId user) {
        Objects.requireNonNull(user, "user");
        return registry.hasRoom(user);
    }

    /**
     * Assigns a connection to a user; messages may reach the user before this returns. The transport reports the close
     * with {@link LiveSession#closed}.
     *
     * @param welcome sent before any other message; null for none
     * @return empty if the user has too many connections, or this node stops
     */
    public Optional<LiveSession> connect(UserId user, LiveConnection connection, @Nullable Message welcome) {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(user, "user");
        LiveSession session = new LiveSession(user, connection, this, time.now());
        if (stopping || !registry.add(session, welcome)) {
            return Optional.empty();
        }
        if (stopping) { // the end may have missed this session
            registry.remove(session);
            return Optional.empty();
        }
        return Optional.of(session);
    }

    private void end() {
        stopping = true;
        registry.forEach(session -> session.transport().close(CloseCode.STOPPING, "The server stops"));
        keeper.stop();
        runner.stop(HARD_STOP);
    }

    void closed(LiveSession session) {
        registry.remove(session);
    }

    /** Whether the user, and the address of the connection, may send another message now; if so, it is counted. */
    boolean mayReceive(LiveSession session) {
        return userRates.take(session.user()) && addressRates.take(session.transport().address());
    }

    Executor threads() {
        return threads;
    }

    MessageRunner runner() {
        return runner;
    }

    /** The rate at which a user may send messages, and a connection frames without content. */
    public TokenBucket.Pace pace() {
        return pace;
    }
}
