package dev.orderly.testkit.jobsim;

import dev.orderly.job.JobId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of a job. */
final class TrackedJob {
    /** The plan of a report that was refused. */
    static final char REFUSED = 'x';

    final JobId id;
    final String queue;
    final Work work;
    final @Nullable String group;
    final @Nullable String key;
    final int number;
    /** When its first push was answered. */
    long answeredAt = Long.MAX_VALUE;
    long lastStart = Long.MIN_VALUE;
    int lastAttempt;
    int failures;
    int deaths;
    boolean succeeded;
    boolean unprocessable;
    boolean cancelAsked;
    boolean settled;
    @Nullable
    String mayNotStart;
    /** When the answer to a cancellation came that another node may not know yet; -1 for none. */
    long requestedAt = -1;
    int startsSinceRequest;
    /** Whether it has begun again behind later jobs of its group, as only a redriven dead letter may. */
    boolean mayBeRedriven;
    long lastEnd;
    /** When the answer came that says that it has ended for good. */
    long endedAt = Long.MAX_VALUE;
    /** The last attempt, if it waits for an event. */
    @Nullable
    Run awaiting;
    final Map<Integer, Run> running = new TreeMap<>();
    /** What workers elsewhere have reported, by attempt. */
    final Map<Integer, Report> reported = new TreeMap<>();

    /**
     * An attempt under way.
     *
     * @param node null for a worker elsewhere
     * @param until the end of a lease of such a worker, which has the job until then at least
     */
    record Run(@Nullable SimulatedNode node, long began, long until) {
        String where() {
            return node == null ? "a worker elsewhere" : node.id.value();
        }
    }

    /** The report of a worker elsewhere, whose lease ends at {@code until}. */
    record Report(char plan, long until) {}

    TrackedJob(JobId id, String queue, Work work) {
        this.id = id;
        this.queue = queue;
        this.work = work;
        this.number = work.number();
        this.group = SimulatedQueues.group(queue, work);
        this.key = SimulatedQueues.key(queue, work);
    }

    @Nullable
    String keyOrGroup() {
        return group == null ? key : group;
    }

    /** The name of a queue, or of one of its groups or keys. */
    static String subject(String queue, @Nullable String group) {
        return group == null ? queue : queue + " " + group;
    }

    /** The group of the job, or its queue. */
    String subject() {
        return subject(queue, group);
    }

    /**
     * Whether a run may be on a node that lost its jobs, since it heard nothing of the store for a lease, or stops; or
     * the lease of a worker elsewhere may be over, also by a cancellation.
     */
    boolean mayBeLost(Run run, long now) {
        SimulatedNode node = run.node;
        if (node == null) {
            return now >= run.until || cancelAsked;
        }
        return node.state() == SimulatedNode.State.STOPPING || node.state() == SimulatedNode.State.GONE
                || now - node.lastBeat() >= JobReferee.LEASE || node.lostAt() > run.began;
    }

    /** The number of attempts that run and are not fenced. */
    int unfenced(long now) {
        return (int) running.values().stream().filter(run -> !mayBeLost(run, now)).count();
    }

    @Override
    public String toString() {
        return "job " + number + " (" + subject() + ")";
    }
}
