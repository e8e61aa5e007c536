package dev.orderly.testkit.contract.search;

import static dev.orderly.testkit.contract.search.SearchTrial.MAIL;
import static dev.orderly.testkit.contract.search.SearchTrial.NEWS;
import static dev.orderly.testkit.contract.search.SearchTrial.ORDERS;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random changes of jobs, and random searches for them. */
final class RandomJobs {
    private static final List<QueueName> QUEUES = List.of(MAIL, NEWS, ORDERS);
    private static final List<String> ERRORS = List.of("No mailbox %d", "Refused by 'host%d'", "Timed out");

    private final SearchTrial trial;
    private final Random random;

    RandomJobs(SearchTrial trial, Random random) {
        this.trial = trial;
        this.random = random;
    }

    /** Pushes jobs, and lets some of all end in one way or another. */
    void change() {
        List<NewJob> jobs = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            jobs.add(job());
        }
        List<JobId> ids = trial.pushAll(jobs);
        trial.store().jobs().cancel(ids.get(random.nextInt(ids.size())), trial.now());
        for (QueueName queue : QUEUES) {
            for (ClaimedJob claimed : trial.claim(queue, 1 + random.nextInt(5))) {
                settle(claimed);
            }
        }
        if (random.nextInt(3) == 0) {
            trial.store().jobs().redriveAll(any(QUEUES), 1 + random.nextInt(3), trial.now());
        }
        trial.time().advance(Duration.ofSeconds(random.nextInt(3)));
    }

    private NewJob job() {
        QueueName queue = any(QUEUES);
        NewJob plain = SearchTrial.job(queue, queue.isFifo() ? any(List.of("g", "h", "i")) : null);
        NewJob job = random.nextBoolean()
                ? plain
                : SearchTrial.from(plain, new UserId(any(List.of("ann", "bob"))),
                        Map.of("n", any(List.of("1", "2", "3"))));
        return queue.isFifo()
                ? job
                : SearchTrial.later(job, any(List.of(Priority.values())),
                        random.nextInt(5) == 0 ? trial.now().plus(Duration.ofHours(1)) : null);
    }

    private void settle(ClaimedJob job) {
        String error = any(ERRORS).formatted(random.nextInt(100));
        switch (random.nextInt(6)) {
            case 0, 1 -> trial.settle(job, new AttemptOutcome.Done(null));
            case 2 -> trial.settle(job, SearchTrial.died(error, random.nextInt(4) == 0));
            case 3 -> trial.settle(job, new AttemptOutcome.Dead(
                    new JobFailure(error, ""), false));
            case 4 -> trial.settle(job, SearchTrial.retry(trial.now().plus(Duration.ofHours(1)), error));
            default -> { // still running
            }
        }
    }

    JobSearch search(List<JobView> all) {
        JobView near = any(all);
        Instant at = near.pushedAt();
        JobSearch search = JobSearch.ALL;
        if (random.nextInt(3) > 0) {
            search = search.inQueue(near.queue());
        }
        if (near.group() != null && random.nextInt(3) == 0) {
            search = search.inGroup(near.group());
        }
        search = switch (random.nextInt(8)) {
            case 0 -> search.withIds(JobIdRange.ALL.from(at));
            case 1 -> search.withIds(JobIdRange.ALL.before(at.plusMillis(1)).from(at.minusSeconds(2)));
            case 2 -> search.withIds(JobIdRange.startingWith(near.id().toString().substring(0,
                    6 + random.nextInt(31))));
            case 3 -> search.mentioning(any(List.of("mailbox", "REFUSED", "host1")));
            case 4 -> search.deadBy(ErrorShape.of(any(ERRORS).formatted(5)).fingerprint());
            case 5 -> search.ofUser(new UserId(any(List.of("ann", "bob"))));
            case 6 -> search.withParams(Map.of("n", any(List.of("1", "2"))));
            default -> search;
        };
        return search.error() == null && random.nextInt(2) == 0
                ? search.inState(any(List.of(JobState.values())))
                : search;
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
