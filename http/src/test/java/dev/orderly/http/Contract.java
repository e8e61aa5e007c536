package dev.orderly.http;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.orderly.http.api.OpenApiDocument;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI document as an oracle: answers that it does not allow fail a test. Clients have to expect further
 * properties; here every property of an answer must be described.
 */
public final class Contract {
    private static final JsonNode DOCUMENT = ofAnyNode();
    private static final JsonNode CLOSED = closed(DOCUMENT.path("components").deepCopy());
    private static final SchemaRegistry SCHEMAS = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private Contract() {}

    private static JsonNode ofAnyNode() {
        try (Node node = new Node()) {
            return OpenApiDocument.of(node.endpoints());
        }
    }

    /** Every operation, such as {@code GET /api/v1/queues}. */
    static Set<String> operations() {
        Set<String> all = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
            for (String method : path.getValue().propertyNames()) {
                all.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
            }
        }
        return all;
    }

    public static JsonNode document() {
        return DOCUMENT;
    }

    /** Fails unless the document allows this answer, with this content, to this request. */
    static void check(String method, String path, Node.Reply reply) {
        JsonNode operation = operation(method, path);
        if (operation.isMissingNode()) {
            return; // another path or method: no operation describes its refusal
        }
        JsonNode response = resolved(operation.path("responses").path(Integer.toString(reply.status())));
        if (response.isMissingNode()) {
            throw new AssertionError(method + " " + path + " is not documented to answer " + reply);
        }
        if (reply.response().body().length == 0 && response.path("content").isMissingNode()) {
            return;
        }
        String contentType = String.valueOf(reply.header("Content-Type")).split(";", 2)[0];
        JsonNode content = response.path("content").path(contentType);
        if (content.isMissingNode()) {
            throw new AssertionError(method + " " + path + " is not documented to answer as " + contentType);
        }
        if (contentType.endsWith("json")) {
            List<Error> errors = validate(content.path("schema"), reply.json());
            if (!errors.isEmpty()) {
                throw new AssertionError(method + " " + path + " answered " + reply + ", against " + errors);
            }
        }
    }

    /** The faults of an answer against a schema of the document. */
    public static List<Error> faults(String schema, JsonNode answer) {
        return validate(DOCUMENT.path("components").path("schemas").path(schema), answer);
    }

    static List<Error> validate(JsonNode schema, JsonNode value) {
        ObjectNode whole = JsonMapper.shared().createObjectNode();
        whole.set("components", CLOSED);
        whole.putArray("allOf").add(schema);
        return SCHEMAS.getSchema(whole).validate(value,
                context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    }

    /** The schemas, without properties beside the described ones. */
    private static JsonNode closed(JsonNode schemas) {
        schemas.forEach(Contract::closed);
        if (schemas instanceof ObjectNode schema && schema.path("properties").isObject()
                && schema.path("type").asString("").equals("object") && !schema.has("additionalProperties")) {
            schema.put("additionalProperties", false);
        }
        return schemas;
    }

    /** The node, or the target of its reference. */
    public static JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asString("");
        return reference.isEmpty() ? node : DOCUMENT.at(reference.substring(1));
    }

    private static JsonNode operation(String method, String path) {
        String asked = path.split("\\?", 2)[0];
        JsonNode exact = DOCUMENT.path("paths").path(asked);
        if (!exact.isMissingNode()) {
            return exact.path(method.toLowerCase(Locale.ROOT));
        }
        for (Map.Entry<String, JsonNode> one : DOCUMENT.path("paths").properties()) {
            String pattern = one.getKey().replaceAll("\\{[a-z]+}", "[^/]+");
            if (asked.matches(pattern)) {
                return one.getValue().path(method.toLowerCase(Locale.ROOT));
            }
        }
        return DOCUMENT.path("nowhere");
    }

}
