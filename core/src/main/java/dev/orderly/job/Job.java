package dev.orderly.job;

import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A running job, as its handler sees it: what came with it, and what the handler may say about it. Valid while the
 * handler runs. Thread-safe, so a handler may pass it to threads of its own.
 */
public final class Job {
    static final ScopedValue<Job> CURRENT = ScopedValue.newInstance();

    /** The most bytes a result may have. */
    public static final int RESULT_MAX = 64 << 10;

    private final ClaimedJob claimed;
    private final JobEngine engine;
    private final long deadline;
    private final CancellationSignal signal = new CancellationSignal();
    private final AtomicReference<@Nullable Progress> unreported = new AtomicReference<>();
    private final AtomicReference<Ending> wish = new AtomicReference<>(new Ending.Done(null));
    private final ReentrantLock threadLock = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile boolean settledApart;

    Job(ClaimedJob claimed, JobEngine engine, long deadline) {
        this.claimed = claimed;
        this.engine = engine;
        this.deadline = deadline;
    }

    /**
     * The job whose handler runs on this thread. Not inherited by threads the handler starts.
     *
     * @throws IllegalStateException outside a handler
     */
    public static Job current() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException(
                    "No job runs on this thread: call Job.current() inside a handler, or use the job it was given");
        }
        return CURRENT.get();
    }

    public JobId id() {
        return claimed.id();
    }

    public QueueName queueName() {
        return claimed.queue();
    }

    /** The group; present on a FIFO queue only. */
    public Optional<String> groupId() {
        return Optional.ofNullable(claimed.group());
    }

    /** Orders the jobs of a group: larger was pushed later. 63 bits, not consecutive. */
    public long sequenceNumber() {
        return claimed.sequence();
    }

    /** Names and values pushed beside the payload; over HTTP the path parameters. */
    public Map<String, String> params() {
        return claimed.params();
    }

    /** The user the job belongs to, if it was pushed by one. */
    public Optional<String> userId() {
        return Optional.ofNullable(claimed.user());
    }

    public Instant pushedAt() {
        return claimed.id().pushedAt();
    }

    /** How often the job was handed to a handler, this time included; 1 at first. Higher than any attempt before. */
    public int attempt() {
        return claimed.attempt().number();
    }

    /** Failed attempts before this one, counted against the queue's {@link RetryPolicy}. */
    public int failures() {
        return claimed.failures();
    }

    /** The payload as it was pushed. */
    public Payload payload() {
        return claimed.payload();
    }

    /** Raised when the handler should end. */
    public CancellationSignal signal() {
        return signal;
    }

    /** A push to this job's own queue, and on a FIFO queue into its own group. */
    public Push<Object> queue() {
        Push<Object> push = new Push<>(engine, claimed.queue().value());
        String group = claimed.group();
        return group == null ? push : push.group(group);
    }

    /**
     * Says how far the job is. Only the last value is kept; it may take a fifth of a second to be seen.
     *
     * @throws IllegalArgumentException if {@link Progress} refuses the values
     */
    public void progress(long done, long total, String text) {
        unreported.set(new Progress(done, total, text));
    }

    /**
     * Sends a message to all devices of the job's user that are connected now: text, bytes, or anything Jackson can
     * write, at most 64 KiB. Nobody gets it if nobody is connected, or the job belongs to nobody; what must not be missed
     * is {@link #progress} and {@link #result}.
     *
     * @throws IllegalArgumentException if it cannot be written, or is too large
     */
    public void send(Object value) {
        userId().ifPresent(user -> engine.send(new UserId(user), value));
    }

    /**
     * What the job leaves when it is done: anything Jackson can write, text or bytes. The last call counts.
     *
     * @throws IllegalArgumentException if it cannot be written, or is larger than {@link #RESULT_MAX}
     */
    public void result(Object value) {
        Payload result = engine.encode(value);
        if (result.size() > RESULT_MAX) {
            throw new IllegalArgumentException("The result of job " + id() + " has " + result.size()
                    + " bytes: store the content elsewhere and leave a reference of at most " + RESULT_MAX);
        }
        wish.set(new Ending.Done(result));
    }

    /**
     * Once the handler returns, puts the job off instead of ending it; counts as no failure. On a FIFO queue its group
     * waits with it.
     */
    public void snooze(Duration delay) {
        if (delay.isNegative() || delay.compareTo(PushRules.DELAY_MAX) > 0) {
            throw new IllegalArgumentException("A job can be put off by 0 to " + PushRules.DELAY_MAX.toDays()
                    + " days, not by " + delay);
        }
        wish.set(new Ending.Snooze(engine.now().plus(delay)));
    }

    /** Once the handler returns, ends the job as cancelled: neither done nor failed. */
    public void discard(String reason) {
        wish.set(new Ending.Cancelled(reason));
    }

    /**
     * How to tell the store that this attempt has ended, as if the handler returned now: for those who let the store note
     * it in one transaction with something of their own. If that comes about, nothing is noted when the handler returns; if
     * it was undone, all goes on as without it.
     */
    public Settlement ending() {
        settledApart = true;
        return new Settlement(engine.node(), claimed.attempt(), wish());
    }

    /** Whether somebody else may have noted the end. */
    boolean settledApart() {
        return settledApart;
    }

    ClaimedJob claimed() {
        return claimed;
    }

    /** The monotonic moment at which the attempt times out. */
    long deadline() {
        return deadline;
    }

    /** What the handler wants to become of the job, if it returns. */
    Ending wish() {
        return wish.get();
    }

    /** The progress not handed to the store yet, handed over now. */
    @Nullable
    Progress takeProgress() {
        return unreported.getAndSet(null);
    }

    void began(Thread runner) {
        threadLock.lock();
        try {
            thread = runner;
        } finally {
            threadLock.unlock();
        }
    }

    /** After this nothing interrupts the thread any more, and an interrupt that came is cleared. */
    void ended() {
        threadLock.lock();
        try {
            thread = null;
        } finally {
            threadLock.unlock();
        }
        Thread.interrupted();
    }

    /** Raises the signal and interrupts the handler, once. Never throws. */
    void interrupt(CancellationSignal.Reason reason) {
        signal.raise(reason, this::interruptThread);
    }

    private void interruptThread() {
        threadLock.lock();
        try {
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            threadLock.unlock();
        }
    }
}
