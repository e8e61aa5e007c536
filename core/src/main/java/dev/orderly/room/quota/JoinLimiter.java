package dev.orderly.room.quota;

import dev.orderly.room.Rate;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The number of places taken by each address, in spans that begin with the first place. Bounded: beyond {@value
 * #ADDRESSES_MOST} addresses all are forgotten. Thread-safe.
 */
final class JoinLimiter {
    private static final int ADDRESSES_MOST = 200_000;

    private final Rate rate;
    private final Time time;
    private final ConcurrentMap<String, Span> spans = new ConcurrentHashMap<>();

    private record Span(long end, int joins) {}

    JoinLimiter(Rate rate, Time time) {
        this.rate = rate;
        this.time = time;
    }

    /** Counts a new place of the address. Empty if it is allowed; otherwise the time until the next is. */
    Optional<Duration> refuse(String address) {
        long now = time.nanos();
        Span span = spans.compute(address, (_, before) -> before == null || now - before.end() >= 0
                ? new Span(now + rate.period().toNanos(), 1)
                : new Span(before.end(), Math.min(before.joins(), rate.admissions()) + 1));
        return span.joins() <= rate.admissions() ? Optional.empty() : rest(span, now);
    }

    /** Empty if a further place would be allowed; otherwise the time until one is. Counts nothing. */
    Optional<Duration> used(String address) {
        long now = time.nanos();
        Span span = spans.get(address);
        return span == null || now - span.end() >= 0 || span.joins() < rate.admissions()
                ? Optional.empty()
                : rest(span, now);
    }

    private static Optional<Duration> rest(Span span, long now) {
        return Optional.of(Duration.ofNanos(Math.max(1, span.end() - now)));
    }

    /** Uncounts a place that the address did not get. */
    void giveBack(String address) {
        spans.computeIfPresent(address, (_, span) -> new Span(span.end(), Math.max(0, span.joins() - 1)));
    }

    void tidy() {
        long now = time.nanos();
        spans.values().removeIf(span -> now - span.end() >= 0);
        if (spans.size() > ADDRESSES_MOST) {
            spans.clear();
        }
    }
}
