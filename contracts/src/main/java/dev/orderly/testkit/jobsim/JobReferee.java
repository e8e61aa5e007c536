package dev.orderly.testkit.jobsim;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.testkit.jobsim.TrackedJob.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judges a run by the handlers' own log and the operators' calls. It knows nothing of the engine, of leases and of
 * attempts but their numbers; of the network it knows when a heartbeat was answered last. Every rule costs a lookup in
 * a sorted map.
 */
final class JobReferee {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The time from the sending of an answered heartbeat after which a node may have lost its jobs. */
    static final long LEASE = 20 * SECOND;
    /** A node hears of a pause or a cancellation by its next heartbeat, or its lease ends. */
    static final long HEARD = 26 * SECOND;
    /** The time after a fault in which a node has forgotten it: the longest wait for an answer, and some. */
    static final long CALM = 20 * SECOND;
    /** The time within which a handler ends once its node's lease is over, unless it takes no notice of interrupts. */
    private static final long FENCED = 3 * SECOND;

    final SimulatedQueues queues;
    final RunTimeline timeline;
    final TrackedJobs jobs;
    final GroupReferee groups;
    final PauseReferee pauses;
    final ScheduleReferee schedule;
    final EventReferee events;
    final StepReferee steps;
    final ReportReferee reports;
    final BatchReferee batches;
    private final Turns turns;
    private final LimitReferee<TrackedJob> limits;
    private final List<JobId> pushed = new ArrayList<>();
    /** Those of the pushed jobs that ask for an event. */
    private final List<JobId> awaiting = new ArrayList<>();
    /** When the request was sent by which an attempt was claimed; none for a job that was handed off with its push. */
    private final Map<AttemptId, Long> claims = new HashMap<>();
    /** When the last push was sent that was answered with a job, as that of its unique key. */
    private final Map<JobId, Long> joined = new TreeMap<>();
    private final Map<SimulatedNode, Seen> nodes = new HashMap<>();
    private final Set<Long> states = new HashSet<>();
    /** Processes that have died. */
    private int deaths;
    private boolean healed;
    private long healedAt;
    private Map<String, Integer> meeting = Map.of();
    private final Set<String> met = new HashSet<>();
    private final List<LimitTrial.Mark> marks = new ArrayList<>();

    private static final class Seen {
        boolean draining;
        final Set<String> detached = new HashSet<>();
        final Map<String, Integer> busy = new HashMap<>();
    }

    JobReferee(Turns turns, SimulatedQueues queues) {
        this.turns = turns;
        this.queues = queues;
        this.timeline = new RunTimeline(turns);
        this.jobs = new TrackedJobs(queues, turns, timeline);
        this.groups = new GroupReferee(jobs, turns, timeline);
        this.pauses = new PauseReferee(turns, timeline);
        this.schedule = new ScheduleReferee(turns, timeline);
        this.events = new EventReferee(turns, timeline);
        this.steps = new StepReferee(timeline);
        this.reports = new ReportReferee(jobs, groups, turns, timeline);
        this.batches = new BatchReferee(jobs, turns, timeline);
        this.limits = new LimitReferee<>(job -> job.unfenced(turns.now()));
    }

    // ---- verdict

    boolean isBroken() {
        return timeline.isBroken();
    }

    void broken(String why, @Nullable Throwable thrown) {
        timeline.broken(why, thrown);
    }

    /** @throws BrokenJobPromise if a rule was broken */
    void judge() {
        timeline.judge();
    }

    /** The number of distinct abstract states of the nodes and queues that were seen. */
    Set<Long> states() {
        return states;
    }

    /** Counts the abstract state: of each node and queue, what is on. */
    void state(String event) {
        long hash = event.hashCode();
        List<Integer> each = new ArrayList<>();
        nodes.forEach((node, seen) -> each.add(Objects.hash(node.state().name(), node.isFrozen(), seen.draining,
                node.link.way().name(), seen.detached.size(),
                seen.busy.values().stream().mapToInt(busy -> Math.min(busy, 2)).sum())));
        each.sort(null);
        for (Integer one : each) {
            hash = hash * 31 + one;
        }
        states.add(hash * 31 + pauses.state());
    }

    // ---- nodes and network

    private Seen seen(SimulatedNode node) {
        return nodes.computeIfAbsent(node, _ -> new Seen());
    }

    void called(String what) {
        state(what);
    }

    void lost(SimulatedNode node, String what, RuntimeException why) {
        timeline.note(node, "", what + " fails: " + why.getClass().getSimpleName());
        state("lost " + what);
    }

    void working(SimulatedNode node) {
        seen(node);
        schedule.working(node);
        timeline.note(node, "", "works");
    }

    /** Something befalls a node, and is over after this time. */
    void disturbed(SimulatedNode node, int millis) {
        schedule.disturbed(node, millis);
    }

    /** Something befalls the store, and so every node, and is over after this time. */
    void storeDisturbed(String what, int millis) {
        schedule.storeDisturbed(millis);
        disturbance(null, what);
    }

    void disturbance(@Nullable SimulatedNode node, String what) {
        timeline.note(node, "", what);
    }

    void stopping(SimulatedNode node) {
        disturbed(node, 0);
        timeline.note(node, "", "begins to stop");
    }

    void stopped(SimulatedNode node) {
        timeline.note(node, "", "has stopped");
        gone(node);
    }

    /** Judges what a node holds that has stopped, with every call answered. */
    void left(SimulatedNode node, List<JobView> running) {
        for (JobView view : running) {
            if (view.run() != null && node.id.equals(view.run().node())) {
                broken("Job " + view.id() + " is held by " + node.id + ", which has stopped", (Throwable) null);
            }
        }
    }

    void died(SimulatedNode node) {
        disturbed(node, 0);
        deaths++;
        timeline.note(node, "", "dies");
        gone(node);
    }

    /** What runs on a node that is gone never comes back. */
    private void gone(SimulatedNode node) {
        for (TrackedJob job : jobs.all.values()) {
            if (job.running.values().removeIf(run -> run.node() == node)) {
                job.deaths++;
                job.lastEnd = turns.now();
                if (job.running.isEmpty()) {
                    groups.ended(job);
                }
            }
        }
        nodes.remove(node);
        schedule.gone(node);
    }

    void attached(SimulatedNode node, String queue, boolean on) {
        if (on) {
            seen(node).detached.remove(queue);
        } else {
            seen(node).detached.add(queue);
            timeline.note(node, queue, "its handler is detached");
        }
    }

    // ---- clients and operators

    /** The jobs pushed so far, for operators that choose one. */
    Optional<JobId> pick(int random) {
        return pick(pushed, random);
    }

    /** A pushed job that asks for an event. */
    Optional<JobId> pickAwaiting(int random) {
        return pick(awaiting, random);
    }

    private static Optional<JobId> pick(List<JobId> jobs, int random) {
        return jobs.isEmpty() ? Optional.empty() : Optional.of(jobs.get(random % jobs.size()));
    }

    private TrackedJob tracked(JobId id, String queue, Work work) {
        boolean fresh = jobs.find(id) == null;
        TrackedJob job = jobs.tracked(id, queue, work);
        if (fresh) {
            groups.add(job);
            batches.add(job);
            if (batches.isCallback(job)) {
                known(job);
            }
        }
        return job;
    }

    /** Lets operators and senders of events choose a job. */
    private void known(TrackedJob job) {
        pushed.add(job.id);
        if (job.work.awaits()) {
            awaiting.add(job.id);
        }
    }

    /** @param before the newest answered push of the group before this push was sent; null for none */
    void pushed(SimulatedNode node, JobId id, String queue, Work work, @Nullable JobId before, boolean duplicate) {
        TrackedJob job = tracked(id, queue, work);
        known(job);
        job.answeredAt = Math.min(job.answeredAt, turns.now());
        timeline.note(node, job.subject(),
                "push of " + work.number() + " answered" + (duplicate ? " as a duplicate" : ""));
        groups.pushed(job, before, duplicate);
    }

    /**
     * A push was answered with the job of its unique key, of which an attempt has yet to start. The job is another
     * one's, whose push may have no answer yet.
     */
    void joined(SimulatedNode node, JobId id, String queue, Work work) {
        timeline.note(node, queue, "push of " + work.number() + " joins " + id);
        joined.merge(id, jobs.sent(work.number()), Math::max);
    }

    void eventAnswered(SimulatedNode node, JobId id, int value, EventResult result) {
        TrackedJob job = jobs.find(id);
        if (job != null) {
            state("event " + result);
            events.answered(node, job, value, result);
        }
    }

    void cancelAsked(JobId id) {
        TrackedJob job = jobs.find(id);
        if (job != null) {
            job.cancelAsked = true;
        }
    }

    void cancelled(SimulatedNode node, JobId id, CancelResult result) {
        TrackedJob job = jobs.find(id);
        if (job == null) {
            return;
        }
        timeline.note(node, job.subject(), "cancel of " + job.number + " answered " + result);
        state("cancel " + result);
        if (result == CancelResult.CANCELLED || result == CancelResult.ENDED) {
            job.endedAt = Math.min(job.endedAt, turns.now());
        }
        switch (result) {
            case CANCELLED -> job.mayNotStart = "starts after its cancellation was answered \"cancelled\"";
            case ENDED -> job.mayNotStart = "starts after a cancellation was answered \"ended\"";
            case SIGNALLED -> job.mayNotStart = "starts again after its cancellation was answered \"signalled\"";
            case REQUESTED -> job.requestedAt = job.requestedAt < 0 ? turns.now() : job.requestedAt;
            case UNKNOWN -> timeline.broken("was acknowledged and is unknown", job);
        }
    }

    /** A node or a worker elsewhere has jobs by a request that was sent at this moment. */
    void claimed(List<ClaimedJob> claimed, long asked) {
        claimed.forEach(job -> claims.put(job.attempt(), asked));
    }

    /** An operator is about to set the concurrency of the shared limit. */
    void limitAsked(int concurrency) {
        limits.mayBe(SimulatedQueues.SHARED, queues.shared().concurrency(), concurrency);
        timeline.note(null, "", "limit " + SimulatedQueues.SHARED + " set to " + concurrency + " asked");
    }

    /** Every node has the declared concurrency of the shared limit in force. */
    void limitReset() {
        limits.is(SimulatedQueues.SHARED, queues.shared().concurrency());
    }

    void drained(SimulatedNode node, boolean on) {
        seen(node).draining = on;
        timeline.note(node, "", on ? "drains" : "resumes work");
    }

    // ---- handlers

    void started(SimulatedNode node, String queue, Work work, JobId id, int attempt) {
        TrackedJob job = tracked(id, queue, work);
        timeline.note(node, job.subject(), "start of " + work.number() + ", attempt " + attempt);
        state("start");
        Seen seen = seen(node);
        int busy = seen.busy.merge(queue, 1, Integer::sum);
        mark(work, true);
        if (node.isDeceived()) {
            begun(job, node, attempt);
            return;
        }
        startedOn(node, seen, job, busy);
        if (attempt <= job.lastAttempt) {
            timeline.broken("starts attempt " + attempt + " after attempt " + job.lastAttempt, job);
        }
        timeline.broken(job.mayNotStart, job);
        if (job.requestedAt >= 0 && (++job.startsSinceRequest > 1 || turns.now() - job.requestedAt > HEARD)) {
            timeline.broken("starts " + (turns.now() - job.requestedAt) / 1e9 + " s after its cancellation was answered"
                    + " \"requested\"", job);
        }
        startedAlone(job);
        if (deaths < 3) { // a job that processes had claimed that died thrice never starts
            groups.startedOfKey(job);
        }
        AttemptId started = new AttemptId(id, new QueueName(queue), attempt);
        timeline.broken(pauses.startedOfKey(job, claims.getOrDefault(started, jobs.sent(job.number))), job);
        begun(job, node, attempt);
        // tokens are of the moment of the claim; a start that seems to follow at once counts for none
        boolean seemsPrompt = node.deceivedAt() > claims.getOrDefault(started, jobs.sent(job.number));
        startedUnderLimits(job, seemsPrompt ? 0 : queues.cost(work));
    }

    private void startedOn(SimulatedNode node, Seen seen, TrackedJob job, int busy) {
        if (node.state() == SimulatedNode.State.GONE) {
            timeline.broken("starts on a node that is gone", job);
        }
        if (node.state() == SimulatedNode.State.STOPPING) {
            timeline.broken("starts on a node that stops", job);
        }
        if (seen.draining) {
            timeline.broken("starts on a node that drains", job);
        }
        if (seen.detached.contains(job.queue)) {
            timeline.broken("starts on a node whose handler is detached", job);
        }
        if (node.longestSilence() >= LEASE) {
            timeline.broken("starts on a node that heard nothing of the store for " + node.longestSilence() / 1e9
                    + " s by one of its clocks", job);
        }
        timeline.broken(pauses.started(node, job.queue), job);
        if (busy > queues.of(job.queue).concurrency()) {
            timeline.broken("is one of " + busy + " that run at once on a node", job);
        }
    }

    private void startedAlone(TrackedJob job) {
        batches.started(job);
        for (Run run : job.running.values()) {
            if (!job.mayBeLost(run, turns.now())) {
                timeline.broken("starts while it runs on " + run.where(), job);
            }
        }
        if (job.group != null) {
            groups.started(job);
        }
    }

    private void startedUnderLimits(TrackedJob job, int cost) {
        timeline.broken(limits.started(job, cost, queues.bounds(job.queue, job.keyOrGroup()), turns.now()), job);
    }

    private void begun(TrackedJob job, SimulatedNode node, int attempt) {
        begun(job, attempt, new Run(node, turns.now(), 0));
    }

    private void begun(TrackedJob job, int attempt, Run run) {
        Run waits = job.awaiting;
        job.awaiting = null;
        if (waits != null && !job.mayBeLost(waits, turns.now())) {
            boolean calm = healed && job.lastEnd > healedAt + CALM && !queues.isLimited();
            events.started(job, calm);
        }
        job.lastStart = turns.now();
        job.lastAttempt = Math.max(attempt, job.lastAttempt);
        job.running.put(attempt, run);
    }

    void ended(SimulatedNode node, String queue, Work work, JobId id, int attempt, String how, boolean deaf) {
        TrackedJob job = jobs.get(id);
        Run run = job.running.remove(attempt);
        if (run == null) {
            return; // of a node that is gone
        }
        timeline.note(node, job.subject(), "end of " + work.number() + ", attempt " + attempt + ": " + how);
        state("end " + how);
        mark(work, false);
        long unfenced = Math.min(node.silence() - LEASE, turns.now() - node.thawedAt());
        if (!deaf && !how.equals("interrupted") && unfenced > FENCED) {
            timeline.broken("runs " + unfenced / 1e9 + " s after the lease of its node, undisturbed", job);
        }
        seen(node).busy.merge(queue, -1, Integer::sum);
        job.lastEnd = turns.now();
        if (job.running.isEmpty()) {
            groups.ended(job);
        }
        boolean inTime = turns.now() - run.began() < queues.of(queue).timeout().toNanos();
        switch (how) {
            case "done" -> {
                job.succeeded = true;
                // of a handler that takes no notice of its timeout, the engine takes no success
                job.failures += inTime ? 0 : 1;
            }
            case "unprocessable" -> job.unprocessable = true;
            case "snoozed" -> {
            }
            // of a handler that takes no notice of its timeout, the engine takes no wait
            case "awaiting" -> job.awaiting = inTime ? run : null;
            default -> job.failures++;
        }
    }

    // ---- workers elsewhere

    /** A worker has a job, by a request that it sent at this moment. */
    void leased(Work work, AttemptId attempt, long asked, Duration lease) {
        String queue = attempt.queue().value();
        TrackedJob job = tracked(attempt.id(), queue, work);
        timeline.note(null, job.subject(), "lease of " + work.number() + ", attempt " + attempt.number() + ", for "
                + lease.toSeconds() + " s");
        state("lease");
        timeline.broken(pauses.leased(queue, asked), job);
        timeline.broken(pauses.startedOfKey(job, claims.getOrDefault(attempt, jobs.sent(job.number))), job);
        if (attempt.number() <= job.lastAttempt) {
            timeline.broken("starts attempt " + attempt.number() + " after attempt " + job.lastAttempt, job);
        }
        timeline.broken(job.mayNotStart, job);
        startedAlone(job);
        begun(job, attempt.number(), new Run(null, turns.now(), asked + lease.toNanos()));
        startedUnderLimits(job, queues.cost(work));
    }

    // ---- the end

    boolean isHealed() {
        return healed;
    }

    /** From now on nothing fails, and every attempt is done. */
    void healed() {
        healed = true;
        healedAt = turns.now();
        batches.healed();
        timeline.note(null, "", "nothing fails any more");
    }

    /** The ids of acknowledged and started jobs. */
    Collection<JobId> known() {
        return jobs.all.keySet();
    }

    /** Judges how the jobs ended. */
    void ended(Function<JobId, Optional<JobView>> views) {
        joined.keySet().stream().filter(id -> views.apply(id).isEmpty()).findFirst()
                .ifPresent(
                        id -> broken("Job " + id + " was the answer to a push of its unique key, and is gone", null));
        for (TrackedJob job : jobs.all.values()) {
            JobView view = views.apply(job.id).orElse(null);
            if (view == null) {
                timeline.broken("was acknowledged and is gone", job);
            } else if (view.state() == JobState.DONE) {
                if (!job.succeeded) {
                    timeline.broken("is done, and no handler has done it", job);
                } else if (job.lastAttempt > view.attempt()) {
                    timeline.broken("is done by attempt " + view.attempt() + ", and started attempt " + job.lastAttempt,
                            job);
                } else if (job.lastStart < joined.getOrDefault(job.id, Long.MIN_VALUE)) {
                    timeline.broken("is the answer to a later push of its unique key, and ran before it only", job);
                }
            } else if (view.state() == JobState.CANCELLED) {
                if (!job.cancelAsked) {
                    timeline.broken("is cancelled, and nobody asked for it", job);
                }
            } else {
                timeline.broken("is " + view.state() + (view.run() == null ? "" : " on " + view.run().node()) + " "
                        + turns.now() / SECOND + " s after the start, long after the last"
                        + " fault", job);
            }
        }
    }

    private void mark(Work work, boolean start) {
        if (work.isTrial()) {
            marks.add(new LimitTrial.Mark(work.number(), turns.now(), start));
        }
    }

    /** The log of the handlers about trials. */
    List<LimitTrial.Mark> marks() {
        return marks;
    }

    boolean isAnswered(int number) {
        TrackedJob job = jobs.find(number);
        return job != null && job.answeredAt < Long.MAX_VALUE;
    }

    /** Begins a meeting: as many jobs of a queue as there are handlers must run at once. */
    void meet(Map<String, Integer> handlers) {
        meeting = handlers;
    }

    boolean awaitsOthers(Work work) {
        return work.plan().equals("m");
    }

    boolean allMet(Work work) {
        String queue = Objects.requireNonNull(jobs.find(work.number())).queue;
        int wanted = meeting.getOrDefault(queue, 0);
        if (nodes.values().stream().mapToInt(seen -> seen.busy.getOrDefault(queue, 0)).sum() >= wanted) {
            met.add(queue);
        }
        return met.contains(queue);
    }

    boolean haveMet() {
        return met.size() == meeting.size();
    }

    /** Judges the meeting. */
    void parted() {
        meeting.forEach((queue, wanted) -> {
            if (!met.contains(queue)) {
                timeline.broken(queue, "Queue " + queue + " has " + wanted
                        + " handlers, and as many jobs do not run at once: a slot is lost");
            }
        });
    }

    /** The time after the last fault within which everything ends: jobs under limits wait for each other. */
    Duration patience() {
        return Duration.ofMinutes(6)
                .plus(queues.isLimited() ? Duration.ofSeconds(jobs.all.size()) : Duration.ZERO);
    }
}
