package dev.orderly.store.postgres.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewBatch;
import dev.orderly.testkit.contract.job.JobDraft;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls about two batches, held against what was answered before: one callback each, after the end of every member.
 * Thread-safe.
 */
final class BatchCalls {
    private static final int BATCHES = 2;
    /** Runs share a schema. */
    private static final AtomicLong RUNS = new AtomicLong();

    private final Cluster cluster;
    private final Ledger ledger;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Seen> batches = new ArrayList<>();

    private static final class Seen {
        final NewBatch opened;
        @Nullable
        Long number;
        /** Whether a call to close or cancel it has begun, or to cancel it. */
        boolean mayBeClosed;
        boolean mayBeCancelled;
        /** The moment from which nobody else than a running member pushes, and from which nobody does. */
        long closed = Long.MAX_VALUE;
        long cancelled = Long.MAX_VALUE;
        final Set<JobId> members = new HashSet<>();
        final Set<JobId> callbacks = new HashSet<>();
        /** How often a call said that it has pushed the callback. */
        int finished;

        Seen(NewBatch opened) {
            this.opened = opened;
        }
    }

    BatchCalls(Cluster cluster, Ledger ledger) {
        this.cluster = cluster;
        this.ledger = ledger;
        for (int n = 0; n < BATCHES; n++) {
            batches.add(new Seen(new NewBatch(new BatchName("batch-" + n + "-" + RUNS.incrementAndGet()),
                    n == 0 ? WhenDead.FINISH : WhenDead.WAIT, JobDraft.to(Step.CALLED, null, "all of " + n).job())));
        }
    }

    private BatchStore port(int node) {
        return cluster.jobs(node).batches();
    }

    private Seen seen(int pick) {
        return batches.get(pick % BATCHES);
    }

    /** Opens a batch, again or for the first time, and returns the link of its members. */
    BatchLink open(int node, int pick) {
        Seen seen = seen(pick);
        BatchStore.Opening opening = port(node).open(seen.opened, cluster.now());
        lock.lock();
        try {
            assertThat(seen.number).as("number of %s", seen.opened.name()).isIn(null, opening.batch().number());
            seen.number = opening.batch().number();
            assertThat(opening.accepted() || seen.mayBeClosed).as("%s is opened", seen.opened.name()).isTrue();
            return opening.batch().member();
        } finally {
            lock.unlock();
        }
    }

    private Seen of(BatchLink link) {
        return batches.stream().filter(each -> each.opened.name().equals(link.name())).findFirst().orElseThrow();
    }

    /** @param parent the running member that has pushed it; null for a client */
    void pushed(BatchLink link, JobId member, @Nullable JobId parent, long began) {
        lock.lock();
        try {
            Seen seen = of(link);
            assertThat(seen.cancelled).as("cancel of %s, which takes %s", link.name(), member).isGreaterThan(began);
            assertThat(parent == null ? seen.closed : Long.MAX_VALUE).as("close of %s, which takes %s", link.name(),
                    member).isGreaterThan(began);
            assertThat(seen.callbacks).as("callbacks of %s, which takes %s", link.name(), member).isEmpty();
            seen.members.add(member);
        } finally {
            lock.unlock();
        }
    }

    void refused(BatchLink link, @Nullable JobId parent) {
        lock.lock();
        try {
            Seen seen = of(link);
            ledger.note(link.name() + " refuses a member");
            boolean ofMember = parent != null && !ledger.mayHaveEnded(parent, true);
            assertThat(ofMember ? seen.mayBeCancelled : seen.mayBeClosed).as("%s may refuse members", link.name())
                    .isTrue();
        } finally {
            lock.unlock();
        }
    }

    void close(int node, int pick, boolean cancel) {
        Seen seen = seen(pick);
        long number = open(node, pick).number();
        lock.lock();
        try {
            seen.mayBeClosed = true;
            seen.mayBeCancelled |= cancel;
            if (cancel) {
                seen.members.forEach(ledger::cancelling);
            }
        } finally {
            lock.unlock();
        }
        BatchView view = (cancel ? port(node).cancel(number, cluster.now()) : port(node).close(number, cluster.now()))
                .orElseThrow();
        long moment = ledger.note(seen.opened.name() + " is " + view.state());
        lock.lock();
        try {
            assertThat(view.state()).as("state of %s", view.name()).isNotEqualTo(BatchView.State.OPEN);
            seen.closed = Math.min(seen.closed, moment);
            if (view.cancelledAt() != null) {
                seen.cancelled = Math.min(seen.cancelled, moment);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A round: it finishes what is over, and cancels members of what is cancelled. */
    void finish(int node) {
        BatchStore.Finished round = port(node).finish(cluster.now());
        ledger.note("callbacks of " + round.callbacks().size() + " batches are pushed");
        for (BatchView batch : round.cancelling()) {
            Stream.of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING)
                    .flatMap(state -> port(node).members(batch.number(), state, null, 100).stream()).map(JobView::id)
                    .forEach(id -> ledger.cancelled(id, cluster.jobs(node).cancel(id, cluster.now())));
        }
        lock.lock();
        try {
            for (Seen seen : batches) {
                boolean over = seen.number != null && port(node).find(seen.number)
                        .filter(view -> view.state() == BatchView.State.FINISHED).isPresent();
                if (over && seen.finished++ == 0) {
                    assertThat(seen.mayBeClosed).as("%s is finished, and may be closed", seen.opened.name()).isTrue();
                    membersEnded(seen);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** A node has the callbacks among these jobs. */
    void claimed(List<ClaimedJob> jobs) {
        lock.lock();
        try {
            for (ClaimedJob job : jobs) {
                BatchLink link = job.terms().batch();
                if (link != null && link.callback()) {
                    Seen seen = of(link);
                    seen.callbacks.add(job.id());
                    assertThat(seen.callbacks).as("callbacks of %s", link.name()).hasSize(1);
                    membersEnded(seen);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void membersEnded(Seen seen) {
        boolean waits = seen.opened.whenDead() == WhenDead.WAIT && !seen.mayBeCancelled;
        assertThat(seen.members).as("members of %s, which calls back", seen.opened.name())
                .allMatch(member -> ledger.mayHaveEnded(member, !waits));
    }

    /** Judges both batches: those that were closed have called back, with the counts of their members. */
    void ended() {
        Map<JobId, JobState> states = new HashMap<>();
        ledger.all().forEach(id -> cluster.stores().getFirst().jobViews().find(id)
                .ifPresent(view -> states.put(id, view.state())));
        for (Seen seen : batches) {
            if (seen.number == null) {
                continue;
            }
            BatchView view = port(0).find(seen.number).orElseThrow();
            if (seen.closed == Long.MAX_VALUE) {
                assertThat(view.state()).as("state of %s", view.name())
                        .isIn(BatchView.State.OPEN, BatchView.State.FINISHED);
                continue;
            }
            assertThat(view.state()).as("state of %s", view.name()).isEqualTo(BatchView.State.FINISHED);
            assertThat(seen.callbacks).as("callbacks of %s", view.name()).containsExactly(view.callback());
            long done = seen.members.stream().filter(id -> states.get(id) == JobState.DONE).count();
            long cancelled = seen.members.size() - done;
            assertThat(view.counts().pushed()).as("members of %s", view.name()).isEqualTo(seen.members.size());
            assertThat(view.counts().unfinished()).as("members of %s that are left", view.name()).isZero();
            // of dead letters that were redriven after the end, the counts stay
            boolean waits = seen.opened.whenDead() == WhenDead.WAIT && view.cancelledAt() == null;
            assertThat(view.counts().done()).as("%s of %s", view.counts(), view.name())
                    .isBetween(waits ? done : 0, done);
            assertThat(view.counts().cancelled()).as("%s of %s", view.counts(), view.name())
                    .isBetween(waits ? cancelled : 0, cancelled);
        }
    }
}
