package dev.orderly.server.alert;

import dev.orderly.http.alert.Alert;
import dev.orderly.http.alert.AlertState;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The alerts of all nodes, as one value of the store: the state of the conditions, the alerts that wait for delivery,
 * and the node that looks after them. Only the node that holds the lease observes and delivers; another node takes over
 * when the lease is over. Each change replaces the version that was seen, so two nodes never report one condition.
 */
final class SharedAlerts {
    private static final String KEY = "alerts";
    private static final Duration KEPT = Duration.ofDays(30);
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** The most alerts that wait; the oldest are dropped for new ones. */
    private static final int PENDING_MAX = 50;

    private final KeyValueStore store;
    private final String node;

    /**
     * An alert that waits.
     *
     * @param next the next delivery
     */
    record Pending(Alert alert, int failures, Instant next) {}

    /** The value. */
    record Content(String holder, Instant leaseUntil, AlertState state, List<Pending> pending) {
        Content {
            pending = List.copyOf(pending);
        }

        Content withPending(List<Pending> waiting) {
            List<Pending> last = waiting.subList(Math.max(0, waiting.size() - PENDING_MAX), waiting.size());
            return new Content(holder, leaseUntil, state, last);
        }
    }

    /** The content that this node holds, and its version in the store. */
    record Held(long version, Content content) {}

    SharedAlerts(KeyValueStore store, String node) {
        this.store = store;
        this.node = node;
    }

    /**
     * The content, if this node may change it; null while another node holds the lease.
     *
     * @param mine what this node held last, which is newer than the stored value if nobody replaced that; null for none
     */
    @Nullable
    Held take(@Nullable Held mine, Instant now) {
        StoredValue stored = store.read(KEY, now).orElse(null);
        if (stored == null) {
            return new Held(KeyValueStore.ABSENT,
                    mine == null ? new Content(node, now, AlertState.NONE, List.of()) : mine.content);
        }
        if (mine != null && mine.version == stored.version()) {
            return mine;
        }
        Content content = read(stored.text(), now);
        boolean free = content.holder.equals(node) || !now.isBefore(content.leaseUntil);
        return free ? new Held(stored.version(), content) : null;
    }

    /** Stores the content and prolongs the lease; null if another node came first. */
    @Nullable
    Held keep(Held held, Instant now) {
        return keep(held, now, now.plus(LEASE));
    }

    /** Lets another node take over at once. */
    void release(Held held, Instant now) {
        keep(held, now, now);
    }

    private @Nullable Held keep(Held held, Instant now, Instant leaseUntil) {
        Content content = new Content(node, leaseUntil, held.content.state, held.content.pending);
        OptionalLong version = store.replace(KEY, held.version, JsonMapper.shared().writeValueAsString(content),
                now.plus(KEPT), now);
        return version.isEmpty() ? null : new Held(version.getAsLong(), content);
    }

    /** The content of a text. A text of another version of the program counts as nothing known. */
    private Content read(String text, Instant now) {
        try {
            return JsonMapper.shared().readValue(text, Content.class);
        } catch (JacksonException | NullPointerException _) {
            return new Content(node, now, AlertState.NONE, new ArrayList<>());
        }
    }
}
