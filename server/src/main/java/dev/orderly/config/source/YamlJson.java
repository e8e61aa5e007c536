package dev.orderly.config.source;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Conversion of a part of the file to JSON. */
public final class YamlJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private YamlJson() {}

    /** The JSON in UTF-8; an empty object for null. */
    public static byte[] bytes(@Nullable YamlNode node) {
        return JsonMapper.shared().writeValueAsBytes(node == null ? JSON.objectNode() : of(node));
    }

    private static JsonNode of(YamlNode node) {
        return switch (node) {
            case YamlNode.Text text -> text.literal() ? literal(text.value()) : JSON.stringNode(text.value());
            case YamlNode.Empty _ -> JSON.nullNode();
            case YamlNode.Listing listing -> {
                ArrayNode array = JSON.arrayNode();
                listing.items().forEach(item -> array.add(of(item)));
                yield array;
            }
            case YamlNode.Section section -> {
                ObjectNode object = JSON.objectNode();
                section.entries().forEach((name, value) -> object.set(name, of(value)));
                yield object;
            }
        };
    }

    /** YAML has numbers that JSON does not know; those stay text. */
    private static JsonNode literal(String text) {
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException _) {
            return JSON.stringNode(text);
        }
    }
}
