package dev.orderly.job.engine;

import dev.orderly.Registration;
import dev.orderly.flow.Backoff;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.StepWork;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.payload.PayloadCodec;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one attempt: reads what earlier attempts have kept when the first step asks, runs what is missing, and
 * keeps it. Thread-safe; steps of different names may run side by side on threads of the handler.
 */
final class AttemptSteps {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptSteps.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** The step that runs on this thread. */
    private static final ScopedValue<String> INSIDE = ScopedValue.newInstance();

    private final RunningJob job;
    final Ports ports;
    final EngineOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private @Nullable List<JobStep> earlier;

    /** The ports of the store that steps and events need. */
    record Ports(JobStore jobs, JobViews views, TransactionalJobs transactional, PayloadCodec codec,
            Supplier<Optional<EventUrls>> urls) {}

    AttemptSteps(RunningJob job, Ports ports, EngineOptions options) {
        this.job = job;
        this.ports = ports;
        this.options = options;
    }

    /** {@link dev.orderly.job.Job#step(String, Class, StepWork.Call)}. */
    <T extends @Nullable Object, E extends Exception> T run(String name, Class<? extends T> type,
            StepWork.Call<? extends T, E> work) throws E {
        return once(name, type, () -> {
            T value = inside(name, work);
            keep(report(name, value));
            return value;
        });
    }

    /** {@link dev.orderly.job.Job#step(String, Class, StepWork.TransactionCall)}. */
    <T extends @Nullable Object, E extends Exception> T run(String name, Class<? extends T> type,
            StepWork.TransactionCall<? extends T, E> work) throws E {
        AtomicBoolean works = new AtomicBoolean();
        return once(name, type, () -> this.<T, E>patiently("step " + name,
                () -> ports.transactional.<T, E>transact(connection -> {
                    works.set(true);
                    try (Registration _ = job.signal.onRaise(() -> abort(connection))) {
                        T value = inside(name, () -> work.run(StepConnection.of(connection, name)));
                        StepReport report = report(name, value);
                        refuse(report, ports.transactional.keep(new CallersTransaction.OnConnection(connection), report,
                                options.time().now()));
                        return value;
                    }
                }, silence()), works::get));
    }

    /** An interrupt ends no wait of a driver, and what a step does without a lease is not kept. */
    private void abort(Connection connection) {
        if (job.signal.reason().equals(Optional.of(CancellationSignal.Reason.LEASE_LOST))) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("The connection of a step of job {} was lost: {}", job.id(), e.getMessage());
            }
        }
    }

    /**
     * The longest wait of a step for its database: until the attempt has timed out, and as long as for other answers.
     * Without a bound a server that fell silent would keep the handler of a node that has its lease.
     */
    private Duration silence() {
        Duration left = Duration.ofNanos(job.deadline - options.time().nanos());
        return NodeTimes.ANSWER.plus(left.isNegative() ? Duration.ZERO : left);
    }

    /** Runs the work of a step whose value is not kept yet. Work that throws may be tried again in this attempt. */
    private <T extends @Nullable Object, E extends Exception> T once(String name, Class<? extends T> type,
            StepWork.Call<T, E> missing) throws E {
        JobStep.checkName(name);
        checkOutside("Step " + name, "call one after the other, or make the inner one a plain method");
        if (!begun.add(name)) {
            throw new IllegalStateException("Attempt " + job.attempt() + " of job " + job.id() + " has step " + name
                    + " twice: give each step a name of its own, such as " + name + "-2");
        }
        boolean ended = false;
        try {
            JobStep kept = earlier().stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
            T value = kept == null ? missing.run() : read(kept, type);
            ended = true;
            return value;
        } finally {
            if (!ended) {
                begun.remove(name);
            }
        }
    }

    /** @throws IllegalStateException if a step runs on this thread */
    void checkOutside(String what, String remedy) {
        if (INSIDE.isBound()) {
            throw new IllegalStateException(
                    what + " of job " + job.id() + " runs inside step " + INSIDE.get() + ": " + remedy);
        }
    }

    private static <T extends @Nullable Object, E extends Exception> T inside(String name,
            StepWork.Call<? extends T, E> work) throws E {
        return ScopedValue.where(INSIDE, name).<T, E>call(work::run);
    }

    private boolean mayHaveSteps() {
        return job.attempt() > 1;
    }

    /** The steps that earlier attempts have kept: a stale attempt adds none, so one look is enough. */
    List<JobStep> earlier() {
        lock.lock();
        try {
            if (earlier == null) {
                earlier = mayHaveSteps()
                        ? patiently("its steps", () -> ports.views.steps(job.id()), () -> false)
                        : List.of();
            }
            return earlier;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // a step whose work returned null returns null
    private <T extends @Nullable Object> T read(JobStep kept, Class<? extends T> type) {
        Payload value = kept.value();
        if (value == null) {
            return null;
        }
        try {
            return (T) ports.codec.format(PayloadTypes.of(type)).decode(value);
        } catch (UnreadablePayloadException | Unprocessable e) {
            throw new UnreadablePayloadException("The value that step " + kept.name() + " of job " + job.id()
                    + " left in attempt " + kept.attempt() + " cannot be read as " + type.getName() + ": "
                    + e.getMessage() + ". Read the earlier form too, or rename the step, so that it runs again", e);
        }
    }

    private StepReport report(String name, @Nullable Object value) {
        Payload written;
        try {
            written = value == null ? null : ports.codec.encode(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The value of step " + name + " of job " + job.id()
                    + " cannot be kept: " + e.getMessage(), e);
        }
        return new StepReport(options.node(), attempt(), name, written);
    }

    private AttemptId attempt() {
        return job.claimed().attempt();
    }

    private void keep(StepReport report) {
        StepResult result = patiently("step " + report.name(), () -> {
            StepResult answer = uninterrupted(() -> ports.jobs.keep(report, options.time().now()));
            if (answer == StepResult.BLOCKED) {
                throw blocked(report);
            }
            return answer;
        }, () -> false);
        refuse(report, result);
    }

    /**
     * Asks the store; while it fails, again and again, for the last time once the attempt is to end.
     *
     * @param last whether a failure is the last one in any case
     */
    <T extends @Nullable Object, E extends Exception> T patiently(String what, StepWork.Call<T, E> question,
            BooleanSupplier last) throws E {
        Time time = options.time();
        Duration pause = FIRST_PAUSE;
        while (true) {
            boolean over = job.signal.isRaised() || time.reached(job.deadline)
                    || Thread.currentThread().isInterrupted();
            try {
                return question.run();
            } catch (StoreException e) {
                if (over || last.getAsBoolean() || e instanceof StoreException.Unusable) {
                    throw e;
                }
                LOG.warn("Job {} waits for the store with {}, trying again in {} ms: {}", job.id(), what,
                        pause.toMillis(), e.getMessage());
            }
            time.park(time.deadline(pause));
            pause = Backoff.longer(pause, LONGEST_PAUSE);
        }
    }

    /** Asks the store for what an interrupt is not to withdraw: the work of the step is done. */
    private static <T> T uninterrupted(Supplier<T> question) {
        boolean interrupted = Thread.interrupted();
        try {
            return question.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StoreException blocked(StepReport report) {
        return new StoreException.Unavailable("Step " + report.name() + " of job " + job.id()
                + " is not kept: an open transaction completes the job; call steps before it", null);
    }

    private void refuse(StepReport report, StepResult result) {
        switch (result) {
            case KEPT -> {
            }
            case BLOCKED -> throw blocked(report);
            case LEASE_LOST -> throw new LeaseLostException("Attempt " + job.attempt() + " of job " + job.id()
                    + " is not the newest any more, so its step " + report.name()
                    + " is not kept: end this handler, the job was given to another node");
            case TAKEN -> throw new IllegalStateException("Step " + report.name() + " of job " + job.id()
                    + " is kept already, by a report whose answer was lost or with another value: end this attempt, the"
                    + " next one gets the value");
            case FULL -> throw new IllegalStateException("Step " + report.name() + " of job " + job.id()
                    + " is not kept: " + StepReport.FULL);
        }
    }
}
