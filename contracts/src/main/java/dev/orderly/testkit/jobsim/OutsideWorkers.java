package dev.orderly.testkit.jobsim;

import dev.orderly.Orderly;
import dev.orderly.job.JobFailure;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Workers elsewhere: each pulls jobs through one node, works beyond the life of any, and reports through whichever
 * works. Its requests are answered by a node, or not at all.
 */
final class OutsideWorkers implements Executor {
    /** The longest wait for an answer, beyond the wait for jobs. */
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int TRIES = 4;

    private final Turns turns;
    private final JobReferee referee;
    private final SimulatedTime time;
    /** Chooses a node that works; null where none does. */
    private final Function<Turns, @Nullable SimulatedNode> nodes;

    private static final class Answer<T> {
        private @Nullable T value;
        private boolean over;
    }

    OutsideWorkers(Turns turns, JobReferee referee, Function<Turns, @Nullable SimulatedNode> nodes) {
        this.turns = turns;
        this.referee = referee;
        this.nodes = nodes;
        this.time = new SimulatedTime(turns, this);
    }

    @Override
    public void execute(Runnable task) {
        turns.ready(this, task);
    }

    private void start(String name, Runnable task) {
        Turns.threads(this).name(name).start(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                referee.broken("A worker elsewhere failed", e);
            }
        });
    }

    /** A worker asks a node for jobs, and works on what it gets. */
    void pull(SimulatedNode node, Step.Action.Pull pull) {
        start("pull", () -> {
            Duration lease = Duration.ofSeconds(pull.lease());
            Duration wait = Duration.ofSeconds(pull.patience());
            PullRequest request = new PullRequest(new QueueName(pull.queue()), pull.max(), wait, lease);
            long asked = turns.now();
            List<ClaimedJob> jobs = ask(node, wait.plus(ANSWER), engine -> engine.pulls().claim(request)
                    .map(CompletableFuture::join).orElse(List.of()));
            if (jobs == null || turns.now() - asked >= lease.toNanos()) {
                referee.pullUnsure(); // jobs may be leased, and nobody works on them
                return;
            }
            jobs.forEach(job -> start("work", () -> work(job, lease, asked)));
        });
    }

    private void work(ClaimedJob job, Duration lease, long asked) {
        Work work = Work.parse(job.payload().asText().replace("\"", ""));
        AttemptId attempt = job.attempt();
        char plan = referee.isHealed() ? 'o' : work.plan(attempt.number());
        referee.leased(work, attempt, asked, lease);
        long left = referee.isHealed() ? Math.min(work.millis(), 20) : work.millis();
        while (left > 0) {
            long part = Math.min(left, lease.toMillis() / 2);
            sleep(Duration.ofMillis(part));
            left -= part;
            if (left > 0 && work.number() % 2 == 0 && !prolong(attempt, lease)) {
                return;
            }
        }
        if (plan != 'i') { // otherwise the worker is gone
            report(work, attempt, plan);
        }
    }

    /** Whether the worker still has the job, as far as it knows. */
    private boolean prolong(AttemptId attempt, Duration lease) {
        long sent = turns.now();
        SettleResult result = report(client -> client.report(attempt, new AttemptOutcome.Leased(lease)));
        if (result == SettleResult.ACCEPTED) {
            referee.prolonged(attempt, sent + lease.toNanos());
        } else if (result != null) {
            referee.refused(attempt, result, true);
        }
        return result == null || result == SettleResult.ACCEPTED;
    }

    private void report(Work work, AttemptId attempt, char plan) {
        referee.reporting(work, attempt, plan);
        boolean sure = true;
        for (int tries = 0; tries < TRIES; tries++) {
            SettleResult result = report(client -> switch (plan) {
                case 'f' -> client.reportFailure(attempt, new JobFailure("planned", ""), null, false);
                case 'd' -> client.reportFailure(attempt, new JobFailure("planned", ""), null, true);
                case 'l' -> client.reportFailure(attempt, new JobFailure("planned", ""), Duration.ofSeconds(2), false);
                case 's' -> client.report(attempt, new AttemptOutcome.Snooze(client.now().plusSeconds(1)));
                default -> client.report(attempt, new AttemptOutcome.Done(null));
            });
            if (result == SettleResult.ACCEPTED) {
                referee.accepted(attempt, plan);
                return;
            }
            if (result != null) {
                referee.refused(attempt, result, sure);
                return;
            }
            sure = false;
            sleep(AGAIN);
        }
    }

    private @Nullable SettleResult report(Function<JobClient, SettleResult> report) {
        SimulatedNode node = nodes.apply(turns);
        return node == null ? null : ask(node, ANSWER, engine -> report.apply(engine.jobs()));
    }

    /** The answer of a node; null if it fails, or none comes in time. */
    private <T> @Nullable T ask(SimulatedNode node, Duration patience, Function<Orderly, T> request) {
        Thread asking = Thread.currentThread();
        Answer<T> answer = new Answer<>();
        node.start("request", () -> {
            try {
                answer.value = request.apply(node.orderly());
            } catch (StoreException | IllegalStateException e) {
                // an error for the worker
            }
            answer.over = true;
            LockSupport.unpark(asking);
        });
        long deadline = time.deadline(patience);
        while (!answer.over && !time.reached(deadline)) {
            time.park(deadline);
        }
        return answer.over ? answer.value : null;
    }

    private void sleep(Duration length) {
        long deadline = time.deadline(length);
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
    }
}
