package dev.orderly.access.control;

import dev.orderly.flow.Backoff;
import dev.orderly.flow.TokenBucket;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Failed logins by address, counted so that no flood of them fills the audit log: the first of an address is recorded
 * at once, what follows by its number, after a minute and then after spans that double up to an hour. Beyond
 * {@value #BURST} addresses, and one more in five minutes, failures are counted together, as beyond
 * {@value #ADDRESSES_MAX}. Thread-safe, never blocks.
 */
final class FailedLogins {
    /** The address of failures that are counted together. */
    static final String OTHERS = "further addresses";
    static final Duration FIRST = Duration.ofMinutes(1);
    static final Duration LONGEST = Duration.ofHours(1);
    static final int BURST = 20;

    private static final int ADDRESSES_MAX = 100;
    private static final Duration EACH = Duration.ofMinutes(5);

    private final Time time;
    private final TokenBucket fresh;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Span> spans = new LinkedHashMap<>();

    /** Failures that are recorded now. */
    record Failures(String address, long count) {}

    /** The failures of an address since its last record. */
    private static final class Span {
        private Duration length = FIRST;
        private long end;
        private long count;
    }

    FailedLogins(Time time) {
        this.time = time;
        this.fresh = new TokenBucket(TokenBucket.Pace.of(time, 1, EACH, BURST));
    }

    /** Counts a failure; the answer is to be recorded. */
    Optional<Failures> failed(String address) {
        lock.lock();
        try {
            String counted = spans.containsKey(address) || (spans.size() < ADDRESSES_MAX && fresh.take())
                    ? address
                    : OTHERS;
            Span span = spans.get(counted);
            if (span != null) {
                span.count++;
                return Optional.empty();
            }
            Span begun = new Span();
            begun.end = time.deadline(begun.length);
            spans.put(counted, begun);
            return Optional.of(new Failures(counted, 1));
        } finally {
            lock.unlock();
        }
    }

    /** Ends the spans that are over; the answers are to be recorded. An address without failures is forgotten. */
    List<Failures> over() {
        lock.lock();
        try {
            List<Failures> over = new ArrayList<>();
            for (Iterator<Map.Entry<String, Span>> each = spans.entrySet().iterator(); each.hasNext();) {
                Map.Entry<String, Span> next = each.next();
                Span span = next.getValue();
                if (!time.reached(span.end)) {
                    continue;
                }
                if (span.count == 0) {
                    each.remove();
                } else {
                    over.add(new Failures(next.getKey(), span.count));
                    span.length = Backoff.longer(span.length, LONGEST);
                    span.end = time.deadline(span.length);
                    span.count = 0;
                }
            }
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all spans; the answers are to be recorded. */
    List<Failures> end() {
        lock.lock();
        try {
            List<Failures> left = spans.entrySet().stream().filter(each -> each.getValue().count > 0)
                    .map(each -> new Failures(each.getKey(), each.getValue().count)).toList();
            spans.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
