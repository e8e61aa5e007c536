package dev.orderly.spring;

import dev.orderly.job.OnDead;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The handler of a queue: a method of a bean that runs its jobs. The annotation declares the queue too, so that a
 * {@code StandardQueue} or a {@code FifoQueue} of the payload's type can be injected.
 *
 * {@snippet :
 * @JobHandler(value = "update_profile.fifo", timeout = "30s")
 * void update(Profile profile, Job<Profile> job, UserId user) {
 *     crm.update(user, profile);
 * }
 * }
 *
 * <p>The arguments are found by their type: {@link dev.orderly.job.Job}, {@link dev.orderly.user.UserId} (or
 * {@code Optional<UserId>}, or {@code @Nullable UserId}), {@link JobParam}; the one that is left is the payload. A
 * method without a payload takes jobs of any content. A returned value becomes the result of the job. The method blocks
 * as long as it works, and fails the attempt by an exception, as {@link dev.orderly.job.Handler} says.
 *
 * <p>An attribute that is left out has the default of its kind of queue. Properties below {@code orderly.queues} win
 * over attributes. A method may neither be private nor static.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobHandler {
    /** The name of the queue, which is FIFO if it ends in {@code .fifo}; may have placeholders. */
    String value();

    /** Handlers that run at once in this application; 0 for the default. */
    int concurrency() default 0;

    /**
     * The most jobs of one call, 1 to 1,000: the method then takes a {@code List<BatchedJob<T>>} alone and returns
     * nothing, and each job is settled by itself, as {@link dev.orderly.job.BatchHandler} says; 0 for one job a call.
     * Standard queues only, and not with {@link #inTransaction}.
     */
    int batch() default 0;

    /** The longest time of one attempt, such as {@code 30s} or {@code 5m}; empty for the default. */
    String timeout() default "";

    /** The waits before a failed job runs again. */
    Retry retry() default @Retry;

    /** The effect of a dead letter on its group. */
    OnDead onDead() default OnDead.CONTINUE;

    /**
     * Whether a push without a dedupe id is a duplicate if an equal job was pushed into its group within five minutes;
     * FIFO queues only.
     */
    boolean contentDedupe() default true;

    /** The largest payload, such as {@code 256KB}; empty for the default. */
    String maxPayload() default "";

    /** Waiting and delayed jobs from which on pushes are refused; 0 for the default. */
    long maxPending() default 0;

    /** Running jobs without a node from which on no further job starts; 0 for the default. */
    long maxLeased() default 0;

    /** How long a job waits whose payload no live node can read, such as {@code 1h}; empty for the default. */
    String unreadableFor() default "";

    /**
     * The name of a limit over all nodes, declared below {@code orderly.limits}; empty for the default.
     */
    String limit() default "";

    /**
     * What the key of a job is, as {@link dev.orderly.job.KeyRule#parse} reads it: {@code params.tenant}, {@code user}
     * or {@code payload:/customer/id}; empty for the default. Keys take turns; {@code per-key} below
     * {@code orderly.queues} bounds each. Standard queues only.
     */
    String key() default "";

    /**
     * Whether the method runs in a transaction that also completes the job: its changes and the end of the job are
     * committed together, so the effect is applied exactly once. Needs the store of {@code spring.datasource} on
     * PostgreSQL. An exception, or a transaction that is marked for rollback, fails the attempt.
     */
    boolean inTransaction() default false;

    /** The name of the transaction manager of {@link #inTransaction}; empty for the only, or primary, one. */
    String transactionManager() default "";

    /** Exponential backoff, as {@link dev.orderly.job.RetryPolicy}. What is left out has the queue's default. */
    @Target({})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Retry {
        /** Failed attempts until the job is a dead letter; 0 for the default. */
        int attempts() default 0;

        /** The first wait, such as {@code 5s}; empty for the default. */
        String base() default "";

        /** The growth of the wait with each further failure; 0 for the default. */
        double factor() default 0;

        /** The longest wait; empty for the default. */
        String max() default "";

        /** The random share of each wait, 0 to 1; below 0 for the default. */
        double jitter() default -1;
    }
}
