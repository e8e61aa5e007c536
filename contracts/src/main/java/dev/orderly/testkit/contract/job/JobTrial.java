package dev.orderly.testkit.contract.job;

import dev.orderly.Store;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.contract.input.KeptPromises;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store under test with its clock, and the vocabulary of the tests. */
public final class JobTrial {
    /** A node whose last heartbeat is older is dead. */
    static final Duration NODE_DEAD = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    /** The interval, or less, of heartbeats of a node that tests do not use. */
    private static final Duration WITNESS_BEATS = Duration.ofSeconds(8);
    private static final NodeId WITNESS = new NodeId("witness");

    private final Function<Time, Store> open;
    private final UnaryOperator<Store> reopen;
    private final List<TestNode> nodes = new ArrayList<>();
    private final Duration viewsLag;
    private @Nullable Store store;
    private @Nullable Supplier<JobStore> twin;
    private int named;

    /** @param viewsLag the maximum time until a check of views succeeds */
    public JobTrial(Function<Time, Store> open, UnaryOperator<Store> reopen, Duration viewsLag) {
        this.open = open;
        this.reopen = reopen;
        this.viewsLag = viewsLag;
    }

    /** A trial of another empty store; still to be begun. */
    JobTrial another() {
        return new JobTrial(open, reopen, viewsLag);
    }

    public void begin() {
        store = open.apply(time);
    }

    public void end() {
        if (store != null) {
            store.close();
            store = null;
        }
    }

    private Store store() {
        return Objects.requireNonNull(store, "begin() was not called");
    }

    /** The store with code of a test around its calls. */
    InterceptedStore intercepted() {
        return new InterceptedStore(store());
    }

    JobStore jobs() {
        return KeptPromises.of(store().jobs());
    }

    JobViews views() {
        return store().jobViews();
    }

    public ScheduleStore schedules() {
        return store().schedules();
    }

    public Instant now() {
        return time.now();
    }

    /** The clock by which the store finds nodes dead. */
    Time time() {
        return time;
    }

    /**
     * Lets time pass while another node sends heartbeats often enough for the store to tell silence from a suspension.
     */
    public void pass(Duration step) {
        Duration rest = step;
        Duration last = WITNESS_BEATS.multipliedBy(3);
        if (rest.compareTo(last) > 0) {
            sleep(rest.minus(last));
            witness();
            rest = last;
        }
        while (rest.isPositive()) {
            Duration next = rest.compareTo(WITNESS_BEATS) < 0 ? rest : WITNESS_BEATS;
            time.advance(next);
            witness();
            rest = rest.minus(next);
        }
    }

    private void witness() {
        jobs().beat(WITNESS);
        if (twin != null) {
            twin.get().beat(WITNESS);
        }
    }

    /** Makes the witness send its heartbeats to another store, too. */
    void accompaniedBy(Supplier<JobStore> other) {
        twin = other;
    }

    /** Lets time pass while no node sends heartbeats, as when all are suspended. */
    void sleep(Duration step) {
        time.advance(step);
    }

    /** Sets the wall clock; no time passes. */
    void jump(Duration step) {
        time.jump(step);
    }

    Instant in(Duration wait) {
        return now().plus(wait);
    }

    List<PushResult> pushAll(List<JobDraft> drafts) {
        return jobs().push(drafts.stream().map(JobDraft::job).toList(), now());
    }

    PushResult answer(JobDraft draft) {
        return pushAll(List.of(draft)).getFirst();
    }

    /** Pushes all in one call. */
    List<JobId> push(JobDraft... drafts) {
        return pushAll(Stream.of(drafts).toList()).stream().map(PushResult::id).toList();
    }

    public JobId push(JobDraft draft) {
        return answer(draft).id();
    }

    /** A node with a heartbeat. */
    public TestNode node() {
        TestNode node = new TestNode(this, new NodeId("node-" + ++named));
        nodes.add(node);
        node.beat();
        return node;
    }

    /** Kills the process and opens the same data in another. The process's nodes are gone. */
    public void crash() {
        nodes.clear();
        store = reopen.apply(store());
    }

    /** Stops the store, copies it, and goes on with the copy. The store's nodes are gone. */
    void copy() {
        nodes.clear();
        store = MovingStore.moved(store(), now());
    }

    /** Kills the process, opens the same data in another, and lets upkeep give back its jobs. */
    void crashAndRecover() {
        crash();
        pass(NODE_DEAD.plusSeconds(1));
        upkeep();
    }

    /** Lets a node stop its heartbeats while others continue, until it is declared dead. */
    public List<UpkeepReport> dies(TestNode node) {
        nodes.remove(node);
        pass(NODE_DEAD.plusSeconds(1));
        nodes.forEach(TestNode::beat);
        return upkeep();
    }

    /** Runs rounds of upkeep until nothing is left to do. */
    List<UpkeepReport> upkeep() {
        return upkeep(Map.of(), Retention.DEFAULT, 1_000);
    }

    List<UpkeepReport> upkeep(Map<QueueName, OnDead> onDead, Retention keep, int limit) {
        List<UpkeepReport> rounds = new ArrayList<>();
        do {
            rounds.add(jobs().upkeep(new UpkeepRequest(NODE_DEAD, 3, declared(onDead), keep, limit), now()));
            if (rounds.size() > 10_000) {
                throw new AssertionError("Upkeep says there is more to do after 10,000 rounds");
            }
        } while (rounds.getLast().more());
        return rounds;
    }

    /** Declared anew by a node that tests do not use. */
    static Map<QueueName, Declared<OnDead>> declared(Map<QueueName, OnDead> onDead) {
        return onDead.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> Declared.anew(each.getValue(), WITNESS)));
    }

    /** A report of a worker, which no node holds the job for. */
    SettleResult report(ClaimedJob job, AttemptOutcome outcome) {
        return jobs().settle(List.of(new Settlement(null, job.attempt(), outcome)), now()).getFirst();
    }

    int redrive(QueueName queue, JobId... ids) {
        return jobs().redrive(queue, List.of(ids), 1_000, now());
    }

    int redriveAll(QueueName queue) {
        return jobs().redriveAll(queue, 1_000, now());
    }

    CancelResult cancel(JobId id) {
        return jobs().cancel(id, now());
    }

    JobView view(JobId id) {
        return views().find(id).orElseThrow(() -> new AssertionError("Job " + id + " is not found"));
    }

    /** All known attempts of a job. */
    List<JobAttempt> attempts(JobId id) {
        return AttemptSnapshot.of(view(id), views().attempts(id));
    }

    QueueView view(QueueName queue) {
        return views().queues().stream().filter(view -> view.queue().equals(queue)).findFirst()
                .orElseThrow(() -> new AssertionError("Queue " + queue + " is not listed"));
    }

    public List<JobId> list(QueueName queue, JobState state) {
        return views().list(queue, state, null, 1_000).stream().map(JobView::id).toList();
    }

    /** Repeats a check of views, which may lag, until it succeeds or its time is over. */
    void eventually(Runnable check) {
        Time real = Time.system();
        long deadline = real.deadline(viewsLag);
        while (!real.reached(deadline)) {
            try {
                check.run();
                return;
            } catch (AssertionError behind) {
                real.park(real.deadline(Duration.ofMillis(20)));
            }
        }
        check.run();
    }
}
