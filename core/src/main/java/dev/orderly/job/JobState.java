package dev.orderly.job;

import java.util.Locale;
import java.util.Objects;

/**
 * The state of a job.
 *
 * <pre>
 * push ─> WAITING ─> RUNNING ─> DONE
 *    └> DELAYED ─┘      ├──> WAITING | DELAYED   failed, snoozed or given back
 *                       ├──> DEAD ─ redrive ─> WAITING
 *                       └──> CANCELLED           (also from WAITING, DELAYED, DEAD)
 * </pre>
 */
public enum JobState {
    /** Can be claimed, or waits for earlier jobs of its group. */
    WAITING,
    /** Not due yet: pushed with a delay, waiting for a retry, or snoozed. */
    DELAYED,
    /** Claimed by a node. */
    RUNNING,
    /** Completed by its handler. Kept for a while without its payload. */
    DONE,
    /** Dead letter: its attempts are spent, or it cannot run. Kept with its payload until redriven or pruned. */
    DEAD,
    /** Ended on purpose: discarded by its handler or cancelled from outside. */
    CANCELLED;

    /** Whether the job leaves this state only by an operator's request, or never. */
    public boolean isEnd() {
        return this == DONE || this == DEAD || this == CANCELLED;
    }

    /** The name in lower case, as in URLs and JSON. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException listing the six states */
    public static JobState parse(String text) {
        Objects.requireNonNull(text, "text");
        for (JobState state : values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is not a job state: use waiting, delayed, running, done, dead or cancelled");
    }
}
