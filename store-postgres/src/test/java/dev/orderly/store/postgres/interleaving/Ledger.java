package dev.orderly.store.postgres.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NewJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have called and what they were answered. It fails at an answer that no order of the calls allows; calls
 * that overlap may have come in either order. Thread-safe.
 */
final class Ledger {
    private final Map<JobId, Entry> jobs = new TreeMap<>();
    private final Map<String, JobId> deduped = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** The moments of the answers that have paused keys or groups. */
    private final Map<String, Long> paused = new HashMap<>();
    /** Keys or groups with a call under way that may resume them. */
    private final List<String> resuming = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final int limit;
    private final int limitOfKeys;
    private long moment;

    /** A job that was pushed. */
    private static final class Entry {
        final NewJob job;
        /** The moment of the answer to its push. */
        long known = Long.MAX_VALUE;
        int holder = -1;
        /** The moment of the answer to the claim that holds it. */
        long held;
        int attempts;
        boolean done;
        /** The moment of the answer that has accepted its end. */
        long ended = Long.MAX_VALUE;
        /** Whether a call to end it as a dead letter has begun. */
        boolean mayBeDead;
        /** Whether a call to cancel it has begun. */
        boolean mayBeCancelled;
        /** The moment from which no claim may have it. */
        long cancelled = Long.MAX_VALUE;

        Entry(NewJob job) {
            this.job = job;
        }

        boolean isHeld() {
            return holder >= 0;
        }
    }

    Ledger(int limit, int limitOfKeys) {
        this.limit = limit;
        this.limitOfKeys = limitOfKeys;
    }

    /** Notes that a call begins. */
    long begin(int node, Object call) {
        lock.lock();
        try {
            lines.add("node " + node + " " + call);
            return ++moment;
        } finally {
            lock.unlock();
        }
    }

    /** The newest attempts of the jobs that a node holds, in the order of their pushes. */
    List<AttemptId> heldBy(int node) {
        lock.lock();
        try {
            return jobs.entrySet().stream().filter(each -> each.getValue().holder == node)
                    .map(each -> new AttemptId(each.getKey(), each.getValue().job.queue(), each.getValue().attempts))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Notes something that has happened; returns its moment. */
    long note(String line) {
        lock.lock();
        try {
            lines.add(line);
            return ++moment;
        } finally {
            lock.unlock();
        }
    }

    /** The attempts after which another attempt of the job has begun, in the order of the pushes. */
    List<AttemptId> over() {
        lock.lock();
        try {
            return jobs.entrySet().stream().filter(each -> each.getValue().attempts > 1)
                    .map(each -> new AttemptId(each.getKey(), each.getValue().job.queue(),
                            each.getValue().attempts - 1))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the answer that a job is done came before a moment. */
    boolean isEnded(JobId id, long before) {
        lock.lock();
        try {
            return entry(id).ended < before;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a call to end a job has begun, by whomever. */
    boolean mayHaveEnded(JobId id, boolean asDeadLetter) {
        lock.lock();
        try {
            Entry entry = entry(id);
            return entry.done || entry.mayBeCancelled || (asDeadLetter && entry.mayBeDead);
        } finally {
            lock.unlock();
        }
    }

    /** A node is about to give back all that it holds. */
    void crashing(int node) {
        lock.lock();
        try {
            jobs.values().stream().filter(each -> each.holder == node).forEach(each -> each.holder = -1);
        } finally {
            lock.unlock();
        }
    }

    /** The group of a job, or the job itself if it has none. */
    String groupOf(JobId id) {
        lock.lock();
        try {
            return Objects.requireNonNullElse(entry(id).job.group(), id.toString());
        } finally {
            lock.unlock();
        }
    }

    JobTerms termsOf(JobId id) {
        lock.lock();
        try {
            return entry(id).job.terms();
        } finally {
            lock.unlock();
        }
    }

    /** All jobs, in the order of their pushes. */
    List<JobId> all() {
        lock.lock();
        try {
            return List.copyOf(jobs.keySet());
        } finally {
            lock.unlock();
        }
    }

    private Entry entry(JobId id) {
        return Objects.requireNonNull(jobs.get(id), () -> "Unknown job " + id);
    }

    /** @param node that has the job by hand-off; -1 for none */
    void pushed(int node, NewJob job, JobId id, boolean isNew, long began) {
        lock.lock();
        try {
            moment++;
            lines.add("node " + node + " has pushed " + job.queue() + " " + id.sequence() + (isNew ? "" : " before"));
            if (isNew) {
                Entry entry = jobs.computeIfAbsent(id, _ -> new Entry(job));
                assertThat(entry.known).as("moment of an earlier push of %s", id).isEqualTo(Long.MAX_VALUE);
                entry.known = moment;
            }
            if (job.dedupe() != null) {
                JobId first = deduped.putIfAbsent(job.dedupe().toString(), id);
                assertThat(first).as("job of dedupe id %s", job.dedupe()).isIn(null, id);
            }
            Entry answer = jobs.get(id);
            if (!isNew && job.unique() != null && answer != null) {
                assertThat(answer.isHeld() && answer.held < began).as("answer %s runs, so it has taken its input", id)
                        .isFalse();
                assertThat(answer.done).as("answer %s has ended", id).isFalse();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A claim or a hand-off. */
    void claimed(int node, List<ClaimedJob> claim, long began) {
        lock.lock();
        try {
            moment++;
            Set<String> groups = new HashSet<>();
            for (ClaimedJob each : claim) {
                JobId id = each.attempt().id();
                lines.add("node " + node + " gets " + each.attempt().queue() + " " + id.sequence() + " attempt "
                        + each.attempt().number());
                Entry entry = jobs.computeIfAbsent(id, _ -> new Entry(job(each)));
                assertThat(entry.isHeld()).as("job %s is held by node %s, and handed out to %s", id, entry.holder, node)
                        .isFalse();
                assertThat(entry.done).as("job %s, which is handed out, is done", id).isFalse();
                assertThat(entry.cancelled).as("job %s, which is handed out, was cancelled", id).isGreaterThan(began);
                assertThat(each.attempt().number()).as("attempt of %s", id).isGreaterThan(entry.attempts);
                assertThat(
                        paused.getOrDefault(each.group() == null ? each.terms().key() : each.group(), Long.MAX_VALUE))
                        .as("moment at which the key or group of %s, which is handed out, was paused", id)
                        .isGreaterThan(began);
                if (each.group() != null) {
                    order(node, id, each.group(), groups.contains(each.group()), began);
                    groups.add(each.group());
                }
                entry.attempts = each.attempt().number();
                entry.holder = node;
                entry.held = moment;
            }
            bounds();
        } finally {
            lock.unlock();
        }
    }

    /** The job of a claim that was answered before the push. */
    private static NewJob job(ClaimedJob claimed) {
        return new NewJob(claimed.attempt().queue(), claimed.group(), Priority.NORMAL, null,
                claimed.payload(), claimed.params(), null, null, null, null, null, null, null, claimed.terms(), null);
    }

    private void order(int node, JobId id, String group, boolean isFurther, long began) {
        jobs.forEach((other, entry) -> {
            if (group.equals(entry.job.group()) && !other.equals(id)) {
                assertThat(entry.isHeld() && (entry.holder != node || !isFurther))
                        .as("%s is handed out while node %s holds %s of its group", id, entry.holder, other).isFalse();
                boolean isEarlier = other.compareTo(id) < 0 && entry.known < began && !entry.isHeld();
                assertThat(isEarlier && !entry.done && !entry.mayBeCancelled && !entry.mayBeDead)
                        .as("%s overtakes %s of its group", id, other).isFalse();
            }
        });
    }

    private void bounds() {
        assertThat(jobs.values().stream().filter(each -> each.isHeld() && (each.job.queue().equals(Step.MAIL)
                || each.job.queue().equals(Step.REPORTS))).count()).as("jobs that hold the limit")
                .isLessThanOrEqualTo(limit);
        Map<String, Integer> keys = new HashMap<>();
        jobs.values().stream().filter(each -> each.isHeld() && each.job.terms().key() != null)
                .forEach(each -> keys.merge(Objects.requireNonNull(each.job.terms().key()), 1, Integer::sum));
        assertThat(keys).allSatisfy((key, count) -> assertThat(count).as("jobs of key %s", key)
                .isLessThanOrEqualTo(limitOfKeys));
    }

    /** A report is on its way: it may have been accepted already. */
    void settling(JobId id, boolean done, boolean dead) {
        lock.lock();
        try {
            Entry entry = entry(id);
            entry.holder = -1;
            entry.done = done;
            entry.mayBeDead |= dead;
        } finally {
            lock.unlock();
        }
    }

    void settled(int node, JobId id, SettleResult result) {
        lock.lock();
        try {
            moment++;
            lines.add("node " + node + " " + result + " " + id.sequence());
            assertThat(result).as("report of %s", id).isIn(SettleResult.ACCEPTED, SettleResult.BLOCKED);
            if (result == SettleResult.BLOCKED) {
                held(node, id);
            } else if (entry(id).done) {
                entry(id).ended = moment;
            }
        } finally {
            lock.unlock();
        }
    }

    /** A report has done nothing. */
    void held(int node, JobId id) {
        lock.lock();
        try {
            entry(id).holder = node;
            entry(id).done = false;
        } finally {
            lock.unlock();
        }
    }

    /** A cancel is on its way. */
    void cancelling(JobId id) {
        lock.lock();
        try {
            entry(id).mayBeCancelled = true;
        } finally {
            lock.unlock();
        }
    }

    void cancelled(JobId id, CancelResult result) {
        lock.lock();
        try {
            moment++;
            lines.add(result + " " + id.sequence());
            Entry entry = entry(id);
            entry.mayBeCancelled = true;
            if (result != CancelResult.ENDED && result != CancelResult.UNKNOWN) {
                entry.cancelled = moment;
            }
        } finally {
            lock.unlock();
        }
    }

    /** A key or group may go on from now on. */
    void resuming(String name) {
        lock.lock();
        try {
            moment++;
            resuming.add(name);
            paused.remove(name);
        } finally {
            lock.unlock();
        }
    }

    /** The answer to a pause, or the end of {@link #resuming}. */
    void set(String name, boolean isPaused, boolean isSet) {
        lock.lock();
        try {
            moment++;
            lines.add((isPaused ? "pause of " : "resume of ") + name + (isSet ? "" : ", in vain"));
            if (!isPaused) {
                resuming.remove(name);
            } else if (isSet && !resuming.contains(name)) {
                paused.putIfAbsent(name, moment);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Each job has ended, as done or as cancelled. */
    void ended(JobViews views) {
        lock.lock();
        try {
            jobs.forEach((id, entry) -> {
                @Nullable
                JobView view = views.find(id).orElse(null);
                assertThat(view).as("job %s", id).isNotNull();
                if (view != null) {
                    assertThat(view.state()).as("end of %s of %s", id, view.queue())
                            .isIn(entry.done ? Set.of(JobState.DONE) : Set.of(JobState.CANCELLED));
                    assertThat(entry.done || entry.cancelled < Long.MAX_VALUE).as("%s was cancelled by nobody", id)
                            .isTrue();
                }
            });
        } finally {
            lock.unlock();
        }
    }

    /** What has happened, line by line. */
    @Override
    public String toString() {
        lock.lock();
        try {
            return String.join("\n  ", lines);
        } finally {
            lock.unlock();
        }
    }
}
