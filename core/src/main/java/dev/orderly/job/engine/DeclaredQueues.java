package dev.orderly.job.engine;

import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueueView;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.payload.PayloadCodec;
import dev.orderly.job.payload.PayloadFormat;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queues declared on this node, and the hints that they have work. Nodes exchange hints over the bus, so that they
 * claim at once. After a lost hint the next poll finds the work. Thread-safe; no method blocks.
 */
final class DeclaredQueues {
    /** Prefixes of messages about paused and resumed queues, and cancelled jobs; queue names have no spaces. */
    private static final String PAUSED = "paused ";
    private static final String RESUMED = "resumed ";
    private static final String CANCELLED = "cancelled ";

    private final Bus bus;
    private final PayloadCodec codec;
    private final Time time;
    private final ConcurrentMap<QueueName, DeclaredQueue> queues = new ConcurrentHashMap<>();
    private final ConcurrentMap<LimitName, Limit> limits = new ConcurrentHashMap<>();
    private volatile Map<QueueName, QueueOverride> overrides = Map.of();
    private volatile Map<LimitName, LimitOverride> limitOverrides = Map.of();
    private volatile Runnable limitsChanged = () -> {};
    private volatile Runnable claimer = () -> {};
    private volatile Consumer<QueueName> puller = _ -> {};
    private final Consumer<JobId> canceller;

    /** @param canceller keeps a job from beginning here, or signals its attempt; never blocks */
    DeclaredQueues(Bus bus, PayloadCodec codec, Time time, Consumer<JobId> canceller) {
        this.bus = bus;
        this.codec = codec;
        this.time = time;
        this.canceller = canceller;
        bus.subscribe(Bus.Topic.WORK, this::received);
    }

    /**
     * @param type type of the payload, or {@link PayloadTypes}
     * @throws IllegalStateException if the queue is declared with another type or other options
     * @throws IllegalArgumentException if options contradict the kind of the queue or each other
     */
    void declare(QueueName name, Type type, QueueOptions options) {
        checkLimit(name, options);
        PayloadTypes<?> types = type instanceof PayloadTypes<?> given ? given : PayloadTypes.ofType(type);
        DeclaredQueue queue = new DeclaredQueue(name, options, codec.format(types), time);
        DeclaredQueue before = queues.putIfAbsent(name, queue);
        if (before != null && !before.isDeclaredLike(queue)) {
            throw new IllegalStateException(
                    "Queue " + queue.name + " is declared twice, with " + before.differenceFrom(queue)
                            + ": declare it once and pass it on, or both times alike");
        }
        queue.override(overrideOf(queue.name));
    }

    /** Declares a limit that queues may name; a repeated declaration replaces the one before. */
    void declare(LimitName name, Limit limit) {
        if (name.isOfQueue()) {
            throw new IllegalArgumentException("Limit " + name + " has the name of a queue's own limit: use another"
                    + " name, or QueueOptions.withLimit(Limit)");
        }
        checkUnshared(limit);
        limits.put(name, limit);
    }

    private static void checkUnshared(Limit limit) {
        if (limit.share() > 0) {
            throw new IllegalArgumentException("A limit of jobs has a share, which is that of a key: give it to"
                    + " QueueOptions.withPerKey");
        }
    }

    /**
     * @throws IllegalStateException if the limit of the queue is not declared
     * @throws IllegalArgumentException as {@link QueueKindRules#check} does, or if a share is of no limit
     */
    void checkLimit(QueueName queue, QueueOptions options) {
        QueueKindRules.check(queue, options);
        LimitName name = options.limitName().orElse(null);
        if (name != null && !limits.containsKey(name)) {
            throw new IllegalStateException("Queue " + queue + " names limit " + name
                    + ", which is not declared on this node: declare the limit before the queue");
        }
        Limit all = name == null ? options.limit().orElse(null) : limits.get(name);
        if (all != null) {
            checkUnshared(all);
        }
        if (options.perKey().filter(each -> each.share() > 0).isPresent() && (all == null || all.concurrency() == 0)) {
            throw new IllegalArgumentException("Queue " + queue + " gives each key a share and has no limit with a"
                    + " concurrency, of which it would be a share: give it such a limit, or leave the share out");
        }
    }

    /** The bounds of a limit that settings name or have, as operators have changed them. */
    Limit bounds(LimitName name, QueueOptions settings) {
        Limit declared = settings.limit().orElseGet(() -> Objects.requireNonNull(limits.get(name)));
        return limitOverride(name).over(declared);
    }

    LimitOverride limitOverride(LimitName name) {
        return limitOverrides.getOrDefault(name, LimitOverride.NONE);
    }

    /** Puts the bounds of operators in force; a limit without an entry has its declared ones. */
    void overrideLimits(Map<LimitName, LimitOverride> all) {
        if (!all.equals(limitOverrides)) {
            limitOverrides = all;
            limitsChanged.run();
        }
    }

    /** Sets the callback that declares changed bounds to the store; it must not block. */
    void onLimitsChanged(Runnable declare) {
        limitsChanged = declare;
    }

    /**
     * Takes over the limits that the store has in force.
     *
     * @param declared the limits of queues that the store has accepted before; empty for none
     * @param ofKeys those of each key
     */
    void limited(Map<QueueName, Optional<LimitName>> declared, Map<QueueName, Optional<LimitName>> ofKeys,
            List<LimitView> views) {
        Map<QueueName, LimitView> byQueue = new HashMap<>();
        Map<QueueName, LimitView> ofKeysByQueue = new HashMap<>();
        views.forEach(view -> view.queues()
                .forEach(queue -> (view.name().isOfKeys() ? ofKeysByQueue : byQueue).put(queue, view)));
        declared.forEach((name, limit) -> {
            DeclaredQueue queue = queues.get(name);
            if (queue != null) {
                boolean unknown = !queue.mayLease();
                queue.limit(limit.orElse(null), byQueue.get(name));
                queue.keyLimit(ofKeys.getOrDefault(name, Optional.empty()).orElse(null), ofKeysByQueue.get(name));
                if (unknown && queue.mayLease()) {
                    hint(queue);
                }
            }
        });
    }

    /**
     * Hints at the queues that share the limit of a queue of which a job has ended, on this node, and at that queue
     * itself if it has keys.
     */
    void freed(DeclaredQueue ended) {
        LimitName name = ended.limitInForce();
        if (name == null && ended.hasKeys()) {
            hint(ended);
        }
        if (name != null) {
            List<DeclaredQueue> sharing = queues.values().stream()
                    .filter(queue -> name.equals(queue.limitInForce())).toList();
            sharing.forEach(DeclaredQueue::hint); // all before one claim, so that they take turns
            sharing.forEach(this::hint);
        }
    }

    /** The payload of a push into a queue. */
    Payload encode(String name, Object value) {
        DeclaredQueue queue = queues.get(new QueueName(name));
        return queue == null ? codec.encode(value) : queue.format.encode(value);
    }

    /** A payload of no queue, such as a result. */
    Payload encode(Object value) {
        return codec.encode(value);
    }

    /** @throws UnreadablePayloadException if the payload cannot be read as the type */
    <T> T decode(Payload payload, Class<T> type) {
        try {
            return type.cast(codec.format(PayloadTypes.of(type)).decode(payload));
        } catch (Unprocessable e) { // the word for handlers
            throw new UnreadablePayloadException(String.valueOf(e.getMessage()));
        }
    }

    /** The formats of the declared queues. */
    Map<QueueName, PayloadFormat> formats() {
        Map<QueueName, PayloadFormat> formats = new HashMap<>();
        queues.forEach((name, queue) -> formats.put(name, queue.format));
        return formats;
    }

    /** The declared queues, and those of which the store has a view, by name. */
    List<QueueStatus> statuses(List<QueueView> views) {
        Map<QueueName, QueueView> all = new TreeMap<>();
        queues.keySet().forEach(name -> all.put(name, QueueSnapshot.empty(name)));
        views.forEach(view -> all.put(view.queue(), view));
        return all.values().stream().map(this::status).toList();
    }

    /** The store's view of a queue, with this node's settings and rates if it is declared here. */
    private QueueStatus status(QueueView view) {
        DeclaredQueue queue = queues.get(view.queue());
        return queue == null ? DeclaredStatus.undeclared(view, overrideOf(view.queue())) : queue.status(view);
    }

    private QueueOverride overrideOf(QueueName name) {
        return overrides.getOrDefault(name, QueueOverride.NONE);
    }

    /** Puts the settings of operators in force; a queue without an entry has its configured ones. */
    void override(Map<QueueName, QueueOverride> all) {
        overrides = all;
        for (DeclaredQueue queue : queues.values()) {
            if (queue.override(all.getOrDefault(queue.name, QueueOverride.NONE))) {
                hint(queue);
            }
        }
    }

    @Nullable
    DeclaredQueue get(QueueName name) {
        return queues.get(name);
    }

    Collection<DeclaredQueue> all() {
        return queues.values();
    }

    /** Sets the callback that makes this node claim; it must not block. Without it hints only reach other nodes. */
    void onWork(Runnable wakeClaimer) {
        claimer = wakeClaimer;
    }

    /** Sets the callback for hints at queues that are pulled; it must not block. */
    void onPullable(Consumer<QueueName> wakePuller) {
        puller = wakePuller;
    }

    /** Takes over the counts of the store. */
    void counted(List<QueueView> views) {
        Map<QueueName, QueueView> byName = new HashMap<>();
        views.forEach(view -> byName.put(view.queue(), view));
        for (DeclaredQueue queue : queues.values()) {
            QueueView view = byName.getOrDefault(queue.name, QueueSnapshot.empty(queue.name));
            queue.pending.set(view.waiting() + view.delayed());
            boolean full = !queue.mayLease();
            queue.leased.set(view.leased());
            if (full && queue.mayLease()) {
                hint(queue);
            }
        }
    }

    /** Makes this node claim now. */
    void wake() {
        claimer.run();
    }

    /**
     * Hints at work, on this node only. A paused queue does not cause a claim before the next poll or its resume.
     */
    void hint(DeclaredQueue queue) {
        queue.hint();
        if (queue.isPulled()) {
            puller.accept(queue.name);
        }
        if (queue.hasRoom() && !queue.isPaused()) {
            claimer.run();
        }
    }

    /** Hints at work, on all nodes. */
    void hintEverywhere(DeclaredQueue queue) {
        hint(queue);
        bus.publish(Bus.Topic.WORK, queue.name.value().getBytes(StandardCharsets.UTF_8));
    }

    /** Tells all nodes that a queue is paused or resumed; the queue need not be declared on this node. */
    void pauseEverywhere(QueueName name, boolean on) {
        told(name, on);
        bus.publish(Bus.Topic.WORK, ((on ? PAUSED : RESUMED) + name.value()).getBytes(StandardCharsets.UTF_8));
    }

    /** Tells the other nodes that a job was cancelled; the one that holds it would learn of that by a heartbeat. */
    void cancelElsewhere(JobId id) {
        bus.publish(Bus.Topic.WORK, (CANCELLED + id).getBytes(StandardCharsets.UTF_8));
    }

    /** Tells all nodes that other jobs of a queue may start, of which they may have seen none. */
    void lookEverywhere(QueueName name) {
        pauseEverywhere(name, false);
    }

    /**
     * A pause begins at once, and ends by an answer of the store only: what is told about a resume may be older than a
     * pause.
     */
    private void told(QueueName name, boolean paused) {
        DeclaredQueue queue = queues.get(name);
        if (queue == null) {
            return;
        }
        if (paused) {
            queue.pauseNow();
            pauseChanged(queue);
        } else {
            hint(queue);
            claimer.run(); // asks for a paused queue too
        }
    }

    private void pauseChanged(DeclaredQueue queue) {
        if (queue.isPaused()) {
            claimer.run(); // gives back what was claimed ahead
        } else {
            hint(queue);
        }
    }

    /** What this node knows about pauses, before it asks the store. */
    Pauses pauses() {
        Map<DeclaredQueue, DeclaredQueue.Pause> known = new HashMap<>();
        queues.values().forEach(queue -> known.put(queue, queue.pause()));
        return new Pauses(known);
    }

    /** What was known about pauses when the store was asked: a later message outdates the answer. */
    record Pauses(Map<DeclaredQueue, DeclaredQueue.Pause> known) {
        /** Notes the store's answer; returns whether it is news. */
        boolean answered(DeclaredQueue queue, boolean paused) {
            DeclaredQueue.Pause before = known.get(queue);
            return before != null && queue.answerPause(before, paused);
        }
    }

    /** Takes over the pauses that the store has answered to a question of this node: they heal lost messages. */
    void paused(Pauses asked, Set<QueueName> names) {
        queues.values().stream().filter(queue -> asked.answered(queue, names.contains(queue.name)))
                .forEach(this::pauseChanged);
    }

    private void received(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        try {
            if (text.startsWith(RESUMED)) {
                told(new QueueName(text.substring(RESUMED.length())), false);
            } else if (text.startsWith(PAUSED)) {
                told(new QueueName(text.substring(PAUSED.length())), true);
            } else if (text.startsWith(CANCELLED)) {
                canceller.accept(JobId.parse(text.substring(CANCELLED.length())));
            } else {
                Optional.ofNullable(queues.get(new QueueName(text))).ifPresent(this::hint);
            }
        } catch (IllegalArgumentException _) {
            // a message of another version: the next poll finds the work
        }
    }
}
