package dev.orderly.testkit.contract.search;

import dev.orderly.Store;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.testkit.ManualTime;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The store under test with its clock and one node, and the vocabulary of the tests. */
record SearchTrial(Store store, ManualTime time) {
    static final QueueName MAIL = new QueueName("mail");
    static final QueueName NEWS = new QueueName("news");
    static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");

    JobFinder finder() {
        return store.jobFinder();
    }

    Instant now() {
        return time.now();
    }

    /** A job for a queue; on a FIFO queue of a group. */
    static NewJob job(QueueName queue, @Nullable String group) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text("x"), Map.of(), null, null, null);
    }

    static NewJob job(QueueName queue) {
        return job(queue, null);
    }

    static NewJob from(NewJob job, @Nullable UserId user, Map<String, String> params) {
        return new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(), params, user,
                job.dedupe(), job.idempotency());
    }

    static NewJob dedupe(NewJob job, String id) {
        return new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(), job.params(),
                job.user(), DedupeKey.ofId(job.queue(), job.group(), id), null);
    }

    static NewJob later(NewJob job, Priority priority, @Nullable Instant at) {
        return new NewJob(job.queue(), job.group(), priority, at, job.payload(), job.params(), job.user(),
                job.dedupe(), null);
    }

    JobId push(NewJob job) {
        return pushAll(List.of(job)).getFirst();
    }

    List<JobId> pushAll(List<NewJob> jobs) {
        time.advance(Duration.ofMillis(1));
        return store.jobs().push(jobs, now()).stream().map(PushResult::id).toList();
    }

    List<JobId> pushMany(QueueName queue, int count) {
        List<JobId> ids = new ArrayList<>();
        for (int from = 0; from < count; from += 1_000) {
            ids.addAll(
                    pushAll(IntStream.range(from, Math.min(count, from + 1_000)).mapToObj(_ -> job(queue)).toList()));
        }
        return ids;
    }

    List<ClaimedJob> claim(QueueName queue, int limit) {
        store.jobs().beat(NODE);
        return store.jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(queue, limit))), now()).jobs();
    }

    void settle(ClaimedJob job, AttemptOutcome outcome) {
        store.jobs().settle(List.of(new Settlement(NODE, job.attempt(), outcome)), now());
    }

    void settleAll(List<ClaimedJob> jobs, List<AttemptOutcome> outcomes) {
        store.jobs().settle(IntStream.range(0, jobs.size())
                .mapToObj(n -> new Settlement(NODE, jobs.get(n).attempt(), outcomes.get(n))).toList(), now());
    }

    /** Pushes a job, which must be the next of its queue, and lets it die. */
    JobId dead(NewJob job, String summary) {
        JobId id = push(job);
        claim(job.queue(), 1).forEach(claimed -> settle(claimed, died(summary, false)));
        return id;
    }

    static AttemptOutcome died(String summary, boolean halt) {
        return new AttemptOutcome.Dead(new JobFailure(summary, "at Handler.java:7"), halt);
    }

    static AttemptOutcome retry(Instant at, String summary) {
        return new AttemptOutcome.Retry(at, new JobFailure(summary, ""));
    }

    /** All found jobs, over pages of a size. */
    List<JobId> found(JobSearch search, int limit) {
        List<JobId> all = new ArrayList<>();
        JobId before = null;
        do {
            SearchPage<JobId> page = finder().ids(search, before, limit);
            all.addAll(page.jobs());
            before = page.next();
        } while (before != null);
        return all;
    }

    List<JobId> found(JobSearch search) {
        return finder().search(search, null, JobFinder.PAGE_MAX).jobs().stream().map(JobView::id).toList();
    }
}
