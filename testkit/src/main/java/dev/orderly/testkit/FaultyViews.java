package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobAttempt;
import dev.orderly.job.store.JobView;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.QueueView;
import dev.orderly.testkit.FaultyStore.Call;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The views of a {@link FaultyStore}. */
record FaultyViews(JobViews views, FaultyStore faults) implements JobViews {
    @Override
    public Optional<JobView> find(JobId id) {
        return faults.call(Call.FIND, () -> views.find(id));
    }

    @Override
    public List<JobAttempt> attempts(JobId id) {
        return faults.call(Call.FIND, () -> views.attempts(id));
    }

    @Override
    public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
        return faults.call(Call.LIST, () -> views.list(queue, state, after, limit));
    }

    @Override
    public int ahead(JobId id, int limit) {
        return faults.call(Call.AHEAD, () -> views.ahead(id, limit));
    }

    @Override
    public Optional<JobId> blocker(JobId id) {
        return faults.call(Call.AHEAD, () -> views.blocker(id));
    }

    @Override
    public List<QueueView> queues() {
        return faults.call(Call.QUEUES, views::queues);
    }
}
