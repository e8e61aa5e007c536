package dev.orderly.job;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff of failed jobs. The first retry comes after {@code base}; the wait grows by {@code factor} with
 * each further failure, up to {@code max}, and each wait is lengthened or shortened at random by up to {@code jitter}
 * of itself.
 *
 * @param attempts 1 to 1,000: failed attempts until the job is a dead letter
 * @param base above 0, at most {@code max}
 * @param factor 1 to 100
 * @param max at most 30 days
 * @param jitter 0 to 1
 */
public record RetryPolicy(int attempts, Duration base, double factor, Duration max, double jitter) {
    /** The longest wait between two attempts. Initialised before the policies below, which are checked against it. */
    public static final Duration LONGEST = Duration.ofDays(30);

    /** 12 attempts over about 22 hours. */
    public static final RetryPolicy STANDARD = new RetryPolicy(12, Duration.ofSeconds(5), 3, Duration.ofHours(6), 0.25);

    /** 8 attempts over about 14 minutes, since a group waits meanwhile. */
    public static final RetryPolicy FIFO = new RetryPolicy(8, Duration.ofSeconds(2), 3, Duration.ofMinutes(5), 0.25);

    /** One attempt: the first failure makes a dead letter. */
    public static RetryPolicy none() {
        return STANDARD.withAttempts(1);
    }

    /** @throws IllegalArgumentException if a value is out of its bounds; the message names both */
    public RetryPolicy {
        check(attempts >= 1 && attempts <= 1_000, "attempts", attempts, "1 to 1000");
        check(max.isPositive() && max.compareTo(LONGEST) <= 0, "max", max, "above 0, at most 30 days");
        check(base.isPositive() && base.compareTo(max) <= 0, "base", base, "above 0, at most max ("
                + DurationText.of(max) + ")");
        check(factor >= 1 && factor <= 100, "factor", factor, "1 to 100");
        check(jitter >= 0 && jitter <= 1, "jitter", jitter, "0 to 1");
    }

    public RetryPolicy withAttempts(int value) {
        return new RetryPolicy(value, base, factor, max, jitter);
    }

    public RetryPolicy withBase(Duration value) {
        Objects.requireNonNull(value, "value");
        return new RetryPolicy(attempts, value, factor, max, jitter);
    }

    public RetryPolicy withFactor(double value) {
        return new RetryPolicy(attempts, base, value, max, jitter);
    }

    public RetryPolicy withMax(Duration value) {
        Objects.requireNonNull(value, "value");
        return new RetryPolicy(attempts, base, factor, value, jitter);
    }

    public RetryPolicy withJitter(double value) {
        return new RetryPolicy(attempts, base, factor, max, value);
    }

    /**
     * The wait after a failure.
     *
     * @param failures failures so far, this one included; 1 or more
     * @return empty when the attempts are spent
     */
    public Optional<Duration> delayAfter(int failures, RandomGenerator random) {
        return delay(failures, 1 + jitter * (2 * random.nextDouble() - 1));
    }

    /** As {@link #delayAfter(int, RandomGenerator)}, without jitter. */
    public Optional<Duration> delayAfter(int failures) {
        return delay(failures, 1);
    }

    private Optional<Duration> delay(int failures, double spread) {
        if (failures >= attempts) {
            return Optional.empty();
        }
        double millis = Math.min((double) max.toMillis(), base.toMillis() * Math.pow(factor, failures - 1));
        return Optional.of(Duration.ofMillis(Math.max(1, Math.round(millis * spread))));
    }

    private static void check(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("Retry " + name + " is "
                    + (value instanceof Duration span ? DurationText.of(span) : value) + ": use " + rule);
        }
    }
}
