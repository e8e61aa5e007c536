package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.job.BatchHandler;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.text.NearestName;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the file.
 *
 * @param handler address to which jobs are POSTed, or {@link #PULL}; null if this node does not work the queue
 * @param batch the most jobs of one POST
 */
public record QueueConfig(QueueName name, @Nullable URI handler, int batch, QueueOptions options) {
    /** The handler of a queue whose jobs workers elsewhere pull. */
    static final URI PULL = URI.create("pull");

    public static final KeySpec.Key<URI> HANDLER = new KeySpec.Key<>("handler", handlers(),
            new Absent.Depends("none: jobs wait"),
            "The address to which jobs are POSTed; `user:password@` becomes Basic authentication. An answer of 2xx"
                    + " completes the job; 408, 409, 429 and 5xx retry it, 429 with `Retry-After` without a failure;"
                    + " any other 4xx makes it a dead letter. `pull` leaves the jobs to workers that claim them over"
                    + " the API; see workers.md.");
    static final KeySpec.Key<Long> CONCURRENCY = new KeySpec.Key<>("concurrency",
            ValueTypes.count(1, 100_000, "32"),
            new Absent.Means(Integer.toString(QueueOptions.STANDARD.concurrency())),
            "How many jobs run at once on this node; on a FIFO queue each of another group.");
    public static final KeySpec.Key<Long> BATCH = new KeySpec.Key<>("batch",
            ValueTypes.count(1, BatchHandler.JOBS_MAX, "100"), new Absent.Means("1"),
            "The most jobs of one POST, of which the answer settles each by itself; see workers.md. A POST counts once"
                    + " against `concurrency`. Standard queues with an address only.");
    static final KeySpec.Key<Duration> TIMEOUT = new KeySpec.Key<>("timeout",
            ValueTypes.duration("1ms", "7d", "5m"),
            new Absent.Means(UnitText.text(QueueOptions.STANDARD.timeout())), "The longest time of one attempt.");
    static final KeySpec.Key<OnDead> ON_DEAD = new KeySpec.Key<>("on-dead", ValueTypes.choice(OnDead.class),
            new Absent.Means("continue"),
            "FIFO queues only: whether a group continues after a dead letter, or halts until the job is redriven or"
                    + " cancelled.");
    static final KeySpec.Key<Boolean> CONTENT_DEDUPE = new KeySpec.Key<>("content-dedupe", ValueTypes.flag(),
            new Absent.Means("true"),
            "FIFO queues only: whether a push without a dedupe id is a duplicate if a job with the same content type,"
                    + " payload, params and user was pushed into its group within five minutes.");
    static final KeySpec.Key<Long> MAX_PAYLOAD = new KeySpec.Key<>("max-payload", ValueTypes.size("1B",
            UnitText.sizeText(QueueOptions.PAYLOAD_LIMIT), "256KiB"),
            new Absent.Means(UnitText.sizeText(QueueOptions.STANDARD.maxPayload())), "The largest payload of a push.");
    static final KeySpec.Key<Long> MAX_PENDING = new KeySpec.Key<>("max-pending",
            ValueTypes.count(1, 1_000_000_000_000L, "10000000"),
            new Absent.Means(Long.toString(QueueOptions.STANDARD.maxPending())),
            "How many jobs may wait or be delayed before pushes are refused.");

    static final KeySpec.Key<Long> MAX_LEASED = new KeySpec.Key<>("max-leased",
            ValueTypes.count(1, 1_000_000_000L, "10000"),
            new Absent.Means(Long.toString(QueueOptions.STANDARD.maxLeased())),
            "How many jobs may run at workers elsewhere, after a 202 with `Orderly-Later` or a claim, before no"
                    + " further job of the queue starts. They take up none of `concurrency`.");

    static final KeySpec.Key<Long> ATTEMPTS = new KeySpec.Key<>("attempts", ValueTypes.count(1, 1_000, "8"),
            perKind(RetryPolicy.STANDARD.attempts(), RetryPolicy.FIFO.attempts()),
            "Failed attempts until the job is a dead letter.");
    static final KeySpec.Key<Duration> BASE = new KeySpec.Key<>("base", ValueTypes.duration("1ms", "30d", "2s"),
            perKind(UnitText.text(RetryPolicy.STANDARD.base()), UnitText.text(RetryPolicy.FIFO.base())),
            "The wait after the first failure; at most `max`.");
    static final KeySpec.Key<Double> FACTOR = new KeySpec.Key<>("factor", ValueTypes.decimal(1, 100, "3"),
            perKind(3, 3),
            "The factor between one wait and the next.");
    static final KeySpec.Key<Duration> MAX = new KeySpec.Key<>("max", ValueTypes.duration("1ms", "30d", "5m"),
            perKind(UnitText.text(RetryPolicy.STANDARD.max()), UnitText.text(RetryPolicy.FIFO.max())),
            "The longest wait.");
    static final KeySpec.Key<Double> JITTER = new KeySpec.Key<>("jitter", ValueTypes.decimal(0, 1, "0.25"),
            perKind(0.25, 0.25),
            "The share by which each wait is made longer or shorter at random.");
    static final Group RETRY = new Group("retry", List.of(ATTEMPTS, BASE, FACTOR, MAX, JITTER),
            "The waits before a failed job runs again.");
    static final Named QUEUES = new Named("queues", ValueTypes.queue(),
            List.of(HANDLER, CONCURRENCY, BATCH, TIMEOUT, RETRY, ON_DEAD, CONTENT_DEDUPE,
                    MAX_PAYLOAD, MAX_PENDING, MAX_LEASED, LimitConfig.OF_QUEUE, LimitConfig.KEY, LimitConfig.PER_KEY),
            "The queues, by name. A queue is FIFO if its name ends in `.fifo`.");

    public boolean isPulled() {
        return PULL.equals(handler);
    }

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        var retry = options.retry();
        return (handler == null ? "no handler" : "handler " + ConfigProblem.shown(handler.toString()))
                + ", concurrency "
                + options.concurrency() + (batch == 1 ? "" : ", batch " + batch) + ", timeout "
                + UnitText.text(options.timeout()) + ", retry "
                + retry.attempts()
                + " attempts " + UnitText.text(retry.base()) + " x" + retry.factor() + " max "
                + UnitText.text(retry.max())
                + " jitter " + retry.jitter()
                + (name.isFifo()
                        ? ", on-dead " + ValueTypes.lower(options.onDead()) + ", content-dedupe "
                                + options.contentDedupe()
                        : "")
                + ", max-payload " + UnitText.sizeText(options.maxPayload()) + ", max-pending " + options.maxPending()
                + options.limitName().map(limit -> ", limit " + limit).orElse("")
                + options.limit().map(limit -> ", limit of " + limit).orElse("")
                + options.key().map(key -> ", key " + key).orElse("")
                + options.perKey().map(limit -> ", per key " + limit).orElse("")
                + (options.keyMaxPending().isPresent()
                        ? ", max-pending of a key " + options.keyMaxPending().getAsInt()
                        : "");
    }

    static List<QueueConfig> read(CheckedSection at, Map<LimitName, Limit> limits) {
        List<QueueConfig> queues = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            ValueTypes.queue().read().apply(name).ifPresent(queue -> queues.add(queue(queue, at.below(name), limits)));
        }
        return queues;
    }

    private static QueueConfig queue(QueueName name, CheckedSection at, Map<LimitName, Limit> limits) {
        QueueOptions defaults = QueueOptions.defaultsFor(name);
        if (at.has(ON_DEAD) && !name.isFifo()) {
            at.report(ON_DEAD, "A standard queue has no groups to halt",
                    "remove it, or end the queue's name in .fifo");
        }
        if (at.has(CONTENT_DEDUPE) && !name.isFifo()) {
            at.report(CONTENT_DEDUPE, "A standard queue compares no content",
                    "remove it, or end the queue's name in .fifo");
        }
        int batch = at.value(BATCH).map(Math::toIntExact).orElse(1);
        URI handler = at.value(HANDLER).orElse(null);
        if (batch > 1 && name.isFifo()) {
            at.report(BATCH, "A FIFO queue runs the jobs of a group one after the other",
                    "remove it, or end the queue's name otherwise");
        } else if (batch > 1 && (handler == null || handler.equals(PULL))) {
            at.report(BATCH, "Jobs are not POSTed: the queue's handler is no address",
                    "remove it, or give the queue a handler; a claim of a worker that pulls names its own max");
        }
        QueueOptions options = defaults
                .withConcurrency(
                        at.value(CONCURRENCY).map(Math::toIntExact).orElse(defaults.concurrency()))
                .withTimeout(at.value(TIMEOUT).orElse(defaults.timeout()))
                .withRetry(retry(at.below(RETRY), defaults.retry()))
                .withOnDead(at.value(ON_DEAD).orElse(OnDead.CONTINUE))
                .withContentDedupe(at.value(CONTENT_DEDUPE).orElse(defaults.contentDedupe()))
                .withMaxPayload(at.value(MAX_PAYLOAD).map(Math::toIntExact).orElse(defaults.maxPayload()))
                .withMaxPending(at.value(MAX_PENDING).orElse(defaults.maxPending()))
                .withMaxLeased(at.value(MAX_LEASED).orElse(defaults.maxLeased()));
        Optional<Limit> own = LimitConfig.own(at);
        QueueOptions limited = own.isPresent()
                ? options.withLimit(own.get())
                : LimitConfig.named(at, limits).map(limit -> options.withLimit(limit.value())).orElse(options);
        return new QueueConfig(name, handler, batch, LimitConfig.keyed(name, at, limited, limits));
    }

    private static RetryPolicy retry(CheckedSection at, RetryPolicy defaults) {
        Duration base = given(at, BASE, defaults.base());
        Duration max = given(at, MAX, defaults.max());
        if (base.compareTo(max) > 0) {
            boolean readable = (!at.has(BASE) || at.value(BASE).isPresent())
                    && (!at.has(MAX) || at.value(MAX).isPresent());
            if (readable) {
                at.report(BASE, "The first wait, " + UnitText.text(base)
                        + ", is longer than the longest, " + UnitText.text(max)
                        + (at.has(MAX) ? "" : " by default"),
                        "make base shorter or max longer");
            }
            return defaults;
        }
        return new RetryPolicy(at.value(ATTEMPTS).map(Math::toIntExact).orElse(defaults.attempts()), base,
                at.value(FACTOR).orElse(defaults.factor()), max,
                at.value(JITTER).orElse(defaults.jitter()));
    }

    private static Duration given(CheckedSection at, KeySpec.Key<Duration> key, Duration otherwise) {
        return at.value(key).orElse(otherwise);
    }

    /** Reports the name of a queue that the file does not declare. */
    static void undeclared(CheckedSection at, KeySpec key, QueueName name, Set<QueueName> queues) {
        List<String> names = queues.stream().map(QueueName::value).sorted().toList();
        at.report(key, "No such queue is declared under queues",
                NearestName.of(name.value(), names).map(near -> "did you mean " + near + "?")
                        .orElse("declare it: queues: { " + name + ": {} }"));
    }

    private static ValueType<URI> handlers() {
        return new ValueType<>("an absolute http or https address without fragment, or pull",
                text -> ValueTypes.uri(text)
                        .filter(uri -> uri.equals(PULL) || ValueTypes.isWebhook(uri)),
                "http://127.0.0.1:9000/jobs/emails");
    }

    private static Absent perKind(Object standard, Object fifo) {
        return standard.equals(fifo)
                ? new Absent.Means(standard.toString())
                : new Absent.Depends(standard + "; FIFO " + fifo);
    }
}
