package dev.orderly.testkit;

import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.testkit.FaultyStore.Call;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit port of a {@link FaultyStore}. */
record FaultyAudit(AuditStore audit, FaultyStore faults) implements AuditStore {
    @Override
    public long append(AuditAct act, Outcome outcome, @Nullable String after) {
        return faults.call(Call.AUDIT_APPEND, () -> audit.append(act, outcome, after));
    }

    @Override
    public void end(long id, Outcome outcome, @Nullable String after) {
        faults.call(Call.AUDIT_END, () -> {
            audit.end(id, outcome, after);
            return true;
        });
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        return faults.call(Call.AUDIT_LIST, () -> audit.list(query));
    }

    @Override
    public int prune(Instant before, long most, int limit) {
        return faults.call(Call.AUDIT_PRUNE, () -> audit.prune(before, most, limit));
    }
}
