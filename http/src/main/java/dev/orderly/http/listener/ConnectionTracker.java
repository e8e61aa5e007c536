package dev.orderly.http.listener;

import dev.orderly.flow.FatalErrors;
import dev.orderly.flow.Quota;
import dev.orderly.time.Time;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.problem.LimitProblems;
import dev.orderly.web.problem.Problem;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections, each with a deadline by which its next request head must be complete, so that neither a silent
 * connection nor one that sends its head byte by byte can stay.
 *
 * <p>At the limit of connections, an idle connection is closed for a new one: first of all one whose last answer came
 * from memory, as for waiting visitors, so that visitors with a pass keep theirs. An address beyond its share, or a
 * client that comes while no connection is idle, is answered with the limit that was met, and disconnected. With TLS,
 * connections count from before their handshake; {@link PendingConnections handshakes} take at most a quarter of the
 * connections, and so do connections whose header of the PROXY protocol has not come.
 *
 * <p>Thread-safe: the limits hold for the connections of all event loops together.
 */
final class ConnectionTracker {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTracker.class);
    /** Connections scanned to find an idle one: bounds the cost of a new connection. */
    private static final int SCANNED = 1_024;
    /** A connection is not closed for this long after it was opened and after each answer. */
    private static final long LEAST_IDLE = Duration.ofSeconds(1).toNanos();
    /** Attempts to evict an idle connection, since each may lose against a request on the connection's event loop. */
    private static final int EVICTIONS = 3;
    private static final Duration REFUSED_HEAD = Duration.ofSeconds(2);
    private static final int PART = 4;
    private static final AttributeKey<Admission> ADMISSION = AttributeKey.valueOf("orderly-admission");

    private final HttpLimits limits;
    private final Clients clients;
    private final ProxyHeaders headers;
    private final Time time;
    private final Quota<String> quota;
    private final int refusedMax;
    private final LongAdder refusals = new LongAdder();
    private volatile boolean draining;
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final PendingConnections awaited;
    private final PendingConnections handshakes;
    private final ConcurrentMap<HttpConnection, ListenerConnection> open = new ConcurrentHashMap<>();
    private final ReentrantLock scanLock = new ReentrantLock();
    private Iterator<ListenerConnection> scan = Collections.emptyIterator();

    ConnectionTracker(HttpLimits limits, Clients clients, ProxyHeaders headers, Time time) {
        this.headers = headers;
        this.limits = limits;
        this.clients = clients;
        this.time = time;
        Quota.Limit limit = limits.capacity().connections();
        this.quota = new Quota<>(new Quota.Limit(Integer.MAX_VALUE,
                limit.each() < limit.total() ? limit.each() : Integer.MAX_VALUE));
        this.refusedMax = Math.max(4, limit.total() / 32);
        this.awaited = new PendingConnections(Math.max(1, limit.total() / PART), limits.head(), time);
        this.handshakes = new PendingConnections(Math.max(1, limit.total() / PART), limits.head(), time);
    }

    /**
     * The decision about a new connection, by its addresses.
     *
     * @param client the key by which its client is counted; null for a proxy
     * @param refusal null if it is served
     * @param since start of the connection, monotonic
     */
    private record Admission(@Nullable String client, @Nullable Problem refusal, long since) {}

    /** Counts a new connection if it has to begin with the header of the PROXY protocol. */
    void arrived(Channel channel) {
        if (headers.isUsed() && channel.remoteAddress() instanceof InetSocketAddress peer) {
            awaited.add(channel, peer.getAddress());
        }
    }

    /** Closes connections that have not begun within their time, with the header or the handshake that they need. */
    void closeLate() {
        awaited.closeLate();
        handshakes.closeLate();
    }

    /** Counts a connection before its TLS handshake, or closes it. */
    void accepted(Channel channel) {
        awaited.remove(channel);
        SocketAddress client = ProxyHeaders.client(channel);
        Admission admission = headers.accepts(channel) ? admit(client, address(channel.localAddress())) : null;
        if (admission == null) {
            var _ = channel.close();
            return;
        }
        channel.attr(ADMISSION).set(admission);
        channel.closeFuture().addListener(_ -> {
            Admission unused = shaken(channel);
            if (unused != null) {
                giveBack(unused.client, unused.refusal);
            }
        });
        handshakes.add(channel, CidrBlock.literal(client.hostAddress()).orElseThrow());
    }

    /** The decision of {@link #accepted}, once; null if there is none. */
    private @Nullable Admission shaken(Channel channel) {
        handshakes.remove(channel);
        return channel.attr(ADMISSION).getAndSet(null);
    }

    private static SocketAddress address(java.net.SocketAddress address) {
        return SocketAddress.inetSocketAddress((InetSocketAddress) address);
    }

    /** Takes the share of a connection; null, with nothing taken, if it is to be closed without an answer. */
    private @Nullable Admission admit(SocketAddress peer, SocketAddress own) {
        String client = clients.keys().ofPeer(peer.hostAddress());
        Problem refusal = clients.guard().refusal(peer, own);
        if (refusal != null) {
            client = null;
        } else if (client != null && quota.take(client) != Quota.Taken.TAKEN) {
            refusal = LimitProblems.ofAddress(limits.capacity().connections(), "connections open");
            client = null;
        } else if (served.incrementAndGet() > limits.capacity().connections().total() && !closeIdle()) {
            served.decrementAndGet();
            refusal = LimitProblems.ofAll(limits.capacity().connections(), "connections open");
        }
        if (refusal != null) {
            refusals.increment();
        }
        if (refusal != null && refused.incrementAndGet() > refusedMax) {
            refused.decrementAndGet();
            give(client);
            return null;
        }
        return new Admission(client, refusal, time.nanos());
    }

    /** The decision about a connection without TLS. */
    private @Nullable Admission plain(HttpConnection http) {
        if (http instanceof ConnectionBase base) {
            awaited.remove(base.channel());
        }
        boolean accepted = !(http instanceof ConnectionBase base) || headers.accepts(base.channel());
        return accepted ? admit(http.remoteAddress(), http.localAddress()) : null;
    }

    /** Tracks a connection over which requests may come. */
    void opened(HttpConnection http) {
        Admission shaken = http instanceof ConnectionBase base ? shaken(base.channel()) : null;
        Admission admission = shaken == null ? plain(http) : shaken;
        if (admission == null) {
            http.close();
            return;
        }
        Problem refusal = admission.refusal;
        ListenerConnection connection = new ListenerConnection(http, timer(), admission.client,
                refusal, time.nanos());
        open.put(http, connection);
        http.closeHandler(_ -> closed(connection));
        http.shutdownHandler(_ -> connection.shutDown());
        http.exceptionHandler(thrown -> {
            FatalErrors.report("a connection", thrown);
            LOG.debug("A connection failed: {}", thrown.toString());
        });
        Duration wait = refusal == null ? limits.head() : REFUSED_HEAD;
        arm(connection, wait.minusNanos(time.nanos() - admission.since));
    }

    /** Removes a closed connection. Idempotent. */
    void closed(ListenerConnection connection) {
        connection.timer.close();
        remove(connection);
    }

    private void remove(ListenerConnection connection) {
        if (open.remove(connection.http, connection)) {
            giveBack(connection.client, connection.refusal);
        }
    }

    private void giveBack(@Nullable String client, @Nullable Problem refusal) {
        give(client);
        (refusal == null ? served : refused).decrementAndGet();
    }

    /** Stops the deadline of a complete head; null if the connection is closed, or about to be. */
    @Nullable
    ListenerConnection requested(HttpConnection http) {
        ListenerConnection connection = open.get(http);
        if (connection == null || !connection.begin()) {
            return null;
        }
        connection.timer.stop();
        return connection;
    }

    /** Starts the idle time after an answer. */
    void answered(ListenerConnection connection) {
        if (connection.rest(time.nanos()) && open.containsKey(connection.http)) {
            arm(connection, limits.idle());
        }
    }

    ClientKeys keys() {
        return clients.keys();
    }

    /** A timer of the present event loop, which has no deadline yet. */
    ConnectionTimer timer() {
        return new ConnectionTimer(ContextInternal.current(), time);
    }

    /** The number of connections that were refused. */
    long refused() {
        return refusals.sum();
    }

    /** Whether each answer is the last of its connection. */
    boolean isDraining() {
        return draining;
    }

    /**
     * Asks clients to leave: answers over HTTP/1 close their connections, and clients of HTTP/2 open no further
     * streams. Requests under way, and new connections, are served.
     *
     * @param patience bound on the rest of each connection of HTTP/2
     */
    void drain(Duration patience) {
        draining = true;
        open.values().forEach(each -> each.drain(patience));
    }

    /** The number of open connections. */
    int count() {
        return open.size();
    }

    /** Closes an idle connection. Returns whether there was one. */
    private boolean closeIdle() {
        scanLock.lock();
        try {
            for (int i = 0; i < EVICTIONS; i++) {
                ListenerConnection found = nextIdle();
                if (found == null || time.nanos() - found.idleSince < LEAST_IDLE) {
                    return false;
                }
                if (found.evict()) {
                    remove(found);
                    found.close();
                    return true;
                }
            }
            return false;
        } finally {
            scanLock.unlock();
        }
    }

    private @Nullable ListenerConnection nextIdle() {
        ListenerConnection found = null;
        for (int i = Math.min(open.size(), SCANNED); i > 0; i--) {
            ListenerConnection candidate = next();
            if (candidate != null && candidate.isIdle() && candidate.refusal == null
                    && (found == null || goesBefore(candidate, found))) {
                found = candidate;
            }
        }
        return found;
    }

    private static boolean goesBefore(ListenerConnection one, ListenerConnection other) {
        return one.served == other.served ? one.idleSince - other.idleSince < 0 : other.served;
    }

    /** The next connection of an endless scan, which reaches all connections equally often. */
    private @Nullable ListenerConnection next() {
        if (!scan.hasNext()) {
            scan = open.values().iterator();
        }
        return scan.hasNext() ? scan.next() : null;
    }

    private void give(@Nullable String client) {
        if (client != null) {
            quota.give(client);
        }
    }

    private static void arm(ListenerConnection connection, Duration wait) {
        connection.timer.start(wait, connection.http::close);
    }
}
