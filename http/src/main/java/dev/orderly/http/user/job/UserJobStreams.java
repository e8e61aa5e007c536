package dev.orderly.http.user.job;

import dev.orderly.flow.Quota;
import dev.orderly.http.user.job.FollowStreams.Kind;
import dev.orderly.http.user.job.FollowStreams.Reading;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.engine.JobClient;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication.Known;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The event streams of jobs and of batches. Changes of a job on this node are sent soon, those of other nodes and of
 * positions within {@link #ROUND}; a batch is sent at most once per {@link #BATCH_ROUND}.
 *
 * <p>Thread-safe; {@link #start} it before the edge, close it after.
 */
public final class UserJobStreams implements AutoCloseable {
    static final Duration PAUSE = Duration.ofMillis(200);
    static final Duration ROUND = Duration.ofSeconds(2);
    static final Duration BATCH_ROUND = Duration.ofSeconds(1);
    static final String END = "end";

    /** 10,000 in all, 20 of a user. */
    public static final Quota.Limit LIMIT = new Quota.Limit(10_000, 20);

    /** The content of a larger result is left out; clients get it as JSON. */
    private static final int EVENT_MAX = EventStream.BUFFER / 2;

    private final JobClient client;
    private final FollowStreams<JobId> jobs;
    private final FollowStreams<Long> batches;

    /** @param limit of streams, in all and of one user; further streams are answered 429 */
    public UserJobStreams(JobClient client, Time time, Quota.Limit limit) {
        this.client = client;
        Quota<UserId> open = new Quota<>(limit);
        jobs = new FollowStreams<>(new Kind<>("job", PAUSE, ROUND, id -> client.find(id).map(this::reading)), time,
                open);
        batches = new FollowStreams<>(new Kind<>("batch", BATCH_ROUND, BATCH_ROUND,
                number -> client.batches().find(number).map(UserJobStreams::reading)), time, open);
        client.onChange(jobs::changed);
    }

    /** Called once. */
    public void start() {
        jobs.start();
        batches.start();
    }

    /** Stops sending; the streams themselves end with the listener. Idempotent. */
    @Override
    public void close() {
        jobs.close();
        batches.close();
    }

    /**
     * A stream that starts with the job's current state; refused with 429 if too many are open. Blocks on the store.
     */
    Match open(JobView job, Known known) {
        return jobs.open(job.id(), reading(job), known);
    }

    /** As {@link #open(JobView, Known)}, of a batch. */
    Match open(BatchView batch, Known known) {
        return batches.open(batch.number(), reading(batch), known);
    }

    private Reading reading(JobView job) {
        QueuePosition place = client.position(job).orElse(null);
        byte[] whole = UserJobJson.of(job, place, true);
        byte[] sent = whole.length <= EVENT_MAX ? whole : UserJobJson.of(job, place, false);
        return new Reading(new String(sent, StandardCharsets.UTF_8), job.state().isEnd());
    }

    private static Reading reading(BatchView batch) {
        return new Reading(new String(UserBatchJson.of(batch), StandardCharsets.UTF_8), batch.callback() != null);
    }
}
