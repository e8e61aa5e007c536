package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;
import static dev.orderly.http.openapi.ErrorAnswer.QUEUE_FULL;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.intake.PushedJson;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.ScheduleControl;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import java.util.Map;

/** Schedules: next instants, last runs, pause, running by hand, and forgetting. */
final class ScheduleEndpoints {
    private static final String TAG = "schedules";
    private static final BodyLimit BODY = new BodyLimit(64 << 10,
            new Problem(ProblemType.TOO_LARGE, "A schedule has at most 64 KiB: push a reference to its content"));

    private final OperationEndpoints operations;
    private final ScheduleEngine engine;
    private final String base;

    ScheduleEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.engine = operations.targets().orderly().engines().schedules();
        this.base = operations.base() + "/schedules";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("schedules", base, this::all,
                        OperationDoc.of(TAG, "The schedules declared on this node, by name, and those that no live"
                                + " node declares")
                                .answers(ScheduleJson.All.class, "The schedules, with the state of their last runs.")),
                ApiEndpoint.view("schedule", base + "/{schedule}", this::single,
                        OperationDoc.of(TAG, "One schedule")
                                .answers(ScheduleJson.class, "The schedule, with the state of its last run.")
                                .refuses(NOT_FOUND)),
                pause(OperationSpec.PAUSE_SCHEDULE, true),
                pause(OperationSpec.RESUME_SCHEDULE, false),
                operations.of(OperationSpec.SET_SCHEDULE, BODY,
                        call -> ScheduleControl.set(name(call), ScheduleRequest.of(call)),
                        (call, _) -> RecordJson.ok(json(operations.targets().schedule(name(call)))),
                        OperationDoc.of(TAG, OperationSpec.SET_SCHEDULE).body(Body.of(ScheduleRequest.Members.class))
                                .answers(ScheduleJson.class, "The schedule.")),
                operations.bodiless(OperationSpec.FORGET_SCHEDULE, call -> ScheduleControl.forget(name(call)),
                        (_, name) -> RecordJson.ok(new ScheduleJson.Forgotten(name.value(), true)),
                        OperationDoc.of(TAG, OperationSpec.FORGET_SCHEDULE)
                                .answers(ScheduleJson.Forgotten.class, "Forgotten.")),
                operations.bodiless(OperationSpec.RUN_SCHEDULE, call -> ScheduleControl.run(name(call)),
                        (_, started) -> new PushedJson(started.id(), started.queue().value(), false, false)
                                .answer(operations.base() + "/jobs/"),
                        OperationDoc.of(TAG, OperationSpec.RUN_SCHEDULE)
                                .answers("202", "The job is durable.",
                                        Map.of(Response.JSON, PushedJson.class),
                                        Parameter.header("X-Job-Id", "The job of this run.").of(JobId.class),
                                        Parameter.header("Location", "The address of the job."))
                                .refuses(QUEUE_FULL)));
    }

    private ApiEndpoint pause(OperationSpec spec, boolean paused) {
        return operations.bodiless(spec, call -> ScheduleControl.pause(name(call), paused),
                (_, view) -> RecordJson.ok(json(view)), OperationDoc.of(TAG, spec)
                        .answers(ScheduleJson.class, "The schedule."));
    }

    private static String name(Request call) {
        return OperationEndpoints.param(call, "schedule");
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(ScheduleJson.All.of(engine.views().stream().map(this::json).toList(),
                engine.undeclared()));
    }

    private Response single(Request call) {
        return RecordJson.ok(json(operations.targets().schedule(name(call))));
    }

    private ScheduleJson json(ScheduleView view) {
        return ScheduleJson.of(view, operations.targets().orderly().scheduleDefinitions().of(view.name()));
    }
}
