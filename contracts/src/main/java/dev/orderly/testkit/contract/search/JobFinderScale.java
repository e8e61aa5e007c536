package dev.orderly.testkit.contract.search;

import static dev.orderly.testkit.contract.search.SearchTrial.MAIL;
import static dev.orderly.testkit.contract.search.SearchTrial.NEWS;
import static dev.orderly.testkit.contract.search.SearchTrial.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.search.ErrorFingerprint;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.testkit.ManualTime;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every question of an operator, asked of a store with as many jobs as the system property {@value #JOBS} says, takes
 * less than 300 ms. Filling a store takes minutes, so subclasses have a name that only {@code -Dtest=} finds.
 */
public abstract class JobFinderScale {
    /** The system property with the number of jobs. */
    static final String JOBS = "orderly.scale";
    private static final Logger LOG = LoggerFactory.getLogger(JobFinderScale.class);
    private static final Duration LONGEST = Duration.ofMillis(300);
    private static final int TIMES = 7;

    /** An empty store. Closed by the test. */
    protected abstract Store open(Time clock);

    @Test
    public void everyQuestionIsAnsweredSoonInALargeStore() {
        int jobs = Integer.getInteger(JOBS, 10_000_000);
        ManualTime time = new ManualTime();
        try (Store store = open(time)) {
            SearchTrial trial = new SearchTrial(store, time);
            ManyJobs.fill(store, time, jobs);
            Map<String, Duration> slow = new LinkedHashMap<>();
            questions(trial).forEach((name, question) -> {
                Duration median = median(question);
                LOG.warn("{} jobs: {} took {} ms", jobs, name, median.toMillis());
                if (median.compareTo(LONGEST) > 0) {
                    slow.put(name, median);
                }
            });
            assertThat(slow).isEmpty();
        }
    }

    private static Map<String, Runnable> questions(SearchTrial trial) {
        JobFinder finder = trial.finder();
        JobId some = finder.ids(JobSearch.ALL.inQueue(ORDERS), null, 10).jobs().getLast();
        ErrorFingerprint error = ErrorShape.of("Timed out").fingerprint();
        Map<String, Runnable> all = new LinkedHashMap<>();
        all.put("newest", () -> finder.search(JobSearch.ALL, null, 50));
        all.put("id", () -> finder.search(JobSearch.ALL.withIds(JobIdRange.of(some)), null, 50));
        all.put("queue of one job", () -> finder.search(JobSearch.ALL.inQueue(NEWS), null, 50));
        all.put("large queue", () -> finder.search(JobSearch.ALL.inQueue(MAIL), null, 50));
        all.put("waiting of a large queue",
                () -> finder.search(JobSearch.ALL.inQueue(MAIL).inState(JobState.WAITING), null, 50));
        all.put("FIFO queue", () -> finder.search(JobSearch.ALL.inQueue(ORDERS), null, 50));
        all.put("group", () -> finder.search(JobSearch.ALL.inQueue(ORDERS).inGroup("large"), null, 50));
        all.put("dead letters", () -> finder.search(JobSearch.ALL.inState(JobState.DEAD), null, 50));
        all.put("error", () -> finder.search(JobSearch.ALL.deadBy(error), null, 50));
        all.put("text among the dead",
                () -> finder.search(JobSearch.ALL.inState(JobState.DEAD).mentioning("nothing"), null, 50));
        all.put("user", () -> finder.search(JobSearch.ALL.ofUser(new UserId("nobody")), null, 50));
        all.put("param in a queue",
                () -> finder.search(JobSearch.ALL.inQueue(MAIL).withParams(Map.of("order", "x")), null, 50));
        all.put("running", () -> finder.search(JobSearch.ALL.inState(JobState.RUNNING), null, 50));
        all.put("errors", () -> finder.dead(null));
        for (Order order : Order.values()) {
            all.put("groups, " + order.text(), () -> finder.groups(new GroupQuery(ORDERS, order, 50)));
        }
        return all;
    }

    private static Duration median(Runnable question) {
        Time time = Time.system();
        List<Long> took = new ArrayList<>();
        for (int n = 0; n < TIMES; n++) {
            long began = time.nanos();
            question.run();
            took.add(time.nanos() - began);
        }
        return Duration.ofNanos(took.stream().sorted().toList().get(TIMES / 2));
    }
}
