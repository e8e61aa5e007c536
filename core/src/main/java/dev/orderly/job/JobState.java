package dev.orderly.job;

import java.util.Locale;

/**
 * Where a job stands.
 *
 * <pre>
 * push ─> WAITING ─> RUNNING ─> DONE
 *    └> DELAYED ─┘      ├──> WAITING | DELAYED   failed, snoozed or given back
 *                       ├──> DEAD ─ redrive ─> WAITING
 *                       └──> CANCELLED           (also from WAITING, DELAYED, DEAD)
 * </pre>
 */
public enum JobState {
    /** Can be claimed, or stands in its group behind others. */
    WAITING,
    /** Not before its time: pushed with a delay, waiting for a retry, or snoozed. */
    DELAYED,
    /** Claimed by a node. */
    RUNNING,
    /** Its handler finished it. Kept for a while without its payload. */
    DONE,
    /** Dead letter: its attempts are spent, or it cannot be run. Kept with its payload until redriven or pruned. */
    DEAD,
    /** Given up on purpose: discarded by its handler or cancelled from outside. */
    CANCELLED;

    /** Whether nothing more becomes of it by itself. */
    public boolean isEnd() {
        return this == DONE || this == DEAD || this == CANCELLED;
    }

    /** Lower case, as in URLs and JSON. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException listing the six states */
    public static JobState parse(String text) {
        for (JobState state : values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException(
                "\"" + text + "\" is not a job state: use waiting, delayed, running, done, dead or cancelled");
    }
}
