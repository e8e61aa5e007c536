package dev.orderly.dashboard.queue;

import dev.orderly.access.Role;
import dev.orderly.dashboard.chart.HistoryPages;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.dashboard.trend.Trends;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.QueueStatus;
import java.util.List;
import java.util.Map;

/** The routes of queues. */
public final class QueuePages {
    private static final int NEXT = 10;

    private final PageContext context;
    private final JobClient jobs;
    private final Trends trends;

    public QueuePages(PageContext context, JobClient jobs, Trends trends) {
        this.context = context;
        this.jobs = jobs;
        this.trends = trends;
    }

    public List<Route> routes() {
        return List.of(new Route("GET", "/queues", Role.VIEWER, this::queues),
                new Route("GET", "/queues/{queue}", Role.VIEWER, this::queue),
                new Route("POST", "/queues/{queue}/pause", Role.OPERATOR, request -> pause(request, true)),
                new Route("POST", "/queues/{queue}/resume", Role.OPERATOR, request -> pause(request, false)),
                new Route("POST", "/queues/{queue}/forget", Role.OPERATOR, this::forget));
    }

    private DashboardResponse queues(DashboardRequest request) {
        return context.page(request, new QueuesPage(QueueRow.of(jobs.queues(), trends)));
    }

    private DashboardResponse queue(DashboardRequest request) {
        QueueStatus status = status(request);
        return context.page(request, new QueuePage(status, jobs.list(status.view().queue(), JobState.WAITING, null,
                NEXT), HistoryPages.range(request)));
    }

    private DashboardResponse pause(DashboardRequest request, boolean paused) {
        QueueStatus status = status(request);
        QueueName queue = status.view().queue();
        String object = "queue " + queue;
        context.checkSeen(request, object, QueuePage.seen(status));
        context.change(request, paused ? "pause" : "resume", object, QueuePage.seen(status), () -> {
            jobs.pause(queue, paused);
            return paused;
        }, made -> made ? "paused" : "running");
        String undo = "/queues/" + queue + (paused ? "/resume" : "/pause");
        return context.done(Notice.done(queue + (paused ? " is paused" : " runs again"))
                .withDetail(paused ? "No node claims from it; jobs that run go on to their end" : null)
                .withUndo(undo, Map.of("seen", paused ? "paused" : "running")));
    }

    private DashboardResponse forget(DashboardRequest request) {
        QueueName queue = status(request).view().queue();
        context.change(request, "forgetQueue", "queue " + queue, null, () -> forgotten(queue), _ -> "forgotten");
        return context.to("/queues");
    }

    private QueueName forgotten(QueueName queue) {
        return switch (jobs.forget(queue)) {
            case ForgetQueueResult.Forgotten _ -> queue;
            case ForgetQueueResult.Unknown _ -> throw unknown(queue.value());
            case ForgetQueueResult.InUse inUse -> throw new Refused(409, "The queue is in use", inUse.text());
        };
    }

    private static Refused unknown(String name) {
        return Refused.unknown("Queue " + name, "find the right name in the list of queues");
    }

    private QueueStatus status(DashboardRequest request) {
        String name = request.param("queue");
        return jobs.queues().stream().filter(status -> status.view().queue().value().equals(name)).findFirst()
                .orElseThrow(() -> unknown(name));
    }
}
