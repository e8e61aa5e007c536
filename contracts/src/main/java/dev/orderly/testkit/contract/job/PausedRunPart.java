package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.KeyView;
import dev.orderly.testkit.contract.input.RandomRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Whatever becomes of jobs of paused keys and groups: none starts, and nothing of what waited is left behind after a
 * resume.
 */
public interface PausedRunPart extends JobPart {
    int COMMANDS = 120;
    List<QueueName> QUEUES = List.of(MAIL, ORDERS);

    /** A command with what it draws by. */
    record Command(int kind, int pick) {
        static List<Command> random(long seed) {
            Random random = new Random(seed);
            List<Command> commands = new ArrayList<>();
            for (int n = 0; n < COMMANDS; n++) {
                commands.add(new Command(random.nextInt(39), random.nextInt(1_000)));
            }
            return commands;
        }
    }

    /** One run. */
    final class Run {
        private final JobTrial trial;
        private final Set<String> paused = new HashSet<>();
        private final Set<JobId> pushed = new HashSet<>();
        private final List<ClaimedJob> held = new ArrayList<>();
        private TestNode node;

        Run(JobTrial trial) {
            this.trial = trial;
            this.node = trial.node();
        }

        private static String name(Command command) {
            return KeyPart.KEYS.get(command.pick % 2);
        }

        private static QueueName queue(Command command) {
            return QUEUES.get(command.pick / 2 % 2);
        }

        private static JobDraft draft(Command command) {
            String name = name(command);
            return queue(command).isFifo() ? order(name, name) : keyed(command);
        }

        private static JobDraft keyed(Command command) {
            return mail(name(command)).key(name(command));
        }

        private static String nameOf(ClaimedJob job) {
            return job.attempt().queue() + " "
                    + (job.group() == null ? Objects.requireNonNull(job.terms().key()) : job.group());
        }

        void run(Command command) {
            switch (command.kind) {
                case 0, 1, 2, 3, 4 -> pushed.add(trial.push(draft(command)));
                case 5 -> pushed.add(trial.push(keyed(command).at(trial.in(Duration.ofSeconds(30)))));
                case 6 -> pushed.add(trial.push(draft(command).expires(trial.in(Duration.ofMinutes(3)))));
                case 7 -> pushed.add(trial.push(keyed(command).unique("u" + name(command))));
                case 8 -> pushed.add(trial.push(draft(command).dedupe("d" + command.pick % 5)));
                case 9, 10, 11, 12, 13, 14 -> set(queue(command), name(command),
                        !paused.contains(queue(command) + " " + name(command)));
                case 15, 16, 17, 18, 19, 20 -> claim(1 + command.pick % 4);
                case 21, 22 -> settle(command, 0);
                case 23, 24, 25, 26, 27, 28, 29 -> settle(command, command.kind - 22);
                case 30 -> any(command).forEach(trial::cancel);
                case 31 -> trial.redriveAll(queue(command));
                case 32 -> any(command).forEach(id -> trial.jobs().runNow(id, trial.now()));
                case 33 -> pass(Duration.ofSeconds(61));
                case 34 -> {
                    trial.dies(node);
                    held.clear();
                    node = trial.node();
                }
                case 35 -> {
                    trial.crashAndRecover();
                    held.clear();
                    node = trial.node();
                }
                case 36 -> {
                    trial.jobs().pause(queue(command), true);
                    assertThat(node.take(queue(command), 5)).isEmpty();
                    trial.jobs().pause(queue(command), false);
                }
                case 37 -> handOff(command);
                default -> trial.upkeep();
            }
        }

        private void pass(Duration step) {
            trial.pass(step);
            trial.upkeep();
            node = trial.node();
            held.clear();
            trial.upkeep();
        }

        private void handOff(Command command) {
            boolean isPaused = paused.contains(queue(command) + " " + name(command));
            if (trial.answer(draft(command).claimer(node)) instanceof PushResult.Accepted accepted) {
                pushed.add(accepted.id());
                assertThat(isPaused && accepted.handedOff()).isFalse();
                if (accepted.handedOff()) {
                    held.add(ClaimedJob.handedOff(accepted.id(), draft(command).job()));
                }
            }
        }

        private List<JobId> any(Command command) {
            List<JobId> all = pushed.stream().sorted().toList();
            return all.isEmpty() ? List.of() : List.of(all.get(command.pick % all.size()));
        }

        private void set(QueueName queue, String name, boolean stop) {
            KeySettings seen = trial.views().keys(queue, name, 1).stream().map(KeyView::settings).findFirst()
                    .orElse(KeySettings.NONE);
            assertThat(seen.paused()).isEqualTo(paused.contains(queue + " " + name));
            assertThat(trial.jobs().set(queue, name, seen, seen.withPaused(stop).changed("ann",
                    Instant.ofEpochMilli(5)))).isEqualTo(SetResult.SET);
            if (stop) {
                paused.add(queue + " " + name);
            } else {
                paused.remove(queue + " " + name);
            }
        }

        private int claim(int most) {
            int got = 0;
            for (QueueName queue : QUEUES) {
                List<ClaimedJob> jobs = queue.isFifo() ? node.take(queue, most) : KeyPart.take(node, most);
                assertThat(jobs).extracting(Run::nameOf).noneMatch(paused::contains);
                held.addAll(jobs);
                got += jobs.size();
            }
            return got;
        }

        private void settle(Command command, int how) {
            if (held.isEmpty()) {
                return;
            }
            ClaimedJob job = held.remove(command.pick % held.size());
            List<ClaimedJob> behind = held.stream()
                    .filter(each -> job.group() != null && nameOf(each).equals(nameOf(job))).toList();
            if (how != 0) {
                held.removeAll(behind);
            }
            switch (how) {
                case 0 -> node.done(job);
                case 1 -> node.retry(job, Duration.ZERO);
                case 2 -> node.retry(job, Duration.ofSeconds(40));
                case 3 -> node.snooze(job, Duration.ofSeconds(20));
                case 4 -> node.dead(job, true);
                case 5 -> node.dead(job, false);
                case 6 -> node.throttle(job, Duration.ofSeconds(45), false);
                default -> node.giveBack(job);
            }
            if (how != 0) {
                behind.forEach(node::giveBack);
            }
        }

        void end() {
            for (QueueName queue : QUEUES) {
                for (String name : List.of("a", "b")) {
                    set(queue, name, false);
                }
            }
            int idle = 0;
            for (int round = 0; round < 100 && idle < 6; round++) {
                node = trial.node();
                held.clear();
                QUEUES.forEach(trial::redriveAll);
                idle = claim(100) == 0 ? idle + 1 : 0;
                held.forEach(node::done);
                pass(Duration.ofSeconds(61));
            }
            trial.eventually(() -> assertThat(QUEUES.stream().flatMap(queue -> List.of(JobState.WAITING,
                    JobState.DELAYED, JobState.RUNNING, JobState.DEAD).stream()
                    .flatMap(state -> trial.list(queue, state).stream())).toList()).as("jobs left").isEmpty());
        }
    }

    private void bound(int starts) {
        KeySettings seen = trial().views().keys(MAIL, "a", 1).stream().map(KeyView::settings).findFirst()
                .orElse(KeySettings.NONE);
        assertThat(trial().jobs().set(MAIL, "a", seen, seen.withBounds(LimitOverride.NONE.withRate(starts,
                Duration.ofMinutes(10))).changed("ann", trial().now()))).isEqualTo(SetResult.SET);
    }

    @Test
    default void theTokensOfAKeyWithBoundsOutliveItsJobsAndTheProcess() {
        bound(2);
        trial().push(mail("a0").key("a"), mail("a1").key("a"));
        TestNode node = trial().node();
        node.done(KeyPart.take(node, 5));
        trial().pass(Duration.ofMinutes(2));
        trial().upkeep();
        trial().crashAndRecover();
        trial().upkeep();
        trial().push(mail("a2").key("a"));
        assertThat(KeyPart.take(trial().node(), 5)).isEmpty();
        bound(3);
        assertThat(KeyPart.take(trial().node(), 5)).hasSize(1);
        trial().push(mail("a3").key("a"));
        trial().crashAndRecover();
        assertThat(KeyPart.take(trial().node(), 5)).isEmpty();
    }

    @Test
    default void settingsThatAreEmptyMakeNoQueueKnown() {
        assertThat(trial().jobs().set(MAIL, "a", KeySettings.NONE, KeySettings.NONE)).isEqualTo(SetResult.SET);
        assertThat(trial().jobs().set(MAIL, "a", KeySettingPart.PAUSED, KeySettings.NONE))
                .isEqualTo(SetResult.CHANGED_MEANWHILE);
        assertThat(trial().views().queues()).isEmpty();
    }

    @Test
    default void noJobOfAPausedKeyOrGroupStartsAndNoneIsLeftBehindWhateverBecomesOfThem() {
        new RandomRuns<>(Command::random, commands -> {
            JobTrial own = trial().another();
            try {
                own.begin();
                Run run = new Run(own);
                commands.forEach(run::run);
                run.end();
                return null;
            } catch (AssertionError | RuntimeException e) {
                return e;
            } finally {
                own.end();
            }
        }).hold(3);
    }
}
