package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands on batches and their members: each closed batch calls back once, with the counts of its members. */
public interface BatchRunPart extends JobPart {
    /** The queue of callbacks. */
    QueueName CALLED = new QueueName("called");
    /** What some members await. */
    String EVENT = "approval";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    default void randomCommandsLeaveOneCallbackAndTheCountsOfTheMembers(long seed) {
        Run run = new Run(trial(), new Random(seed));
        for (int n = 0; n < 250; n++) {
            run.command();
        }
        run.end();
    }

    @Test
    default void aCloseBesideARoundIsFinishedByTheRoundBehindIt() {
        TestNode node = trial().node();
        BatchStore store = trial().jobs().batches();
        for (int n = 0; n < 60; n++) {
            BatchView batch = store.open(new NewBatch(new BatchName("batch-" + n), WhenDead.FINISH,
                    JobDraft.to(CALLED, null, "all of " + n).job()), trial().now()).batch();
            JobDraft draft = JobDraft.mail("m");
            trial().push(draft.terms(draft.job().terms().withBatch(batch.member())));
            node.done(node.takeOne(MAIL));
            CompletableFuture<BatchStore.Finished> beside = CompletableFuture
                    .supplyAsync(() -> store.finish(trial().now()));
            store.close(batch.number(), trial().now());
            store.finish(trial().now());
            beside.join();
            assertThat(store.find(batch.number()).orElseThrow().state()).isEqualTo(BatchView.State.FINISHED);
        }
        assertThat(trial().list(CALLED, JobState.WAITING)).hasSize(60);
    }

    /** One run, with what is known of each member. */
    final class Run {
        private final JobTrial trial;
        private final Random random;
        private final List<BatchView> batches = new ArrayList<>();
        private final Map<JobId, BatchView> members = new HashMap<>();
        private final List<ClaimedJob> running = new ArrayList<>();
        private final Set<Long> finished = new HashSet<>();
        private int callbacks;
        private TestNode node;

        Run(JobTrial trial, Random random) {
            this.trial = trial;
            this.random = random;
            this.node = trial.node();
            for (int n = 0; n < 3; n++) {
                batches.add(store().open(new NewBatch(new BatchName("batch-" + n),
                        n == 0 ? WhenDead.WAIT : WhenDead.FINISH, JobDraft.to(CALLED, null, "all of " + n).job()),
                        trial.now()).batch());
            }
        }

        private BatchStore store() {
            return trial.jobs().batches();
        }

        void command() {
            BatchView batch = batches.get(random.nextInt(batches.size()));
            switch (random.nextInt(30)) {
                case 0, 1, 2, 3, 4, 5 -> push(batch);
                case 6, 7, 8, 9 -> running.addAll(node.take(random.nextInt(4) == 0 ? ORDERS : MAIL,
                        1 + random.nextInt(4)));
                case 10, 11, 12, 13, 14, 15, 16 -> settle();
                case 17 -> redrive();
                case 18 -> member().ifPresent(trial::cancel);
                case 21 -> {
                    if (random.nextInt(8) == 0) {
                        var _ = store().cancel(batch.number(), trial.now());
                    }
                }
                case 22 -> cancelMembers();
                case 23, 24 -> member().ifPresent(id -> trial.jobs().event(new NewEvent(id, EVENT, null,
                        Payload.json("true")), trial.now()));
                case 25 -> expire();
                case 19 -> crash();
                case 20 -> {
                    if (random.nextInt(5) == 0) {
                        var _ = store().close(batch.number(), trial.now());
                    }
                }
                default -> finish();
            }
        }

        private Optional<JobId> member() {
            return members.keySet().stream().sorted().skip(random.nextInt(members.size() + 1)).findFirst();
        }

        /** Pushes into an open batch, and as a running member into a closed one. */
        private void push(BatchView batch) {
            BatchView.State state = store().find(batch.number()).orElseThrow().state();
            JobId parent = running.stream().map(ClaimedJob::id)
                    .filter(id -> Objects.requireNonNull(members.get(id)).number() == batch.number()).findFirst()
                    .orElse(null);
            if (state == BatchView.State.OPEN || (state == BatchView.State.CLOSED && parent != null)) {
                String body = "m" + members.size();
                JobDraft plain = random.nextInt(4) == 0 ? JobDraft.order("g" + random.nextInt(2), body) : mail(body);
                JobDraft draft = random.nextInt(5) == 0 ? plain.expires(trial.in(Duration.ofSeconds(20))) : plain;
                NewJob member = draft.terms(draft.job().terms().withBatch(batch.member())).job().childOf(parent);
                members.put(trial.push(new JobDraft(member)), batch);
            }
        }

        private void redrive() {
            trial.redriveAll(MAIL);
            trial.redriveAll(ORDERS);
        }

        /** Cancels the members of cancelled batches, as engines do. */
        private void cancelMembers() {
            store().list(Long.MAX_VALUE, 10).stream().filter(batch -> batch.state() == BatchView.State.CANCELLED)
                    .forEach(batch -> Stream
                            .of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING)
                            .flatMap(state -> store().members(batch.number(), state, null, 1_000).stream())
                            .map(JobView::id)
                            .forEach(trial::cancel));
        }

        private void expire() {
            trial.pass(Duration.ofSeconds(10));
            node.beat();
            trial.upkeep();
        }

        /** Asks for the event of a job; the end of an attempt that waits for it. */
        private AttemptOutcome awaiting(ClaimedJob job) {
            Instant end = trial.in(Duration.ofHours(1));
            var _ = trial.jobs().await(new EventWait(node.id(), job.attempt(), EVENT, end), trial.now());
            return new AttemptOutcome.Awaiting(Set.of(EVENT), end);
        }

        private void settle() {
            if (running.isEmpty()) {
                return;
            }
            ClaimedJob job = running.remove(random.nextInt(running.size()));
            node.settle(job, switch (random.nextInt(8)) {
                case 0 -> new AttemptOutcome.Dead(TestNode.FAILURE, false);
                case 1 -> new AttemptOutcome.Cancelled("not needed");
                case 2 -> new AttemptOutcome.Retry(trial.now(), TestNode.FAILURE);
                case 3 -> awaiting(job);
                default -> new AttemptOutcome.Done(null);
            });
        }

        private void crash() {
            if (random.nextInt(3) == 0) {
                trial.crashAndRecover();
                node = trial.node();
                running.clear();
            }
        }

        private void finish() {
            callbacks += store().finish(trial.now()).callbacks().size();
            for (BatchView batch : batches) {
                BatchView now = store().find(batch.number()).orElseThrow();
                if (now.state() == BatchView.State.FINISHED && finished.add(batch.number())) {
                    assertThat(now.counts()).as("at the end of %s", batch.name()).isEqualTo(counted(batch));
                    assertThat(now.counts().unfinished()).isZero();
                }
            }
        }

        /** The members by their states, as the views show them. */
        private BatchCounts counted(BatchView batch) {
            Map<JobState, Long> states = new HashMap<>();
            members.forEach((id, of) -> {
                if (of.number() == batch.number()) {
                    states.merge(trial.view(id).state(), 1L, Long::sum);
                }
            });
            return new BatchCounts(states.values().stream().mapToLong(Long::longValue).sum(),
                    states.getOrDefault(JobState.DONE, 0L), states.getOrDefault(JobState.DEAD, 0L),
                    states.getOrDefault(JobState.CANCELLED, 0L));
        }

        void end() {
            batches.forEach(batch -> {
                var _ = store().close(batch.number(), trial.now());
            });
            finish();
            trial.pass(Duration.ofSeconds(1));
            node.beat();
            running.forEach(node::done);
            trial.pass(Duration.ofHours(2));
            trial.upkeep();
            node = trial.node();
            for (int round = 0; round < 3; round++) {
                redrive();
                node.drain(MAIL);
                node.drain(ORDERS);
                finish();
            }
            assertThat(finished).hasSize(batches.size());
            assertThat(callbacks).isEqualTo(batches.size());
            assertThat(trial.list(CALLED, JobState.WAITING)).hasSize(batches.size());
        }
    }
}
