package dev.orderly.job.engine;

import dev.orderly.Internal;
import dev.orderly.Registration;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchHandler;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.Handler;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.store.StoreException;
import dev.orderly.text.DurationText;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker of one node: claims jobs of the queues that have handlers, runs and settles them, sends heartbeats and
 * does the upkeep of the store. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class JobWorker {
    private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);
    private static final Duration WATCH = Duration.ofMillis(100);
    private static final Duration OUTCOMES_LATE = Duration.ofSeconds(30);
    /** Long, since a round of upkeep may give back all jobs of a dead node, and a search may read what is gone. */
    private static final Duration UPKEEP_LATE = Duration.ofMinutes(2);

    private final JobClient client;
    private final RunningJobs running;
    private final Settler settler;
    private final GroupRunner runner;
    private final ProgressReporter progress;
    private final NodeMembership membership;
    private final UpkeepLoop upkeep;
    private final BatchLoop batches;
    private final LostJobs lost;
    private final ClaimLoop claims;
    /** The loops with short rounds, in the order in which they start. */
    private final List<BackgroundLoop> loops;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

    /** The life of a worker. */
    public enum Phase {
        NEW, STARTED, STOPPED
    }

    /** @param messages target of messages that jobs send to their users */
    public JobWorker(JobClient client, MessageTarget messages) {
        Objects.requireNonNull(messages, "messages");
        this.client = client;
        this.running = client.running;
        JobStore store = client.store;
        EngineOptions options = client.options;
        this.settler = new Settler(store, client.views, options.time(), options.node(),
                name -> isLimited(client.queues, name));
        this.progress = new ProgressReporter(store, options, running, client.changes::jobChanged);
        GroupRunner runner = new GroupRunner(options, running, settler, client.pusher, new Consequences(messages));
        this.runner = runner;
        this.claims = new ClaimLoop(store, options, client.queues, running, runner);
        client.pusher.handOffTo(claims.handOff);
        this.membership = new NodeMembership(store, options, running, client.queues);
        this.upkeep = new UpkeepLoop(store, client.views, options, client.queues, running.passedOver());
        this.batches = new BatchLoop(client.batches(), options.time());
        this.lost = new LostJobs(store, options, running, claims::giveBackLost);
        claims.onAnswerLost(lost::answerLost);
        // a loop of its own, since the others wait for the store
        BackgroundLoop watch = new BackgroundLoop("watch", options.time(), () -> {
            running.endOverdue();
            claims.watch();
            return WATCH;
        });
        this.loops = List.of(membership.beats, membership.watchdog, watch, progress.loop, claims.loop);
    }

    /** As {@link dev.orderly.Orderly#handle}; before or after {@link #start}. */
    @SuppressWarnings("unchecked") // payloads are read as the declared type of the queue, which is T
    public <T> Registration handle(JobQueue<T> queue, Handler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return attach(queue.name(), (Handler<Object>) (Handler<?>) handler);
    }

    /** As {@link dev.orderly.Orderly#handleBatch}. */
    @SuppressWarnings("unchecked") // as above
    public <T> Registration handleBatch(StandardQueue<T> queue, int most, BatchHandler<T> handler) {
        return attach(queue.name(), new AttachedBatchHandler((BatchHandler<Object>) (BatchHandler<?>) handler, most));
    }

    private Registration attach(QueueName queue, Handler<Object> handler) {
        checkNotStopped("attaches no handler to queue " + queue);
        DeclaredQueue declared = client.queues.get(queue);
        if (declared == null) {
            throw new IllegalStateException("Queue " + queue
                    + " is not declared on this node: declare it with the JobClient of this worker");
        }
        if (!declared.attach(handler)) {
            throw new IllegalStateException("Queue " + queue + " has a handler already: attach one only");
        }
        if (declared.limitName() != null) {
            upkeep.loop.ring(); // declares the limit, before which nothing is claimed
        }
        client.queues.hint(declared);
        return Registration.of(() -> {
            declared.detach(handler);
            claims.loop.ring(); // gives back what was claimed ahead
        });
    }

    /**
     * Starts work on the queues that have handlers: registers the node, gives back the jobs of dead nodes, then claims.
     *
     * @throws StoreException if the store cannot be reached; the worker may be started again later
     * @throws IllegalStateException if it was started or stopped before
     */
    public void start() {
        checkNew();
        membership.beat();
        upkeep.round();
        if (!phase.compareAndSet(Phase.NEW, Phase.STARTED)) {
            checkNew();
        }
        upkeep.loop.start();
        batches.loops.forEach(BackgroundLoop::start);
        lost.loop.start();
        loops.forEach(BackgroundLoop::start);
        claims.handOff.open();
    }

    /** @throws IllegalStateException if the worker was started or stopped */
    public void checkNew() {
        checkNotStopped("starts no more");
        if (phase.get() == Phase.STARTED) {
            throw new IllegalStateException("Orderly was started already: call start() once");
        }
    }

    /** @throws IllegalStateException if the worker was stopped; the message says what is not done then */
    public void checkNotStopped(String refusal) {
        if (phase.get() == Phase.STOPPED) {
            throw new IllegalStateException(
                    "Orderly is stopped and " + refusal + ": do it before stop() and close(), or open another one");
        }
    }

    /**
     * Stops claims, waits for running handlers at most {@link EngineOptions#stopGrace}, interrupts the rest, and gives
     * back jobs that do not end within 5 seconds more, without counting a failure. No handler is called from the first
     * moment on, also not for a claim that is answered late. Handlers can push until the end: close the client
     * afterwards. Idempotent.
     */
    public void stop() {
        Phase before = phase.getAndSet(Phase.STOPPED);
        if (before == Phase.STOPPED) {
            return;
        }
        running.gate().stop();
        if (before == Phase.NEW) {
            reportUnstarted();
        }
        if (before == Phase.STARTED) {
            finishRuns();
        }
        settler.close(NodeTimes.STOP);
        if (before == Phase.STARTED) {
            membership.beats.stop(NodeTimes.STOP); // a later heartbeat would begin a new life
            leave();
        }
        upkeep.loop.stop(NodeTimes.STOP);
        batches.loops.forEach(loop -> loop.stop(NodeTimes.STOP));
        lost.loop.stop(NodeTimes.STOP);
        loops.reversed().forEach(loop -> loop.stop(NodeTimes.STOP));
    }

    /**
     * Stalled background work of a started worker, one message for the operator each; empty when all is well. Answers
     * from memory.
     */
    public List<String> stalls() {
        if (phase.get() != Phase.STARTED) {
            return List.of();
        }
        List<String> stalls = new ArrayList<>();
        Duration beat = running.lease().age();
        if (beat.compareTo(NodeTimes.BEAT_LATE) > 0) {
            stalls.add("The last beat of this node that the store answered was " + DurationText.rounded(beat) + " ago");
        }
        Duration settling = settler.waiting();
        if (settling.compareTo(OUTCOMES_LATE) > 0) {
            stalls.add("Outcomes of jobs have waited for the store for " + DurationText.rounded(settling));
        }
        loops.forEach(loop -> loop.stall().ifPresent(stalls::add));
        Stream.concat(Stream.of(upkeep.loop, lost.loop), batches.loops.stream())
                .flatMap(loop -> loop.stall(UPKEEP_LATE).stream()).forEach(stalls::add);
        return stalls;
    }

    /** Time since the last heartbeat of this node that the store answered. Answers from memory. */
    public Duration sinceBeat() {
        return running.lease().age();
    }

    /** The number of jobs whose handler runs on this node. Answers from memory. */
    public int running() {
        return running.all().size();
    }

    /**
     * Ends the claims of this node, and gives back jobs that it claimed ahead and the rest of its groups; jobs that run
     * go on. Or lets it claim again. For as long as this worker lives; never blocks.
     */
    public void drain(boolean on) {
        running.gate().drain(on);
        claims.loop.ring();
    }

    /** Whether this node claims nothing, since {@link #drain} was called. */
    public boolean isDraining() {
        return running.gate().isDraining();
    }

    public Phase phase() {
        return phase.get();
    }

    /** Handlers without a start are a call that was forgotten: an application that only pushes has none. */
    private void reportUnstarted() {
        List<QueueName> handled = client.queues.all().stream().filter(queue -> queue.handler() != null)
                .map(queue -> queue.name).sorted().toList();
        if (!handled.isEmpty()) {
            LOG.warn("The handlers of {} never ran, since start() was not called: their jobs wait in the store",
                    handled);
        }
    }

    private void finishRuns() {
        claims.handOff.close(NodeTimes.STOP);
        claims.loop.stop(NodeTimes.STOP);
        client.queues.all().forEach(runner::giveBackKept);
        Duration grace = client.options.stopGrace();
        if (!running.awaitNone(grace)) {
            LOG.warn("{} jobs still run after {}: they are interrupted and go back", running.all().size(),
                    DurationText.of(grace));
            running.interruptAll(CancellationSignal.Reason.STOPPING);
            running.awaitNone(NodeTimes.STOP);
        }
    }

    /**
     * Gives back jobs that still run after the interrupt, and what a claim under way gets; the store refuses their late
     * outcomes.
     */
    private void leave() {
        try {
            client.store.leave(client.options.node(), client.now());
        } catch (StoreException e) {
            LOG.error("Jobs could not be given back; the upkeep of another node will do it: {}", e.getMessage());
        }
    }

    /** Whether jobs of a queue wait for slots or tokens, as the last claim has found. */
    private static boolean isLimited(DeclaredQueues queues, QueueName name) {
        DeclaredQueue queue = queues.get(name);
        return queue != null && queue.limited;
    }

    /** Passes events of runs on to listeners, users, progress and hints. */
    private final class Consequences implements GroupRunner.Listener {
        private final MessageTarget messages;

        Consequences(MessageTarget messages) {
            this.messages = messages;
        }

        @Override
        public Batch.Target batches() {
            return client.batches();
        }

        @Override
        public void memberEnded() {
            batches.memberEnded();
        }

        @Override
        public void started(RunningJob job) {
            client.changes.jobChanged(job.id());
        }

        @Override
        public void message(UserId user, Object value) {
            messages.send(user, value);
        }

        @Override
        public void complete(RunningJob job, CallersTransaction transaction) {
            AttemptOutcome outcome = job.requestedOutcome();
            Settlement settlement = new Settlement(client.options.node(), job.claimed().attempt(), outcome);
            SettleResult result;
            try {
                result = client.transactional.settle(transaction, settlement, client.now());
            } catch (StoreException e) { // the transaction cannot commit any more
                job.settledInTransaction(outcome);
                throw e;
            }
            job.settledInTransaction(outcome);
            if (result == SettleResult.LEASE_LOST) {
                throw new LeaseLostException(
                        "Attempt " + job.attempt() + " of job " + job.id() + " is not the newest any more:"
                                + " roll this transaction back, the job was given to another node");
            }
        }

        @Override
        public AttemptSteps steps(RunningJob job) {
            return new AttemptSteps(job, client.steps, client.options);
        }

        @Override
        public void returned(List<RunningJob> jobs) {
            progress.report(jobs);
        }

        @Override
        public void settled(DeclaredQueue queue, JobId job, AttemptOutcome outcome, boolean last) {
            if (outcome.isFinal()) {
                queue.drained.mark(1);
            }
            if (outcome instanceof AttemptOutcome.Leased) {
                queue.leased.incrementAndGet();
            }
            if (outcome instanceof AttemptOutcome.Unread) { // for nodes that can read it
                client.queues.hintEverywhere(queue);
            } else if ((queue.name.isFifo() && last) || !outcome.isFinal()) { // a group has no free job before
                client.queues.hint(queue);
            }
            if (!(outcome instanceof AttemptOutcome.Leased)) {
                client.queues.freed(queue);
            }
            client.changes.jobChanged(job);
        }
    }
}
