package dev.orderly.testkit.assertj;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushedJob;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Assertions about the jobs pushed to one queue. Each call keeps the jobs that fit and fails if none does; so all of
 * a chain is true of one job at least. {@link #once}, {@link #times} and {@link #withPayloads} say how many are left.
 *
 * @param <T> the payload's type
 */
public final class PushedJobsAssert<T> extends AbstractAssert<PushedJobsAssert<T>, List<PushedJob>> {
    /** Time that may pass between a push and its acceptance while handlers run. */
    private static final Duration PUSH_TIME_MAX = Duration.ofSeconds(1);

    private final OrderlyHarness harness;
    private final JobQueue<T> queue;
    /** The conditions that these jobs fit, each after a blank. */
    private final String conditions;

    PushedJobsAssert(OrderlyHarness harness, JobQueue<T> queue, List<PushedJob> jobs, String conditions) {
        super(jobs, PushedJobsAssert.class);
        this.harness = harness;
        this.queue = queue;
        this.conditions = conditions;
    }

    /** Keeps jobs whose payload is this one, as the queue would store it; of JSON the order of fields is free. */
    public PushedJobsAssert<T> withPayload(T payload) {
        Payload expected = stored(payload);
        return keep("with payload " + text(expected), job -> isSame(expected, job.payload()));
    }

    /**
     * Keeps jobs of this FIFO group.
     *
     * @throws AssertionError if there are none, as on a standard queue
     */
    public PushedJobsAssert<T> inGroup(String group) {
        return keep("in group " + group, job -> group.equals(job.group()));
    }

    /** Keeps jobs that were pushed with this delay, to the second: time passes while handlers run. */
    public PushedJobsAssert<T> withDelay(Duration delay) {
        Objects.requireNonNull(delay, "delay");
        return keep("with delay " + delay, job -> job.runAt() != null && Duration.between(job.pushedAt(), job.runAt())
                .minus(delay).abs().compareTo(PUSH_TIME_MAX) < 0);
    }

    /** Keeps jobs that were due at once. */
    public PushedJobsAssert<T> withoutDelay() {
        return keep("without delay", job -> job.runAt() == null);
    }

    /** Keeps jobs that were pushed with this dedupe id. */
    public PushedJobsAssert<T> withDedupeId(String dedupeId) {
        return keep("with dedupe id " + dedupeId, job -> DedupeKey.ofId(job.queue(), job.group(), dedupeId)
                .equals(job.dedupe()));
    }

    /** Keeps jobs with this priority. */
    public PushedJobsAssert<T> withPriority(Priority priority) {
        Objects.requireNonNull(priority, "priority");
        return keep("with priority " + priority, job -> job.priority() == priority);
    }

    /** Keeps jobs with this param, whatever their other params. */
    public PushedJobsAssert<T> withParam(String name, String value) {
        Objects.requireNonNull(name, "name");
        return keep("with param " + name + "=" + value, job -> value.equals(job.params().get(name)));
    }

    /** Keeps jobs that belong to this user. */
    public PushedJobsAssert<T> ofUser(UserId user) {
        return keep("of user " + user, job -> user.equals(job.user()));
    }

    /** Keeps jobs that belong to no user. */
    public PushedJobsAssert<T> ofNoUser() {
        return keep("of no user", job -> job.user() == null);
    }

    /** Asserts that one job is left. */
    public PushedJobsAssert<T> once() {
        return times(1);
    }

    /** Asserts that this many jobs are left. */
    public PushedJobsAssert<T> times(int number) {
        if (actual.size() != number) {
            throw wrong(number + (number == 1 ? " job was" : " jobs were") + " to be pushed to queue " + queue.name()
                    + conditions + ", and there are " + actual.size() + PushedJobText.list("pushed to this queue",
                            harness.pushed(queue)));
        }
        return this;
    }

    /** Asserts that the jobs that are left have these payloads, and no others, in the order of their pushes. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final PushedJobsAssert<T> withPayloads(T... payloads) {
        Objects.requireNonNull(payloads, "payloads");
        List<Payload> expected = new ArrayList<>();
        for (T payload : payloads) {
            expected.add(stored(payload));
        }
        boolean same = expected.size() == actual.size();
        for (int n = 0; same && n < expected.size(); n++) {
            same = isSame(expected.get(n), actual.get(n).payload());
        }
        if (!same) {
            throw wrong("Jobs of queue " + queue.name() + conditions + " were to be pushed with the payloads "
                    + expected.stream().map(PushedJobsAssert::text).toList() + " in this order"
                    + PushedJobText.list("pushed to this queue", harness.pushed(queue)));
        }
        return this;
    }

    /**
     * Goes on with the jobs that were pushed to this or another queue after the first of the jobs that are left.
     *
     * @throws AssertionError if there are none
     */
    public <N> PushedJobsAssert<N> then(JobQueue<N> next) {
        List<PushedJob> all = harness.pushed();
        List<PushedJob> later = all.subList(all.indexOf(actual.getFirst()) + 1, all.size()).stream()
                .filter(job -> job.queue().equals(next.name())).toList();
        String after = " after " + PushedJobText.line(actual.getFirst());
        if (later.isEmpty()) {
            throw wrong("No job was pushed to queue " + next.name() + after + PushedJobText.list("pushed in all", all));
        }
        return new PushedJobsAssert<>(harness, next, later, after);
    }

    private PushedJobsAssert<T> keep(String condition, Predicate<PushedJob> fits) {
        List<PushedJob> kept = actual.stream().filter(fits).toList();
        if (kept.isEmpty()) {
            throw wrong("No job was pushed to queue " + queue.name() + conditions + " " + condition
                    + PushedJobText.list("pushed to this queue", harness.pushed(queue)));
        }
        return new PushedJobsAssert<>(harness, queue, kept, conditions + " " + condition);
    }

    private AssertionError wrong(String message) {
        return failure("%s", message);
    }

    private Payload stored(T payload) {
        return harness.orderly().jobs().request(queue, payload).payload();
    }

    private static boolean isSame(Payload expected, Payload pushed) {
        return expected.equals(pushed)
                || (expected.contentType().equals(pushed.contentType()) && isSameJson(expected, pushed));
    }

    private static boolean isSameJson(Payload expected, Payload pushed) {
        try {
            return expected.contentType().startsWith(Payload.JSON)
                    && JsonMapper.shared().readTree(expected.bytes()).equals(JsonMapper.shared()
                            .readTree(pushed.bytes()));
        } catch (JacksonException _) {
            return false;
        }
    }

    private static String text(Payload payload) {
        return PushedJobText.payload(payload.asText());
    }
}
