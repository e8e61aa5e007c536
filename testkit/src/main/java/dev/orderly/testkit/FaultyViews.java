package dev.orderly.testkit;

import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.history.HistorySubject;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.JobViews;
import dev.orderly.testkit.FaultyStore.Call;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
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
    public Optional<String> holder(JobId id) {
        return faults.call(Call.AHEAD, () -> views.holder(id));
    }

    @Override
    public Set<NodeId> workers(QueueName queue) {
        return faults.call(Call.AHEAD, () -> views.workers(queue));
    }

    @Override
    public List<QueueView> queues() {
        return faults.call(Call.QUEUES, views::queues);
    }

    /** The history port of a {@link FaultyStore}. */
    record FaultyHistory(HistoryStore history, FaultyStore faults) implements HistoryStore {
        @Override
        public void append(String source, List<HistoryPart> parts) {
            faults.call(Call.HISTORY_APPEND, () -> {
                history.append(source, parts);
                return true;
            });
        }

        @Override
        public NavigableMap<Instant, HistoryFigures> read(HistorySubject subject, Scale scale, Instant from,
                Instant until) {
            return faults.call(Call.HISTORY_READ, () -> history.read(subject, scale, from, until));
        }

        @Override
        public int prune(Instant minutesBefore, Instant hoursBefore, int limit) {
            return faults.call(Call.HISTORY_PRUNE, () -> history.prune(minutesBefore, hoursBefore, limit));
        }
    }
}
