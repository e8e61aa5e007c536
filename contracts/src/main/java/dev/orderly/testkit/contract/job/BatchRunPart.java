package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands on batches and their members: each closed batch calls back once, with the counts of its members. */
public interface BatchRunPart extends JobPart {
    /** The queue of callbacks. */
    QueueName CALLED = new QueueName("called");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    default void randomCommandsLeaveOneCallbackAndTheCountsOfTheMembers(long seed) {
        Run run = new Run(trial(), new Random(seed));
        for (int n = 0; n < 250; n++) {
            run.command();
        }
        run.end();
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
            switch (random.nextInt(24)) {
                case 0, 1, 2, 3, 4, 5 -> push(batch);
                case 6, 7, 8, 9 -> running.addAll(node.take(MAIL, 1 + random.nextInt(4)));
                case 10, 11, 12, 13, 14, 15, 16 -> settle();
                case 17 -> trial.redriveAll(MAIL);
                case 18 -> members.keySet().stream().sorted().skip(random.nextInt(members.size() + 1)).findFirst()
                        .ifPresent(trial::cancel);
                case 19 -> crash();
                case 20 -> {
                    if (random.nextInt(5) == 0) {
                        var _ = store().close(batch.number(), trial.now());
                    }
                }
                default -> finish();
            }
        }

        private void push(BatchView batch) {
            if (store().find(batch.number()).orElseThrow().state() != BatchView.State.OPEN) {
                return;
            }
            JobDraft member = JobDraft.mail("m" + members.size());
            members.put(trial.push(member.terms(member.job().terms().withBatch(batch.member()))), batch);
        }

        private void settle() {
            if (running.isEmpty()) {
                return;
            }
            ClaimedJob job = running.remove(random.nextInt(running.size()));
            node.settle(job, switch (random.nextInt(6)) {
                case 0 -> new AttemptOutcome.Dead(TestNode.FAILURE, false);
                case 1 -> new AttemptOutcome.Cancelled("not needed");
                case 2 -> new AttemptOutcome.Retry(trial.now(), TestNode.FAILURE);
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
            for (int round = 0; round < 3; round++) {
                trial.redriveAll(MAIL);
                node.drain(MAIL);
                finish();
            }
            assertThat(finished).hasSize(batches.size());
            assertThat(callbacks).isEqualTo(batches.size());
            assertThat(trial.list(CALLED, JobState.WAITING)).hasSize(batches.size());
        }
    }
}
