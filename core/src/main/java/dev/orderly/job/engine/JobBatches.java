package dev.orderly.job.engine;

import dev.orderly.Internal;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchOpening;
import dev.orderly.job.BatchRefusedException;
import dev.orderly.job.BatchRefusedException.Reason;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.BatchStore.Finished;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.StoreException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The batches of the jobs of a client: opens, shows, closes, cancels and finishes them. Thread-safe. */
@Internal(to = "dev.orderly")
public final class JobBatches implements Batch.Target {
    private static final Logger LOG = LoggerFactory.getLogger(JobBatches.class);
    private static final int PAGE_MAX = 1_000;
    /** Members of a cancelled batch that a round cancels in each state. */
    private static final int CANCELLED_AT_ONCE = 200;

    private final JobClient client;
    private final BatchStore batches;
    private final @Nullable CallersTransaction transaction;
    /** Running members of cancelled batches that this node has asked to end, by batch. */
    private final Map<Long, Set<JobId>> asked = new ConcurrentHashMap<>();
    /** Members that could not be cancelled: the next page begins behind them, so that nothing else waits for them. */
    private final Map<Place, JobId> held = new ConcurrentHashMap<>();
    private volatile Finished last = new Finished(List.of(), List.of(), 0, 0);

    /** The members of a batch in a state. */
    private record Place(long batch, JobState state) {}

    JobBatches(JobClient client) {
        this(client, client.store.batches(), null);
    }

    private JobBatches(JobClient client, BatchStore batches, @Nullable CallersTransaction transaction) {
        this.client = client;
        this.batches = batches;
        this.transaction = transaction;
    }

    /**
     * The beginning of a batch, which {@link BatchOpening#then} opens.
     *
     * @throws IllegalArgumentException if the name breaks the rule of {@link BatchName}
     */
    public BatchOpening opening(String name) {
        return new BatchOpening(this, new BatchName(Objects.requireNonNull(name, "name")));
    }

    /** The batch of a name, if one is kept. */
    public Optional<BatchView> find(BatchName name) {
        return batches.find(Objects.requireNonNull(name, "name"));
    }

    /** The batch of a number, as a {@link BatchLink} has it, if it is kept. */
    public Optional<BatchView> find(long number) {
        return batches.find(number);
    }

    /**
     * The handle of the batch of a name.
     *
     * @throws BatchRefusedException if none is kept
     */
    public Batch get(BatchName name) {
        return new Batch(this, require(name).member(), null);
    }

    /**
     * The batch of a name.
     *
     * @throws BatchRefusedException if none is kept
     */
    public BatchView require(BatchName name) {
        return find(name).orElseThrow(() -> unknown(name));
    }

    /** As {@link BatchStore#list}. */
    public List<BatchView> list(long below, int limit) {
        return batches.list(below, Math.clamp(limit, 1, PAGE_MAX));
    }

    /** As {@link BatchStore#members}. */
    public List<JobView> members(BatchView batch, JobState state, @Nullable JobId after, int limit) {
        Objects.requireNonNull(batch, "batch");
        Objects.requireNonNull(state, "state");
        return batches.members(batch.number(), state, after, Math.clamp(limit, 1, PAGE_MAX));
    }

    /**
     * Opens a batch, or answers the open one of the name with the same callback and rule.
     *
     * @param callback neither delayed nor with a dedupe id, a unique key, a debounce key or a batch
     * @throws BatchRefusedException if a batch of the name is kept that is not open, or has another callback or rule
     * @throws PushRefusedException if the callback breaks a rule of its queue
     */
    @Override
    public BatchView open(BatchName name, WhenDead whenDead, PushRequest callback) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(whenDead, "whenDead");
        Objects.requireNonNull(callback, "callback");
        BatchStore.Opening opening = port().open(new NewBatch(name, whenDead, checked(callback)), client.now());
        if (!opening.accepted()) {
            throw refused(opening.batch());
        }
        return opening.batch();
    }

    private static BatchRefusedException refused(BatchView kept) {
        return kept.state() == BatchView.State.OPEN
                ? new BatchRefusedException(Reason.DIFFERENT, "Batch " + kept.name() + " is open with another callback,"
                        + " or another rule for dead letters: open it with the same again, or one with another name")
                : new BatchRefusedException(Reason.CLOSED, "Batch " + kept.name() + " is "
                        + kept.state().name().toLowerCase(Locale.ROOT)
                        + ", and is not opened again: open one with another name");
    }

    private NewJob checked(PushRequest callback) {
        List<String> extras = Stream.of(named("a dedupe id", callback.dedupeId()),
                named("a unique key", callback.unique()), named("a debounce key", callback.debounce()),
                named("a batch", callback.batch()), named("a delay", callback.delay()),
                named("a moment", callback.runAt())).flatMap(Function.identity()).toList();
        if (!extras.isEmpty()) {
            throw new PushRefusedException(PushRefusedException.Reason.BOUNDS, "The callback of a batch for queue "
                    + callback.queue() + " has " + extras.getFirst() + ": leave it out, since the callback is pushed"
                    + " once, at the end of the batch");
        }
        return client.pusher.checkCallback(callback);
    }

    private static Stream<String> named(String name, @Nullable Object part) {
        return part == null ? Stream.empty() : Stream.of(name);
    }

    @Override
    public <T> PushRequest request(JobQueue<T> queue, T payload) {
        return client.request(Objects.requireNonNull(queue, "queue"), Objects.requireNonNull(payload, "payload"));
    }

    @Override
    public Batch.Target in(CallersTransaction value) {
        return new JobBatches(client, batches, Objects.requireNonNull(value, "value"));
    }

    /** The transaction of the caller; null for none. */
    private @Nullable CallersTransaction open() {
        return transaction != null ? transaction : client.options.transaction().current().orElse(null);
    }

    /** The port, in the transaction of the caller if there is one. */
    private BatchStore port() {
        CallersTransaction open = open();
        return open == null ? batches : batches.in(open);
    }

    @Override
    public BatchView view(BatchLink batch) {
        Objects.requireNonNull(batch, "batch");
        return port().find(batch.number()).orElseThrow(() -> unknown(batch.name()));
    }

    @Override
    public List<JobView> deadLetters(BatchLink batch, @Nullable JobId after, int limit) {
        Objects.requireNonNull(batch, "batch");
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " jobs: ask for 1 to " + PAGE_MAX);
        }
        return batches.members(batch.number(), JobState.DEAD, after, limit);
    }

    @Override
    public BatchView close(BatchLink batch) {
        Objects.requireNonNull(batch, "batch");
        return settled(port().close(batch.number(), client.now()).orElseThrow(() -> unknown(batch.name())));
    }

    @Override
    public BatchView cancel(BatchLink batch) {
        Objects.requireNonNull(batch, "batch");
        return settled(port().cancel(batch.number(), client.now()).orElseThrow(() -> unknown(batch.name())));
    }

    /** The batch after a round, which finishes it if no member is left; rounds of the nodes do it otherwise. */
    private BatchView settled(BatchView ended) {
        if (open() != null || ended.state() == BatchView.State.FINISHED) {
            return ended;
        }
        try {
            var _ = round();
            if (ended.state() == BatchView.State.CANCELLED) {
                var _ = cancelMembers(ended.number());
            }
            return batches.find(ended.number()).orElse(ended);
        } catch (StoreException e) {
            LOG.warn("Batch {} is {}, and a later round goes on with it: {}", ended.name(), ended.state(),
                    e.getMessage());
            return ended;
        }
    }

    /** Counts and finishes what is due; returns whether batches are left whose members are to be cancelled. */
    boolean round() {
        Finished finished = batches.finish(client.now());
        last = finished;
        finished.callbacks().forEach(client::hint);
        return !finished.cancelling().isEmpty();
    }

    /** What the last round of this node has left, such as the number of open batches; of none before the first. */
    public Finished left() {
        return last;
    }

    /**
     * Cancels members of the cancelled batches that the last round has left: some of the waiting members, and each
     * running member once. Returns whether any was cancelled, so that more may be left.
     */
    boolean cancelMembers() {
        List<Long> numbers = last.cancelling().stream().map(BatchView::number).toList();
        asked.keySet().retainAll(numbers);
        held.keySet().removeIf(place -> !numbers.contains(place.batch));
        boolean more = false;
        for (Long number : numbers) {
            more |= cancelMembers(number);
        }
        return more;
    }

    private boolean cancelMembers(long batch) {
        boolean more = false;
        for (JobState state : List.of(JobState.WAITING, JobState.DELAYED)) {
            Place place = new Place(batch, state);
            more |= cancel(place, batches.members(batch, state, held.remove(place), CANCELLED_AT_ONCE));
        }
        Set<JobId> before = asked.getOrDefault(batch, Set.of());
        Place running = new Place(batch, JobState.RUNNING);
        JobId after = held.remove(running);
        List<JobView> page;
        do {
            page = batches.members(batch, JobState.RUNNING, after, PAGE_MAX);
            after = page.isEmpty() ? null : page.getLast().id();
            var _ = cancel(running, page.stream().filter(member -> !before.contains(member.id())).toList());
        } while (page.size() == PAGE_MAX && !held.containsKey(running));
        return more;
    }

    /** Cancels members, up to the first that an open transaction holds; returns whether one was cancelled. */
    private boolean cancel(Place place, List<JobView> members) {
        boolean cancelled = false;
        for (JobView member : members) {
            try {
                var _ = client.cancel(member.id());
            } catch (StoreException e) {
                LOG.warn("A later round cancels a member of batch {}: {}", place.batch, e.getMessage());
                held.put(place, member.id());
                return cancelled;
            }
            if (place.state == JobState.RUNNING) {
                asked.computeIfAbsent(place.batch, _ -> ConcurrentHashMap.newKeySet()).add(member.id());
            }
            cancelled = true;
        }
        return cancelled;
    }

    private static BatchRefusedException unknown(BatchName name) {
        return new BatchRefusedException(Reason.UNKNOWN,
                "Batch " + name + " is not known: open it, or correct its name;"
                        + " a finished batch is kept as long as its callback");
    }
}
