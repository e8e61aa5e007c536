package dev.orderly.job.diagnosis;

import dev.orderly.Internal;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.diagnosis.BatchDiagnosis.Cause;
import dev.orderly.job.engine.JobBatches;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.store.JobViews;
import dev.orderly.store.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains what keeps the callback of a batch from coming, from the views of the store, and of the job that it waits
 * for as {@link JobDiagnostics} does. Blocks on the store; a few reads of bounded size. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class BatchDiagnostics {
    /** Members that are counted in each state. */
    private static final int COUNTED = 100;

    private final JobBatches batches;
    private final JobDiagnostics jobs;
    private final JobViews views;

    /** @param views of the client's store */
    public BatchDiagnostics(JobClient client, JobWorker worker, JobViews views) {
        this.batches = client.batches();
        this.jobs = new JobDiagnostics(client, worker, views);
        this.views = views;
    }

    /** The members that have not ended. */
    private record Left(List<JobView> running, List<JobView> waiting, List<JobView> delayed) {
        private Optional<JobView> oldest() {
            return List.of(running, waiting, delayed).stream().filter(page -> !page.isEmpty()).map(List::getFirst)
                    .min(Comparator.comparing(JobView::id));
        }

        private String words() {
            List<String> parts = new ArrayList<>();
            add(parts, running, " runs", " run");
            add(parts, waiting, " waits", " wait");
            add(parts, delayed, " is delayed or awaits an event", " are delayed or await an event");
            return String.join(", ", parts);
        }

        private static void add(List<String> parts, List<JobView> page, String one, String many) {
            if (!page.isEmpty()) {
                parts.add(number(page) + (page.size() == 1 ? one : many));
            }
        }
    }

    /** The number of members of a page, in words if there may be more. */
    private static String number(List<JobView> page) {
        return page.size() == COUNTED ? COUNTED + " or more" : Integer.toString(page.size());
    }

    /** The cause that comes first: a callback that waits for several things gets the one to look at. */
    public BatchDiagnosis of(BatchName name) {
        try {
            Optional<BatchView> found = batches.find(name);
            return found.isPresent()
                    ? of(found.get())
                    : new DiagnosedBatch(name, Cause.NOT_FOUND,
                            "Batch " + name + " is not kept, or the transaction that opens it has not committed.",
                            "Check the name; a finished batch is kept as long as its callback.", null);
        } catch (StoreException e) {
            return new DiagnosedBatch(name, Cause.STORE, "The store does not answer (" + e.getMessage()
                    + "), so no callback comes.", "Bring the store back: batches go on by themselves.", null);
        }
    }

    private BatchDiagnosis of(BatchView batch) {
        BatchName name = batch.name();
        JobId callback = batch.callback();
        if (callback != null) {
            return of(batch, Cause.FINISHED, "The callback was pushed at " + batch.finishedAt() + " as job " + callback
                    + ": " + jobs.of(callback).sentence(), "", callback);
        }
        Left left = new Left(members(batch, JobState.RUNNING), members(batch, JobState.WAITING),
                members(batch, JobState.DELAYED));
        Optional<String> holder = views.batchHolder(batch.number());
        if (batch.state() == BatchView.State.OPEN) {
            String open = "The batch is open, with " + BatchDiagnostics.left(left);
            return holder.isPresent()
                    ? of(batch, Cause.HELD, open + " A close waits for what holds it, at most 5 s: " + holder.get()
                            + ".", "Let that transaction end, then close the batch.", null)
                    : of(batch, Cause.OPEN, open, "Close it after the last push: orderly batch close " + name + ".",
                            null);
        }
        List<JobView> dead = batch.waitsForDeadLetters() ? members(batch, JobState.DEAD) : List.of();
        Optional<JobView> oldest = left.oldest();
        if (oldest.isPresent()) {
            return members(batch, left, oldest.get(), dead);
        }
        if (!dead.isEmpty()) {
            JobView first = dead.getFirst();
            return of(batch, Cause.DEAD_LETTERS, "The callback waits for " + dead(dead) + ", the first " + first.id()
                    + ": " + jobs.of(first.id()).sentence(),
                    "Redrive or delete them: orderly job redrive " + first.id() + ".", first.id());
        }
        return holder.isPresent()
                ? of(batch, Cause.HELD, "All members have ended, and the callback waits for what holds the batch: "
                        + holder.get() + ".", "Let that transaction end.", null)
                : of(batch, Cause.READY, "All members have ended: the next round of a node pushes the callback, within"
                        + " a second.", "If it stays so, no node works: start one.", null);
    }

    private BatchDiagnosis members(BatchView batch, Left left, JobView oldest, List<JobView> dead) {
        boolean cancelled = batch.state() == BatchView.State.CANCELLED;
        JobDiagnosis why = jobs.of(oldest.id());
        String sentence = (cancelled
                ? "The batch is cancelled, and its callback waits for "
                : "The callback waits for ")
                + left(left) + (dead.isEmpty() ? "" : " It also waits for " + dead(dead) + ".") + " The oldest is "
                + oldest.id() + " of queue " + oldest.queue() + ": " + why.sentence();
        return of(batch, Cause.MEMBERS, sentence, cancelled
                ? "Those that run are asked to end; the others are cancelled by and by."
                : why.remedy(), oldest.id());
    }

    private static BatchDiagnosis of(BatchView batch, Cause cause, String sentence, String remedy,
            @Nullable JobId job) {
        return new DiagnosedBatch(batch.name(), cause, sentence, remedy, job);
    }

    private List<JobView> members(BatchView batch, JobState state) {
        return batches.members(batch, state, null, COUNTED);
    }

    private static String left(Left left) {
        return left.oldest().isEmpty()
                ? "no member that has not ended."
                : "members that have not ended: " + left.words() + ".";
    }

    private static String dead(List<JobView> dead) {
        return number(dead) + (dead.size() == 1 ? " dead letter" : " dead letters");
    }
}
