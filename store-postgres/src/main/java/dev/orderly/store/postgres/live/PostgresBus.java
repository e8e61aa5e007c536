package dev.orderly.store.postgres.live;

import dev.orderly.flow.Batcher;
import dev.orderly.flow.Wakeup;
import dev.orderly.store.Bus;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.time.Time;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bus on LISTEN and NOTIFY, over two connections of its own. What waits to be told goes out in one transaction. A
 * broken connection is made anew by itself; what is told meanwhile is lost.
 */
public final class PostgresBus implements Bus, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresBus.class);
    private static final int BATCH_MAX = 1 << 20;
    private static final int WAITING_MAX = 16 << 20;
    /** An answer to the check that does not come in this time means that the server is gone. */
    private static final Duration CHECK = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration GATHER = Duration.ofMillis(5);

    private final Connecting connecting;
    private final String channel;
    private final Time time;
    private final BusParts parts;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private final Batcher<Told, Boolean> batcher;
    private final AtomicReference<@Nullable Connection> sending = new AtomicReference<>();
    private final AtomicReference<@Nullable Connection> hearing = new AtomicReference<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final Wakeup closing = new Wakeup();
    private final Wakeup gathering = new Wakeup();
    private volatile boolean closed;

    /** Of the thread that tells. */
    private long checkAt;

    private record Listening(Topic topic, Consumer<byte[]> listener) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Told(Topic topic, byte[] message) {}

    /** Opens connections to the database. */
    public interface Connecting {
        /** @param silence for which an answer may keep the driver waiting */
        Connection open(Duration silence) throws SQLException;
    }

    /** @param sender of this node alone */
    public PostgresBus(Connecting connecting, String schema, long sender, Time time) {
        this.connecting = connecting;
        this.time = time;
        parts = new BusParts(sender);
        channel = "orderly_" + BusParts.nameOf(schema);
        batcher = new Batcher<>("bus", new Batcher.Bounds<>(BATCH_MAX, WAITING_MAX, told -> told.message.length),
                this::tell);
        checkAt = time.nanos();
    }

    /** Listens from now on; without a connection as soon as there is one. */
    public void start() {
        try {
            listen();
        } catch (SQLException e) {
            lost(e);
        }
        Thread.ofVirtual().name("orderly-bus-listener").start(this::hear);
    }

    @Override
    public void publish(Topic topic, byte[] message) {
        Bus.check(message.length);
        if (!closed) {
            var _ = batcher.offer(new Told(topic, message));
        }
    }

    @Override
    public void subscribe(Topic topic, Consumer<byte[]> listener) {
        listeners.add(new Listening(topic, listener));
    }

    @Override
    public void close() {
        closed = true;
        closing.ring();
        gathering.ring();
        batcher.close(PATIENCE);
        drop(hearing);
        drop(sending);
    }

    /** The first at once; what comes within {@link #GATHER} after it goes out together. */
    private List<Boolean> tell(List<Told> batch) {
        try {
            send(texts(batch));
        } catch (SQLException e) {
            drop(sending);
            lost(e);
        }
        gathering.await(time, time.deadline(GATHER));
        return batch.stream().map(_ -> true).toList();
    }

    /** A hint that there is work says the same when it is said once. */
    private List<String> texts(List<Told> batch) {
        Set<ByteBuffer> hints = new HashSet<>();
        return batch.stream().filter(told -> told.topic != Topic.WORK || hints.add(ByteBuffer.wrap(told.message)))
                .flatMap(told -> parts.split(told.topic, told.message).stream()).toList();
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
        new Sql(connection, "SELECT pg_notify(?, told) FROM unnest(?) AS told").with(channel).texts(texts)
                .list(_ -> true);
        failing.set(false);
    }

    private Connection listen() throws SQLException {
        Connection connection = connecting.open(CHECK);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN \"" + channel + "\"");
        }
        hearing.set(connection);
        failing.set(false);
        return connection;
    }

    private void hear() {
        while (!closed) {
            try {
                Connection connection = hearing.get();
                hear(connection == null ? listen() : connection);
            } catch (SQLException e) {
                drop(hearing);
                parts.forget();
                lost(e);
                closing.await(time, time.deadline(AGAIN));
            }
        }
        drop(hearing);
    }

    /** One wait; when nothing came, whether the server is still there. */
    private void hear(Connection connection) throws SQLException {
        PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications((int) CHECK.toMillis());
        if (heard == null || heard.length == 0) {
            new Sql(connection, "SELECT 1").number();
            return;
        }
        for (PGNotification one : heard) {
            BusParts.Whole whole = parts.join(one.getParameter());
            if (whole != null) {
                deliver(whole);
            }
        }
    }

    private void deliver(BusParts.Whole whole) {
        for (Listening one : listeners) {
            if (one.topic == whole.topic()) {
                try {
                    one.listener.accept(whole.message());
                } catch (RuntimeException e) {
                    LOG.error("A listener to other nodes failed", e);
                }
            }
        }
    }

    private void lost(SQLException e) {
        if (!closed && !failing.getAndSet(true)) {
            LOG.warn("Other nodes are not heard or told now, trying on: {}", e.getMessage());
        }
    }

    private static void drop(AtomicReference<@Nullable Connection> place) {
        Connection connection = place.getAndSet(null);
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("Closing a connection failed: {}", e.getMessage());
            }
        }
    }
}
