package dev.orderly.store.postgres.sql;

import java.time.Duration;

/** How long statements wait for a row that another transaction holds. */
public enum LockPatience {
    /** Not at all: what is held is left out. */
    NONE(Duration.ZERO),
    /** Longer than another node's commit takes, and short for all that stand behind a batch. */
    BRIEF(Duration.ofMillis(250)),
    /** As long as a caller's own transaction may want to wait, which an error would end. */
    FULL(Duration.ofSeconds(5));

    /** A FROM item of one row, with the milliseconds as parameter; what it sets lasts until the transaction ends. */
    public static final String SET = "(SELECT set_config('lock_timeout', ?, true) OFFSET 0) AS patience ";

    private final Duration wait;

    LockPatience(Duration wait) {
        this.wait = wait;
    }

    /** The parameter of {@link #SET}; never zero, which would mean without end. */
    public String millis() {
        return String.valueOf(Math.max(1, wait.toMillis()));
    }

    /** What stands behind FOR UPDATE. */
    public String lock() {
        return this == NONE ? " SKIP LOCKED" : "";
    }
}
