package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.history.HistoryRange;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobView;
import dev.orderly.job.Limit;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.operate.QueueControl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One queue.
 *
 * @param next waiting jobs, the oldest first; the first few
 * @param limit the limit over all nodes; null for none
 * @param keys the keys that wait for longest, or the groups that have settings; the first few
 */
public record QueuePage(QueueStatus status, List<JobView> next, @Nullable LimitView limit, List<KeyView> keys,
        HistoryRange range) implements Page {
    /** The running jobs of a key, with their bound. */
    public String running(KeyView key) {
        Limit limit = key.limit();
        return Figures.count(key.running())
                + (limit == null || limit.concurrency() == 0 ? "" : " of " + Figures.count(limit.concurrency()));
    }

    @Override
    public String title() {
        return status.view().queue().value();
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Queues", "/queues"));
    }

    @Override
    public String template() {
        return "queue/queue.jte";
    }

    /** Whether the queue seems to be gone: this node does not declare it, and it holds no jobs but ended ones. */
    public boolean isGone() {
        return status.options() == null && !ForgetQueueResult.InUse.holdsJobs(status.view());
    }

    /** The state in words, which a form shows and its operation compares. */
    public String seen() {
        return QueueControl.state(status.view().paused());
    }
}
