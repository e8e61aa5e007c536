package dev.orderly.http.api.json;

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
}
