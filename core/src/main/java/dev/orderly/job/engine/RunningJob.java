package dev.orderly.job.engine;

import dev.orderly.job.Batch;
import dev.orderly.job.BatchLink;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.Job;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.Push;
import dev.orderly.job.QueueName;
import dev.orderly.job.StepWork;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.text.DurationText;
import dev.orderly.trace.LogContext;
import dev.orderly.trace.TraceContext;
import dev.orderly.trace.Tracer;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An attempt under way, with the reports that its handler has made so far. Thread-safe. */
final class RunningJob implements Job<Object> {
    private static final Logger LOG = LoggerFactory.getLogger(RunningJob.class);
    private static final int FRAMES = 16;

    private final ClaimedJob claimed;
    /** The monotonic moment at which the attempt times out. */
    final long deadline;
    final CancellationSource signal = new CancellationSource();
    private final Push.Target pushes;
    private final GroupRunner.Listener listener;
    private final AtomicReference<@Nullable JobProgress> unreported = new AtomicReference<>();
    private volatile AttemptOutcome requestedOutcome = new AttemptOutcome.Done(null);
    private volatile boolean leftRunning;
    private volatile boolean ended;
    private final AtomicBoolean ignored = new AtomicBoolean();
    /** The thread of the handler, which makes this object. */
    private final Thread thread = Thread.currentThread();
    private volatile @Nullable AttemptOutcome inTransaction;
    private volatile @Nullable TraceContext trace;
    private final AttemptSteps steps;
    private final AttemptEvents events;

    RunningJob(ClaimedJob claimed, long deadline, Push.Target pushes, GroupRunner.Listener listener) {
        this.claimed = claimed;
        this.deadline = deadline;
        this.pushes = pushes;
        this.listener = listener;
        this.trace = claimed.trace();
        this.steps = listener.steps(this);
        this.events = new AttemptEvents(this, steps);
    }

    /** Says once, with the stack of the handler, that it goes on long after its signal was raised. Never blocks. */
    void reportIgnored(Duration after) {
        if (!ignored.getAndSet(true)) {
            LOG.warn("Job {} of {} still runs {} after its timeout: its handler ignores the signal and the interrupt,"
                    + " and keeps a slot{} until it returns. It is at\n{}", id(), queueName(), DurationText.of(after),
                    claimed.group() == null ? "" : " and its group", Stream.of(thread.getStackTrace()).limit(FRAMES)
                            .map(frame -> "\tat " + frame).collect(Collectors.joining("\n")));
        }
    }

    @Override
    public JobId id() {
        return claimed.id();
    }

    @Override
    public QueueName queueName() {
        return claimed.queue();
    }

    @Override
    public Optional<String> groupId() {
        return Optional.ofNullable(claimed.group());
    }

    @Override
    public long sequenceNumber() {
        return claimed.sequence();
    }

    @Override
    public Map<String, String> params() {
        return claimed.params();
    }

    @Override
    public Optional<UserId> userId() {
        return Optional.ofNullable(claimed.user());
    }

    @Override
    public Instant pushedAt() {
        return claimed.id().pushedAt();
    }

    @Override
    public Optional<TraceContext> trace() {
        return Optional.ofNullable(trace);
    }

    @Override
    public Batch batch() {
        BatchLink link = claimed.terms().batch();
        if (link == null) {
            throw new IllegalStateException("Job " + id() + " belongs to no batch: push it with in(batch), or as the"
                    + " callback of one");
        }
        return new Batch(listener.batches(), link, link.isMember() ? id() : null);
    }

    @Override
    public int attempt() {
        return claimed.attempt().number();
    }

    @Override
    public int failures() {
        return claimed.failures();
    }

    @Override
    public Payload payload() {
        return claimed.payload();
    }

    @Override
    public CancellationSignal signal() {
        return signal;
    }

    @Override
    public JobId again(Object next) {
        return new Push<>(pushes, claimed.queue(), claimed.group(), claimed.id()).push(next);
    }

    @Override
    public void progress(long done, long total, String text) {
        unreported.set(new JobProgress(done, total, text));
    }

    @Override
    public void send(Object value) {
        userId().ifPresent(user -> listener.message(user, value));
    }

    @Override
    public void result(Object value) {
        Payload result = pushes.encode(value);
        if (result.size() > RESULT_MAX) {
            throw new IllegalArgumentException("The result of job " + id() + " has " + result.size()
                    + " bytes: store the content elsewhere and leave a reference of at most " + RESULT_MAX);
        }
        request(new AttemptOutcome.Done(result));
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T step(String name, Class<? extends T> type,
            StepWork.Call<? extends T, E> work) throws E {
        return steps.run(name, Objects.requireNonNull(type, "type"), Objects.requireNonNull(work, "work"));
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T step(String name, Class<? extends T> type,
            StepWork.TransactionCall<? extends T, E> work) throws E {
        return steps.run(name, Objects.requireNonNull(type, "type"), Objects.requireNonNull(work, "work"));
    }

    @Override
    public List<JobStep> steps() {
        return steps.earlier();
    }

    @Override
    public <T> Optional<T> await(String name, Class<T> type, Duration timeout) {
        Objects.requireNonNull(type, "type");
        Optional<T> value = events.await(name, type, timeout);
        if (value.isEmpty()) {
            request(events.outcome());
        }
        return value;
    }

    @Override
    public URI eventUrl(String name) {
        return events.url(name);
    }

    @Override
    public List<JobEvent> events() {
        return events.all();
    }

    @Override
    public void snooze(Duration delay) {
        if (delay.isNegative() || delay.compareTo(SNOOZE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The snooze of job " + id() + " is " + DurationText.of(delay) + ": use 0 to " + SNOOZE_MAX.toDays()
                            + " days");
        }
        request(new AttemptOutcome.Snooze(pushes.now().plus(delay)));
    }

    @Override
    public void detach(Duration atMost) {
        request(new AttemptOutcome.Leased(atMost));
        if (!ended) {
            leftRunning = true; // the worker may report before the handler returns
        }
    }

    @Override
    public void completeIn(Connection connection) {
        complete(new CallersTransaction.OnConnection(connection));
    }

    @Override
    public void completeIn(DataSource dataSource) {
        complete(new CallersTransaction.OfDataSource(dataSource));
    }

    private void complete(CallersTransaction transaction) {
        steps.checkOutside("completeIn", "a job that has ended keeps no step; call it in place of the step");
        listener.complete(this, transaction);
    }

    @Override
    public void discard(String reason) {
        request(new AttemptOutcome.Cancelled(reason));
    }

    private void request(AttemptOutcome outcome) {
        if (!ended) {
            requestedOutcome = outcome;
        }
    }

    /** Notes that the call of the handler has ended: what is asked for later has no effect. */
    void end() {
        ended = true;
    }

    /** The call of a handler. */
    interface Call {
        void run() throws Exception;
    }

    /**
     * Calls the handler on this thread: in a span of the attempt, with this job as the current one and its user as the
     * user of pushes.
     *
     * @param log gets the id of the trace
     */
    void run(Tracer tracer, LogContext log, Call handler) throws Exception {
        Tracer.Span span = span(tracer);
        log.with(span.context());
        try (Tracer.Scope _ = span.enter()) {
            ScopedValue.where(CURRENT, this).call(() -> UserScope.call(userId(), () -> {
                handler.run();
                return true;
            }));
            span.end();
        } catch (Throwable e) {
            span.failed(e.getClass().getName());
            throw e;
        }
    }

    /** Starts the span of the attempt. */
    Tracer.Span span(Tracer tracer) {
        Tracer.Span span = tracer.attempt(
                new Tracer.Attempt(claimed.queue().value(), claimed.id().toString(), attempt(), payload().size()),
                claimed.trace());
        trace = span.context();
        return span;
    }

    ClaimedJob claimed() {
        return claimed;
    }

    /** The outcome that takes effect if the handler returns. */
    AttemptOutcome requestedOutcome() {
        AttemptOutcome outcome = requestedOutcome;
        return outcome instanceof AttemptOutcome.Awaiting ? events.outcome() : outcome;
    }

    /** Notes that the handler has settled the job in a transaction of its own, which may commit or not. */
    void settledInTransaction(AttemptOutcome outcome) {
        inTransaction = outcome;
    }

    /** Whether the job is to end by a transaction of its handler. */
    boolean isSettledInTransaction() {
        return inTransaction != null;
    }

    /** The outcome that the job may have got before its handler returned; null if there was none. */
    @Nullable
    AttemptOutcome settledApart() {
        return inTransaction != null || !leftRunning ? inTransaction : requestedOutcome;
    }

    /** Takes the progress that was not reported to the store yet; null if none. */
    @Nullable
    JobProgress takeProgress() {
        return unreported.getAndSet(null);
    }
}
