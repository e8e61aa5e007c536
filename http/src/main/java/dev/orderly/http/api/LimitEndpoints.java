package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.store.LimitView;
import dev.orderly.operate.LimitControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The limits of jobs over all nodes, with their use; and the change of their bounds. */
final class LimitEndpoints {
    private static final String TAG = "queues";
    private static final String LIMIT = "limit";
    private static final BodyLimit BODY = new BodyLimit(1 << 10,
            new Problem(ProblemType.TOO_LARGE, "The bounds of a limit have at most 1024 bytes"));

    private final OperationEndpoints operations;
    private final JobClient client;
    private final String base;

    LimitEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.client = operations.targets().orderly().engines().jobs();
        this.base = operations.base() + "/limits";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("limits", base, this::all,
                        OperationDoc.of(TAG, "The limits over all nodes that queues have, by name")
                                .answers(LimitJson.All.class, "The limits in force, with what they count.")),
                ApiEndpoint.view("limit", base + "/{limit}", this::single,
                        OperationDoc.of(TAG, "One limit over all nodes").answers(LimitJson.class, "The limit.")
                                .refuses(NOT_FOUND)),
                operations.of(OperationSpec.SET_LIMIT, BODY,
                        call -> LimitControl.set(call.head().param(LIMIT), LimitSettingsRequest.of(call)),
                        (call, _) -> single(call),
                        OperationDoc.of(TAG, OperationSpec.SET_LIMIT)
                                .body(Body.of(LimitSettingsRequest.Members.class)).answers(LimitJson.class,
                                        "The limit; its bounds are in force within seconds.")));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        Map<QueueName, Long> waiting = waiting();
        return RecordJson.ok(new LimitJson.All(client.limits().stream().map(view -> json(view, waiting)).toList()));
    }

    private Response single(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(json(operations.targets().limit(call.head().param(LIMIT)), waiting()));
    }

    private LimitJson json(LimitView view, Map<QueueName, Long> waiting) {
        return LimitJson.of(view, waiting, client.limitOverride(view.name()));
    }

    private Map<QueueName, Long> waiting() {
        Map<QueueName, Long> waiting = new HashMap<>();
        client.queues().forEach(queue -> waiting.put(queue.view().queue(), queue.view().waiting()));
        return waiting;
    }
}
