package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeLoad;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import dev.orderly.operate.NodeControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The nodes that share the store: what they report, drain and resume. */
final class NodeEndpoints {
    private final OperationEndpoints operations;
    private final NodeDirectory directory;

    NodeEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.directory = operations.targets().orderly().nodes();
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("nodes", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", operations.base() + "/nodes", this::all)),
                drain(OperationSpec.DRAIN_NODE, true), drain(OperationSpec.RESUME_NODE, false));
    }

    /** Status 202 if the node has not reported the change yet. */
    private ApiEndpoint drain(OperationSpec spec, boolean on) {
        return operations.bodiless(spec, call -> NodeControl.drain(OperationEndpoints.param(call, "node"), on),
                (_, after) -> Response.json(after.report().draining() == on ? 200 : 202, JsonText.of(json(after))));
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
        NodeLoad load = report.load();
        boolean known = load.cores() > 0;
        ObjectNode json = JsonText.object().put("node", report.node().value()).put("host", report.host())
                .put("version", report.version()).put("startedAt", report.startedAt().toString())
                .put("state", NodeControl.state(node))
                .put("running", report.running()).put("self", node.self())
                .put("reportAge", Duration.ofSeconds(node.age().toSeconds()).toString())
                .put("draining", report.draining()).put("cores", known ? load.cores() : null)
                .put("heapUsed", known ? load.heapUsed() : null).put("heapMax", known ? load.heapMax() : null)
                .put("cpu", load.cpu()).put("users", load.users()).put("connections", load.connections());
        ArrayNode leases = json.putArray("leases");
        load.leases().forEach(leases::add);
        return json;
    }
}
