package dev.orderly.http.api;

import dev.orderly.about.About;
import dev.orderly.about.ConfigValue;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The configuration of the running server, and facts about it. */
final class ConfigEndpoints {
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
                new ApiEndpoint("config", LeastRole.OPERATOR, Endpoint.bodiless("GET", base + "/config", this::show)),
                new ApiEndpoint("about", LeastRole.VIEWER, Endpoint.bodiless("GET", base + "/about", this::about)),
                operations.bodiless(OperationSpec.RELOAD_CONFIG, OperationEndpoints.plain(config::operation),
                        (_, applied) -> reloaded(applied)));
    }

    private Response show(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode values = json.putArray("values");
        for (ConfigValue value : config.facts().config()) {
            values.addObject().put("key", value.key()).put("value", value.value())
                    .put("source", value.source().name().toLowerCase(Locale.ROOT)).put("place", value.place())
                    .put("pending", value.pending());
        }
        return Response.json(200, JsonText.of(json));
    }

    private Response about(Request call) {
        QueryParameters.of(call.head());
        About about = config.facts().about();
        ObjectNode json = JsonText.object().put("version", about.version()).put("startedAt",
                about.startedAt().toString()).put("javaVersion", about.java()).put("system", about.system())
                .put("store", about.store());
        about.storeFacts().forEach(json.putObject("storeFacts")::put);
        ArrayNode listeners = json.putArray("listeners");
        for (About.Listener listener : about.listeners()) {
            ArrayNode certificates = listeners.addObject().put("name", listener.name())
                    .put("address", listener.address()).put("port", listener.port()).putArray("certificates");
            for (About.Certificate certificate : listener.certificates()) {
                ObjectNode one = certificates.addObject().put("ends", certificate.ends().toString());
                add(one.putArray("hosts"), certificate.hosts());
            }
        }
        about.health().forEach(json.putObject("health")::put);
        add(json.putArray("warnings"), about.warnings());
        return Response.json(200, JsonText.of(json));
    }

    private static Response reloaded(ConfigReload.Result.Applied applied) {
        ObjectNode json = JsonText.object();
        add(json.putArray("changed"), applied.changed());
        add(json.putArray("restart"), applied.restart());
        return Response.json(200, JsonText.of(json));
    }

    private static void add(ArrayNode array, List<String> keys) {
        keys.forEach(array::add);
    }
}
