package dev.orderly.dashboard.batch;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.JobBatches;
import dev.orderly.operate.BatchControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.Targets;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The routes of batches. A page costs a few reads of bounded size. */
public final class BatchRoutes {
    private static final int PAGE = 50;
    /** Members that have not ended, of each state. */
    private static final int LEFT = 5;

    private final PageContext context;
    private final Targets targets;
    private final JobBatches batches;

    public BatchRoutes(PageContext context, Targets targets) {
        this.context = context;
        this.targets = targets;
        this.batches = targets.orderly().engines().jobs().batches();
    }

    public List<DashboardRoute> routes() {
        String path = "/batches/{batch}";
        return List.of(new DashboardRoute("GET", "/batches", Role.VIEWER, this::list),
                new DashboardRoute("GET", path, Role.VIEWER, this::show),
                new DashboardRoute(OperationSpec.CLOSE_BATCH, path + "/close", this::close),
                new DashboardRoute(OperationSpec.CANCEL_BATCH, path + "/cancel", this::cancel));
    }

    private Response list(DashboardRequest request) {
        List<BatchView> page = batches.list(below(request.query("below")), PAGE);
        return context.page(request, new BatchListPage(page,
                page.size() < PAGE ? null : Long.valueOf(page.getLast().number())));
    }

    private static long below(@Nullable String text) {
        try {
            return text == null ? Long.MAX_VALUE : Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw new RefusedFormException(422, "No such page",
                    "\"" + text + "\" is the end of no page: begin at the first one");
        }
    }

    private Response show(DashboardRequest request) {
        BatchView batch = targets.batch(request.param("batch"));
        String after = request.query("after");
        List<JobView> dead = batches.members(batch, JobState.DEAD, after == null ? null : targets.jobId(after), PAGE);
        List<JobView> left = Stream.of(JobState.RUNNING, JobState.WAITING, JobState.DELAYED)
                .flatMap(state -> batches.members(batch, state, null, LEFT).stream()).toList();
        return context.page(request, new BatchPage(batch, targets.orderly().why(batch.name()), left, dead,
                dead.size() < PAGE ? null : dead.getLast().id().toString()));
    }

    private Response close(DashboardRequest request) {
        BatchView batch = context.run(request, BatchControl.close(request.param("batch")));
        return context.done(told(Notice.done("Batch " + batch.name() + " is closed"), batch));
    }

    private Response cancel(DashboardRequest request) {
        BatchView batch = context.run(request, BatchControl.cancel(request.param("batch")));
        return context.done(told(Notice.done("Batch " + batch.name() + " is cancelled"), batch));
    }

    /** A notice with what the callback waits for. */
    private static Notice told(Notice notice, BatchView batch) {
        return batch.callback() != null
                ? notice.withDetail("Its callback is pushed").withLink("The callback", "/jobs/" + batch.callback())
                : notice.withDetail("Its callback waits for " + Figures.of(batch.counts().unfinished(), "member"));
    }
}
