package dev.orderly.dashboard.schedule;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.ScheduleControl;
import dev.orderly.operate.Targets;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleDefinition;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.schedule.Timing;
import dev.orderly.web.message.Response;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

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
        this.schedules = targets.orderly().engines().schedules();
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/schedules", Role.VIEWER, this::all),
                new DashboardRoute("GET", "/schedules/{schedule}", Role.VIEWER, this::single),
                new DashboardRoute(OperationSpec.RUN_SCHEDULE, "/schedules/{schedule}/run", this::run),
                new DashboardRoute(OperationSpec.PAUSE_SCHEDULE, "/schedules/{schedule}/pause",
                        request -> pause(request, true)),
                new DashboardRoute(OperationSpec.RESUME_SCHEDULE, "/schedules/{schedule}/resume",
                        request -> pause(request, false)),
                new DashboardRoute(OperationSpec.SET_SCHEDULE, "/schedules", this::make),
                new DashboardRoute(OperationSpec.SET_SCHEDULE, "/schedules/{schedule}/definition", this::set),
                new DashboardRoute(OperationSpec.FORGET_SCHEDULE, "/schedules/{schedule}/forget", this::forget));
    }

    private Response all(DashboardRequest request) {
        Instant now = context.time().now();
        return context.page(request, new ScheduleListPage(schedules.views().stream()
                .map(view -> new ScheduleListPage.Line(view, strip(view, now))).toList(), schedules.undeclared()));
    }

    private Response single(DashboardRequest request) {
        ScheduleView view = targets.schedule(name(request));
        return context.page(request, new SchedulePage(view, strip(view, context.time().now()),
                targets.orderly().scheduleDefinitions().of(view.name())));
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

    private Response make(DashboardRequest request) {
        PushRequest job = PushRequest.of(field(request, "queue"), Payload.json(payload(request)))
                .withGroup(request.field("group"));
        return define(request, field(request, "name"), job, field(request, "zone"));
    }

    /** Changes the timing of a schedule that was made at run time; all else stays. */
    private Response set(DashboardRequest request) {
        ScheduleName name = targets.schedule(name(request)).name();
        ScheduleDefinition before = targets.orderly().scheduleDefinitions().of(name);
        return define(request, name.value(), before.job(), before.timing().zone().getId());
    }

    private Response define(DashboardRequest request, String name, PushRequest job, String zone) {
        String minutes = request.field("jitter");
        ScheduleDefinition asked;
        try {
            asked = ScheduleDefinition.of(Timing.parse(field(request, "cron"), ZoneId.of(zone))
                    .withJitter(minutes == null ? Duration.ZERO : Duration.ofMinutes(Long.parseLong(minutes))), job);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new RefusedFormException(422, "Not changed", String.valueOf(e.getMessage()));
        }
        ScheduleDefinition after = context.run(request, ScheduleControl.set(name, asked));
        return context.done(Notice.done("Schedule " + name + " is set")
                .withDetail("On all nodes within seconds: " + after.timing()).withLink("The schedule",
                        "/schedules/" + name));
    }

    private static String field(DashboardRequest request, String name) {
        return Objects.requireNonNullElse(request.field(name), "");
    }

    private static String payload(DashboardRequest request) {
        String text = Objects.requireNonNullElse(request.field("payload"), "{}");
        try {
            JsonMapper.shared().readTree(text);
            return text;
        } catch (JacksonException e) {
            throw new RefusedFormException(422, "Not made",
                    "The payload is not JSON (" + e.getOriginalMessage() + "): correct it");
        }
    }

    private Response forget(DashboardRequest request) {
        boolean hasPage = schedules.views().stream().anyMatch(view -> view.name().value().equals(name(request)));
        ScheduleName name = context.run(request, ScheduleControl.forget(name(request)));
        return hasPage
                ? context.to("/schedules")
                : context.done(Notice.done(name + " is forgotten").withDetail("The jobs that it pushed stay"));
    }

    private static String name(DashboardRequest request) {
        return request.param("schedule");
    }
}
