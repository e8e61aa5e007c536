package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.operate.NodeControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import java.util.List;

/** The nodes that share the store: what they report, drain and resume. */
final class NodeEndpoints {
    private static final String TAG = "nodes";

    private final OperationEndpoints operations;
    private final Orderly orderly;

    NodeEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.orderly = operations.targets().orderly();
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("nodes", operations.base() + "/nodes", this::all,
                        OperationDoc.of(TAG, "The nodes that share the store, this node first")
                                .answers(NodeJson.All.class, "The nodes, as they last reported themselves.")),
                drain(OperationSpec.DRAIN_NODE, true),
                drain(OperationSpec.RESUME_NODE, false));
    }

    private ApiEndpoint drain(OperationSpec spec, boolean on) {
        return operations.bodiless(spec, call -> NodeControl.drain(OperationEndpoints.param(call, "node"), on),
                (_, after) -> RecordJson.answer(after.report().draining() == on ? 200 : 202, NodeJson.of(after)),
                OperationDoc.of(TAG, spec)
                        .answers(NodeJson.class, "The node, as it reports itself.")
                        .answers(202, NodeJson.class, "The node was asked, and has not reported the change yet."));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(new NodeJson.All(orderly.nodes().stream().map(NodeJson::of).toList()));
    }
}
