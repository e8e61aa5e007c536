package dev.orderly.job.engine;

import dev.orderly.flow.DutyCycle;
import dev.orderly.flow.GroupCommitter;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.job.transaction.AmbientTransaction;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.trace.TraceContext;
import dev.orderly.trace.Tracer;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import dev.orderly.user.UserSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks pushes by the rules of their queues and stores concurrent pushes in group commits. */
final class Pusher implements Push.Target {
    private static final int COMMIT_MAX = 4_096;
    private static final int WAITING_MAX = 65_536;
    private static final Duration COUNT_AGE_MAX = Duration.ofSeconds(1);
    /** Time after which a count that has not ended is no longer waited for. */
    private static final Duration COUNT_LOST = Duration.ofMinutes(1);
    private static final Duration RETRY_MIN = Duration.ofSeconds(1);
    private static final Duration RETRY_MAX = Duration.ofSeconds(60);

    private final JobStore store;
    private final JobViews views;
    private final TransactionalJobs transactional;
    private final AmbientTransaction ambient;
    private final Time time;
    private final Tracer tracer;
    private final JobObserver observer;
    private final UserSource users;
    private final DeclaredQueues queues;
    private final GroupCommitter<List<NewJob>, BlockedPushes.Outcome> committer;
    private final BlockedPushes blocked;
    private final KeyCapacity keys;
    private final AtomicLong recountAt;
    private final DutyCycle counting;
    private volatile @Nullable HandOff handOff;
    private volatile boolean closed;

    /** The ports of the store that pushes need. */
    record Ports(JobStore jobs, JobViews views, TransactionalJobs transactional) {}

    Pusher(Ports ports, EngineOptions options, DeclaredQueues queues) {
        this.store = ports.jobs;
        this.views = ports.views;
        this.transactional = ports.transactional;
        this.ambient = options.transaction();
        this.time = options.time();
        this.tracer = options.tracer();
        this.observer = options.observer();
        this.users = options.users();
        this.queues = queues;
        this.recountAt = new AtomicLong(time.nanos());
        this.counting = new DutyCycle(time);
        this.blocked = new BlockedPushes(store, time);
        this.keys = new KeyCapacity(queues, views);
        this.committer = new GroupCommitter<>("push", time,
                new GroupCommitter.Bounds<>(COMMIT_MAX, WAITING_MAX, List::size),
                blocked::store);
    }

    @Override
    public List<PushResult> push(List<PushRequest> requests) {
        CallersTransaction open = ambient.current().orElse(null);
        return open == null ? push(requests, this::offered) : push(requests, jobs -> stored(jobs, open, true));
    }

    @Override
    public Push.Target in(CallersTransaction transaction) {
        return new InTransaction(transaction);
    }

    /** Pushes that are part of a transaction of the caller. */
    private final class InTransaction implements Push.Target {
        private final CallersTransaction transaction;

        InTransaction(CallersTransaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public List<PushResult> push(List<PushRequest> requests) {
            boolean isAmbient = transaction instanceof CallersTransaction.OfDataSource && ambient.current().isPresent();
            return Pusher.this.push(requests, jobs -> stored(jobs, transaction, isAmbient));
        }

        @Override
        public Push.Target in(CallersTransaction other) {
            return Pusher.this.in(other);
        }

        @Override
        public Payload encode(String queue, Object value) {
            return Pusher.this.encode(queue, value);
        }

        @Override
        public Payload encode(Object value) {
            return Pusher.this.encode(value);
        }

        @Override
        public Instant now() {
            return Pusher.this.now();
        }
    }

    /**
     * Stores jobs in a transaction of the caller, and hints at them when it has ended.
     *
     * @param isAmbient whether the framework knows of its commit
     */
    private List<PushResult> stored(List<NewJob> jobs, CallersTransaction transaction, boolean isAmbient) {
        Set<DeclaredQueue> concerned = jobs.stream().map(job -> Objects.requireNonNull(queues.get(job.queue())))
                .collect(Collectors.toSet());
        Runnable hint = () -> concerned.forEach(queues::hintEverywhere);
        List<PushResult> results = transactional.push(transaction, jobs, time.now(), isAmbient ? null : hint);
        if (isAmbient) {
            ambient.afterCommit(hint);
        }
        return results;
    }

    private List<PushResult> push(List<PushRequest> requests, Function<List<NewJob>, List<PushResult>> write) {
        if (requests.isEmpty()) {
            return List.of();
        }
        if (closed) {
            throw new IllegalStateException("Orderly is closed and takes no push: push before close()");
        }
        if (requests.size() > Push.BULK_MAX) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "A bulk push has " + requests.size() + " jobs: use at most " + Push.BULK_MAX);
        }
        UserId user = UserScope.currentOr(users).orElse(null);
        JobId parent = Job.CURRENT.isBound() ? Job.CURRENT.get().id() : null;
        Instant now = time.now();
        recount();
        List<NewJob> jobs = new ArrayList<>(requests.size());
        for (PushRequest request : requests) {
            try {
                jobs.add(check(scoped(request, user, parent), requests.size(), now));
            } catch (PushRefusedException e) {
                throw requests.size() == 1 ? e : e.at(jobs.size() + 1, requests.size());
            }
        }
        keys.check(jobs);
        Tracer.Span span = span(jobs);
        try {
            List<PushResult> results = write.apply(traced(jobs, span.context()));
            span.end();
            reportEqual(jobs, results);
            return results;
        } catch (Throwable e) {
            span.failed(e.getClass().getName());
            throw e;
        }
    }

    /** A request with the user and the parent that hold on its thread, unless it names others. */
    private static PushRequest scoped(PushRequest request, @Nullable UserId user, @Nullable JobId parent) {
        PushRequest owned = request.user() == null && user != null ? request.withUser(user) : request;
        return owned.parent() == null && parent != null ? owned.withParent(parent) : owned;
    }

    /** Reports pushes without a dedupe id that stored nothing: the caller may have meant another job. */
    private void reportEqual(List<NewJob> jobs, List<PushResult> results) {
        for (int n = 0; n < jobs.size(); n++) {
            NewJob job = jobs.get(n);
            if (results.get(n) instanceof PushResult.Duplicate(JobId first) && job.isComparedByContent()) {
                observer.foundEqual(job.queue());
                Objects.requireNonNull(queues.get(job.queue())).equal.info(
                        "A push into queue {} stored nothing: job {} of its group has the same content and was pushed"
                                + " within five minutes. Give different jobs different dedupe ids, or switch the"
                                + " queue's content-dedupe off",
                        job.queue(), first);
            }
        }
    }

    /** A span of the push, below the trace of its first job, of the running job, or of this thread. */
    private Tracer.Span span(List<NewJob> jobs) {
        NewJob first = jobs.getFirst();
        return tracer.push(first.queue().value(), jobs.size(), parent(first));
    }

    private @Nullable TraceContext parent(NewJob job) {
        if (job.trace() != null) {
            return job.trace();
        }
        TraceContext current = tracer.current();
        return current != null || !Job.CURRENT.isBound() ? current : Job.CURRENT.get().trace().orElse(null);
    }

    private static List<NewJob> traced(List<NewJob> jobs, @Nullable TraceContext trace) {
        return trace == null ? jobs : jobs.stream().map(job -> job.traced(trace)).toList();
    }

    private List<PushResult> offered(List<NewJob> jobs) {
        HandOff worker = handOff;
        HandOff.Offer offer = worker == null ? null : worker.offer(jobs);
        List<PushResult> results;
        try {
            results = store(jobs, offer);
        } catch (CompletionException e) {
            if (offer != null) {
                offer.lost(e.getCause() == null ? e : e.getCause());
            }
            throw unwrapped(e);
        } catch (Throwable e) {
            if (offer != null) {
                offer.lost(e);
            }
            throw e;
        }
        if (offer != null) {
            offer.settle(results);
        }
        stored(waiting(jobs, results));
        return results;
    }

    /** Offers pushed jobs to the worker of this node from now on. */
    void handOffTo(HandOff worker) {
        handOff = worker;
    }

    private static List<NewJob> waiting(List<NewJob> jobs, List<PushResult> results) {
        List<NewJob> waiting = new ArrayList<>(jobs.size());
        for (int n = 0; n < jobs.size(); n++) {
            if (!(results.get(n) instanceof PushResult.Accepted(JobId _, boolean handedOff) && handedOff)) {
                waiting.add(jobs.get(n));
            }
        }
        return waiting;
    }

    @Override
    public Payload encode(String name, Object value) {
        return queues.encode(name, value);
    }

    @Override
    public Payload encode(Object value) {
        return queues.encode(value);
    }

    @Override
    public Instant now() {
        return time.now();
    }

    /** Counts waiting jobs that are now durable and hints at them, once per run of adjacent jobs of a queue. */
    void stored(List<NewJob> jobs) {
        int first = 0;
        for (int next = 1; next <= jobs.size(); next++) {
            QueueName name = jobs.get(first).queue();
            if (next == jobs.size() || !jobs.get(next).queue().equals(name)) {
                DeclaredQueue queue = Objects.requireNonNull(queues.get(name));
                queue.pending.addAndGet(next - first);
                queues.hintEverywhere(queue);
                first = next;
            }
        }
    }

    void close(Duration patience) {
        closed = true;
        committer.close(patience);
        blocked.close(patience);
    }

    /** A job for a caller that stores it in a transaction of its own: without a span of the push. */
    NewJob check(PushRequest request) {
        recount();
        NewJob job = check(request, 1, time.now());
        keys.check(List.of(job));
        return job.traced(parent(job));
    }

    /** The callback of a batch, with the user of this thread. */
    NewJob checkCallback(PushRequest request) {
        PushRequest owned = scoped(request, UserScope.currentOr(users).orElse(null), null);
        return PushRules.check(owned, queue(request.queue()), queues, time.now()).undeduped().traced(tracer.current());
    }

    private NewJob check(PushRequest request, int count, Instant now) {
        DeclaredQueue queue = queue(request.queue());
        NewJob job = PushRules.check(request, queue, queues, now);
        long pending = queue.pending.get();
        long max = queue.options().maxPending();
        if (pending + count > max) {
            throw new PushRefusedException(Reason.QUEUE_FULL,
                    "Queue " + queue.name + " holds " + pending + " of at most " + max
                            + " pending jobs: try again later, add workers, or raise the queue's max-pending",
                    retryAfter(queue, count));
        }
        return job;
    }

    private DeclaredQueue queue(String name) {
        DeclaredQueue queue;
        try {
            queue = queues.get(new QueueName(name));
        } catch (IllegalArgumentException e) {
            throw new PushRefusedException(Reason.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
        if (queue == null) {
            throw new PushRefusedException(Reason.UNKNOWN_QUEUE,
                    "Queue " + name + " does not exist: declare it first; known are "
                            + queues.all().stream().map(known -> known.name).sorted().limit(20).toList());
        }
        return queue;
    }

    static Duration retryAfter(DeclaredQueue queue, int needed) {
        double rate = Math.max(0.01, queue.drained.perSecond());
        Duration wait = Duration.ofMillis((long) (1000 * needed / rate));
        return wait.compareTo(RETRY_MIN) < 0 ? RETRY_MIN : wait.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : wait;
    }

    /**
     * Refreshes the counts of pending jobs from the store, once a second or more rarely if that takes long, on the
     * thread of a push.
     */
    private void recount() {
        long due = recountAt.get();
        if (!time.reached(due) || !recountAt.compareAndSet(due, time.deadline(COUNT_LOST))) {
            return;
        }
        long began = time.nanos();
        Duration pause = counting.failed(COUNT_AGE_MAX);
        try {
            queues.counted(views.queues());
            pause = counting.done(COUNT_AGE_MAX, began);
        } catch (StoreException e) {
            // The last counts stay; the push itself reports that the store is unavailable.
        } finally {
            recountAt.set(time.deadline(pause));
        }
    }

    /**
     * Hands a push of members, which a batch may refuse, and any push to a store with group commit, directly to the
     * store. Otherwise concurrent pushes are stored together. A push that a foreign transaction blocks waits in
     * {@link BlockedPushes}.
     */
    private List<PushResult> store(List<NewJob> jobs, HandOff.@Nullable Offer offer) {
        List<NewJob> offered = offer == null ? jobs : offer.jobs();
        if (!blocked.concerns(jobs)) {
            boolean alone = store instanceof JobStore.GroupCommit || !BatchRules.members(jobs).isEmpty();
            BlockedPushes.Outcome outcome = alone ? alone(offered) : committer.call(offered);
            if (outcome.blocked() == null) {
                return outcome.results();
            }
        }
        if (offer != null) {
            offer.withdraw();
        }
        return blocked.push(jobs);
    }

    private BlockedPushes.Outcome alone(List<NewJob> jobs) {
        try {
            return blocked.store(List.of(jobs)).getFirst();
        } catch (StoreException e) {
            throw new CompletionException(e);
        }
    }

    /** The exception of a failed group commit, new for each caller so that each has its own stack trace. */
    private static RuntimeException unwrapped(CompletionException e) {
        return switch (e.getCause()) {
            case StoreException.Unavailable cause ->
                new StoreException.Unavailable(String.valueOf(cause.getMessage()), cause);
            case StoreException.OutcomeUnknown cause ->
                new StoreException.OutcomeUnknown(String.valueOf(cause.getMessage()), cause);
            case RuntimeException cause -> cause;
            case null, default -> e;
        };
    }
}
