package dev.orderly.job.settings;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.QueueName;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoredValue;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings of queues that operators have changed, kept in one value of the store until they are reset. Every node
 * reads them when it starts, after a hint over the bus, and every {@value #POLL_SECONDS} s if other processes may use
 * the store. Thread-safe.
 */
public final class QueueSettings {
    private static final Logger LOG = LoggerFactory.getLogger(QueueSettings.class);
    private static final String KEY = "queue-settings";
    static final int POLL_SECONDS = 2;
    private static final Duration POLL = Duration.ofSeconds(POLL_SECONDS);
    private static final Duration POLL_ALONE = Duration.ofMinutes(1);
    private static final Duration HARD_STOP = Duration.ofSeconds(1);
    private static final Instant NEVER = LocalDate.of(9999, 12, 31).atStartOfDay(ZoneOffset.UTC).toInstant();
    private static final Known NOTHING = new Known(KeyValueStore.ABSENT, Map.of());
    private static final int MOST_TRIES = 100;
    private static final byte[] HINT = "queues".getBytes(StandardCharsets.UTF_8);

    private final KeyValueStore store;
    private final Bus bus;
    private final Time time;
    private final Consumer<Map<QueueName, QueueOverride>> listener;
    private final BackgroundLoop loop;
    private volatile Known known = NOTHING;
    private final ReentrantLock applying = new ReentrantLock();
    private boolean failing;

    /** The settings with the version of the value that has them. */
    private record Known(long version, Map<QueueName, QueueOverride> overrides) {}

    /** Whether a key of the store has the settings of queues. */
    public static boolean isKey(String key) {
        return key.equals(KEY);
    }

    /**
     * @param listener applies all settings, also those that are as before; must not block
     * @param lifecycle its start follows changes of other nodes, until its end
     */
    public QueueSettings(KeyValueStore store, Bus bus, Time time, Consumer<Map<QueueName, QueueOverride>> listener,
            Lifecycle lifecycle) {
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(time, "time");
        this.store = store;
        this.bus = bus;
        this.time = time;
        this.listener = listener;
        this.loop = new BackgroundLoop("queue-settings", time, this::step);
        bus.subscribe(Bus.Topic.SETTINGS, _ -> loop.ring());
        lifecycle.of(loop::start, () -> loop.stop(HARD_STOP));
    }

    /**
     * Reads the settings on the calling thread: they are in force before the first job is claimed.
     *
     * @throws StoreException if the store cannot be reached
     */
    public void load() {
        read();
    }

    /** As {@link BackgroundLoop#stall}. */
    public Optional<String> stall() {
        return loop.stall();
    }

    /** The settings of a queue that this node knows; {@link QueueOverride#NONE} if it has none. */
    public QueueOverride of(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        return known.overrides.getOrDefault(queue, QueueOverride.NONE);
    }

    /** The settings that this node knows, by queue. */
    public Map<QueueName, QueueOverride> all() {
        return known.overrides;
    }

    /**
     * Changes the settings of a queue; in force on this node when it returns, on the others within seconds. Blocks on
     * the store.
     *
     * @param change gives the new settings from those in the store; called again if another node was faster
     * @param by the identity behind the change
     * @throws IllegalArgumentException if the store has no space for the settings of so many queues
     * @throws StoreException if the store fails; after {@link StoreException.OutcomeUnknown} the next read tells
     */
    public QueueOverride change(QueueName queue, UnaryOperator<QueueOverride> change, String by) {
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(queue, "queue");
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Known seen = read();
            QueueOverride next = change.apply(seen.overrides.getOrDefault(queue, QueueOverride.NONE))
                    .changed(by, time.now());
            Map<QueueName, QueueOverride> all = new TreeMap<>(seen.overrides);
            if (next.isEmpty()) {
                all.remove(queue);
            } else {
                all.put(queue, next);
            }
            String text = text(all);
            if (text.length() > KeyValueStore.VALUE_MAX) {
                throw new IllegalArgumentException("The settings of " + all.size()
                        + " queues are more than the store keeps: reset those of other queues");
            }
            var version = store.replace(KEY, seen.version, text, NEVER, time.now());
            if (version.isPresent()) {
                apply(new Known(version.getAsLong(), Map.copyOf(all)));
                loop.ring(); // a read that began before may end later, and apply what it found
                bus.publish(Bus.Topic.SETTINGS, HINT);
                return next.isEmpty() ? QueueOverride.NONE : next;
            }
        }
        throw new StoreException.Unavailable("The settings of queues are changed by other nodes all the time: try"
                + " again", null);
    }

    /**
     * Removes the settings of a queue that is gone. Blocks on the store.
     *
     * @throws StoreException as {@link #change}
     */
    public void forget(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        if (read().overrides.containsKey(queue)) {
            change(queue, _ -> QueueOverride.NONE, "");
        }
    }

    private Duration step() {
        try {
            read();
            failing = false;
        } catch (StoreException e) {
            if (!failing) {
                LOG.warn("The settings of queues cannot be read; the known ones stay in force: {}", e.getMessage());
            }
            failing = true;
        }
        return store.isShared() ? POLL : POLL_ALONE;
    }

    private Known read() {
        StoredValue value = store.read(KEY, time.now()).orElse(null);
        Known before = known;
        if (value == null ? before.version == KeyValueStore.ABSENT : value.version() == before.version) {
            return before;
        }
        return apply(value == null ? NOTHING : new Known(value.version(), parse(value.text())));
    }

    private Known apply(Known next) {
        applying.lock();
        try {
            known = next;
            listener.accept(next.overrides);
        } finally {
            applying.unlock();
        }
        return next;
    }

    private static String text(Map<QueueName, QueueOverride> overrides) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        overrides.forEach((queue, override) -> json.set(queue.value(), override.json()));
        return json.toString();
    }

    /** Settings that this version cannot read are left out, and named in the log. */
    private static Map<QueueName, QueueOverride> parse(String text) {
        Map<QueueName, QueueOverride> overrides = new TreeMap<>();
        for (var entry : json(text).properties()) {
            try {
                overrides.put(new QueueName(entry.getKey()), QueueOverride.read(entry.getValue()));
            } catch (IllegalArgumentException e) {
                LOG.error("The changed settings of queue {} cannot be read, and the configured ones are in force: {}",
                        entry.getKey(), e.getMessage());
            }
        }
        return Map.copyOf(overrides);
    }

    private static JsonNode json(String text) {
        try {
            return Objects.requireNonNull(JsonMapper.shared().readTree(text));
        } catch (JacksonException e) {
            LOG.error("The changed settings of queues cannot be read, and the configured ones are in force: {}",
                    e.getOriginalMessage());
            return JsonMapper.shared().createObjectNode();
        }
    }
}
