package dev.orderly.http.api;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.NodeId;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeLoad;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The nodes that share the store: what they report, drain and resume. */
final class NodeEndpoints {
    private final NodeDirectory directory;
    private final String base;

    NodeEndpoints(NodeDirectory directory, String base) {
        this.directory = directory;
        this.base = base + "/nodes";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(ApiEndpoint.view("nodes", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)),
                operate("drainNode", "/drain", call -> drain(call, true)),
                operate("resumeNode", "/resume", call -> drain(call, false)));
    }

    private ApiEndpoint operate(String operation, String path, Endpoint.Action action) {
        return ApiEndpoint.change(operation, LeastRole.OPERATOR,
                Endpoint.bodiless("POST", base + "/{node}" + path, action));
    }

    /** Status 202 if the node has not reported the change yet. */
    private Response drain(Request call, boolean on) {
        QueryParameters.of(call.head());
        NodeId id = id(call.head());
        NodeStatus before = directory.nodes().stream().filter(node -> node.report().node().equals(id)).findFirst()
                .orElseThrow(() -> unknown(id.value()));
        NodeStatus after = ApiCall.current().change("node " + id, state(before),
                () -> directory.drain(id, on).orElseThrow(() -> unknown(id.value())), NodeEndpoints::state);
        return Response.json(after.report().draining() == on ? 200 : 202, JsonText.of(json(after)));
    }

    private Refusal unknown(String node) {
        return new Refusal(ProblemType.UNKNOWN_NODE,
                "Node " + node + " is not known here: find the right name at " + base);
    }

    private NodeId id(RequestHead head) {
        try {
            return new NodeId(head.param("node"));
        } catch (IllegalArgumentException _) {
            throw unknown(head.param("node"));
        }
    }

    private static String state(NodeStatus node) {
        NodeReport report = node.report();
        if (node.silent()) {
            return "silent";
        }
        return report.phase() == NodeReport.Phase.RUNNING && report.draining()
                ? "draining"
                : report.phase().name().toLowerCase(Locale.ROOT);
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
                .put("state", state(node))
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
