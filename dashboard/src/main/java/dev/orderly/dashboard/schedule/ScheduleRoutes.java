package dev.orderly.dashboard.schedule;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.ScheduleControl;
import dev.orderly.operate.Targets;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.web.message.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The routes of schedules. */
public final class ScheduleRoutes {
    private final PageContext context;
    private final Targets targets;
    private final ScheduleEngine schedules;
    /** The strips of the schedules declared here, since their instants take time to compute. */
    private final Map<ScheduleName, InstantStrip> strips = new ConcurrentHashMap<>();

    public ScheduleRoutes(PageContext context, Targets targets) {
        this.context = context;
        this.targets = targets;
        this.schedules = targets.orderly().schedules();
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/schedules", Role.VIEWER, this::all),
                new DashboardRoute("GET", "/schedules/{schedule}", Role.VIEWER, this::single),
                new DashboardRoute(OperationSpec.RUN_SCHEDULE, "/schedules/{schedule}/run", this::run),
                new DashboardRoute(OperationSpec.PAUSE_SCHEDULE, "/schedules/{schedule}/pause",
                        request -> pause(request, true)),
                new DashboardRoute(OperationSpec.RESUME_SCHEDULE, "/schedules/{schedule}/resume",
                        request -> pause(request, false)),
                new DashboardRoute(OperationSpec.FORGET_SCHEDULE, "/schedules/{schedule}/forget", this::forget));
    }

    private Response all(DashboardRequest request) {
        Instant now = context.time().now();
        return context.page(request, new ScheduleListPage(schedules.views().stream()
                .map(view -> new ScheduleListPage.Line(view, strip(view, now))).toList(), schedules.undeclared()));
    }

    private Response single(DashboardRequest request) {
        ScheduleView view = targets.schedule(name(request));
        return context.page(request, new SchedulePage(view, strip(view, context.time().now())));
    }

    private InstantStrip strip(ScheduleView view, Instant now) {
        return strips.compute(view.name(),
                (_, known) -> known != null && known.isCurrent(view, now) ? known : InstantStrip.of(view, now));
    }

    private Response run(DashboardRequest request) {
        RunResult.Started started = context.run(request, ScheduleControl.run(name(request)));
        return context.done(Notice.done(name(request) + " runs")
                .withDetail("Its job waits in queue " + started.queue())
                .withLink("The job", "/jobs/" + started.id()));
    }

    private Response pause(DashboardRequest request, boolean pause) {
        ScheduleName name = context.run(request, ScheduleControl.pause(name(request), pause)).name();
        return context.done(Notice.done(name + (pause ? " is paused" : " fires again"))
                .withDetail(pause ? "No instant fires on any node; a run under way goes on" : null)
                .withUndo("/schedules/" + name + (pause ? "/resume" : "/pause"),
                        Map.of("seen", pause ? "paused" : "running")));
    }

    private Response forget(DashboardRequest request) {
        ScheduleName name = context.run(request, ScheduleControl.forget(name(request)));
        return context.done(Notice.done(name + " is forgotten").withDetail("The jobs that it pushed stay"));
    }

    private static String name(DashboardRequest request) {
        return request.param("schedule");
    }
}
