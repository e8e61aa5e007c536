package dev.orderly.http.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Builds JSON answers. */
final class JsonText {
    private JsonText() {}

    static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    static byte[] of(JsonNode node) {
        return JsonMapper.shared().writeValueAsBytes(node);
    }
}
