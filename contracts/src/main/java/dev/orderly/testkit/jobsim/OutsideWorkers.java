package dev.orderly.testkit.jobsim;

import dev.orderly.job.QueueName;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.store.ClaimedJob;
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
            List<ClaimedJob> jobs = ask(node, wait.plus(ANSWER), each -> each.orderly().engines().pulls().claim(request)
                    .map(CompletableFuture::join).orElse(List.of()));
            if (jobs == null || turns.now() - asked >= lease.toNanos()) {
                referee.jobs.pullUnsure(); // jobs may be leased, and nobody works on them
                return;
            }
            jobs.forEach(job -> start("work",
                    () -> new OutsideAttempt(this, referee, turns, job, lease).run(asked)));
        });
    }

    @Nullable
    SimulatedNode anyWorking() {
        return nodes.apply(turns);
    }

    /** The answer of a node that works; null if none does, it fails, or no answer comes in time. */
    <T> @Nullable T ask(Function<SimulatedNode, T> request) {
        SimulatedNode node = anyWorking();
        return node == null ? null : ask(node, request);
    }

    <T> @Nullable T ask(SimulatedNode node, Function<SimulatedNode, T> request) {
        return ask(node, ANSWER, request);
    }

    /** The answer of a node; null if it fails, or none comes in time. */
    private <T> @Nullable T ask(SimulatedNode node, Duration patience, Function<SimulatedNode, T> request) {
        Thread asking = Thread.currentThread();
        Answer<T> answer = new Answer<>();
        node.start("request", () -> {
            try {
                answer.value = request.apply(node);
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

    void sleep(Duration length) {
        long deadline = time.deadline(length);
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
    }
}
