package dev.orderly;

import dev.orderly.access.Identity;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoredValue;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The audit log of a store in two parts. While the part of the jobs, which keeps the log, does not answer, entries wait
 * in the part of the rooms, so that rooms can be operated: an entry is durable before its change begins in either case.
 * Entries that wait have negative ids. They move into the log with the next pruning after the outage, each at least
 * once, and are not in lists before.
 */
record DeferredAudit(AuditStore log, KeyValueStore waiting, Time time) implements AuditStore {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredAudit.class);
    private static final String KEY = "audit-waiting";
    private static final Duration KEPT = Duration.ofDays(90);
    /** Age from which an entry without an outcome moves: its change has ended, or its node has died. */
    private static final Duration UNENDED = Duration.ofMinutes(1);
    /** Attempts to replace the value beside other nodes. */
    private static final int ATTEMPTS = 20;

    /** An entry that waits. */
    record Waiting(long id, Instant at, Identity.Kind kind, String name, String address, String operation,
            String object, @Nullable String before, Outcome outcome, @Nullable String after) {
        private AuditAct act() {
            return new AuditAct(at, kind, name, address, operation, object, before);
        }

        private Waiting ended(Outcome end, @Nullable String state) {
            return new Waiting(id, at, kind, name, address, operation, object, before, end, state);
        }
    }

    /** The entries that wait, the oldest first, and the id of the last one that ever did. */
    record Content(long last, List<Waiting> entries) {
        Content {
            entries = List.copyOf(entries);
        }
    }

    @Override
    public long append(AuditAct act, Outcome outcome, @Nullable String after) {
        try {
            return log.append(act, outcome, after);
        } catch (StoreException.Unavailable e) {
            LOG.warn("The audit log is out of reach; the entry of {} about {} waits in the store of rooms: {}",
                    act.operation(), act.object(), e.getMessage());
        }
        return change(content -> {
            List<Waiting> entries = new ArrayList<>(content.entries);
            long id = content.last - 1;
            entries.add(new Waiting(id, act.at(), act.kind(), act.name(), act.address(), act.operation(), act.object(),
                    act.before(), outcome, after));
            return new Content(id, entries);
        }).last;
    }

    @Override
    public void end(long id, Outcome outcome, @Nullable String after) {
        if (id >= 0) {
            log.end(id, outcome, after);
            return;
        }
        change(content -> new Content(content.last, content.entries.stream()
                .map(entry -> entry.id == id && entry.outcome == Outcome.UNKNOWN ? entry.ended(outcome, after) : entry)
                .toList()));
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        return log.list(query);
    }

    @Override
    public int prune(Instant before, long most, int limit) {
        int pruned = log.prune(before, most, limit);
        Instant ended = time.now().minus(UNENDED);
        for (Waiting entry : read().map(DeferredAudit::content).map(Content::entries).orElse(List.of())) {
            if (entry.outcome != Outcome.UNKNOWN || entry.at.isBefore(ended)) {
                log.append(entry.act(), entry.outcome, entry.after);
                change(content -> new Content(content.last, content.entries.stream()
                        .filter(other -> other.id != entry.id).toList()));
            }
        }
        return pruned;
    }

    private Optional<StoredValue> read() {
        return waiting.read(KEY, time.now());
    }

    private Content change(Function<Content, Content> change) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredValue> stored = read();
            Content changed = change.apply(stored.map(DeferredAudit::content).orElse(new Content(0, List.of())));
            String text = JsonMapper.shared().writeValueAsString(changed);
            if (text.length() > KeyValueStore.VALUE_MAX) {
                throw new StoreException.Unavailable("The audit log is out of reach, and " + changed.entries.size()
                        + " entries wait for it, no more can: bring the store of jobs back", null);
            }
            Instant now = time.now();
            if (waiting.replace(KEY, stored.map(StoredValue::version).orElse(KeyValueStore.ABSENT), text,
                    now.plus(KEPT), now).isPresent()) {
                return changed;
            }
        }
        throw new StoreException.Unavailable("Entries of the audit log change at too many nodes at once: try again",
                null);
    }

    /** The content of a value. A text of another version of the program cannot be kept beside new entries. */
    private static Content content(StoredValue stored) {
        try {
            return JsonMapper.shared().readValue(stored.text(), Content.class);
        } catch (JacksonException e) {
            throw new StoreException.Unusable("The key " + KEY + " has no entries of an audit log: remove it", e);
        }
    }
}
