package dev.orderly.http.listener;

import dev.orderly.flow.FatalErrors;
import dev.orderly.flow.Quota;
import dev.orderly.http.problem.LimitProblems;
import dev.orderly.http.problem.Problem;
import dev.orderly.time.Time;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections, each with a deadline by which its next request head must be complete. So neither a silent
 * connection nor one that sends its head byte by byte can stay.
 *
 * <p>Where there are as many as there may be, one that rests is closed for a new one: of those whose last answer came
 * from memory, as the answers to waiting visitors do, before any other. So passes keep theirs. An address that has its
 * share, and a client that comes when nothing rests, is answered with the limit it met and let go.
 */
final class ConnectionTracker {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTracker.class);
    /** How many are looked at to find one that rests: a bound for what a new connection costs. */
    private static final int LOOKED_AT = 1_024;
    /** A connection is left alone for so long after its last answer, and after it was opened. */
    private static final long REST = Duration.ofSeconds(1).toNanos();
    private static final Duration REFUSED_HEAD = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final HttpLimits limits;
    private final Clients by;
    private final Time time;
    private final Quota<String> clients;
    private final int refusedMax;
    private final AtomicInteger refused = new AtomicInteger();
    private final ConcurrentMap<HttpConnection, ClientConnection> open = new ConcurrentHashMap<>();
    private final ReentrantLock looking = new ReentrantLock();
    private Iterator<ClientConnection> round = Collections.emptyIterator();

    ConnectionTracker(Vertx vertx, HttpLimits limits, Clients by, Time time) {
        this.vertx = vertx;
        this.limits = limits;
        this.by = by;
        this.time = time;
        Quota.Limit limit = limits.capacity().connections();
        this.clients = new Quota<>(new Quota.Limit(Integer.MAX_VALUE,
                limit.each() < limit.total() ? limit.each() : Integer.MAX_VALUE));
        this.refusedMax = Math.max(4, limit.total() / 32);
    }

    void opened(HttpConnection http) {
        String client = by.keys().ofPeer(http.remoteAddress().hostAddress());
        Problem refusal = by.guard().refusal(http.remoteAddress(), http.localAddress());
        if (refusal != null) {
            client = null;
        } else if (client != null && clients.take(client) != Quota.Taken.TAKEN) {
            refusal = LimitProblems.ofAddress(limits.capacity().connections(), "connections open");
            client = null;
        } else if (open.size() - refused.get() >= limits.capacity().connections().total() && !closeOne()) {
            refusal = LimitProblems.ofAll(limits.capacity().connections(), "connections open");
        }
        if (refusal != null && refused.incrementAndGet() > refusedMax) {
            refused.decrementAndGet();
            give(client);
            http.close();
            return;
        }
        ClientConnection connection = new ClientConnection(http, client, refusal, time.nanos());
        open.put(http, connection);
        http.closeHandler(_ -> closed(connection));
        http.exceptionHandler(thrown -> {
            FatalErrors.report("a connection", thrown);
            LOG.debug("A connection failed: {}", thrown.toString());
        });
        arm(connection, refusal == null ? limits.head() : REFUSED_HEAD);
    }

    /** The connection is closed; idempotent. */
    void closed(ClientConnection connection) {
        if (open.remove(connection.http, connection)) {
            cancel(connection);
            give(connection.client);
            if (connection.refusal != null) {
                refused.decrementAndGet();
            }
        }
    }

    /** A head is complete; null if the connection is closed. */
    @Nullable
    ClientConnection requested(HttpConnection http) {
        ClientConnection connection = open.get(http);
        if (connection != null) {
            connection.resting = false;
            cancel(connection);
        }
        return connection;
    }

    /** An answer is out. */
    void answered(ClientConnection connection) {
        connection.restingSince = time.nanos();
        connection.resting = true;
        if (open.containsKey(connection.http)) {
            arm(connection, limits.idle());
        }
    }

    /** How many are open. */
    int count() {
        return open.size();
    }

    /** Whether one that rests was found, and is closed. */
    private boolean closeOne() {
        looking.lock();
        try {
            ClientConnection found = null;
            for (int i = Math.min(open.size(), LOOKED_AT); i > 0; i--) {
                ClientConnection one = next();
                if (one != null && one.resting && one.refusal == null && (found == null || goesBefore(one, found))) {
                    found = one;
                }
            }
            if (found == null || time.nanos() - found.restingSince < REST) {
                return false;
            }
            found.resting = false;
            closed(found);
            found.http.close();
            return true;
        } finally {
            looking.unlock();
        }
    }

    private static boolean goesBefore(ClientConnection one, ClientConnection other) {
        return one.served == other.served ? one.restingSince - other.restingSince < 0 : other.served;
    }

    /** Round and round, so that each is looked at as often as the others. */
    private @Nullable ClientConnection next() {
        if (!round.hasNext()) {
            round = open.values().iterator();
        }
        return round.hasNext() ? round.next() : null;
    }

    private void give(@Nullable String client) {
        if (client != null) {
            clients.give(client);
        }
    }

    private void arm(ClientConnection connection, Duration wait) {
        cancel(connection);
        connection.timer = vertx.setTimer(Math.max(1, wait.toMillis()), _ -> connection.http.close());
    }

    private void cancel(ClientConnection connection) {
        if (connection.timer != ClientConnection.UNTIMED) {
            vertx.cancelTimer(connection.timer);
            connection.timer = ClientConnection.UNTIMED;
        }
    }
}
