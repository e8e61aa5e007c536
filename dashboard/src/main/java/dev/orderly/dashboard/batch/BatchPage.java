package dev.orderly.dashboard.batch;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobView;
import dev.orderly.job.WhenDead;
import dev.orderly.job.diagnosis.BatchDiagnosis;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One batch.
 *
 * @param why what its callback waits for
 * @param left the first members that have not ended, by id: those that run, then those that wait and are delayed
 * @param dead a page of the dead letters, by id
 * @param next the last dead letter of this page, behind which the next page begins; null on the last page
 */
public record BatchPage(BatchView batch, BatchDiagnosis why, List<JobView> left, List<JobView> dead,
        @Nullable String next)
        implements
            Page {
    @Override
    public String title() {
        return batch.name().value();
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Batches", "/batches"));
    }

    @Override
    public String template() {
        return "batch/batch.jte";
    }

    /** The state in words, which a form shows and its operation compares. */
    public static String seen(BatchView batch) {
        return batch.state().name().toLowerCase(Locale.ROOT);
    }

    /** The class of the badge of a state. */
    public static String tone(BatchView batch) {
        return switch (batch.state()) {
            case OPEN -> "";
            case CLOSED -> "busy";
            case CANCELLED -> "warn";
            case FINISHED -> "good";
        };
    }

    /** Members that have ended. */
    public static long ended(BatchCounts counts) {
        return counts.pushed() - counts.unfinished();
    }

    /** The meaning of dead letters, in words. */
    public String whenDead() {
        return batch.whenDead() == WhenDead.FINISH
                ? "A dead letter has ended"
                : "The callback waits until each dead letter was redriven or deleted";
    }
}
