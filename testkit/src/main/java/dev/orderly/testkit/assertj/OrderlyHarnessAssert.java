package dev.orderly.testkit.assertj;

import dev.orderly.job.JobQueue;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushedJob;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about the pushes that a harness has recorded. Every failure lists what was pushed instead. */
public final class OrderlyHarnessAssert extends AbstractAssert<OrderlyHarnessAssert, OrderlyHarness> {
    OrderlyHarnessAssert(OrderlyHarness actual) {
        super(actual, OrderlyHarnessAssert.class);
    }

    /**
     * Asserts that at least one job was pushed to the queue. What follows narrows these jobs down, and asserts each
     * time that one is left.
     */
    public <T> PushedJobsAssert<T> hasPushed(JobQueue<T> queue) {
        isNotNull();
        List<PushedJob> jobs = actual.pushed(queue);
        if (jobs.isEmpty()) {
            failWithMessage("%s", "No job was pushed to queue " + queue.name() + PushedJobText.list("pushed in all",
                    actual.pushed()));
        }
        return new PushedJobsAssert<>(actual, queue, jobs, "");
    }

    /** Asserts that no job was pushed to the queue. */
    public OrderlyHarnessAssert hasPushedNothingTo(JobQueue<?> queue) {
        isNotNull();
        return none("No job was to be pushed to queue " + queue.name(), actual.pushed(queue));
    }

    /** Asserts that no job was pushed to any queue, by a schedule neither. */
    public OrderlyHarnessAssert hasPushedNothing() {
        isNotNull();
        return none("No job was to be pushed", actual.pushed());
    }

    private OrderlyHarnessAssert none(String expected, List<PushedJob> jobs) {
        if (!jobs.isEmpty()) {
            failWithMessage("%s", expected + PushedJobText.list("pushed", jobs));
        }
        return this;
    }
}
