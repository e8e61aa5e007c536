package dev.orderly.job.store;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A key of a standard queue, or a group of a FIFO queue, with its use.
 *
 * @param limit its limit in force; null for none
 * @param running jobs that run and count
 * @param started tokens that count, each for a start within the period; 0 if its limit has no rate
 * @param next moment from which its rate and its rest allow another start; null if they allow one now
 * @param rest its rest, of which {@code next} is the end at the earliest; null for none
 * @param oldest moment of the push of the oldest of its waiting jobs; null if none waits
 * @param settings what operators have set for it
 */
public record KeyView(String key, @Nullable Limit limit, int running, int started, @Nullable Instant next,
        @Nullable Rest rest, @Nullable Instant oldest, KeySettings settings) {
    /** The key whose oldest job waits for longest first, keys without waiting jobs last. */
    public static final Comparator<KeyView> BY_WAIT = Comparator.comparing(KeyView::oldest,
            Comparator.nullsLast(Comparator.<Instant>naturalOrder()));

    /**
     * A view of a key of which no job is known to wait.
     *
     * @param declared the limit that each key has; null for none
     * @param rest the last rest that was said; null for none
     */
    public static KeyView of(String key, @Nullable Limit declared, KeySettings settings, int running,
            StartWindow window, @Nullable Rest rest, long now) {
        Limit limit = settings.limit(declared);
        boolean rated = limit != null && limit.starts() > 0;
        long next = Math.max(limit != null && rated ? window.next(limit, now) : now, Rest.end(rest, now));
        return new KeyView(key, limit, running, limit != null && rated ? window.used(limit, now) : 0,
                next > now ? Instant.ofEpochMilli(next) : null, Rest.present(rest, now), null, settings);
    }

    /** Whether it has jobs that wait or run, or settings. */
    public boolean isInUse() {
        return oldest != null || running > 0 || !settings.isEmpty();
    }

    /** The same view with the oldest waiting job. */
    public KeyView waitingSince(@Nullable Instant pushed) {
        return new KeyView(key, limit, running, started, next, rest, pushed, settings);
    }

    /** What keeps its jobs, for people: {@code 2 of 2 running}; empty without a limit. As {@link LimitView#use}. */
    public String use() {
        return limit == null
                ? ""
                : new LimitView(LimitName.ofKeys(new QueueName("any")), limit, new TreeSet<>(), running, started, next,
                        rest).use();
    }

    /** Whether its limit or its rest lets no further job start now. */
    public boolean isFull() {
        return keeps(1);
    }

    /** Whether its limit or its rest lets no job start now that costs so much. */
    public boolean keeps(int cost) {
        return next != null || (limit != null && ((limit.concurrency() > 0 && running >= limit.concurrency())
                || (started > 0 && started > limit.starts() - cost)));
    }
}
