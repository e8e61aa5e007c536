package dev.orderly.http.api;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.Endpoint;
import dev.orderly.job.JobId;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Schedules: next instant, last run, and running by hand. */
final class ScheduleEndpoints {
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
                ApiEndpoint.change("runSchedule", LeastRole.OPERATOR,
                        Endpoint.bodiless("POST", base + "/{schedule}/run", this::run)));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode schedules = json.putArray("schedules");
        engine.views().forEach(view -> schedules.add(json(view)));
        return Response.json(200, JsonText.of(json));
    }

    private Response single(Request call) {
        QueryParameters.of(call.head());
        ScheduleName name = name(call.head());
        return Response.json(200, JsonText.of(json(engine.view(name).orElseThrow(() -> unknown(name)))));
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

    private static ObjectNode json(ScheduleView view) {
        JobId job = view.lastJob();
        ObjectNode json = JsonText.object().put("schedule", view.name().value()).put("cron", view.timing().text())
                .put("zone", view.timing().zone().getId()).put("queue", view.queue().value())
                .put("group", view.group()).put("next", text(view.next())).put("last", text(view.last()))
                .put("lastSkipped", text(view.lastSkipped()));
        return json.put("lastJob", job == null ? null : job.toString())
                .put("lastState", view.lastState() == null ? null : view.lastState().text());
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
