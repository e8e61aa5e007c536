package dev.orderly.http.api;

import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.Endpoint;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The configuration of the running server. */
final class ConfigEndpoints {
    private final ConfigReload config;
    private final String base;

    ConfigEndpoints(ConfigReload config, String base) {
        this.config = config;
        this.base = base + "/config";
    }

    List<Endpoint> endpoints() {
        return List.of(Endpoint.bodiless("POST", base + "/reload", this::reload));
    }

    private Response reload(Request call) {
        QueryParameters.of(call.head());
        return switch (config.reload()) {
            case ConfigReload.Result.Applied applied -> {
                ObjectNode json = JsonText.object();
                add(json.putArray("changed"), applied.changed());
                add(json.putArray("restart"), applied.restart());
                yield Response.json(200, JsonText.of(json));
            }
            case ConfigReload.Result.Refused refused ->
                throw new Refusal(new Problem(ProblemType.CONFIG_INVALID, "Nothing was changed. "
                        + String.join("\n", refused.problems())));
        };
    }

    private static void add(ArrayNode array, List<String> keys) {
        keys.forEach(array::add);
    }
}
