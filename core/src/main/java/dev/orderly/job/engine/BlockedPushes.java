package dev.orderly.job.engine;

import dev.orderly.flow.GroupCommitter;
import dev.orderly.flow.Wakeup;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pushes into groups and under keys that a foreign transaction holds. They are stored in separate group commits, so
 * that no other push waits with them. Thread-safe.
 */
final class BlockedPushes {
    private static final int COMMIT_MAX = 1_024;
    private static final int WAITING_MAX = 4_096;
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(50);
    /** Time after a blocked push for which further pushes into its group, or with its keys, come here directly. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(1);
    private static final int REMEMBERED_MAX = 10_000;

    private final JobStore store;
    private final Time time;
    private final GroupCommitter<List<NewJob>, Outcome> committer;
    /** Stores pushes of members one by one, since a batch may refuse a call. */
    private final GroupCommitter<List<NewJob>, Outcome> members;
    private final Map<Object, Long> blockedUntil = new ConcurrentHashMap<>();
    private final Wakeup closing = new Wakeup();

    /**
     * The outcome of a list of jobs that is stored atomically.
     *
     * @param results empty if the list is blocked
     * @param blocked why the list was not stored; null if it was stored
     */
    record Outcome(List<PushResult> results, StoreException.@Nullable Blocked blocked) {}

    private record Group(QueueName queue, String group) {}

    BlockedPushes(JobStore store, Time time) {
        this.store = store;
        this.time = time;
        committer = new GroupCommitter<>("push-blocked", time,
                new GroupCommitter.Bounds<>(COMMIT_MAX, WAITING_MAX, List::size),
                this::round);
        members = new GroupCommitter<>("push-blocked-members", time,
                new GroupCommitter.Bounds<>(1, WAITING_MAX, List::size),
                this::round);
    }

    /** Stores lists in their order, each atomically; leaves out blocked lists. */
    List<Outcome> store(List<List<NewJob>> lists) {
        if (lists.isEmpty()) {
            return List.of();
        }
        try {
            List<PushResult> results = store.push(lists.stream().flatMap(List::stream).toList(), time.now());
            List<Outcome> outcomes = new ArrayList<>(lists.size());
            int from = 0;
            for (List<NewJob> list : lists) {
                outcomes.add(new Outcome(results.subList(from, from + list.size()), null));
                from += list.size();
            }
            return outcomes;
        } catch (StoreException.Blocked e) {
            return storeOthers(lists, e);
        }
    }

    private List<Outcome> storeOthers(List<List<NewJob>> lists, StoreException.Blocked blocked) {
        List<List<NewJob>> others = new ArrayList<>();
        List<Boolean> isBlocked = new ArrayList<>();
        int from = 0;
        for (List<NewJob> list : lists) {
            boolean concerned = blocked.concerns(from, from + list.size());
            for (NewJob job : list) {
                if (blocked.concerns(from, from + 1)) {
                    remember(job);
                }
                from++;
            }
            isBlocked.add(concerned);
            if (!concerned) {
                others.add(list);
            }
        }
        if (others.size() == lists.size()) {
            throw blocked;
        }
        var stored = store(others).iterator();
        return isBlocked.stream().map(is -> is ? new Outcome(List.of(), blocked) : stored.next()).toList();
    }

    /** Whether any of the jobs needs a group or key that was blocked a moment ago. */
    boolean concerns(List<NewJob> jobs) {
        return !blockedUntil.isEmpty() && jobs.stream().flatMap(BlockedPushes::needed).anyMatch(this::wasBlocked);
    }

    /**
     * Stores a list as soon as nothing blocks it.
     *
     * @throws StoreException.Unavailable if the list is still blocked after {@link #WAIT}, or too many jobs wait here
     */
    List<PushResult> push(List<NewJob> jobs) {
        long deadline = time.deadline(WAIT);
        while (true) {
            Outcome outcome = await(jobs);
            if (outcome.blocked == null) {
                jobs.stream().flatMap(BlockedPushes::needed).forEach(blockedUntil::remove);
                return outcome.results;
            }
            if (time.reached(deadline)) {
                throw new StoreException.Unavailable("Waited " + WAIT.toSeconds() + " s: "
                        + outcome.blocked.getMessage(), outcome.blocked);
            }
        }
    }

    void close(Duration patience) {
        closing.ring();
        committer.close(patience);
        members.close(patience);
    }

    private Outcome await(List<NewJob> jobs) {
        try {
            return (BatchRules.members(jobs).isEmpty() ? committer : members).offer(jobs).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RejectedExecutionException) {
                throw new StoreException.Unavailable("More than " + WAITING_MAX
                        + " jobs wait to be pushed into groups that foreign transactions hold: try again later, and"
                        + " look for transactions that stay open after a push or complete()", e);
            }
            throw e;
        }
    }

    /** Stores pushes; pauses if all of them are blocked, before the next group commit. */
    private List<Outcome> round(List<List<NewJob>> lists) {
        List<Outcome> outcomes = store(lists);
        if (outcomes.stream().allMatch(outcome -> outcome.blocked != null)) {
            closing.await(time, time.deadline(PAUSE));
        }
        return outcomes;
    }

    private void remember(NewJob job) {
        if (blockedUntil.size() >= REMEMBERED_MAX) {
            blockedUntil.clear();
        }
        needed(job).forEach(each -> blockedUntil.put(each, time.deadline(REMEMBERED_FOR)));
    }

    private boolean wasBlocked(Object needed) {
        Long until = blockedUntil.get(needed);
        if (until != null && time.reached(until)) {
            blockedUntil.remove(needed, until);
            return false;
        }
        return until != null;
    }

    /** The group, the keys and the batch that the push of a job needs and another transaction may hold. */
    private static Stream<Object> needed(NewJob job) {
        return Stream.<@Nullable Object>of(job.group() == null ? null : new Group(job.queue(), job.group()),
                job.dedupe(), job.unique(), job.idempotency() == null ? null : job.idempotency().key(),
                job.terms().batch())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull);
    }
}
