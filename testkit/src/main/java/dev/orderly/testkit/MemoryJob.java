package dev.orderly.testkit;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobSnapshot;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.StepReport;
import dev.orderly.time.StoredTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job with its whole state. Changed only inside {@link MemoryTable#change}. */
final class MemoryJob {
    static final Comparator<MemoryJob> BY_DUE = Comparator.<MemoryJob, Instant>comparing(job -> job.moment(job.dueAt))
            .thenComparing(job -> job.id);
    static final Comparator<MemoryJob> BY_END = Comparator
            .<MemoryJob, Instant>comparing(job -> job.moment(job.endedAt)).thenComparing(job -> job.id);

    final JobId id;
    NewJob pushed;
    JobState state = JobState.WAITING;
    int attempt;
    int failures;
    int crashes;
    /** The crashes at which no other job may have run. */
    int loneCrashes;
    @Nullable
    MemoryNode holder;
    /** False while jobs handed out before it in the same run are unsettled. */
    boolean mayHaveRun;
    /** Only of a running job: any outcome ends it. */
    boolean cancelAsked;
    /** End of the lease of a running job without a holder; null if it has none. */
    @Nullable
    Instant leasedUntil;
    /** A dead letter at which its group stops. */
    boolean halts;
    private boolean redriven;
    @Nullable
    JobProgress progress;
    private @Nullable Instant dueAt;
    private @Nullable Instant endedAt;
    private @Nullable Payload payload;
    private @Nullable Payload result;
    private @Nullable JobFailure failure;
    private @Nullable String reason;
    private @Nullable Instant startedAt;
    private @Nullable JobRun lastRun;
    private List<JobAttempt> ended = List.of();
    final MemoryEvents events = new MemoryEvents();
    private final Map<String, JobStep> steps = new LinkedHashMap<>();
    private int stepBytes;

    MemoryJob(JobId id, NewJob pushed, Instant now) {
        this.id = id;
        this.pushed = pushed;
        payload = pushed.payload();
        waitUntil(pushed.runAt(), now);
    }

    @Nullable
    Instant dueAt() {
        return dueAt;
    }

    boolean endedBefore(Instant moment) {
        return endedAt != null && endedAt.isBefore(moment);
    }

    boolean finished() {
        return state == JobState.DONE || state == JobState.CANCELLED;
    }

    /** Whether the job is not settled for good. Later jobs of its group have to wait for it. */
    boolean unsettled() {
        return state == JobState.WAITING || state == JobState.DELAYED || state == JobState.RUNNING;
    }

    void claimedBy(MemoryNode node, boolean first, Instant now) {
        attempt++;
        startedAt = now;
        state = JobState.RUNNING;
        holder = node;
        mayHaveRun = first;
        node.running.add(this);
    }

    void release() {
        if (holder != null) {
            holder.running.remove(this);
        }
        holder = null;
        mayHaveRun = false;
        cancelAsked = false;
        leasedUntil = null;
    }

    /** The job runs on without a holder. */
    void leasedUntil(Instant end) {
        release();
        leasedUntil = end;
    }

    /** The job waits, not before {@code moment}; null for at once. */
    void waitUntil(@Nullable Instant moment, Instant now) {
        boolean later = moment != null && moment.isAfter(now);
        dueAt = later ? moment : null;
        state = later ? JobState.DELAYED : JobState.WAITING;
    }

    /** What a later push of the debounce key says, in place of what the push before said. */
    void replaced(NewJob later, Instant now) {
        pushed = pushed.replacedBy(later);
        payload = later.payload();
        redriven = false;
        JobTerms.Debounce debounce = later.terms().debounce();
        Instant until = debounce == null ? null : debounce.until(later.runAt(), id.pushedAt());
        if (until != null && until.isAfter(now) && (dueAt == null || until.isAfter(dueAt))) {
            waitUntil(until, now);
        }
    }

    void crashed(boolean alone) {
        crashes++;
        loneCrashes += alone ? 1 : 0;
    }

    /** Takes back a crash that was none. */
    void clear(boolean alone) {
        crashes = Math.max(0, crashes - 1);
        loneCrashes = Math.max(0, loneCrashes - (alone ? 1 : 0));
    }

    void failed(JobFailure why) {
        failures++;
        failure = why;
    }

    void done(@Nullable Payload left, JobRun run, Instant now) {
        lastRun = run;
        end(JobState.DONE, now);
        result = left;
        payload = null;
    }

    void cancelled(String why, Instant now) {
        end(JobState.CANCELLED, now);
        reason = why;
        payload = null;
        halts = false;
    }

    void dead(JobFailure why, boolean halt, Instant now) {
        end(JobState.DEAD, now);
        failure = why;
        halts = halt && pushed.queue().isFifo();
    }

    void redriven(Instant now) {
        endedAt = null;
        failure = null;
        failures = 0;
        crashes = 0;
        loneCrashes = 0;
        halts = false;
        redriven = true;
        waitUntil(null, now);
    }

    private void end(JobState how, Instant now) {
        state = how;
        endedAt = now;
        dueAt = null;
    }

    /** Whether no attempt may start any more; never for a job that was redriven. */
    boolean isExpired(Instant now) {
        return !redriven && pushed.terms().isExpired(now);
    }

    JobTerms terms(StoredTime time) {
        Instant end = pushed.terms().expiresAt();
        return pushed.terms().withExpiresAt(end == null || redriven ? null : time.clockTime(end));
    }

    ClaimedJob claimed(StoredTime time) {
        return new ClaimedJob(new AttemptId(id, pushed.queue(), attempt), failures, crashes, pushed.group(),
                id.sequence(),
                pushed.payload(), pushed.params(), pushed.user(), pushed.trace(), terms(time));
    }

    /** The claim of the newest attempt; without a node if no node holds the job. */
    JobRun run() {
        return new JobRun(holder == null ? null : holder.id, startedAt);
    }

    /** Keeps the newest attempt, which the job itself does not tell. */
    void ended(JobAttempt last) {
        ended = AttemptSnapshot.appended(ended, last);
    }

    List<JobAttempt> attempts(StoredTime time) {
        return ended.stream().<JobAttempt>map(each -> new AttemptSnapshot(each.number(), clock(each.run(), time),
                clock(each.endedAt(), time), each.end(), clock(each.nextAt(), time), each.failure())).toList();
    }

    StepResult keep(StepReport report, Instant now) {
        JobStep kept = steps.get(report.name());
        if (kept != null) {
            return report.against(kept);
        }
        if (steps.size() == JobStep.STEPS_MAX || stepBytes + report.bytes() > JobStep.BYTES_MAX) {
            return StepResult.FULL;
        }
        steps.put(report.name(), new JobStep(report.name(), attempt, now, report.value()));
        stepBytes += report.bytes();
        return StepResult.KEPT;
    }

    List<JobStep> steps(StoredTime time) {
        return steps.values().stream()
                .map(each -> new JobStep(each.name(), each.attempt(), time.clockTime(each.keptAt()), each.value()))
                .toList();
    }

    private static JobRun clock(JobRun run, StoredTime time) {
        return new JobRun(run.node(), clock(run.startedAt(), time));
    }

    private static @Nullable Instant clock(@Nullable Instant stored, StoredTime time) {
        return stored == null ? null : time.clockTime(stored);
    }

    JobView view(StoredTime time) {
        JobRun run = state == JobState.RUNNING ? run() : state == JobState.DONE ? lastRun : null;
        return new JobSnapshot(id, pushed.queue(), pushed.group(), pushed.priority(), state, attempt, failures,
                dueAt == null ? null : time.clockTime(dueAt), endedAt == null ? null : time.clockTime(endedAt),
                pushed.user(),
                pushed.params(), payload, failure, progress, result, reason,
                leasedUntil, pushed.origin(), run == null ? null : clock(run, time), pushed.trace(), terms(time));
    }

    private Instant moment(@Nullable Instant moment) {
        if (moment == null) {
            throw new IllegalStateException("Job " + id + " is " + state + " and has no such moment");
        }
        return moment;
    }
}
