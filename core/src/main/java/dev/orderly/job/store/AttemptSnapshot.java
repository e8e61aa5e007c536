package dev.orderly.job.store;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run of a job; its parts are those of {@link JobAttempt}, and the rules by which a store keeps attempts. */
public record AttemptSnapshot(int number, JobRun run, @Nullable Instant endedAt, @Nullable End end,
        @Nullable Instant nextAt,
        @Nullable JobFailure failure) implements JobAttempt {
    /** The attempt that ends with an outcome, other than {@link AttemptOutcome.Leased}. */
    public static JobAttempt ended(int number, JobRun run, AttemptOutcome outcome, Instant now) {
        Instant nextAt = outcome.nextAt();
        return new AttemptSnapshot(number, run, now, outcome.end(),
                nextAt != null && nextAt.isAfter(now) ? nextAt : null,
                outcome instanceof AttemptOutcome.Unread unread ? unread.why() : outcome.failure());
    }

    /** The attempt whose node is dead. */
    public static JobAttempt lost(int number, JobRun run, @Nullable JobFailure failure, Instant now) {
        return new AttemptSnapshot(number, run, now, End.NODE_DIED, null, failure);
    }

    /**
     * The attempts to keep after a further one, oldest first. Beyond {@link #KEPT_MAX} the oldest attempt without a
     * failure is dropped first. Of a node that could not read the payload again and again, only the first of these
     * attempts is kept, with the number of the last. Of a job that was throttled again and again, the last of these
     * attempts is kept.
     */
    public static List<JobAttempt> appended(List<JobAttempt> kept, JobAttempt next) {
        List<JobAttempt> all = new ArrayList<>(kept);
        JobAttempt same = next.end() == End.UNREADABLE ? earlier(unread(kept), next) : null;
        if (same != null) {
            all.remove(same);
            all.add(new AttemptSnapshot(next.number(), same.run(), same.endedAt(), same.end(), next.nextAt(),
                    same.failure()));
            return List.copyOf(all);
        }
        if (isThrottled(next) && !all.isEmpty() && isThrottled(all.getLast())) {
            all.set(all.size() - 1, next);
            return List.copyOf(all);
        }
        if (all.size() >= KEPT_MAX) {
            int last = isThrottled(next) ? all.size() - 1 : all.size(); // the row of throttled ones is counted from it
            int harmless = 0;
            while (harmless < last && all.get(harmless).failure() != null) {
                harmless++;
            }
            all.remove(harmless == last ? 0 : harmless);
        }
        all.add(next);
        int details = 0;
        for (int n = all.size() - 1; n >= 0; n--) {
            JobFailure failure = all.get(n).failure();
            if (failure != null && !failure.detail().isEmpty()) {
                details++;
                all.set(n, withDetail(all.get(n), failure, details > DETAILS_MAX ? 0 : DETAIL_MAX));
            }
        }
        return List.copyOf(all);
    }

    /**
     * The attempts that ended {@link End#UNREADABLE} since the last that ended otherwise, oldest first: one for each
     * node, with the moment of its first, at most {@link #UNREAD_MAX}.
     */
    public static List<JobAttempt> unread(List<JobAttempt> attempts) {
        int from = attempts.size();
        while (from > 0 && attempts.get(from - 1).end() == End.UNREADABLE) {
            from--;
        }
        return attempts.subList(from, attempts.size());
    }

    /** The number of attempts that ended {@link End#THROTTLED} since the last that ended otherwise. */
    public static int throttles(List<JobAttempt> attempts) {
        if (attempts.isEmpty() || !isThrottled(attempts.getLast())) {
            return 0;
        }
        return attempts.getLast().number() - (attempts.size() == 1 ? 0 : attempts.get(attempts.size() - 2).number());
    }

    /** Whether the job goes on after a throttled attempt. */
    private static boolean isThrottled(JobAttempt attempt) {
        return attempt.end() == End.THROTTLED && attempt.failure() == null;
    }

    /** The attempt that a further unreadable attempt replaces; null for none. */
    private static @Nullable JobAttempt earlier(List<JobAttempt> unread, JobAttempt next) {
        return unread.stream().filter(each -> Objects.equals(each.run().node(), next.run().node())).findFirst()
                .orElse(unread.size() < UNREAD_MAX ? null : unread.getLast());
    }

    private static JobAttempt withDetail(JobAttempt attempt, JobFailure whole, int max) {
        return whole.detail().length() <= max
                ? attempt
                : with(attempt, new JobFailure(whole.summary(), whole.detail().substring(0, max)));
    }

    private static JobAttempt with(JobAttempt attempt, JobFailure failure) {
        return new AttemptSnapshot(attempt.number(), attempt.run(), attempt.endedAt(), attempt.end(), attempt.nextAt(),
                failure);
    }

    /**
     * All known attempts of a job, oldest first: the kept ones, and the newest, which the job itself tells.
     *
     * @param kept as {@link JobViews#attempts} returns them, read after the job
     */
    public static List<JobAttempt> of(JobView job, List<JobAttempt> kept) {
        List<JobAttempt> all = new ArrayList<>(kept);
        int last = all.isEmpty() ? 0 : all.getLast().number();
        if (job.attempt() > last) {
            JobRun run = job.run() == null ? JobRun.UNKNOWN : job.run();
            switch (job.state()) {
                case RUNNING -> all.add(new AttemptSnapshot(job.attempt(), run, null, null, null, null));
                case DONE -> all.add(new AttemptSnapshot(job.attempt(), run, job.endedAt(), End.DONE, null, null));
                case CANCELLED ->
                    all.add(new AttemptSnapshot(job.attempt(), run, job.endedAt(), End.CANCELLED, null, null));
                case WAITING, DELAYED, DEAD -> all.addAll(unkept(job));
            }
        }
        JobFailure failure = job.failure();
        for (int n = all.size() - 1; n >= 0 && failure != null; n--) {
            JobFailure cut = all.get(n).failure();
            if (cut != null && all.get(n).end() != End.UNREADABLE) {
                boolean same = cut.summary().equals(failure.summary()) && failure.detail().startsWith(cut.detail());
                all.set(n, same ? with(all.get(n), failure) : all.get(n));
                break;
            }
        }
        return List.copyOf(all);
    }

    /** The last attempt of a job that was stored before attempts were kept. */
    private static List<JobAttempt> unkept(JobView job) {
        return job.failure() == null
                ? List.of()
                : List.of(new AttemptSnapshot(job.attempt(), JobRun.UNKNOWN, job.endedAt(), End.FAILED, job.dueAt(),
                        job.failure()));
    }
}
