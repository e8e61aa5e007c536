package dev.orderly.store.postgres.sql;

import java.time.Duration;

/** Longest wait of a statement for a row that another transaction has locked. */
public enum LockPatience {
    /** No wait: locked rows are left out. */
    NONE(Duration.ZERO),
    /** Longer than another node's commit takes, and short for the callers that wait behind it. */
    BRIEF(Duration.ofMillis(250)),
    /** For a caller's own transaction, which an error would end. */
    FULL(Duration.ofSeconds(5));

    /** A FROM item of one row, with the milliseconds as parameter. Sets the timeout until the transaction ends. */
    public static final String SET = "(SELECT set_config('lock_timeout', ?, true) OFFSET 0) AS patience ";

    private final Duration wait;

    LockPatience(Duration wait) {
        this.wait = wait;
    }

    /** The parameter of {@link #SET}; never zero, which would mean no limit. */
    public String millis() {
        return String.valueOf(Math.max(1, wait.toMillis()));
    }

    /** The words after FOR UPDATE. */
    public String lock() {
        return this == NONE ? " SKIP LOCKED" : "";
    }
}
