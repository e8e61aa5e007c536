package dev.orderly.http.api;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
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

    List<ApiEndpoint> endpoints() {
        return List.of(ApiEndpoint.change(ConfigReload.OPERATION, LeastRole.ADMIN,
                Endpoint.bodiless("POST", base + "/reload", this::reload)));
    }

    private Response reload(Request call) {
        QueryParameters.of(call.head());
        ConfigReload.Result.Applied applied = ApiCall.current().change(ConfigReload.OBJECT, null, this::applied,
                ConfigReload.Result.Applied::summary);
        ObjectNode json = JsonText.object();
        add(json.putArray("changed"), applied.changed());
        add(json.putArray("restart"), applied.restart());
        return Response.json(200, JsonText.of(json));
    }

    private ConfigReload.Result.Applied applied() {
        try {
            return config.reload().applied();
        } catch (ConfigReload.NothingChanged e) {
            throw new Refusal(new Problem(ProblemType.CONFIG_INVALID, String.valueOf(e.getMessage())));
        }
    }

    private static void add(ArrayNode array, List<String> keys) {
        keys.forEach(array::add);
    }
}
