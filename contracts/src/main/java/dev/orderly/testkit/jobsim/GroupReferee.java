package dev.orderly.testkit.jobsim;

import dev.orderly.job.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Judges the order of groups, and that of keys whose jobs run one at a time. */
final class GroupReferee {
    private final TrackedJobs jobs;
    private final Turns turns;
    private final RunTimeline timeline;
    private final Map<String, Line> lines = new HashMap<>();

    /** A group. */
    private static final class Line {
        /** Jobs that may not be settled, by number. */
        final TreeMap<JobId, TrackedJob> open = new TreeMap<>();
        @Nullable
        JobId highest;
        final Map<JobId, TrackedJob> running = new TreeMap<>();
        /** The answered push with the highest number, and the moment of the answer. */
        @Nullable
        JobId newest;
    }

    GroupReferee(TrackedJobs jobs, Turns turns, RunTimeline timeline) {
        this.jobs = jobs;
        this.turns = turns;
        this.timeline = timeline;
    }

    private Line line(TrackedJob job) {
        return lines.computeIfAbsent(job.subject(), _ -> new Line());
    }

    /** A job is heard of for the first time. */
    void add(TrackedJob job) {
        if (job.group != null) {
            line(job).open.put(job.id, job);
        }
    }

    /** The newest answered push of a group before another is sent: its number must be smaller. */
    @Nullable
    JobId newest(String queue, String group) {
        Line line = lines.get(TrackedJob.subject(queue, group));
        return line == null ? null : line.newest;
    }

    /** @param before the newest answered push of the group before the push was sent; null for none */
    void pushed(TrackedJob job, @Nullable JobId before, boolean duplicate) {
        Line line = line(job);
        if (!duplicate && before != null && before.compareTo(job.id) > 0) {
            timeline.broken("was pushed after an answered push and has a smaller number", job);
        }
        if (line.newest == null || line.newest.compareTo(job.id) < 0) {
            line.newest = job.id;
        }
    }

    void started(TrackedJob job) {
        Line line = line(job);
        for (TrackedJob other : List.copyOf(line.running.values())) {
            for (TrackedJob.Run run : other.running.values()) {
                if (!other.mayBeLost(run, turns.now())) {
                    timeline.broken("starts while " + other + " runs on " + run.where(), job);
                }
            }
        }
        for (TrackedJob earlier : List.copyOf(line.open.headMap(job.id).values())) {
            if (jobs.maySettled(earlier)) {
                earlier.settled = true;
                line.open.remove(earlier.id);
            } else {
                timeline.broken("starts before " + earlier + ", which was pushed earlier and is not settled", job);
            }
        }
        if (line.highest != null && line.highest.compareTo(job.id) > 0 && !jobs.mayBeRedriven(job)) {
            timeline.broken("starts after " + jobs.get(line.highest) + ", which was pushed later", job);
        }
        if (line.highest == null || line.highest.compareTo(job.id) < 0) {
            line.highest = job.id;
        }
        line.open.put(job.id, job);
        line.running.put(job.id, job);
    }

    /** No attempt of a job runs any more. */
    void ended(TrackedJob job) {
        line(job).running.remove(job.id);
    }

    /** Of a key that runs one job at a time the jobs start in the order of their pushes. */
    void startedOfKey(TrackedJob job) {
        String key = job.key;
        boolean alone = jobs.queues.of(job.queue).perKey().filter(each -> each.concurrency() == 1)
                .isPresent();
        if (key == null || !alone || job.lastAttempt > 0) {
            return;
        }
        long sent = jobs.sent(job.number);
        for (TrackedJob earlier : jobs.all.values()) {
            if (earlier.id.compareTo(job.id) >= 0) {
                return;
            }
            if (earlier.queue.equals(job.queue) && key.equals(earlier.key) && earlier.lastAttempt == 0
                    && earlier.answeredAt < sent && !earlier.cancelAsked) {
                timeline.broken("starts before " + earlier + " of its key, whose push was answered before", job);
            }
        }
    }
}
