package dev.orderly.access.store;

import dev.orderly.access.store.AuditEntry.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Storage of the audit log: the port that every store implements. Each sentence below is a test in the contract of the
 * testkit. Threads, blocking and failures are those of {@link CredentialStore}.
 */
public interface AuditStore {
    /**
     * Adds an entry; it is durable before the call returns.
     *
     * @param after as {@link AuditEntry#after}
     * @return the id of the entry, greater than every id that was answered before this call began
     */
    long append(AuditAct act, Outcome outcome, @Nullable String after);

    /** Sets the outcome of an entry whose outcome is {@link Outcome#UNKNOWN}; has no effect on any other entry. */
    void end(long id, Outcome outcome, @Nullable String after);

    /** The entries that fulfil the conditions, the greatest id first, texts unchanged. */
    List<AuditEntry> list(AuditQuery query);

    /**
     * Deletes entries from before a moment, and the oldest entries beyond a number, at most {@code limit} in all.
     *
     * @param most the number of entries that may stay, about; ids that were left out count too
     * @return the number of deleted entries
     */
    int prune(Instant before, long most, int limit);
}
