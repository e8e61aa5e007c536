package dev.orderly.job.store;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A key of a queue with its use.
 *
 * @param running jobs that run and count
 * @param started tokens that count, each for a start within the period; 0 if its limit has no rate
 * @param next moment from which its rate allows another start; null if it allows one now, or if there is no rate
 * @param oldest moment of the push of the oldest of its waiting jobs; null if none waits
 */
public record KeyView(String key, int running, int started, @Nullable Instant next, @Nullable Instant oldest) {
    /** The key whose oldest job waits for longest first, keys without waiting jobs last. */
    public static final Comparator<KeyView> BY_WAIT = Comparator.comparing(KeyView::oldest,
            Comparator.nullsLast(Comparator.<Instant>naturalOrder()));

    /**
     * A view of a key of which no job is known to wait.
     *
     * @param limit the limit of each key; null for none
     */
    public static KeyView of(String key, @Nullable Limit limit, int running, StartWindow window, long now) {
        boolean rated = limit != null && limit.starts() > 0;
        long next = limit != null && rated ? window.next(limit, now) : now;
        return new KeyView(key, running, limit != null && rated ? window.used(limit, now) : 0,
                next > now ? Instant.ofEpochMilli(next) : null, null);
    }

    /** The same view with the oldest waiting job. */
    public KeyView waitingSince(@Nullable Instant pushed) {
        return new KeyView(key, running, started, next, pushed);
    }

    /**
     * What keeps its jobs, for people: {@code 2 of 2 running}; what is used, if nothing does. As {@link LimitView#use}.
     *
     * @param limit the limit of each key
     */
    public String use(Limit limit) {
        return new LimitView(LimitName.ofKeys(new QueueName("any")), limit, new TreeSet<>(), running, started, next)
                .use();
    }

    /** Whether its limit lets no further job start now. */
    public boolean isFull(@Nullable Limit limit) {
        return next != null || (limit != null && limit.concurrency() > 0 && running >= limit.concurrency());
    }
}
