package dev.orderly.operate;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of all doors: checks the role, checks that the thing is as the caller saw it, writes the entry of
 * the audit log, makes the change, and records its outcome. Nothing else writes entries of changes. Thread-safe.
 */
public final class Operations {
    private final Targets targets;
    private final AuditLog audit;

    public Operations(Targets targets, AuditLog audit) {
        this.targets = targets;
        this.audit = audit;
    }

    /** What operations change. */
    public Targets targets() {
        return targets;
    }

    /**
     * Runs an operation, as {@link AuditLog#record}. Blocks.
     *
     * @param seen the state that the caller saw; null for any
     * @throws OperationRefusedException if nothing was changed, since the role, the thing or its state does not allow
     *     it
     */
    public <T> T run(Caller caller, Operation<T> operation, @Nullable String seen) {
        OperationSpec spec = operation.spec();
        if (!caller.may(spec.least())) {
            throw refused(caller, spec.id(), spec.least(), spec.path());
        }
        PreparedChange<T> prepared = operation.preparation().of(targets, caller.identity());
        if (seen != null && prepared.shown() != null && !seen.equals(prepared.shown())) {
            throw new OperationRefusedException(Reason.STALE,
                    "You saw \"" + seen + "\", and now it is \"" + prepared.shown()
                            + "\"" + lastChange(prepared.object()) + ". Look at it again, then decide.");
        }
        return audit.record(act(caller, spec.id(), prepared.object(), prepared.before()),
                () -> prepared.change().apply(end -> audit.record(act(caller, spec.id(), prepared.object(), null),
                        () -> end, text -> text)),
                prepared.after()::apply);
    }

    /** The refusal of an attempt that the role does not allow, with its entry in the audit log. */
    public OperationRefusedException refused(Caller caller, String operation, Role least, String object) {
        Identity who = caller.identity();
        OperationRefusedException refused = new OperationRefusedException(Reason.ROLE,
                "Operation " + operation + " needs the role "
                        + least.text() + ", and " + who + " has the role " + who.role().text()
                        + ": sign in with such a role, or"
                        + " use such a token",
                Map.of("operation", operation, "role", who.role().text(), "required", least.text()));
        audit.refused(act(caller, operation, object, null), refused.getMessage());
        return refused;
    }

    private AuditAct act(Caller caller, String operation, String object, @Nullable String before) {
        Identity who = caller.identity();
        return new AuditAct(audit.now(), who.kind(), who.name(), caller.address(), operation, object, before);
    }

    private String lastChange(String object) {
        return audit.list(new AuditQuery(null, null, null, object, null, null, 1)).stream()
                .filter(entry -> entry.outcome() == AuditEntry.Outcome.DONE).findFirst()
                .map(entry -> ": " + entry.act().name() + " made the last change (" + entry.act().operation() + ") "
                        + DurationText.rounded(Duration.between(entry.act().at(), audit.now())) + " ago")
                .orElse("");
    }
}
