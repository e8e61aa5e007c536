package dev.orderly.springtest;

import dev.orderly.Orderly;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushRecorder;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * After each test cancels the jobs that have not ended, and forgets the pushes, for the next test of the same context.
 */
final class LeftJobsListener extends AbstractTestExecutionListener {
    private static final List<JobState> OPEN = List.of(JobState.DEAD, JobState.DELAYED, JobState.WAITING,
            JobState.RUNNING);
    private static final int PAGE = 1_000;

    @Override
    public void afterTestMethod(TestContext test) {
        if (!test.hasApplicationContext()) {
            return;
        }
        ApplicationContext context = test.getApplicationContext();
        if (context.getBeanNamesForType(OrderlyHarness.class, true, false).length == 0) {
            return;
        }
        Orderly orderly = context.getBean(OrderlyHarness.class).orderly();
        for (QueueStatus queue : orderly.jobs().queues()) {
            OPEN.forEach(state -> cancel(orderly, queue.view().queue(), state));
        }
        context.getBeanProvider(PushRecorder.class).ifAvailable(PushRecorder::forget);
    }

    private static void cancel(Orderly orderly, QueueName queue, JobState state) {
        List<JobView> page = orderly.jobs().list(queue, state, null, PAGE);
        while (!page.isEmpty()) {
            page.forEach(job -> orderly.jobs().cancel(job.id()));
            page = page.size() < PAGE ? List.of() : orderly.jobs().list(queue, state, page.getLast().id(), PAGE);
        }
    }
}
