package dev.orderly.testkit.jobsim;

import dev.orderly.job.KeyRule;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a run with their options, of which the seed draws limits and timeouts.
 *
 * @param shared the limit {@link #SHARED}, of the queues that name it
 * @param costs whether some jobs cost more than one token of their rates
 */
record SimulatedQueues(Map<String, QueueOptions> options, Limit shared, boolean costs) {
    static final String SHARED = "api";
    static final String PLAIN = "mails";
    /** The queue whose jobs have keys, and that has a handler. */
    static final String KEYED = "exports";
    static final List<String> NAMES = List.of(KEYED, "labels", PLAIN, "orders.fifo", "parcels.fifo", "strict.fifo");
    /** The queues whose jobs workers elsewhere pull; those of the first have keys. */
    static final List<String> PULLED = List.of("labels", "parcels.fifo");
    /** The queues with handlers. */
    static final List<String> HANDLED = NAMES.stream().filter(queue -> !PULLED.contains(queue)).toList();

    /** Numbers of jobs from here on are those of the meeting and of trials. */
    static final int MEETING = 9_000_000;

    private static final List<String> KEYS = List.of(KEYED, "labels");
    private static final KeyRule KEY = KeyRule.by(payload -> key(Work.parse((String) payload)));

    /** One bound over all nodes: a limit with the queues that it is of, or the limit of one key or group. */
    record Bound(String name, Limit limit) {}

    static SimulatedQueues random(long seed) {
        Random random = new Random(seed * 0xD1342543DE82EF95L + 7);
        boolean limits = random.nextBoolean();
        Limit shared = limit(random);
        Map<String, QueueOptions> queues = new TreeMap<>();
        for (String name : NAMES) {
            QueueOptions options = plain(name, random);
            if (KEYS.contains(name)) {
                options = options.withKey(KEY);
                options = random.nextInt(3) == 0 ? options : options.withPerKey(limit(random));
            } else if (isFifo(name) && random.nextInt(3) == 0) {
                options = options.withPerKey(rate(random));
            }
            boolean limited = limits && random.nextBoolean();
            boolean own = random.nextInt(3) == 0;
            Limit limit = limit(random);
            options = !limited ? options : own ? options.withLimit(limit) : options.withLimit(SHARED);
            boolean slots = limited && (own ? limit : shared).concurrency() > 0;
            queues.put(name, slots && KEYS.contains(name) ? withShare(options, random) : options);
        }
        return new SimulatedQueues(queues, shared, random.nextBoolean());
    }

    /** With a share of each key in some runs, beside what bounds each key or in place of it. */
    private static QueueOptions withShare(QueueOptions options, Random random) {
        int share = 20 + random.nextInt(60);
        return switch (random.nextInt(4)) {
            case 0, 1 -> options.withPerKey(Limit.ofShare(share));
            case 2 -> options.withPerKey(options.perKey().orElse(Limit.ofShare(share)).share(share));
            default -> options;
        };
    }

    private static QueueOptions plain(String name, Random random) {
        QueueOptions defaults = QueueOptions.defaultsFor(new QueueName(name));
        // of attempts that may take longer than a lease, not the timeout ends all
        QueueOptions brief = defaults.withTimeout(Duration.ofSeconds(random.nextBoolean() ? 20 : 50))
                .withRetry(defaults.retry().withAttempts(3).withBase(Duration.ofSeconds(1))
                        .withMax(Duration.ofSeconds(4)));
        return switch (name) {
            case "strict.fifo" -> brief.withConcurrency(2).withOnDead(OnDead.HALT);
            case "parcels.fifo", "labels" -> brief;
            default -> brief.withConcurrency(3);
        };
    }

    private static Limit limit(Random random) {
        int most = 1 + random.nextInt(4);
        Limit rate = rate(random);
        return switch (random.nextInt(4)) {
            case 0, 1 -> Limit.concurrency(most);
            case 2 -> rate;
            default -> Limit.concurrency(most).rate(rate.starts(), rate.period());
        };
    }

    private static Limit rate(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Limit.of(5, Duration.ofSeconds(1));
            case 1 -> Limit.of(8, Duration.ofSeconds(2));
            default -> Limit.of(20, Duration.ofSeconds(5));
        };
    }

    static boolean isFifo(String queue) {
        return queue.endsWith(".fifo");
    }

    /** The group of a job; null on a standard queue. */
    static @Nullable String group(String queue, Work work) {
        return isFifo(queue) ? "g" + work.number() / 100_000 : null;
    }

    QueueOptions of(String queue) {
        return Objects.requireNonNull(options.get(queue));
    }

    /** The key of a job, as its payload says; of a queue with keys. */
    private static String key(Work work) {
        return "k" + work.number() / 100_000;
    }

    static @Nullable String key(String queue, Work work) {
        return KEYS.contains(queue) ? key(work) : null;
    }

    /** The key of the jobs of a group in a queue with keys, or the group in a FIFO queue; null in others. */
    static @Nullable String keyOrGroup(String queue, String group) {
        return isFifo(queue) ? group : key(queue, new Work(100_000 * (group.charAt(1) - '0'), 0, ""));
    }

    /** The limit over all nodes that a queue has; null for none. */
    @Nullable
    Limit limit(String queue) {
        return of(queue).limitName().isPresent() ? shared : of(queue).limit().orElse(null);
    }

    /** The tokens that a job takes of each rate. */
    int cost(Work work) {
        return costs && work.number() < MEETING && work.number() % 4 == 1 ? 3 : 1;
    }

    /**
     * What bounds a job.
     *
     * @param key of the job, or its group
     */
    List<Bound> bounds(String queue, @Nullable String key) {
        List<Bound> bounds = new ArrayList<>();
        Limit limit = limit(queue);
        if (limit != null) {
            bounds.add(new Bound(of(queue).limitName().map(LimitName::value).orElse("queue:" + queue), limit));
        }
        if (key != null) {
            of(queue).perKey().ifPresent(each -> bounds.add(new Bound("key " + key + " of " + queue, each)));
        }
        return bounds;
    }

    /** The number of jobs of a queue with different keys that can run at once, beside no others. */
    int most(String queue, int handlers) {
        Limit limit = limit(queue);
        int slots = limit == null || limit.concurrency() == 0 ? handlers : Math.min(handlers, limit.concurrency());
        return limit == null || limit.starts() == 0 ? slots : Math.min(slots, limit.starts());
    }

    /** Whether any job of the run waits for a limit. */
    boolean isLimited() {
        return NAMES.stream().anyMatch(queue -> limit(queue) != null || of(queue).perKey().isPresent());
    }
}
