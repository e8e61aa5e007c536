package dev.orderly.job.engine;

import dev.orderly.flow.LogLimit;
import dev.orderly.flow.Meter;
import dev.orderly.flow.RunningMean;
import dev.orderly.job.Handler;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.QueueView;
import dev.orderly.job.payload.PayloadFormat;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.StartWindow;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue declared on this node: its settings, its handler if any, and its current load. */
final class DeclaredQueue {
    /** Jobs per second below which no drain time is estimated. */
    private static final double RATE_MIN = 0.001;

    private static final Logger LOG = LoggerFactory.getLogger(DeclaredQueue.class);

    final QueueName name;
    private final AtomicReference<Settings> settings;
    final PayloadFormat format;
    /** Rate of jobs that this node settled for good. */
    final Meter drained;
    /** Mean duration of attempts on this node. */
    final RunningMean runs = new RunningMean();
    /** Claimed group runs that wait for a handler. */
    final ClaimedAhead ahead;
    /** What the next claim says about the keys of the queue. */
    final KeyRuns keys = new KeyRuns();
    /** The numbers of waiting and delayed jobs by key. */
    final PendingKeys pendingOfKeys;
    /** Approximate number of waiting and delayed jobs: the store's last count, plus the pushes of this node since. */
    final AtomicLong pending = new AtomicLong();

    /** Approximate number of running jobs without a node: the store's last count, with what this node did since. */
    final AtomicLong leased = new AtomicLong();

    /** Log of failed attempts, at most one line a second. */
    final LogLimit failures;
    /** Log of throttled attempts, at most one line a second. */
    final LogLimit throttles;
    /** Log of dead letters, at most one line a second. */
    final LogLimit deadLetters;
    /** Log of outcomes that the store did not accept, at most one line a second. */
    final LogLimit unsettled;
    /** Log of outcomes that were reported after the lease was lost, at most one line a second. */
    final LogLimit late;

    /** Log of payloads that this version cannot read, at most one line a second. */
    final LogLimit unreadable;

    /** Log of pushes that were taken for an equal job, at most one line a minute. */
    final LogLimit equal;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicReference<@Nullable Handler<Object>> handler = new AtomicReference<>();
    private volatile boolean hinted = true;
    /** Whether the last claim got less than there is, for slots or tokens that running jobs hold. */
    volatile boolean limited;
    private volatile boolean empty;
    private final AtomicReference<Pause> pause = new AtomicReference<>(new Pause(false));
    private volatile boolean pulled;
    /** The limit by the settings that the store knows; null before its first answer, and without a limit. */
    private volatile @Nullable LimitName declaredLimit;
    /** The limit in force, as the store answered last; null for none. Another node may have declared it. */
    private volatile @Nullable LimitView limit;
    /** The limit of each key by the settings that the store knows; null as above. */
    private volatile @Nullable LimitName declaredKeyLimit;
    /** The limit of each key in force, as the store answered last; null for none. */
    private volatile @Nullable LimitView keyLimit;

    /**
     * The settings of a queue on this node.
     *
     * @param override of an operator
     * @param inForce the configured settings with those of the operator
     */
    private record Settings(QueueOptions configured, QueueOverride override, QueueOptions inForce) {
        Settings(QueueOptions configured, QueueOverride override) {
            this(configured, override, override.over(configured));
        }
    }

    DeclaredQueue(QueueName name, QueueOptions options, PayloadFormat format, Time time) {
        this.name = name;
        this.settings = new AtomicReference<>(new Settings(options, QueueOverride.NONE));
        this.format = format;
        this.drained = new Meter(time);
        this.pendingOfKeys = new PendingKeys(time);
        this.ahead = new ClaimedAhead(time, runs);
        this.failures = new LogLimit(LOG, time);
        this.throttles = new LogLimit(LOG, time);
        this.deadLetters = new LogLimit(LOG, time);
        this.unsettled = new LogLimit(LOG, time);
        this.late = new LogLimit(LOG, time);
        this.unreadable = new LogLimit(LOG, time);
        this.equal = new LogLimit(LOG, time, Duration.ofMinutes(1));
    }

    /** The limit over all nodes that the settings give the queue; null for none. */
    @Nullable
    LimitName limitName() {
        return limitName(options());
    }

    /** The limit over all nodes that these settings give the queue; null for none. */
    @Nullable
    LimitName limitName(QueueOptions of) {
        return of.limit().isPresent() ? LimitName.of(name) : of.limitName().orElse(null);
    }

    /** The limit that these settings give each key or group; null for none. Of groups one job runs at once anyway. */
    @Nullable
    LimitName keyLimitName(QueueOptions of) {
        return of.perKey().filter(each -> !name.isFifo() || each.starts() > 0).isPresent()
                ? LimitName.ofKeys(name)
                : null;
    }

    /** Notes that the store knows the limit by the settings, and what it has in force. */
    void limit(@Nullable LimitName declared, @Nullable LimitView inForce) {
        limit = inForce;
        declaredLimit = declared;
    }

    /** As {@link #limit}, for the limit of each key. */
    void keyLimit(@Nullable LimitName declared, @Nullable LimitView inForce) {
        keyLimit = inForce;
        declaredKeyLimit = declared;
    }

    private boolean isLimitUnknown() {
        QueueOptions now = options();
        LimitName name = limitName(now);
        LimitName ofKeys = keyLimitName(now);
        return (name != null && !name.equals(declaredLimit)) || (ofKeys != null && !ofKeys.equals(declaredKeyLimit));
    }

    /** The longest time from the claim of a job to its start; null for any. */
    @Nullable
    Duration startWithin() {
        return Stream.of(Optional.ofNullable(limit), Optional.ofNullable(keyLimit)).flatMap(Optional::stream)
                .filter(view -> view.limit().starts() > 0).map(view -> StartWindow.slack(view.limit()))
                .min(Duration::compareTo).orElse(null);
    }

    /**
     * The limits with a rate that its jobs have: of the store as far as they are known, otherwise those that this node
     * declares.
     *
     * @param declared the bounds of a limit that this node declares
     */
    Stream<Limit> rates(BiFunction<LimitName, QueueOptions, Limit> declared) {
        LimitView all = limit;
        LimitView each = keyLimit;
        QueueOptions own = options();
        return Stream.of(
                all == null
                        ? Optional.ofNullable(limitName(own)).map(named -> declared.apply(named, own))
                        : Optional.of(all.limit()),
                each == null ? own.perKey() : Optional.of(each.limit()))
                .flatMap(Optional::stream).filter(bound -> bound.starts() > 0);
    }

    /** Whether the queue has keys, or a rate of its groups, as far as this node knows. */
    boolean hasKeys() {
        return keyLimit != null || options().key().isPresent();
    }

    /** Whether slots, tokens or turns over all nodes decide which job starts next, so that only the store can say. */
    boolean isShared() {
        return limitInForce() != null || hasKeys();
    }

    /** The limit that counts: of the store as far as it is known, otherwise of the settings; null for none. */
    @Nullable
    LimitName limitInForce() {
        LimitView now = limit;
        return now == null ? limitName() : now.name();
    }

    /** The settings in force; an attempt keeps the timeout with which it began. */
    QueueOptions options() {
        return settings.get().inForce;
    }

    /** Replaces the configured settings; those of an operator stay. */
    void change(QueueOptions value) {
        settings.updateAndGet(now -> new Settings(value, now.override));
    }

    /** Replaces the settings of an operator; returns whether they differ from those before. */
    boolean override(QueueOverride value) {
        return !settings.getAndUpdate(now -> new Settings(now.configured, value)).override.equals(value);
    }

    /** Whether the queue has the same type and options as another declaration of its name. */
    boolean isDeclaredLike(DeclaredQueue other) {
        return settings.get().configured.equals(other.settings.get().configured) && format.isLike(other.format);
    }

    /** What another declaration of the name says otherwise. */
    String differenceFrom(DeclaredQueue other) {
        return DeclarationDifference.of(this, settings.get().configured, other, other.settings.get().configured);
    }

    /** The store's view, with this node's settings and rates. */
    QueueStatus status(QueueView view) {
        double rate = drained.perSecond();
        Duration drain = rate < RATE_MIN ? null : Duration.ofMillis((long) (view.waiting() / rate * 1000));
        Settings now = settings.get();
        return new DeclaredStatus(view, now.inForce, now.configured, now.override, handler() != null || pulled, rate,
                drain);
    }

    /**
     * Estimated wait of a job behind the given number of jobs; null without a measured rate. The groups of a FIFO queue
     * run side by side, so the duration of an attempt is used instead of the queue's rate.
     */
    QueuePosition.@Nullable Wait waitBehind(int ahead) {
        double rate = drained.perSecond();
        if (rate < RATE_MIN) {
            return null;
        }
        double each = name.isFifo() ? runs.get().map(run -> run.toNanos() / 1e9).orElse(1 / rate) : 1 / rate;
        return QueuePosition.Wait.of(ahead, each);
    }

    @Nullable
    Handler<Object> handler() {
        return handler.get();
    }

    /** The most jobs of one call of the handler. */
    int jobsPerCall() {
        return handler.get() instanceof AttachedBatchHandler several ? several.most() : 1;
    }

    /** Attaches the handler; false if the queue has a handler already. */
    boolean attach(Handler<Object> value) {
        return handler.compareAndSet(null, value);
    }

    /** Detaches the handler, if it is the attached one. */
    void detach(Handler<Object> value) {
        handler.compareAndSet(value, null);
    }

    /** Number of further handlers that may start; zero without a handler. */
    int free() {
        return handler() == null || !mayLease() ? 0 : Math.max(0, options().concurrency() - running.get());
    }

    /** Number of handlers that run. */
    int busy() {
        return running.get();
    }

    /** Whether more can be claimed: for a free handler, or ahead. */
    boolean hasRoom() {
        return spare() > 0 || (handler() != null && mayLease() && ahead.room() > 0);
    }

    /** Number of free handlers that the parked group runs leave. */
    int spare() {
        return Math.max(0, free() - ahead.parked());
    }

    /** Whether the bound on jobs without a node is not reached. */
    boolean mayLease() {
        return leasesLeft() > 0;
    }

    /**
     * The number of further jobs without a node that the bound allows; none before the store knows the limit of the
     * queue.
     */
    long leasesLeft() {
        return isLimitUnknown() ? 0 : Math.max(0, options().maxLeased() - leased.get());
    }

    /** Marks a queue whose jobs are pulled by workers. */
    void pull() {
        pulled = true;
    }

    boolean isPulled() {
        return pulled;
    }

    /** Whether this node runs jobs of the queue, or hands them to workers. */
    boolean isWorkedOn() {
        return pulled || handler() != null;
    }

    /** Takes permits to run handlers, as many as are free but at most {@code most}; returns their number. */
    int reserve(int most) {
        if (handler() == null) {
            return 0;
        }
        int concurrency = options().concurrency();
        int before = running.getAndUpdate(now -> Math.max(now, Math.min(now + most, concurrency)));
        return Math.clamp(concurrency - (long) before, 0, most);
    }

    /** Returns permits. */
    void release(int permits) {
        int taken = running.addAndGet(-permits);
        assert taken >= 0 : name + ": more permits were returned than were taken";
    }

    /** Returns a permit if more are taken than the settings allow; returns whether it did. */
    boolean releaseExcess() {
        int concurrency = options().concurrency();
        return running.get() > concurrency
                && running.getAndUpdate(now -> now > concurrency ? now - 1 : now) > concurrency;
    }

    /** Notes that the store may have jobs to claim. */
    void hint() {
        if (!hinted) { // all pushes share it
            hinted = true;
        }
    }

    boolean hinted() {
        return hinted;
    }

    /** Clears the hint. Called before a claim, so that a hint that arrives during the claim is kept. */
    void clearHint() {
        empty = false;
        hinted = false;
    }

    /** Notes that a claim got all that this queue could give. */
    void foundEmpty() {
        empty = true;
    }

    /** Whether the last claim got all that the queue could give, and no hint arrived since; never if it is shared. */
    boolean isKnownEmpty() {
        return empty && !hinted && !isShared();
    }

    /** What this node knows about the pause of a queue; a new object for each change, by which changes are told. */
    static final class Pause {
        private final boolean on;

        private Pause(boolean on) {
            this.on = on;
        }
    }

    /** Whether the queue is paused, as far as this node knows. */
    boolean isPaused() {
        return pause.get().on;
    }

    Pause pause() {
        return pause.get();
    }

    /** Notes that an operator paused the queue. */
    void pauseNow() {
        pause.set(new Pause(true));
    }

    /**
     * Notes an answer of the store; returns whether it is a change. An answer to a question that was asked before the
     * last change does not count.
     *
     * @param asked what was known when the question was asked
     */
    boolean answerPause(Pause asked, boolean on) {
        return asked.on != on && pause.compareAndSet(asked, new Pause(on));
    }
}
