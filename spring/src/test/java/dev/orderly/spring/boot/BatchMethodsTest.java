package dev.orderly.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.BatchedJob;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.engine.JobClient;
import dev.orderly.spring.JobHandler;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Methods that take several jobs in one call. */
class BatchMethodsTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class))
            .withBean(Store.class, MemoryStore::new);

    static class Indexer {
        final Queue<List<String>> calls = new ConcurrentLinkedQueue<>();

        @JobHandler(value = "index", batch = 10, concurrency = 1)
        void index(List<BatchedJob<String>> jobs) {
            calls.add(jobs.stream().map(BatchedJob::payload).toList());
            jobs.stream().filter(job -> job.payload().equals("bad")).forEach(job -> job.fail(new Unprocessable("bad")));
        }
    }

    static class BatchOfStrings {
        @JobHandler(value = "index", batch = 10)
        void index(List<String> jobs) {}
    }

    static class BatchOfAGroup {
        @JobHandler(value = "index.fifo", batch = 10)
        void index(List<BatchedJob<String>> jobs) {}
    }

    static class BatchWithResult {
        @JobHandler(value = "index", batch = 10)
        int index(List<BatchedJob<String>> jobs) {
            return jobs.size();
        }
    }

    static class BatchInTransaction {
        @JobHandler(value = "index", batch = 10, inTransaction = true)
        void index(List<BatchedJob<String>> jobs) {}
    }

    static class BatchTooLarge {
        @JobHandler(value = "index", batch = 1_001)
        void index(List<BatchedJob<String>> jobs) {}
    }

    @Test
    void aMethodTakesSeveralJobsOfItsQueueAndEachEndsByItself() {
        application.withBean(Indexer.class).run(context -> {
            @SuppressWarnings("unchecked") // the only queue, of the method's type
            StandardQueue<String> queue = context.getBean(StandardQueue.class);
            List<JobId> ids = queue.pushAll(List.of("a", "bad", "c"));
            JobClient jobs = context.getBean(Orderly.class).engines().jobs();
            await().atMost(SOON).until(() -> ids.stream()
                    .allMatch(id -> jobs.find(id).orElseThrow().state().isEnd()));
            assertThat(ids.stream().map(id -> jobs.find(id).orElseThrow().state()))
                    .containsExactly(JobState.DONE, JobState.DEAD, JobState.DONE);
            assertThat(context.getBean(Indexer.class).calls.stream().flatMap(List::stream))
                    .containsExactlyInAnyOrder("a", "bad", "c");
        });
    }

    @Test
    void aMethodThatCannotTakeSeveralJobsIsRefused() {
        application.withBean(BatchOfStrings.class).run(context -> assertThat(context).getFailure()
                .hasMessageContaining("take a List<BatchedJob<T>> alone"));
        application.withBean(BatchOfAGroup.class).run(context -> assertThat(context).getFailure()
                .hasMessageContaining("one after the other"));
        application.withBean(BatchWithResult.class).run(context -> assertThat(context).getFailure()
                .hasMessageContaining("returns a value"));
        application.withBean(BatchInTransaction.class).run(context -> assertThat(context).getFailure()
                .hasMessageContaining("not with inTransaction"));
        application.withBean(BatchTooLarge.class).run(context -> assertThat(context).getFailure()
                .hasMessageContaining("BatchTooLarge.index").hasMessageContaining("use 1 to 1000"));
    }
}
