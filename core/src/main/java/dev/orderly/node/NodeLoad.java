package dev.orderly.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The load of a node, as it reports it. A report of an older version has none of it: {@link #UNKNOWN}.
 *
 * @param cores processors of the node; 0 if unknown
 * @param heapUsed bytes of the heap in use, garbage included
 * @param heapMax bytes that the heap may have
 * @param cpu share of the cores that the process used since the report before, 0 to 1; null if unknown
 * @param leases duties that one node at a time has, and that this node has now, such as {@code governor of sale}; at
 *     most {@value #LEASES_MAX}
 * @param users users who are connected to the node; null if unknown
 * @param connections open connections of the edge; null for a node without an edge
 */
public record NodeLoad(int cores, long heapUsed, long heapMax, @Nullable Double cpu, List<String> leases,
        @Nullable Integer users, @Nullable Integer connections) {
    /** The most leases in a report. */
    public static final int LEASES_MAX = 50;

    public static final NodeLoad UNKNOWN = new NodeLoad(0, 0, 0, null, List.of(), null, null);

    public NodeLoad {
        leases = leases.isEmpty() ? List.of() : leases.stream().limit(LEASES_MAX).map(NodeReport::cut).toList();
    }

    NodeLoad with(List<String> held, int online, @Nullable Integer open) {
        return new NodeLoad(cores, heapUsed, heapMax, cpu, held, online, open);
    }

    void write(ObjectNode json) {
        json.put("cores", cores).put("heapUsed", heapUsed).put("heapMax", heapMax).put("cpu", cpu)
                .put("users", users).put("connections", connections);
        ArrayNode held = json.putArray("leases");
        leases.forEach(held::add);
    }

    static NodeLoad read(JsonNode json) {
        return new NodeLoad(json.path("cores").asInt(0), json.path("heapUsed").asLong(0),
                json.path("heapMax").asLong(0),
                json.path("cpu").isNumber() ? Double.valueOf(json.path("cpu").doubleValue()) : null,
                json.path("leases").valueStream().limit(LEASES_MAX).map(lease -> lease.asString("")).toList(),
                number(json, "users"), number(json, "connections"));
    }

    private static @Nullable Integer number(JsonNode json, String name) {
        return json.path(name).isInt() ? Integer.valueOf(json.path(name).intValue()) : null;
    }
}
