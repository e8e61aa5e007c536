package dev.orderly.http.api.json;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Builds JSON answers. */
public final class JsonText {
    private JsonText() {}

    public static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    public static byte[] of(JsonNode node) {
        return JsonMapper.shared().writeValueAsBytes(node);
    }

    /** The text of a value, such as an instant or an id; null for none. */
    public static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    /** Adds the nodes that did not answer, whose knowledge is missing. */
    public static ObjectNode unreachable(ObjectNode json, List<String> nodes) {
        nodes.forEach(json.putArray("unreachable")::add);
        return json;
    }
}
