package dev.orderly.testkit;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.BatchSnapshot;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The batches port over a {@link MemoryTable}, and the batches themselves. */
final class MemoryBatches implements BatchStore {
    private final MemoryJobs jobs;
    private final MemoryTable table;

    MemoryBatches(MemoryJobs jobs) {
        this.jobs = jobs;
        this.table = jobs.table;
    }

    /** The batches of a store, by number. */
    static final class Table {
        private final TreeMap<Long, State> all = new TreeMap<>();
        private long last;

        private @Nullable State of(MemoryJob job) {
            BatchLink link = job.pushed.terms().batch();
            return link == null || link.callback() ? null : all.get(link.number());
        }

        /** Counts a new job. */
        void pushed(MemoryJob job) {
            count(job, new BatchCounts(1, 0, 0, 0));
        }

        /** Counts a change of a job. */
        void changed(MemoryJob job, JobState before) {
            if (before != job.state) {
                BatchCounts gone = ended(before);
                BatchCounts come = ended(job.state);
                count(job, new BatchCounts(0, come.done() - gone.done(), come.dead() - gone.dead(),
                        come.cancelled() - gone.cancelled()));
            }
        }

        private void count(MemoryJob job, BatchCounts change) {
            State batch = of(job);
            if (batch != null && batch.finishedAt == null) {
                batch.counts = batch.counts.plus(change);
            }
        }

        private static BatchCounts ended(JobState state) {
            return switch (state) {
                case DONE -> new BatchCounts(0, 1, 0, 0);
                case DEAD -> new BatchCounts(0, 0, 1, 0);
                case CANCELLED -> new BatchCounts(0, 0, 0, 1);
                case WAITING, DELAYED, RUNNING -> BatchCounts.NONE;
            };
        }
    }

    private static final class State {
        final long number;
        final NewBatch opened;
        final Instant openedAt;
        BatchCounts counts = BatchCounts.NONE;
        @Nullable
        Instant closedAt;
        @Nullable
        Instant cancelledAt;
        @Nullable
        Instant finishedAt;
        @Nullable
        JobId callback;

        State(long number, NewBatch opened, Instant openedAt) {
            this.number = number;
            this.opened = opened;
            this.openedAt = openedAt;
        }

        BatchView view() {
            return new BatchSnapshot(opened.name(), number, opened.whenDead(), opened.callback().queue(),
                    opened.callback().user(), counts,
                    openedAt,
                    closedAt, cancelledAt, finishedAt, callback);
        }
    }

    /** Checks that the batches of jobs take them as members. */
    static void check(MemoryTable table, List<NewJob> pushed) {
        for (NewJob job : BatchRules.members(pushed)) {
            BatchLink link = BatchRules.link(job);
            State batch = table.batches.all.get(link.number());
            MemoryJob parent = job.parent() == null ? null : table.find(job.parent());
            BatchRules.check(link, batch == null ? null : batch.view(), parent != null
                    && parent.state == JobState.RUNNING && link.equals(parent.pushed.terms().batch()));
        }
    }

    @Override
    public Opening open(NewBatch batch, Instant now) {
        return table.locked(() -> {
            State kept = table.batches.all.values().stream().filter(each -> each.opened.name().equals(batch.name()))
                    .findFirst().orElse(null);
            if (kept != null) {
                return new Opening(kept.view(), kept.closedAt == null && kept.opened.repeats(batch));
            }
            State fresh = new State(++table.batches.last, batch, now);
            table.batches.all.put(fresh.number, fresh);
            return new Opening(fresh.view(), true);
        });
    }

    @Override
    public Optional<BatchView> find(BatchName name) {
        return table.locked(() -> table.batches.all.values().stream().filter(each -> each.opened.name().equals(name))
                .findFirst().map(State::view));
    }

    @Override
    public Optional<BatchView> find(long number) {
        return table.locked(() -> Optional.ofNullable(table.batches.all.get(number)).map(State::view));
    }

    @Override
    public List<BatchView> list(long below, int limit) {
        return table.locked(() -> table.batches.all.headMap(below, false).descendingMap().values().stream().limit(limit)
                .map(State::view).toList());
    }

    @Override
    public List<JobView> members(long number, JobState state, @Nullable JobId after, int limit) {
        return table.locked(() -> members(number).filter(job -> job.state == state)
                .filter(job -> after == null || job.id.compareTo(after) > 0)
                .sorted((one, other) -> one.id.compareTo(other.id))
                .limit(limit).map(job -> job.view(table.time)).toList());
    }

    private Stream<MemoryJob> members(long number) {
        return table.jobs().stream().filter(job -> job.pushed.terms().isMember()
                && BatchRules.link(job.pushed).number() == number);
    }

    @Override
    public Optional<BatchView> close(long number, Instant now) {
        return table.locked(() -> {
            State batch = table.batches.all.get(number);
            if (batch != null && batch.closedAt == null) {
                batch.closedAt = now;
            }
            return Optional.ofNullable(batch).map(State::view);
        });
    }

    @Override
    public Optional<BatchView> cancel(long number, Instant now) {
        return table.locked(() -> {
            State batch = table.batches.all.get(number);
            if (batch != null && batch.finishedAt == null && batch.cancelledAt == null) {
                batch.cancelledAt = now;
                batch.closedAt = batch.closedAt == null ? now : batch.closedAt;
            }
            return Optional.ofNullable(batch).map(State::view);
        });
    }

    @Override
    public Finished finish(Instant now) {
        return table.locked(() -> {
            List<QueueName> callbacks = new ArrayList<>();
            List<State> unfinished = table.batches.all.values().stream().filter(each -> each.finishedAt == null)
                    .toList();
            for (State batch : unfinished) {
                if (batch.closedAt != null && members(batch.number).noneMatch(job -> isLeft(job, batch))) {
                    batch.finishedAt = now;
                    batch.callback = jobs.push(batch.opened.callbackOf(batch.view()), table.time.stored(now)).id();
                    callbacks.add(batch.opened.callback().queue());
                }
            }
            List<State> left = unfinished.stream().filter(each -> each.finishedAt == null).toList();
            int open = (int) left.stream().filter(each -> each.closedAt == null).count();
            return new Finished(callbacks,
                    left.stream().filter(each -> each.cancelledAt != null).map(State::view).toList(), open,
                    left.size() - open);
        });
    }

    private static boolean isLeft(MemoryJob job, State batch) {
        return job.unsettled() || (batch.view().waitsForDeadLetters() && job.state == JobState.DEAD);
    }

    /** Forgets finished batches whose callback is kept no more. */
    static void prune(MemoryTable table) {
        table.batches.all.values().removeIf(batch -> batch.callback != null && table.find(batch.callback) == null);
    }
}
