package dev.orderly.testkit;

import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The audit port of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
final class MemoryAudit implements AuditStore {
    private final MemoryTable table;
    private final NavigableMap<Long, AuditEntry> entries;
    private final AtomicLong last;

    MemoryAudit(MemoryTable table) {
        this(table, new TreeMap<>(), new AtomicLong());
    }

    private MemoryAudit(MemoryTable table, NavigableMap<Long, AuditEntry> entries, AtomicLong last) {
        this.table = table;
        this.last = last;
        this.entries = entries;
    }

    /** The log, for another process. */
    MemoryAudit in(MemoryTable next) {
        return new MemoryAudit(next, entries, last);
    }

    @Override
    public long append(AuditAct act, Outcome outcome, @Nullable String after) {
        return table.locked(() -> {
            long id = last.incrementAndGet();
            entries.put(id, new AuditEntry(id, act, outcome, after));
            return id;
        });
    }

    @Override
    public void end(long id, Outcome outcome, @Nullable String after) {
        var _ = table.locked(() -> {
            entries.computeIfPresent(id, (_, entry) -> entry.outcome() == Outcome.UNKNOWN
                    ? new AuditEntry(id, entry.act(), outcome, after)
                    : entry);
            return true;
        });
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        return table.locked(() -> entries.descendingMap().values().stream().filter(query::matches)
                .limit(query.limit()).toList());
    }

    @Override
    public int prune(Instant before, long most, int limit) {
        return table.locked(() -> {
            long newest = entries.isEmpty() ? 0 : entries.lastKey();
            List<Long> old = entries.values().stream()
                    .filter(entry -> entry.act().at().isBefore(before) || entry.id() <= newest - most)
                    .limit(limit).map(AuditEntry::id).toList();
            old.forEach(entries::remove);
            return old.size();
        });
    }
}
