package dev.orderly.access.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on entries of the audit log, all of which hold; null is no condition. Texts are made visible and cut as
 * those of {@link AuditAct}, so that they equal what an entry has.
 *
 * @param before entries with a smaller id
 * @param name of the identity, exactly
 * @param operation exactly
 * @param object exactly, such as {@code queue emails}
 * @param since entries from this moment on
 * @param until entries before this moment
 * @param limit 1 to {@link #LIMIT_MAX}
 */
public record AuditQuery(@Nullable Long before, @Nullable String name, @Nullable String operation,
        @Nullable String object, @Nullable Instant since, @Nullable Instant until, int limit) {
    public static final int LIMIT_MAX = 1_000;

    /** @throws IllegalArgumentException if the limit is out of its bounds */
    public AuditQuery {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("The limit is " + limit + ": use 1 to " + LIMIT_MAX);
        }
        name = name == null ? null : AuditAct.visible(name, AuditAct.NAME_MAX);
        operation = operation == null ? null : AuditAct.visible(operation, AuditAct.SHORT_MAX);
        object = object == null ? null : AuditAct.visible(object, AuditAct.OBJECT_MAX);
    }

    /** The newest entries, without conditions. */
    public static AuditQuery newest(int limit) {
        return new AuditQuery(null, null, null, null, null, null, limit);
    }

    /** Whether an entry fulfils the conditions. */
    public boolean matches(AuditEntry entry) {
        AuditAct act = entry.act();
        return (before == null || entry.id() < before) && (name == null || name.equals(act.name()))
                && (operation == null || operation.equals(act.operation()))
                && (object == null || object.equals(act.object())) && (since == null || !act.at().isBefore(since))
                && (until == null || act.at().isBefore(until));
    }
}
