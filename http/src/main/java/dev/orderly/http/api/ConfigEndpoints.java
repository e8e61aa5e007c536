package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.util.List;

/** The configuration of the running server, and facts about it. */
final class ConfigEndpoints {
    private static final String TAG = "config";

    private final OperationEndpoints operations;
    private final ConfigReload config;
    private final String base;

    ConfigEndpoints(OperationEndpoints operations, ConfigReload config) {
        this.operations = operations;
        this.config = config;
        this.base = operations.base();
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("config", LeastRole.OPERATOR, Endpoint.bodiless("GET", base + "/config", this::show),
                        OperationDoc.of(TAG, "The configuration in force")
                                .details("Every key with its value and where the value comes from. Secrets are masked.")
                                .answers(ConfigJson.class, "The configuration.")),
                ApiEndpoint.view("about", base + "/about", this::about,
                        OperationDoc.of(TAG, "Facts about the server")
                                .details("Version, store, listeners with the ends of their certificates, and health"
                                        + " checks.")
                                .answers(ConfigJson.Facts.class, "The facts.")),
                operations.bodiless(OperationSpec.RELOAD_CONFIG, OperationEndpoints.plain(config::operation),
                        (_, applied) -> RecordJson
                                .ok(new ConfigJson.Reloaded(applied.changed(), applied.restart())),
                        OperationDoc.of(TAG, OperationSpec.RELOAD_CONFIG)
                                .answers(ConfigJson.Reloaded.class, "The configuration is valid.")));
    }

    private Response show(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(ConfigJson.of(config.facts().config()));
    }

    private Response about(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(ConfigJson.Facts.of(config.facts().about()));
    }
}
