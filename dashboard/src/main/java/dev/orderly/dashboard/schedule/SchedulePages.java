package dev.orderly.dashboard.schedule;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The routes of schedules. */
public final class SchedulePages {
    private final PageContext context;
    private final ScheduleEngine schedules;
    /** The strips of the schedules declared here, since their instants take time to compute. */
    private final Map<ScheduleName, InstantStrip> strips = new ConcurrentHashMap<>();

    public SchedulePages(PageContext context, ScheduleEngine schedules) {
        this.context = context;
        this.schedules = schedules;
    }

    public List<Route> routes() {
        return List.of(new Route("GET", "/schedules", Role.VIEWER, this::all),
                new Route("GET", "/schedules/{schedule}", Role.VIEWER, this::single),
                new Route("POST", "/schedules/{schedule}/run", Role.OPERATOR, this::run),
                new Route("POST", "/schedules/{schedule}/pause", Role.OPERATOR, request -> pause(request, true)),
                new Route("POST", "/schedules/{schedule}/resume", Role.OPERATOR, request -> pause(request, false)),
                new Route("POST", "/schedules/{schedule}/forget", Role.OPERATOR, this::forget));
    }

    private DashboardResponse all(DashboardRequest request) {
        Instant now = context.time().now();
        return context.page(request, new SchedulesPage(schedules.views().stream()
                .map(view -> new SchedulesPage.Line(view, strip(view, now))).toList(), schedules.undeclared()));
    }

    private DashboardResponse single(DashboardRequest request) {
        ScheduleView view = view(request);
        return context.page(request, new SchedulePage(view, strip(view, context.time().now())));
    }

    private InstantStrip strip(ScheduleView view, Instant now) {
        return strips.compute(view.name(),
                (_, known) -> known != null && known.isCurrent(view, now) ? known : InstantStrip.of(view, now));
    }

    private DashboardResponse run(DashboardRequest request) {
        ScheduleView view = view(request);
        RunResult.Started started = context.change(request, "runSchedule", "schedule " + view.name(), null,
                () -> started(view.name()), run -> "job " + run.id() + " in queue " + run.queue());
        return context.done(Notice.done(view.name() + " runs").withDetail("Its job waits in queue " + started.queue())
                .withLink("The job", "/jobs/" + started.id()));
    }

    private RunResult.Started started(ScheduleName name) {
        return switch (schedules.run(name)) {
            case RunResult.Started started -> started;
            case RunResult.UnderWay underWay -> throw new Refused(409, "A run is under way", "Job " + underWay.id()
                    + " of schedule " + name + " has not ended: wait for it, or cancel it");
            case RunResult.Unknown _ -> throw unknown(name.value());
        };
    }

    private DashboardResponse pause(DashboardRequest request, boolean pause) {
        ScheduleView view = view(request);
        String object = "schedule " + view.name();
        context.checkSeen(request, object, SchedulePage.seen(view));
        context.change(request, pause ? "pauseSchedule" : "resumeSchedule", object, SchedulePage.seen(view),
                () -> (pause
                        ? schedules.pause(view.name(), request.viewer().identity().toString())
                        : schedules.resume(view.name())).orElseThrow(() -> unknown(view.name().value())),
                SchedulePage::seen);
        return context.done(Notice.done(view.name() + (pause ? " is paused" : " fires again"))
                .withDetail(pause ? "No instant fires on any node; a run under way goes on" : null)
                .withUndo("/schedules/" + view.name() + (pause ? "/resume" : "/pause"),
                        Map.of("seen", pause ? "paused" : "running")));
    }

    private DashboardResponse forget(DashboardRequest request) {
        String name = request.param("schedule");
        ScheduleName schedule = schedules.undeclared().stream().map(ScheduleState::name)
                .filter(known -> known.value().equals(name)).findFirst().orElseThrow(() -> unknown(name));
        context.change(request, "forgetSchedule", "schedule " + schedule, null, () -> forgotten(schedule),
                _ -> "forgotten");
        return context.done(Notice.done(schedule + " is forgotten").withDetail("The jobs that it pushed stay"));
    }

    private ScheduleName forgotten(ScheduleName name) {
        return switch (schedules.forget(name)) {
            case ForgetScheduleResult.Forgotten _ -> name;
            case ForgetScheduleResult.Unknown _ -> throw unknown(name.value());
            case ForgetScheduleResult.StillDeclared declared ->
                throw new Refused(409, "A live node declares it", declared.text());
        };
    }

    private ScheduleView view(DashboardRequest request) {
        String name = request.param("schedule");
        return schedules.views().stream().filter(view -> view.name().value().equals(name)).findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private static Refused unknown(String name) {
        return Refused.unknown("Schedule " + name, "find the right name in the list of schedules");
    }
}
