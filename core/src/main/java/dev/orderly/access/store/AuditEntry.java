package dev.orderly.access.store;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log. Its state is visible and cut to its bound, as those of {@link AuditAct}.
 *
 * @param id grows with each entry of the store, with gaps
 * @param after the state after the change, or the reason why there is none; null if the outcome has none
 */
public record AuditEntry(long id, AuditAct act, Outcome outcome, @Nullable String after) {
    public AuditEntry {
        after = after == null ? null : AuditAct.state(after);
    }

    /** The end of an act. */
    public enum Outcome {
        /** The act began, and its end was not recorded: it is under way, or its node died, or its answer was lost. */
        UNKNOWN,
        DONE,
        /** Nothing was changed. */
        FAILED,
        /** The role did not allow it; nothing was changed. */
        REFUSED;

        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
