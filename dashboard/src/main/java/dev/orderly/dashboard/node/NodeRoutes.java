package dev.orderly.dashboard.node;

import dev.orderly.Orderly;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeStatus;
import dev.orderly.operate.NodeControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Map;

/** The routes of nodes. */
public final class NodeRoutes {
    private final PageContext context;
    private final Orderly orderly;

    public NodeRoutes(PageContext context, Orderly orderly) {
        this.context = context;
        this.orderly = orderly;
    }

    public List<DashboardRoute> routes() {
        return List.of(
                new DashboardRoute("GET", "/nodes", Role.VIEWER,
                        request -> context.page(request, new NodeListPage(orderly.nodes()))),
                new DashboardRoute(OperationSpec.DRAIN_NODE, "/nodes/{node}/drain", request -> drain(request, true)),
                new DashboardRoute(OperationSpec.RESUME_NODE, "/nodes/{node}/resume",
                        request -> drain(request, false)));
    }

    private Response drain(DashboardRequest request, boolean on) {
        NodeStatus after = context.run(request, NodeControl.drain(request.param("node"), on));
        NodeReport node = after.report();
        if (node.draining() != on) {
            return context.done(Notice.done(node.host() + " was asked").withDetail(
                    "It has not answered yet; the list shows its state once it reports itself"));
        }
        return context.done(Notice.done(node.host() + (on ? " drains" : " claims jobs again"))
                .withDetail(on ? "It claims no more jobs; its edge and its API go on" : null)
                .withUndo("/nodes/" + node.node() + (on ? "/resume" : "/drain"),
                        Map.of("seen", on ? "draining" : "running")));
    }
}
