package dev.orderly.http.api;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.JobId;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.SchedulePause;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Schedules: next instants, last runs, pause, running by hand, and forgetting. */
final class ScheduleEndpoints {
    /** Number of next instants in an answer. */
    private static final int UPCOMING = 5;

    private final ScheduleEngine engine;
    private final String jobs;
    private final String base;

    ScheduleEndpoints(ScheduleEngine engine, String base) {
        this.engine = engine;
        this.jobs = base + "/jobs/";
        this.base = base + "/schedules";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(ApiEndpoint.view("schedules", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)),
                ApiEndpoint.view("schedule", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", base + "/{schedule}", this::single)),
                operate("pauseSchedule", "/pause", call -> pause(call, true)),
                operate("resumeSchedule", "/resume", call -> pause(call, false)),
                ApiEndpoint.change("forgetSchedule", LeastRole.OPERATOR,
                        Endpoint.bodiless("DELETE", base + "/{schedule}", this::forget)),
                ApiEndpoint.change("runSchedule", LeastRole.OPERATOR,
                        Endpoint.bodiless("POST", base + "/{schedule}/run", this::run)));
    }

    private ApiEndpoint operate(String operation, String path, Endpoint.Action action) {
        return ApiEndpoint.change(operation, LeastRole.OPERATOR,
                Endpoint.bodiless("POST", base + "/{schedule}" + path, action));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode schedules = json.putArray("schedules");
        engine.views().forEach(view -> schedules.add(json(view)));
        ArrayNode undeclared = json.putArray("undeclared");
        engine.undeclared().forEach(state -> undeclared.add(json(state)));
        return Response.json(200, JsonText.of(json));
    }

    private Response single(Request call) {
        QueryParameters.of(call.head());
        ScheduleName name = name(call.head());
        return Response.json(200, JsonText.of(json(engine.view(name).orElseThrow(() -> unknown(name)))));
    }

    private Response pause(Request call, boolean pause) {
        QueryParameters.of(call.head());
        ScheduleName name = name(call.head());
        String before = state(engine.view(name).orElseThrow(() -> unknown(name)));
        String who = ApiCall.current().caller().identity().toString();
        ScheduleView view = ApiCall.current().change("schedule " + name, before,
                () -> (pause ? engine.pause(name, who) : engine.resume(name)).orElseThrow(() -> unknown(name)),
                ScheduleEndpoints::state);
        return Response.json(200, JsonText.of(json(view)));
    }

    private static String state(ScheduleView view) {
        return view.pause() == null ? "running" : "paused";
    }

    private Response run(Request call) {
        QueryParameters.of(call.head());
        ScheduleName name = name(call.head());
        RunResult.Started started = ApiCall.current().change("schedule " + name, null, () -> started(name),
                run -> "job " + run.id() + " in queue " + run.queue());
        return Response
                .json(202, JsonText.of(JsonText.object().put("id", started.id().toString())
                        .put("queue", started.queue().value()).put("duplicate", false)))
                .withHeader("X-Job-Id", started.id().toString()).withHeader("Location", jobs + started.id());
    }

    private RunResult.Started started(ScheduleName name) {
        return switch (engine.run(name)) {
            case RunResult.Started started -> started;
            case RunResult.UnderWay underWay ->
                throw new Refusal(new Problem(ProblemType.RUN_UNDER_WAY, "Job " + underWay.id() + " of schedule " + name
                        + " has not ended: wait for it, or cancel it with DELETE " + jobs + underWay.id())
                        .withMember("job", underWay.id().toString()));
            case RunResult.Unknown _ -> throw unknown(name);
        };
    }

    private Response forget(Request call) {
        QueryParameters.of(call.head());
        ScheduleName name = name(call.head());
        ApiCall.current().change("schedule " + name, null, () -> forgotten(name), _ -> "forgotten");
        return Response.json(200, JsonText.of(JsonText.object().put("schedule", name.value()).put("forgotten", true)));
    }

    private ScheduleName forgotten(ScheduleName name) {
        return switch (engine.forget(name)) {
            case ForgetScheduleResult.Forgotten _ -> name;
            case ForgetScheduleResult.Unknown _ -> throw unknown(name);
            case ForgetScheduleResult.StillDeclared declared ->
                throw new Refusal(ProblemType.SCHEDULE_DECLARED, declared.text());
        };
    }

    private static ObjectNode json(ScheduleView view) {
        JobId job = view.lastJob();
        ObjectNode json = JsonText.object().put("schedule", view.name().value()).put("cron", view.timing().text())
                .put("zone", view.timing().zone().getId()).put("queue", view.queue().value())
                .put("group", view.group()).put("next", text(view.next())).put("awaitsEnd", view.awaitsEnd())
                .put("last", text(view.last()))
                .put("lastSkipped", text(view.lastSkipped()));
        json.put("lastJob", job == null ? null : job.toString())
                .put("lastState", view.lastState() == null ? null : view.lastState().text());
        SchedulePause pause = view.pause();
        json.set("paused", pause == null
                ? null
                : JsonText.object().put("by", pause.by()).put("at", pause.at().toString()));
        ArrayNode upcoming = json.putArray("upcoming");
        view.upcoming(UPCOMING).forEach(instant -> upcoming.add(instant.toString()));
        ArrayNode runs = json.putArray("runs");
        view.runs().forEach(run -> runs.add(json(run)));
        return json;
    }

    private static ObjectNode json(ScheduleState state) {
        JobId job = state.job();
        return JsonText.object().put("schedule", state.name().value()).put("timing", state.timing())
                .put("last", text(state.fired())).put("lastJob", job == null ? null : job.toString());
    }

    private static ObjectNode json(PastRun run) {
        JobId job = run.job();
        ObjectNode json = JsonText.object().put("instant", text(run.instant())).put("at", run.at().toString())
                .put("job", job == null ? null : job.toString()).put("outcome", run.outcome().text())
                .put("endedAt", text(run.endedAt()));
        return run.skips() == 0 ? json : json.put("skips", run.skips());
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private Refusal unknown(ScheduleName name) {
        return new Refusal(ProblemType.UNKNOWN_SCHEDULE, "Schedule " + name
                + " is not declared here: declare it in the configuration, or find the right name at " + base);
    }

    private static ScheduleName name(RequestHead head) {
        try {
            return new ScheduleName(head.param("schedule"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNKNOWN_SCHEDULE, String.valueOf(e.getMessage()));
        }
    }
}
