package dev.orderly.node;

import dev.orderly.job.NodeId;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request to another node over the bus. Older versions take it for a report that they cannot read.
 *
 * @param on whether the node drains, or claims again
 */
record DrainRequest(NodeId node, boolean on) {
    byte[] write() {
        return JsonMapper.shared().createObjectNode().put("drain", node.value()).put("on", on).toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a message asks this of a node. */
    static boolean isFor(NodeId node, byte[] message, boolean on) {
        try {
            JsonNode json = JsonMapper.shared().readTree(message);
            return node.value().equals(json.path("drain").asString("")) && json.path("on").isBoolean()
                    && json.path("on").booleanValue() == on;
        } catch (JacksonException _) {
            return false;
        }
    }
}
