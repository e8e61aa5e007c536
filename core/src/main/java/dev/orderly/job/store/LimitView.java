package dev.orderly.job.store;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A limit in force, with its use. Of a limit that each key of a queue has, the use of each is a {@link KeyView}.
 *
 * @param queues the queues whose jobs it bounds
 * @param running jobs that run and count; 0 if the limit has no bound on concurrency
 * @param started tokens that count, each for a start within the period; 0 if the limit has no rate
 * @param next moment from which the rate and the rest allow another start; null if they allow one now
 * @param rest its rest, of which {@code next} is the end at the earliest; null for none
 */
public record LimitView(LimitName name, Limit limit, SortedSet<QueueName> queues, int running, int started,
        @Nullable Instant next, @Nullable Rest rest) {
    public LimitView {
        queues = new TreeSet<>(queues);
    }

    /**
     * A view of a limit of which {@code window} is the rate.
     *
     * @param rest the last rest that was said; null for none
     */
    public static LimitView of(LimitName name, Limit limit, SortedSet<QueueName> queues, int running,
            StartWindow window, @Nullable Rest rest, long now) {
        if (name.isOfKeys()) {
            return new LimitView(name, limit, queues, 0, 0, null, null);
        }
        long next = Math.max(limit.starts() == 0 ? now : window.next(limit, now), Rest.end(rest, now));
        return new LimitView(name, limit, queues, limit.concurrency() == 0 ? 0 : running,
                limit.starts() == 0 ? 0 : window.used(limit, now), next > now ? Instant.ofEpochMilli(next) : null,
                Rest.present(rest, now));
    }

    /** The limit of a queue among these; empty for none. */
    public static Optional<LimitView> of(QueueName queue, List<LimitView> limits) {
        return limits.stream().filter(limit -> limit.queues.contains(queue) && !limit.name.isOfKeys()).findFirst();
    }

    /** The limit that each key of a queue has, among these; empty for none. */
    public static Optional<LimitView> ofKeys(QueueName queue, List<LimitView> limits) {
        return limits.stream().filter(limit -> limit.queues.contains(queue) && limit.name.isOfKeys()).findFirst();
    }

    /** Whether it lets no further job start now. */
    public boolean isFull() {
        return next != null || (limit.concurrency() > 0 && running >= limit.concurrency());
    }

    /** Whether it lets no job start now that costs so much. */
    public boolean keeps(int cost) {
        return isFull() || (started > 0 && started > limit.starts() - cost);
    }

    /** What keeps jobs, for people: {@code 20 of 20 running}; what is used, if nothing does. */
    public String use() {
        String slots = running + " of " + limit.concurrency() + " running";
        String starts = started + " of " + limit.rateText() + " started";
        if (limit.concurrency() == 0 || limit.starts() == 0) {
            return limit.starts() == 0 ? slots : starts;
        }
        return next != null && running < limit.concurrency() ? starts : slots + ", " + starts;
    }
}
