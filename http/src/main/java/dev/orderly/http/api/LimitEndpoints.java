package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The limits of jobs over all nodes, with their use. */
final class LimitEndpoints {
    private static final String TAG = "queues";

    private final JobClient client;
    private final String base;

    LimitEndpoints(JobClient client, String base) {
        this.client = client;
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        return List.of(ApiEndpoint.view("limits", base + "/limits", this::all,
                OperationDoc.of(TAG, "The limits over all nodes that queues have, by name")
                        .answers(LimitJson.All.class, "The limits in force, with what they count.")));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        Map<QueueName, Long> waiting = new HashMap<>();
        client.queues().forEach(queue -> waiting.put(queue.view().queue(), queue.view().waiting()));
        return RecordJson.ok(
                new LimitJson.All(client.limits().stream().map(view -> LimitJson.of(view, waiting)).toList()));
    }
}
