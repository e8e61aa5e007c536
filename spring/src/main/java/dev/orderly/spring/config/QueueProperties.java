package dev.orderly.spring.config;

import dev.orderly.job.Limit;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.config.OrderlyProperties.Bounds;
import dev.orderly.spring.config.OrderlyProperties.PerKey;
import dev.orderly.spring.config.OrderlyProperties.Queue;
import dev.orderly.spring.config.OrderlyProperties.Retry;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/**
 * The options of queues: what is declared, changed by the attributes of the handler, changed by properties. A value
 * that breaks a rule of {@link QueueOptions} or {@link RetryPolicy} is a problem, and the value before it stays.
 */
public final class QueueProperties {
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,6}) per (\\S+)");
    private static final Pattern SHARE = Pattern.compile("([1-9][0-9]?|100)%");
    private final PropertyProblems problems;
    private final UnaryOperator<String> placeholders;

    /** @param placeholders replaces those in texts of attributes */
    public QueueProperties(PropertyProblems problems, UnaryOperator<String> placeholders) {
        this.problems = problems;
        this.placeholders = placeholders;
    }

    /** The property that names a queue's options. */
    public static String key(QueueName queue) {
        return "orderly.queues" + (queue.value().matches("[a-z0-9-]+") ? "." + queue : "[" + queue + "]");
    }

    /** Options changed by the attributes of a handler. */
    public QueueOptions withAttributes(QueueName name, QueueOptions options, JobHandler handler, String where) {
        JobHandler.Retry retry = handler.retry();
        return changed(name, options, where, new Queue(positive(handler.concurrency()),
                duration(where, handler.timeout()),
                new Retry(positive(retry.attempts()), duration(where, retry.base()),
                        retry.factor() == 0 ? null : retry.factor(), duration(where, retry.max()),
                        retry.jitter() < 0 ? null : retry.jitter()),
                handler.onDead() == OnDead.CONTINUE ? null : handler.onDead(), size(where, handler.maxPayload()),
                handler.maxPending() == 0 ? null : handler.maxPending(),
                handler.maxLeased() == 0 ? null : handler.maxLeased(), duration(where, handler.unreadableFor()),
                handler.contentDedupe() ? null : false, text(handler.limit()), text(handler.key()), null));
    }

    /** Options changed by the properties of a queue. */
    public QueueOptions withProperties(QueueName name, QueueOptions options, Queue properties) {
        return changed(name, options, key(name), properties);
    }

    private QueueOptions changed(QueueName name, QueueOptions before, String where, Queue given) {
        if (given.onDead() != null && !name.isFifo()) {
            problems.add(where, "A standard queue has no groups to halt: remove on-dead, or end the queue's name in"
                    + " .fifo");
        }
        if (given.contentDedupe() != null && !name.isFifo()) {
            problems.add(where, "A standard queue compares no content: remove content-dedupe, or end the queue's name"
                    + " in .fifo");
        }
        QueueOptions options = before;
        options = changed(where, options, given.concurrency(), QueueOptions::withConcurrency);
        options = changed(where, options, given.timeout(), QueueOptions::withTimeout);
        options = changed(where, options, given.retry(), (base, retry) -> base.withRetry(retry(base.retry(), retry)));
        options = changed(where, options, name.isFifo() ? given.onDead() : null, QueueOptions::withOnDead);
        options = changed(where, options, given.maxPayload(), (base, size) -> base
                .withMaxPayload(Math.clamp(size.toBytes(), 0, Integer.MAX_VALUE)));
        options = changed(where, options, given.maxPending(), QueueOptions::withMaxPending);
        options = changed(where, options, given.maxLeased(), QueueOptions::withMaxLeased);
        options = changed(where, options, given.unreadableFor(), QueueOptions::withUnreadableFor);
        options = changed(where, options, given.contentDedupe(), QueueOptions::withContentDedupe);
        options = changed(where, options, given.limit(), QueueOptions::withLimit);
        options = changed(where, options, given.key(), QueueOptions::withKey);
        PerKey each = given.perKey();
        if (each == null) {
            return options;
        }
        options = changed(where, options, each.maxPending(), QueueOptions::withKeyMaxPending);
        boolean bounds = each.concurrency() != null || each.rate() != null;
        return !bounds && each.share() == null && each.maxPending() != null
                ? options
                : changed(where, options, each, (base, bound) -> base.withPerKey(ofKeys(bound)));
    }

    private <T> QueueOptions changed(String where, QueueOptions before, @Nullable T value,
            BiFunction<QueueOptions, T, QueueOptions> change) {
        return value == null ? before : problems.check(where, () -> change.apply(before, value), before);
    }

    /**
     * A limit of properties.
     *
     * @throws IllegalArgumentException if it bounds nothing, or a value is out of its bounds
     */
    public static Limit limit(Bounds given) {
        Limit most = given.concurrency() == null ? null : Limit.concurrency(given.concurrency());
        if (given.rate() == null) {
            return most == null ? new Limit(0, 0, Duration.ZERO) : most;
        }
        Matcher rate = RATE.matcher(given.rate());
        if (!rate.matches()) {
            throw new IllegalArgumentException(
                    "\"" + given.rate() + "\" is no rate: use a number of jobs and a time, such"
                            + " as 100 per 10s");
        }
        int starts = Integer.parseInt(rate.group(1));
        Duration period = DurationStyle.detectAndParse(rate.group(2));
        return most == null ? Limit.of(starts, period) : most.rate(starts, period);
    }

    private static Limit ofKeys(PerKey each) {
        boolean bounds = each.concurrency() != null || each.rate() != null || each.share() == null;
        Limit most = bounds ? limit(new Bounds(each.concurrency(), each.rate())) : null;
        if (each.share() == null) {
            return Objects.requireNonNull(most);
        }
        Matcher share = SHARE.matcher(each.share());
        if (!share.matches()) {
            throw new IllegalArgumentException("\"" + each.share() + "\" is no share: use a percentage, such as 50%");
        }
        int percent = Integer.parseInt(share.group(1));
        return most == null ? Limit.ofShare(percent) : most.share(percent);
    }

    private @Nullable String text(String attribute) {
        return attribute.isEmpty() ? null : placeholders.apply(attribute);
    }

    private static RetryPolicy retry(RetryPolicy base, Retry given) {
        return new RetryPolicy(Objects.requireNonNullElse(given.attempts(), base.attempts()),
                Objects.requireNonNullElse(given.base(), base.base()),
                Objects.requireNonNullElse(given.factor(), base.factor()),
                Objects.requireNonNullElse(given.max(), base.max()),
                Objects.requireNonNullElse(given.jitter(), base.jitter()));
    }

    private static @Nullable Integer positive(int value) {
        return value == 0 ? null : value;
    }

    private @Nullable Duration duration(String where, String text) {
        return text.isEmpty()
                ? null
                : problems.<@Nullable Duration>check(where, () -> DurationStyle
                        .detectAndParse(placeholders.apply(text)), null);
    }

    private @Nullable DataSize size(String where, String text) {
        return text.isEmpty()
                ? null
                : problems.<@Nullable DataSize>check(where, () -> DataSize.parse(placeholders.apply(text)), null);
    }
}
