package dev.orderly.testkit.contract.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.NewBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The same batches in two stores: their calls, with a comparison of all answers. */
final class BatchTwins {
    private static final int ALL = 1_000;

    private final JobTwins jobs;
    private final Supplier<BatchStore> subject;
    private final Supplier<BatchStore> model;
    private final Map<BatchName, NewBatch> opened = new HashMap<>();
    private final Map<Integer, BatchName> members = new HashMap<>();
    private final Set<BatchName> called = new HashSet<>();

    BatchTwins(JobTwins jobs, Supplier<BatchStore> subject, Supplier<BatchStore> model) {
        this.jobs = jobs;
        this.subject = subject;
        this.model = model;
    }

    /** A batch in both stores. */
    record Twin(BatchView subject, BatchView model) {
        BatchName name() {
            return model.name();
        }
    }

    /** The batches that both stores keep, in the order in which they were opened. */
    private List<Twin> kept() {
        Map<BatchName, BatchView> ofSubject = subject.get().list(Long.MAX_VALUE, ALL).stream()
                .collect(Collectors.toMap(BatchView::name, Function.identity()));
        return model.get().list(Long.MAX_VALUE, ALL).stream().filter(batch -> ofSubject.containsKey(batch.name()))
                .map(batch -> new Twin(Objects.requireNonNull(ofSubject.get(batch.name())), batch))
                .sorted(Comparator.comparingLong(batch -> batch.model.number())).toList();
    }

    /** One of the batches that both stores keep. */
    Optional<Twin> picked(int pick) {
        List<Twin> kept = kept();
        return kept.isEmpty() ? Optional.empty() : Optional.of(kept.get(pick % kept.size()));
    }

    /** Opens a batch with a new name; in one of four cases one of an earlier name with one of two callbacks. */
    void open(RandomJobStep.OpenBatch step, Instant now) {
        Optional<Twin> earlier = step.pick() % 4 == 0 ? picked(step.pick() / 4) : Optional.empty();
        BatchName name = earlier.map(Twin::name).orElse(new BatchName(step.name()));
        NewBatch before = opened.get(name);
        QueueName queue = step.group() == null ? JobDraft.MAIL : JobDraft.ORDERS;
        NewBatch asked = before != null && step.pick() % 3 > 0
                ? before
                : new NewBatch(name, step.whenDead(), JobDraft.to(queue, step.group(), "all of " + name).job());
        BatchStore.Opening ofModel = model.get().open(asked, now);
        BatchStore.Opening ofSubject = subject.get().open(asked, now);
        assertThat(ofSubject.accepted()).as("whether %s is opened", asked).isEqualTo(ofModel.accepted());
        assertThat(seen(ofSubject.batch())).isEqualTo(seen(ofModel.batch()));
        opened.putIfAbsent(name, asked);
    }

    void close(int pick, Instant now) {
        changed(pick, (store, number) -> store.close(number, now));
    }

    void cancel(int pick, Instant now) {
        changed(pick, (store, number) -> store.cancel(number, now));
    }

    private void changed(int pick, BiFunction<BatchStore, Long, Optional<BatchView>> change) {
        picked(pick).ifPresent(batch -> assertThat(change.apply(subject.get(), batch.subject.number()).map(this::seen))
                .as("batch %s", batch.name())
                .isEqualTo(change.apply(model.get(), batch.model.number()).map(this::seen)));
    }

    /** Closes all batches. */
    void closeAll(Instant now) {
        kept().forEach(batch -> {
            var _ = subject.get().close(batch.subject.number(), now);
            var _ = model.get().close(batch.model.number(), now);
        });
    }

    /** Records a job that was accepted as a member. */
    void pushed(int number, BatchName batch) {
        members.put(number, batch);
    }

    boolean isMember(int number, BatchName batch) {
        return batch.equals(members.get(number));
    }

    /** The members of a cancelled batch that have not ended. */
    List<Integer> left(int pick) {
        List<Twin> cancelled = kept().stream().filter(batch -> batch.model.state() == BatchView.State.CANCELLED)
                .toList();
        if (cancelled.isEmpty()) {
            return List.of();
        }
        Twin batch = cancelled.get(pick % cancelled.size());
        List<Integer> left = left(model.get(), batch.model.number());
        assertThat(left(subject.get(), batch.subject.number())).as("members of %s", batch.name()).isEqualTo(left);
        return left;
    }

    private List<Integer> left(BatchStore store, long number) {
        return Stream.of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING)
                .flatMap(state -> store.members(number, state, null, ALL).stream()).map(JobView::id)
                .map(jobs::number).sorted().toList();
    }

    /** Makes a round in both stores; returns the groups of the callbacks, which have numbers from now on. */
    List<Optional<String>> finish(Instant now) {
        BatchStore.Finished ofSubject = subject.get().finish(now);
        BatchStore.Finished ofModel = model.get().finish(now);
        assertThat(ofSubject.callbacks()).as("callbacks").containsExactlyInAnyOrderElementsOf(ofModel.callbacks());
        assertThat(List.of(ofSubject.open(), ofSubject.closed())).as("open and closed batches")
                .isEqualTo(List.of(ofModel.open(), ofModel.closed()));
        assertThat(ofSubject.cancelling()).as("batches to be cancelled").extracting(BatchView::name)
                .containsExactlyInAnyOrderElementsOf(ofModel.cancelling().stream().map(BatchView::name).toList());
        List<Optional<String>> groups = new ArrayList<>();
        for (Twin batch : kept()) {
            JobId callback = batch.model.callback();
            if (callback != null && called.add(batch.name())) {
                assertThat(batch.subject.callback()).as("callback of %s", batch.name()).isNotNull();
                jobs.add(Objects.requireNonNull(batch.subject.callback()), callback);
                groups.add(Optional.ofNullable(
                        Objects.requireNonNull(opened.get(batch.name())).callback().group()));
            }
        }
        assertThat(groups).as("callbacks that were not known").hasSameSizeAs(ofModel.callbacks());
        compare();
        return groups;
    }

    /** Compares all batches after a round. */
    private void compare() {
        for (Twin batch : kept()) {
            assertThat(seen(batch.subject)).isEqualTo(seen(batch.model));
            assertThat(batch.model.counts().pushed()).as("members of %s", batch.name())
                    .isEqualTo(members.values().stream().filter(batch.name()::equals).count());
        }
    }

    private ComparedBatch seen(BatchView view) {
        return new ComparedBatch(view.name(), view.whenDead(), view.queue(), view.counts(), view.openedAt(),
                view.closedAt(), view.cancelledAt(), view.finishedAt(),
                view.callback() == null ? null : jobs.number(view.callback()));
    }

    private record ComparedBatch(BatchName name, WhenDead whenDead, QueueName queue, BatchCounts counts,
            Instant openedAt, @Nullable Instant closedAt, @Nullable Instant cancelledAt, @Nullable Instant finishedAt,
            @Nullable Integer callback) {}
}
