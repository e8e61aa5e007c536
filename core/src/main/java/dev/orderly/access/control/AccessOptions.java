package dev.orderly.access.control;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The settings of access. Applications change the {@link #DEFAULT}: the constructor may get more parameters.
 *
 * @param sessionIdle time without a request after which a session ends, 5 minutes or more: nodes report uses once a
 *     minute
 * @param sessionMost longest life of a session
 * @param keepAudit how long entries of the audit log are kept
 */
public record AccessOptions(Duration sessionIdle, Duration sessionMost, Duration keepAudit) {
    private static final Duration IDLE_MIN = Duration.ofMinutes(5);

    /** 30 minutes idle, 12 hours in all, 90 days of audit log. */
    public static final AccessOptions DEFAULT = new AccessOptions(Duration.ofMinutes(30), Duration.ofHours(12),
            Duration.ofDays(90));
    /** About how many entries of the audit log are kept. */
    public static final long AUDIT_MAX = 1_000_000;

    /** @throws IllegalArgumentException if the idle time is too short for reports once a minute */
    public AccessOptions {
        Objects.requireNonNull(keepAudit, "keepAudit");
        Objects.requireNonNull(sessionMost, "sessionMost");
        if (sessionIdle.compareTo(IDLE_MIN) < 0 || sessionMost.compareTo(sessionIdle) < 0) {
            throw new IllegalArgumentException(
                    "A session would end after " + DurationText.of(sessionIdle) + " without a request and "
                            + DurationText.of(sessionMost) + " in all: use " + DurationText.of(IDLE_MIN)
                            + " or more, and no less in all");
        }
    }

    public AccessOptions withSessionIdle(Duration value) {
        Objects.requireNonNull(value, "value");
        return new AccessOptions(value, sessionMost, keepAudit);
    }

    public AccessOptions withSessionMost(Duration value) {
        Objects.requireNonNull(value, "value");
        return new AccessOptions(sessionIdle, value, keepAudit);
    }

    public AccessOptions withKeepAudit(Duration value) {
        Objects.requireNonNull(value, "value");
        return new AccessOptions(sessionIdle, sessionMost, value);
    }

    /** Whether a session has ended by its age, or by the time since its last use. */
    boolean isOver(Instant opened, Instant seen, Instant now) {
        return !now.isBefore(opened.plus(sessionMost)) || !now.isBefore(seen.plus(sessionIdle));
    }
}
