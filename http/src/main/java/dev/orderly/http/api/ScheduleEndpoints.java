package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.JobId;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.ScheduleControl;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.SchedulePause;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Schedules: next instants, last runs, pause, running by hand, and forgetting. */
final class ScheduleEndpoints {
    /** Number of next instants in an answer. */
    private static final int UPCOMING = 5;

    private final OperationEndpoints operations;
    private final ScheduleEngine engine;
    private final String base;

    ScheduleEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.engine = operations.targets().orderly().schedules();
        this.base = operations.base() + "/schedules";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(new ApiEndpoint("schedules", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)),
                new ApiEndpoint("schedule", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", base + "/{schedule}", this::single)),
                operations.bodiless(OperationSpec.PAUSE_SCHEDULE, call -> ScheduleControl.pause(name(call), true),
                        (_, view) -> answer(view)),
                operations.bodiless(OperationSpec.RESUME_SCHEDULE, call -> ScheduleControl.pause(name(call), false),
                        (_, view) -> answer(view)),
                operations.bodiless(OperationSpec.FORGET_SCHEDULE, call -> ScheduleControl.forget(name(call)),
                        (_, name) -> Response.json(200, JsonText.of(JsonText.object().put("schedule", name.value())
                                .put("forgotten", true)))),
                operations.bodiless(OperationSpec.RUN_SCHEDULE, call -> ScheduleControl.run(name(call)),
                        (_, started) -> started(started)));
    }

    private static String name(Request call) {
        return OperationEndpoints.param(call, "schedule");
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
        return answer(operations.targets().schedule(name(call)));
    }

    private static Response answer(ScheduleView view) {
        return Response.json(200, JsonText.of(json(view)));
    }

    private Response started(RunResult.Started started) {
        String id = started.id().toString();
        return Response
                .json(202, JsonText.of(JsonText.object().put("id", id).put("queue", started.queue().value())
                        .put("duplicate", false)))
                .withHeader("X-Job-Id", id).withHeader("Location", operations.base() + "/jobs/" + id);
    }

    private static ObjectNode json(ScheduleView view) {
        JobId job = view.lastJob();
        ObjectNode json = JsonText.object().put("schedule", view.name().value()).put("cron", view.timing().text())
                .put("zone", view.timing().zone().getId()).put("queue", view.queue().value())
                .put("group", view.group()).put("next", JsonText.text(view.next())).put("awaitsEnd", view.awaitsEnd())
                .put("last", JsonText.text(view.last()))
                .put("lastSkipped", JsonText.text(view.lastSkipped()));
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
                .put("last", JsonText.text(state.fired())).put("lastJob", job == null ? null : job.toString());
    }

    private static ObjectNode json(PastRun run) {
        JobId job = run.job();
        ObjectNode json = JsonText.object().put("instant", JsonText.text(run.instant())).put("at", run.at().toString())
                .put("job", job == null ? null : job.toString()).put("outcome", run.outcome().text())
                .put("endedAt", JsonText.text(run.endedAt()));
        return run.skips() == 0 ? json : json.put("skips", run.skips());
    }
}
