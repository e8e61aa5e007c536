package dev.orderly.testkit.jobsim;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges batches: one callback for each that is closed, after the last end of a member, with their counts. */
final class BatchReferee {
    /** The parameter of members and callbacks that repeats the payload, which an ended job has no more. */
    static final String WORK = "work";

    /** The callback is pushed within this time of the last end. */
    private static final Duration CALLED = Duration.ofSeconds(1);
    private static final long NEVER = Long.MAX_VALUE;
    /** One batch of so many is not closed in the end. */
    private static final int STAY_OPEN = 5;

    private final TrackedJobs jobs;
    private final Turns turns;
    private final RunTimeline timeline;
    private final Map<Integer, Seen> batches = new TreeMap<>();
    /** Batches by the numbers of their callbacks. */
    private final Map<Integer, Seen> byCallback = new TreeMap<>();
    /** Batches whose opening was answered. */
    private final List<Integer> opened = new ArrayList<>();
    private long healedAt = NEVER;

    private static final class Seen {
        final int number;
        final Work callback;
        final boolean waits;
        @Nullable
        BatchLink link;
        long closeAsked = NEVER;
        long closed = NEVER;
        long cancelAsked = NEVER;
        long cancelled = NEVER;
        /** When the first attempt of the callback started. */
        long calledAt = NEVER;
        @Nullable
        BatchCounts told;
        final Set<TrackedJob> members = new TreeSet<>((one, other) -> one.id.compareTo(other.id));

        Seen(int number, Work callback, boolean waits) {
            this.number = number;
            this.callback = callback;
            this.waits = waits;
        }

        /** Whether a dead letter has not ended: not once somebody may have cancelled the batch. */
        boolean waits() {
            return waits && cancelAsked == NEVER;
        }

        /** When the first request came that may have ended the pushes of clients. */
        long endAsked() {
            return Math.min(closeAsked, cancelAsked);
        }

        long ended() {
            return Math.min(closed, cancelled);
        }
    }

    BatchReferee(TrackedJobs jobs, Turns turns, RunTimeline timeline) {
        this.jobs = jobs;
        this.turns = turns;
        this.timeline = timeline;
    }

    static BatchName name(int number) {
        return new BatchName("b" + number);
    }

    private Seen seen(int number) {
        return Objects.requireNonNull(batches.get(number));
    }

    private static String subject(int number) {
        return "batch " + name(number);
    }

    private void note(@Nullable SimulatedNode node, int number, String what) {
        timeline.note(node, "", subject(number) + " " + what);
    }

    private void broken(int number, String why) {
        timeline.broken(subject(number) + " " + why, (Throwable) null);
    }

    // ---- clients and operators

    void opening(int number, Work callback, boolean waits) {
        Seen seen = new Seen(number, callback, waits);
        batches.put(number, seen);
        byCallback.put(callback.number(), seen);
    }

    void opened(SimulatedNode node, int number, BatchView batch) {
        note(node, number, "is open");
        seen(number).link = batch.member();
        opened.add(number);
    }

    /** One of the batches that were opened last. */
    Optional<Integer> pick(int random, int newest) {
        int most = Math.min(opened.size(), newest);
        return most == 0 ? Optional.empty() : Optional.of(opened.get(opened.size() - 1 - random % most));
    }

    BatchLink link(int number) {
        return Objects.requireNonNull(seen(number).link);
    }

    /** Batches without a known end that are to be closed: the simulation leaves every so many of them open. */
    List<Integer> toClose() {
        return opened.stream().filter(number -> seen(number).ended() == NEVER && number % STAY_OPEN != 0).toList();
    }

    void closing(SimulatedNode node, int number) {
        note(node, number, "is to be closed");
        Seen seen = seen(number);
        seen.closeAsked = Math.min(seen.closeAsked, turns.now());
    }

    void closed(SimulatedNode node, int number) {
        note(node, number, "is closed");
        Seen seen = seen(number);
        seen.closed = Math.min(seen.closed, turns.now());
    }

    void cancelling(SimulatedNode node, int number) {
        note(node, number, "is to be cancelled");
        Seen seen = seen(number);
        seen.cancelAsked = Math.min(seen.cancelAsked, turns.now());
        seen.members.forEach(member -> member.cancelAsked = true);
    }

    /** @param batch as it is after the request: one that was finished before stays so */
    void cancelled(SimulatedNode node, int number, BatchView batch) {
        note(node, number, "is cancelled");
        Seen seen = seen(number);
        if (batch.cancelledAt() != null) {
            seen.cancelled = Math.min(seen.cancelled, turns.now());
        } else if (seen.closeAsked == NEVER) {
            broken(number, "was to be cancelled, and is " + batch.state());
        }
    }

    void healed() {
        healedAt = turns.now();
    }

    // ---- members and callbacks

    /** A job is heard of for the first time. */
    void add(TrackedJob job) {
        if (job.work.isMember()) {
            Seen seen = seen(job.work.batch());
            seen.members.add(job);
            job.cancelAsked |= seen.cancelAsked < NEVER;
        }
    }

    boolean isCallback(TrackedJob job) {
        return byCallback.containsKey(job.number);
    }

    /**
     * The push of a member was accepted.
     *
     * @param parent the member whose attempt has pushed it; null for a client
     */
    void pushed(TrackedJob member, @Nullable TrackedJob parent) {
        Seen seen = seen(member.work.batch());
        long sent = jobs.sent(member.number);
        if (seen.cancelled < sent) {
            timeline.broken("is a new member of " + subject(seen.number) + ", which was cancelled", member);
        }
        if (parent == null && seen.ended() < sent) {
            timeline.broken("is a new member of " + subject(seen.number) + ", which was closed", member);
        }
        if (seen.calledAt < sent) {
            timeline.broken("is a new member of " + subject(seen.number) + ", which has called back", member);
        }
    }

    /** The push of a member was refused by its batch. */
    void refused(SimulatedNode node, Work member, @Nullable TrackedJob parent) {
        note(node, member.batch(), "refuses " + member.number());
        Seen seen = seen(member.batch());
        // a dead letter that has ended for its batch may run again after the callback
        boolean runs = parent != null && parent.unfenced(turns.now()) > 0
                && (seen.waits() || !jobs.mayBeRedriven(parent));
        if (seen.endAsked() == NEVER || (runs && seen.cancelAsked == NEVER)) {
            broken(seen.number, "refuses member " + member.number()
                    + (runs ? ", which a running member pushes" : ", and nobody has closed it"));
        }
    }

    /** An attempt of a job starts, here or elsewhere. */
    void started(TrackedJob job) {
        if (job.work.isMember()) {
            Seen seen = seen(job.work.batch());
            boolean afterwards = seen.calledAt < NEVER && !seen.waits() && jobs.mayBeRedriven(job);
            if (seen.calledAt < NEVER && !afterwards) {
                timeline.broken("starts after " + subject(seen.number) + ", whose member it is, has called back", job);
            }
            if (!afterwards && Math.max(seen.cancelled, healedAt) < turns.now() - JobReferee.HEARD) {
                timeline.broken("starts long after " + subject(seen.number) + ", whose member it is, was cancelled",
                        job);
            }
        }
        Seen called = byCallback.get(job.number);
        if (called != null) {
            note(null, called.number, "calls back");
            called.calledAt = Math.min(called.calledAt, turns.now());
            if (called.endAsked() == NEVER) {
                broken(called.number, "calls back, and nobody has closed it");
            }
            called.members.forEach(member -> settled(called, member));
        }
    }

    private void settled(Seen batch, TrackedJob member) {
        if (member.unfenced(turns.now()) > 0 && !(jobs.mayBeRedriven(member) && !batch.waits())) {
            timeline.broken("runs while " + subject(batch.number) + ", whose member it is, calls back", member);
        }
        if (!member.succeeded && !member.cancelAsked && (batch.waits() || !jobs.mayBeDead(member))) {
            timeline.broken("has not ended when " + subject(batch.number) + ", whose member it is, calls back", member);
        }
    }

    /** The handler of a callback has the counts of its batch. */
    void told(SimulatedNode node, TrackedJob callback, BatchCounts counts) {
        Seen seen = Objects.requireNonNull(byCallback.get(callback.number));
        note(node, seen.number, "has " + counts);
        BatchCounts before = Objects.requireNonNullElse(seen.told, counts);
        seen.told = counts;
        if (!before.equals(counts)) {
            broken(seen.number, "has " + counts + ", and had " + before);
        }
        if (counts.unfinished() > 0 || counts.pushed() < seen.members.size()) {
            broken(seen.number, "calls back with " + counts + ", and has " + seen.members.size() + " members");
        }
    }

    // ---- the end

    /** Whether each batch that may be closed has called back. */
    boolean haveEnded(Function<BatchName, Optional<BatchView>> views, Function<JobId, Optional<JobView>> jobViews) {
        return batches.values().stream().map(seen -> views.apply(name(seen.number))).flatMap(Optional::stream)
                .allMatch(view -> view.state() == BatchView.State.OPEN || (view.callback() != null
                        && jobViews.apply(view.callback()).filter(job -> job.state().isEnd()).isPresent()));
    }

    /**
     * Judges how the batches ended.
     *
     * @param all every job of the store
     */
    void ended(Collection<JobView> all, Function<BatchName, Optional<BatchView>> views) {
        Map<Integer, List<JobView>> members = new TreeMap<>();
        Map<Integer, List<JobView>> callbacks = new TreeMap<>();
        for (JobView job : all) {
            String payload = job.params().get(WORK);
            if (payload != null) {
                Work work = Work.parse(payload);
                boolean isCallback = byCallback.containsKey(work.number());
                (isCallback ? callbacks : members).computeIfAbsent(isCallback ? work.number() : work.batch(),
                        _ -> new ArrayList<>()).add(job);
            }
        }
        for (Seen seen : batches.values()) {
            BatchView view = views.apply(name(seen.number)).orElse(null);
            List<JobView> called = callbacks.getOrDefault(seen.callback.number(), List.of());
            if (view == null) {
                if (seen.link != null) {
                    broken(seen.number, "was opened and is gone");
                }
            } else if (view.state() == BatchView.State.FINISHED) {
                finished(seen, view, members.getOrDefault(seen.number, List.of()), called);
            } else if (seen.ended() < NEVER || view.state() != BatchView.State.OPEN) {
                broken(seen.number, "is " + view.state() + " with " + view.counts() + " long after the last fault");
            } else if (!called.isEmpty()) {
                broken(seen.number, "is open, and has a callback");
            }
        }
    }

    private void finished(Seen seen, BatchView view, List<JobView> members, List<JobView> callbacks) {
        if (seen.endAsked() == NEVER) {
            broken(seen.number, "is finished, and nobody has closed it");
        }
        if (callbacks.size() != 1 || !callbacks.getFirst().id().equals(view.callback())) {
            broken(seen.number, "has the callbacks " + callbacks.stream().map(JobView::id).toList()
                    + ", and says that " + view.callback() + " is its one");
            return;
        }
        if (!callbacks.getFirst().state().isEnd()) {
            broken(seen.number,
                    "has a callback that is " + callbacks.getFirst().state() + " long after the last fault");
        }
        BatchCounts counts = view.counts();
        if (seen.told != null && !seen.told.equals(counts)) {
            broken(seen.number, "called back with " + seen.told + ", and has " + counts);
        }
        long done = count(members, JobState.DONE);
        long cancelled = count(members, JobState.CANCELLED);
        // of dead letters that were redriven after the end, the counts stay
        boolean exact = seen.waits()
                ? counts.done() == done && counts.cancelled() == cancelled && counts.dead() == 0
                : counts.done() <= done && counts.cancelled() <= cancelled;
        if (counts.pushed() != members.size() || counts.done() + counts.dead() + counts.cancelled() != members.size()
                || !exact) {
            broken(seen.number, "has " + counts + ", and of its " + members.size() + " members " + done
                    + " are done and " + cancelled + " cancelled");
        }
        inTime(seen, view, members, callbacks.getFirst());
    }

    private static long count(List<JobView> members, JobState state) {
        return members.stream().filter(member -> member.state() == state).count();
    }

    /** Where nothing fails, the callback follows the last end at once. */
    private void inTime(Seen seen, BatchView view, List<JobView> members, JobView callback) {
        Instant last = Stream.concat(members.stream().map(JobView::endedAt), Stream.of(view.closedAt()))
                .filter(Objects::nonNull).max(Instant::compareTo).orElse(Instant.MIN);
        Instant calm = SimulatedTime.START.plusNanos(healedAt + JobReferee.CALM);
        if (last.isAfter(calm) && callback.id().pushedAt().isAfter(last.plus(CALLED))) {
            broken(seen.number, "calls back "
                    + Duration.between(last, callback.id().pushedAt()).toMillis() + " ms after the last end");
        }
    }
}
