package dev.orderly.dashboard.queue;

import dev.orderly.access.Role;
import dev.orderly.dashboard.chart.HistoryRoutes;
import dev.orderly.dashboard.chart.Trends;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.store.LimitView;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.QueueControl;
import dev.orderly.operate.Targets;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Map;

/** The routes of queues. */
public final class QueueRoutes {
    private static final int NEXT = 10;
    private static final int KEYS = 10;

    private final PageContext context;
    private final Targets targets;
    private final JobClient jobs;
    private final Trends trends;

    public QueueRoutes(PageContext context, Targets targets, Trends trends) {
        this.context = context;
        this.targets = targets;
        this.jobs = targets.orderly().engines().jobs();
        this.trends = trends;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/queues", Role.VIEWER, this::queues),
                new DashboardRoute("GET", "/queues/{queue}", Role.VIEWER, this::queue),
                new DashboardRoute(OperationSpec.PAUSE, "/queues/{queue}/pause", request -> pause(request, true)),
                new DashboardRoute(OperationSpec.RESUME, "/queues/{queue}/resume", request -> pause(request, false)),
                new DashboardRoute(OperationSpec.FORGET_QUEUE, "/queues/{queue}/forget", this::forget));
    }

    private Response queues(DashboardRequest request) {
        return context.page(request, new QueueListPage(QueueRow.of(jobs.queues(), trends), LimitRow.of(jobs)));
    }

    private Response queue(DashboardRequest request) {
        QueueStatus status = targets.queue(request.param("queue"));
        QueueName queue = status.view().queue();
        return context.page(request, new QueuePage(status, jobs.list(queue, JobState.WAITING, null, NEXT),
                LimitView.of(queue, jobs.limits()).orElse(null), jobs.keys(queue, KEYS), HistoryRoutes.range(request)));
    }

    private Response pause(DashboardRequest request, boolean paused) {
        QueueName queue = context.run(request, QueueControl.pause(request.param("queue"), paused));
        return context.done(Notice.done(queue + (paused ? " is paused" : " runs again"))
                .withDetail(paused ? "No node claims from it; jobs that run go on to their end" : null)
                .withUndo("/queues/" + queue + (paused ? "/resume" : "/pause"),
                        Map.of("seen", QueueControl.state(paused))));
    }

    private Response forget(DashboardRequest request) {
        context.run(request, QueueControl.forget(request.param("queue")));
        return context.to("/queues");
    }
}
