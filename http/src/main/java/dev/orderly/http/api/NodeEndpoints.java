package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.Response;
import dev.orderly.http.route.Endpoint;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The nodes that share the store. */
final class NodeEndpoints {
    private final NodeDirectory directory;
    private final String base;

    NodeEndpoints(NodeDirectory directory, String base) {
        this.directory = directory;
        this.base = base + "/nodes";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(ApiEndpoint.view("nodes", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode nodes = json.putArray("nodes");
        directory.nodes().forEach(node -> nodes.add(json(node)));
        return Response.json(200, JsonText.of(json));
    }

    private static ObjectNode json(NodeStatus node) {
        NodeReport report = node.report();
        return JsonText.object().put("node", report.node().value()).put("host", report.host())
                .put("version", report.version()).put("startedAt", report.startedAt().toString())
                .put("state", node.silent() ? "silent" : report.phase().name().toLowerCase(Locale.ROOT))
                .put("running", report.running()).put("self", node.self())
                .put("reportAge", Duration.ofSeconds(node.age().toSeconds()).toString());
    }
}
