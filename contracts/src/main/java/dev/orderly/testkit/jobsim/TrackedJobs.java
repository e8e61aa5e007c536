package dev.orderly.testkit.jobsim;

import dev.orderly.job.JobId;
import dev.orderly.job.OnDead;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The jobs of a run, and what may have become of each, as far as answers and the handlers' log say. */
final class TrackedJobs {
    final SimulatedQueues queues;
    private final Turns turns;
    private final RunTimeline timeline;
    final Map<JobId, TrackedJob> all = new TreeMap<>();
    private final Map<Integer, JobId> byNumber = new HashMap<>();
    /** When the push of a job was sent first, by its number. */
    private final Map<Integer, Long> sent = new HashMap<>();
    /** When a redrive of a queue was asked last. */
    private final Map<String, Long> redriven = new HashMap<>();
    /** Requests of workers elsewhere for jobs, whose answer came late or not at all. */
    private int pullsUnsure;

    TrackedJobs(SimulatedQueues queues, Turns turns, RunTimeline timeline) {
        this.queues = queues;
        this.turns = turns;
        this.timeline = timeline;
    }

    /** The job with this id, added when it is first named. Two ids with one number break a rule. */
    TrackedJob tracked(JobId id, String queue, Work work) {
        JobId known = byNumber.putIfAbsent(work.number(), id);
        TrackedJob job = all.computeIfAbsent(id, _ -> new TrackedJob(id, queue, work));
        if (known != null && !known.equals(id)) {
            timeline.broken("is there twice: as " + known + " and as " + id, job);
        }
        return job;
    }

    TrackedJob get(JobId id) {
        return Objects.requireNonNull(all.get(id));
    }

    /** Null for a job that nobody has heard of. */
    @Nullable
    TrackedJob find(JobId id) {
        return all.get(id);
    }

    @Nullable
    TrackedJob find(int number) {
        JobId id = byNumber.get(number);
        return id == null ? null : all.get(id);
    }

    /** A client is about to push a job. */
    void sending(Work work) {
        sent.putIfAbsent(work.number(), turns.now());
    }

    /** When the push of a job was sent first. */
    long sent(int number) {
        return sent.getOrDefault(number, Long.MIN_VALUE);
    }

    void redriveAsked(String queue) {
        redriven.put(queue, turns.now());
        timeline.note(null, queue, "redrive asked");
    }

    /** A request for jobs has no answer, or a late one: leases may end of which no worker knows. */
    void pullUnsure() {
        pullsUnsure++;
    }

    boolean mayBeDead(TrackedJob job) {
        int failures = job.failures;
        if (SimulatedQueues.PULLED.contains(job.queue)) {
            failures += pullsUnsure; // leases that ended count as failures, also after a report that came too late
            failures += (int) job.running.values().stream().filter(run -> turns.now() >= run.until()).count();
            failures += (int) job.reported.values().stream()
                    .filter(report -> "osa".indexOf(report.plan()) >= 0 || report.plan() == TrackedJob.REFUSED)
                    .filter(report -> turns.now() >= report.until()).count();
        }
        return job.unprocessable || failures >= queues.of(job.queue).retry().attempts() || job.deaths >= 3;
    }

    /** Whether a job that was pushed earlier may have ended, so that the next of its group may start. */
    boolean maySettled(TrackedJob job) {
        boolean halts = queues.of(job.queue).onDead() == OnDead.HALT;
        return job.settled || job.succeeded || job.cancelAsked || (mayBeDead(job) && !halts);
    }

    boolean mayBeRedriven(TrackedJob job) {
        Long asked = redriven.get(job.queue);
        job.mayBeRedriven |= asked != null && mayBeDead(job) && asked >= job.lastEnd - JobReferee.HEARD;
        return job.mayBeRedriven;
    }
}
