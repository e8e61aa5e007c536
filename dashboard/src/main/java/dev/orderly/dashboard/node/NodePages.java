package dev.orderly.dashboard.node;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeStatus;
import java.util.List;
import java.util.Map;

/** The routes of nodes. */
public final class NodePages {
    private final PageContext context;
    private final NodeDirectory nodes;

    public NodePages(PageContext context, NodeDirectory nodes) {
        this.context = context;
        this.nodes = nodes;
    }

    public List<Route> routes() {
        return List.of(
                new Route("GET", "/nodes", Role.VIEWER,
                        request -> context.page(request, new NodesPage(nodes.nodes()))),
                new Route("POST", "/nodes/{node}/drain", Role.OPERATOR, request -> drain(request, true)),
                new Route("POST", "/nodes/{node}/resume", Role.OPERATOR, request -> drain(request, false)));
    }

    private DashboardResponse drain(DashboardRequest request, boolean on) {
        NodeStatus node = node(request);
        String object = "node " + node.report().node();
        context.checkSeen(request, object, NodesPage.state(node));
        NodeStatus after = context.change(request, on ? "drainNode" : "resumeNode", object, NodesPage.state(node),
                () -> nodes.drain(node.report().node(), on).orElseThrow(() -> unknown(request.param("node"))),
                NodesPage::state);
        if (after.report().draining() != on) {
            return context.done(Notice.done(node.report().host() + " was asked").withDetail(
                    "It has not answered yet; the list shows its state once it reports itself"));
        }
        return context.done(Notice.done(node.report().host() + (on ? " drains" : " claims jobs again"))
                .withDetail(on ? "It claims no more jobs; its edge and its API go on" : null)
                .withUndo("/nodes/" + node.report().node() + (on ? "/resume" : "/drain"),
                        Map.of("seen", on ? "draining" : "running")));
    }

    private NodeStatus node(DashboardRequest request) {
        String id = request.param("node");
        return nodes.nodes().stream().filter(node -> node.report().node().value().equals(id)).findFirst()
                .orElseThrow(() -> unknown(id));
    }

    private static Refused unknown(String id) {
        return Refused.unknown("Node " + id, "it may have stopped meanwhile; find the others in the list of nodes");
    }
}
