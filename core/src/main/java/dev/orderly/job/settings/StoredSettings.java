package dev.orderly.job.settings;

import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoredValue;
import dev.orderly.time.Time;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
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
 * Settings that operators have put in place of configured ones, by the name of the thing that has them, kept in one
 * value of the store until they are reset. {@link SettingsLoop} follows changes of other nodes. Thread-safe.
 *
 * @param <N> the name of a thing
 * @param <S> its settings
 */
public abstract class StoredSettings<N extends Comparable<N>, S> {
    private static final Logger LOG = LoggerFactory.getLogger(StoredSettings.class);
    private static final Instant NEVER = LocalDate.of(9999, 12, 31).atStartOfDay(ZoneOffset.UTC).toInstant();
    private static final int MOST_TRIES = 100;

    private final String key;
    private final String things;
    private final KeyValueStore store;
    private final Time time;
    private final Consumer<Map<N, S>> listener;
    private final ReentrantLock applying = new ReentrantLock();
    private volatile Runnable published = () -> {};
    private volatile Known<N, S> known = none(KeyValueStore.ABSENT);

    /**
     * The settings with the version of the value that has them.
     *
     * @param unread the parts of the value that this version cannot read, by their names in it: another one may
     */
    private record Known<N, S>(long version, Map<N, S> settings, Map<String, JsonNode> unread) {}

    /**
     * @param key the key of the value
     * @param things what has the settings, in the plural, for messages
     * @param listener applies all settings, also those that are as before; must not block
     */
    protected StoredSettings(String key, String things, KeyValueStore store, Time time, Consumer<Map<N, S>> listener) {
        this.key = Objects.requireNonNull(key, "key");
        this.things = Objects.requireNonNull(things, "things");
        this.store = Objects.requireNonNull(store, "store");
        this.time = Objects.requireNonNull(time, "time");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /** @throws IllegalArgumentException if it is no name of such a thing */
    protected abstract N name(String text);

    /** Settings without a change. */
    protected abstract S none();

    /** Whether settings change nothing. */
    protected abstract boolean isNone(S settings);

    /** The same settings with who made the last change, and when. */
    protected abstract S changed(S settings, String by, Instant at);

    /** The settings as they are stored. */
    protected abstract ObjectNode json(S settings);

    /**
     * The settings that {@link #json} wrote.
     *
     * @throws IllegalArgumentException if it is out of bounds or malformed
     */
    protected abstract S read(JsonNode json);

    /** Calls back after each change by this node; set once, before the first. */
    void onChange(Runnable publish) {
        published = publish;
    }

    /**
     * Reads the settings on the calling thread, and puts them in force.
     *
     * @throws StoreException if the store cannot be reached
     */
    public void load() {
        refresh();
    }

    /** The settings of a thing that this node knows; those without a change if it has none. */
    public S of(N name) {
        Objects.requireNonNull(name, "name");
        return known.settings.getOrDefault(name, none());
    }

    /** The settings that this node knows, by name. */
    public Map<N, S> all() {
        return known.settings;
    }

    /**
     * Changes the settings of a thing; in force on this node when it returns, on the others within seconds. Blocks on
     * the store.
     *
     * @param change gives the new settings from those in the store; called again if another node was faster
     * @param by the identity behind the change
     * @throws IllegalArgumentException if the store has no space for the settings of so many things
     * @throws StoreException if the store fails; after {@link StoreException.OutcomeUnknown} the next read tells
     */
    public S change(N name, UnaryOperator<S> change, String by) {
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(name, "name");
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Known<N, S> seen = refresh();
            S next = changed(change.apply(seen.settings.getOrDefault(name, none())), by, time.now());
            Map<N, S> all = new TreeMap<>(seen.settings);
            if (isNone(next)) {
                all.remove(name);
            } else {
                all.put(name, next);
            }
            Map<String, JsonNode> unread = new TreeMap<>(seen.unread);
            unread.remove(name.toString());
            String text = text(all, unread);
            if (text.length() > KeyValueStore.VALUE_MAX) {
                throw new IllegalArgumentException("The settings of " + all.size() + " " + things
                        + " are more than the store keeps: reset those of other " + things);
            }
            var version = store.replace(key, seen.version, text, NEVER, time.now());
            if (version.isPresent()) {
                apply(new Known<>(version.getAsLong(), Map.copyOf(all), Map.copyOf(unread)));
                published.run();
                return isNone(next) ? none() : next;
            }
        }
        throw new StoreException.Unavailable("The settings of " + things + " are changed by other nodes all the time:"
                + " try again", null);
    }

    /**
     * Removes the settings of a thing that is gone. Blocks on the store.
     *
     * @throws StoreException as {@link #change}
     */
    public void forget(N name) {
        Objects.requireNonNull(name, "name");
        Known<N, S> seen = refresh();
        if (seen.settings.containsKey(name) || seen.unread.containsKey(name.toString())) {
            change(name, _ -> none(), "");
        }
    }

    private Known<N, S> refresh() {
        StoredValue value = store.read(key, time.now()).orElse(null);
        Known<N, S> before = known;
        if (value == null ? before.version == KeyValueStore.ABSENT : value.version() == before.version) {
            return before;
        }
        return apply(value == null
                ? none(KeyValueStore.ABSENT)
                : parse(value.version(), value.text()));
    }

    private Known<N, S> apply(Known<N, S> next) {
        applying.lock();
        try {
            known = next;
            listener.accept(next.settings);
        } finally {
            applying.unlock();
        }
        return next;
    }

    private static <N, S> Known<N, S> none(long version) {
        return new Known<>(version, Map.of(), Map.of());
    }

    private String text(Map<N, S> settings, Map<String, JsonNode> unread) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        unread.forEach(json::set);
        settings.forEach((name, each) -> json.set(name.toString(), json(each)));
        return json.toString();
    }

    /** Settings that this version cannot read are kept apart, and named in the log. */
    private Known<N, S> parse(long version, String text) {
        Map<N, S> settings = new TreeMap<>();
        Map<String, JsonNode> unread = new TreeMap<>();
        for (var entry : tree(text).properties()) {
            try {
                settings.put(name(entry.getKey()), read(entry.getValue()));
            } catch (IllegalArgumentException e) {
                unread.put(entry.getKey(), entry.getValue());
                LOG.error("Of the changed settings of {} those of {} cannot be read, and the configured ones are in"
                        + " force: {}", things, entry.getKey(), e.getMessage());
            }
        }
        return new Known<>(version, Map.copyOf(settings), Map.copyOf(unread));
    }

    private JsonNode tree(String text) {
        try {
            return Objects.requireNonNull(JsonMapper.shared().readTree(text));
        } catch (JacksonException e) {
            LOG.error("The changed settings of {} cannot be read, and the configured ones are in force: {}", things,
                    e.getOriginalMessage());
            return JsonMapper.shared().createObjectNode();
        }
    }
}
