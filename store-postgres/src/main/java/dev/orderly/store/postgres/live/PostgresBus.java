package dev.orderly.store.postgres.live;

import dev.orderly.flow.GroupCommitter;
import dev.orderly.flow.LogLimit;
import dev.orderly.flow.Wakeup;
import dev.orderly.store.Bus;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.time.Time;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bus on LISTEN and NOTIFY, over two connections of its own. Pending messages are sent in one transaction; while
 * none is pending, a push sends the hint at its job itself. A broken connection is opened again by itself; messages
 * sent meanwhile are lost. Listeners run on one platform thread, which also receives: on
 * a virtual thread each message would pass through two more threads. Thread-safe.
 */
public final class PostgresBus implements Bus, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresBus.class);
    private static final String FULL = "The queue of notifications of the PostgreSQL server is full, so other nodes are"
            + " not told of jobs, which start up to a second later, and live messages to users there are lost: end the"
            + " session that listens and stays in a transaction (the server's log names its PID)";
    private static final int COMMIT_MAX = 1 << 20;
    private static final int WAITING_MAX = 16 << 20;
    /** Longest wait for an answer to the check before the server counts as gone. */
    private static final Duration CHECK = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Pause after a group commit, in which further messages gather for the next one. */
    private static final Duration GATHER = Duration.ofMillis(5);

    /** Longest time between the commit of a push that has sent its hint itself, and the engine's hint at it. */
    private static final Duration HINT_FOLLOWS = Duration.ofMillis(50);

    /** Time after a refused notification in which pushes send none, so that they need no second statement. */
    private static final Duration REFUSED_FOR = Duration.ofMinutes(1);

    private final Connecting connecting;
    private final String channel;
    private final Time time;
    private final BusParts parts;
    private final List<Subscription> listeners = new CopyOnWriteArrayList<>();
    private final GroupCommitter<Outgoing, Boolean> committer;
    private final AtomicReference<@Nullable Connection> sending = new AtomicReference<>();
    private final AtomicReference<@Nullable Connection> receiving = new AtomicReference<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicLong refusedUntil;
    private final LogLimit refusals;
    private final Wakeup closing = new Wakeup();
    private final Wakeup gathering = new Wakeup();
    /** End of the latest gathering pause; the bus is idle from then on. */
    private final AtomicLong idleAt;
    /** The last hint that a push has sent itself, while the engine has not repeated it. */
    private final AtomicReference<@Nullable SentHint> sentHint = new AtomicReference<>();
    private volatile boolean closed;

    /** Used by the sending thread only. */
    private long checkAt;

    private record Subscription(Topic topic, Consumer<byte[]> listener) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Outgoing(Topic topic, byte[] message) {}

    private record SentHint(ByteBuffer message, long until) {}

    /** A notification of work that a push sends in its own transaction. */
    public record Hint(String channel, String text) {}

    /** Opens connections to the database. */
    public interface Connecting {
        /** @param silence longest wait of the driver for an answer */
        Connection open(Duration silence) throws SQLException;
    }

    /** @param sender unique to this node */
    public PostgresBus(Connecting connecting, String schema, long sender, Time time) {
        this.connecting = connecting;
        this.time = time;
        parts = new BusParts(sender);
        channel = "orderly_" + BusParts.nameOf(schema);
        committer = new GroupCommitter<>("bus", time,
                new GroupCommitter.Bounds<>(COMMIT_MAX, WAITING_MAX, outgoing -> outgoing.message.length),
                this::sendAll);
        checkAt = time.nanos();
        idleAt = new AtomicLong(checkAt);
        refusedUntil = new AtomicLong(checkAt);
        refusals = new LogLimit(LOG, time, REFUSED_FOR);
    }

    /**
     * A hint for a push to send in its own transaction; null unless the bus is idle. At most one hint in {@link
     * #GATHER} is given, since the commit of a notification takes a lock of the whole database up to PostgreSQL 17.
     *
     * @param message as {@link #publish} for {@link Topic#WORK} gets it
     */
    public @Nullable Hint hintWhileIdle(byte[] message) {
        long idle = idleAt.get();
        if (closed || failing.get() || isRefused() || !time.reached(idle)
                || !idleAt.compareAndSet(idle, time.deadline(GATHER))) {
            return null;
        }
        List<String> texts = parts.split(Topic.WORK, message);
        return texts.size() == 1 ? new Hint(channel, texts.getFirst()) : null;
    }

    /** Records that a push with such a hint was committed: the engine's own hint, which follows, is not sent again. */
    public void hintSent(byte[] message) {
        sentHint.set(new SentHint(ByteBuffer.wrap(message), time.deadline(HINT_FOLLOWS)));
    }

    /** Records that the server refused a commit for its notification, since its queue of notifications is full. */
    public void refused(SQLException error) {
        refusedUntil.set(time.deadline(REFUSED_FOR));
        refusals.warn("{}: {}", FULL, error.getMessage());
    }

    /** Whether the server refused a notification within the last minute. */
    public boolean isRefused() {
        return !time.reached(refusedUntil.get());
    }

    @Override
    public Optional<String> fault() {
        return isRefused() ? Optional.of(FULL) : Optional.empty();
    }

    /** Listens from now on, or from the first successful connection on. */
    public void start() {
        try {
            listen();
        } catch (SQLException e) {
            lost(e);
        }
        Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).name("orderly-bus-listener")
                .start(this::receiveAll);
    }

    @Override
    public void publish(Topic topic, byte[] message) {
        Bus.check(message.length);
        if (!closed && !(topic == Topic.WORK && wasSent(message))) {
            var _ = committer.offer(new Outgoing(topic, message));
        }
    }

    private boolean wasSent(byte[] message) {
        SentHint sent = sentHint.get();
        return sent != null && sent.message.equals(ByteBuffer.wrap(message)) && sentHint.compareAndSet(sent, null)
                && !time.reached(sent.until);
    }

    @Override
    public void subscribe(Topic topic, Consumer<byte[]> listener) {
        listeners.add(new Subscription(topic, listener));
    }

    @Override
    public void close() {
        closed = true;
        closing.ring();
        gathering.ring();
        committer.close(PATIENCE);
        drop(receiving);
        drop(sending);
    }

    /** Sends messages at once; messages of the next {@link #GATHER} go out together. */
    private List<Boolean> sendAll(List<Outgoing> messages) {
        idleAt.set(time.deadline(GATHER));
        try {
            send(texts(messages));
        } catch (SQLException e) {
            if (SqlErrors.isLimit(e)) {
                refused(e);
            } else {
                drop(sending);
                lost(e);
            }
        }
        gathering.await(time, time.deadline(GATHER));
        return messages.stream().map(_ -> true).toList();
    }

    /** Notifications of messages. Equal hints of work are sent once. */
    private List<String> texts(List<Outgoing> messages) {
        Set<ByteBuffer> hints = new HashSet<>();
        return messages.stream()
                .filter(outgoing -> outgoing.topic != Topic.WORK || hints.add(ByteBuffer.wrap(outgoing.message)))
                .flatMap(outgoing -> parts.split(outgoing.topic, outgoing.message).stream()).toList();
    }

    private void send(List<String> texts) throws SQLException {
        Connection connection = sending.get();
        boolean idle = time.reached(checkAt);
        checkAt = time.deadline(AGAIN);
        if (connection == null || (idle && !connection.isValid((int) CHECK.toSeconds()))) {
            drop(sending);
            connection = connecting.open(CHECK);
            sending.set(connection);
        }
        new Sql(connection, "SELECT pg_notify(?, message) FROM unnest(?) AS message").with(channel).texts(texts)
                .list(_ -> true);
        failing.set(false);
    }

    private Connection listen() throws SQLException {
        Connection connection = connecting.open(CHECK);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN \"" + channel + "\"");
        }
        receiving.set(connection);
        failing.set(false);
        return connection;
    }

    private void receiveAll() {
        while (!closed) {
            try {
                Connection connection = receiving.get();
                receive(connection == null ? listen() : connection);
            } catch (SQLException e) {
                drop(receiving);
                parts.forget();
                lost(e);
                closing.await(time, time.deadline(AGAIN));
            }
        }
        drop(receiving);
    }

    /** Waits once for notifications; if none came, checks the connection. */
    private void receive(Connection connection) throws SQLException {
        PGNotification[] received = connection.unwrap(PGConnection.class).getNotifications((int) CHECK.toMillis());
        if (received == null || received.length == 0) {
            new Sql(connection, "SELECT 1").number();
            return;
        }
        for (PGNotification notification : received) {
            BusParts.Whole whole = parts.join(notification.getParameter());
            if (whole != null) {
                deliver(whole);
            }
        }
    }

    private void deliver(BusParts.Whole whole) {
        for (Subscription listening : listeners) {
            if (listening.topic == whole.topic()) {
                try {
                    listening.listener.accept(whole.message());
                } catch (RuntimeException e) {
                    LOG.error("A listener for messages of other nodes failed", e);
                }
            }
        }
    }

    private void lost(SQLException e) {
        if (!closed && !failing.getAndSet(true)) {
            LOG.warn("Messages between nodes are lost until the database is reached again; it is retried: {}",
                    e.getMessage());
        }
    }

    private static void drop(AtomicReference<@Nullable Connection> reference) {
        Connection connection = reference.getAndSet(null);
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("Closing a connection failed: {}", e.getMessage());
            }
        }
    }
}
