package dev.orderly.http.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI document: the resource beside this class, with what all operations of the API have in common by their
 * role: the schemes of their security, and the errors that the listener answers for them.
 */
public final class OpenApiDocument {
    private static final String ROLE = "x-orderly-role";
    private static final Map<String, String> ERRORS = Map.of("400", "BadRequest", "403", "Forbidden", "413", "TooLarge",
            "421", "Misdirected", "500", "Internal");
    private static final Map<String, String> ERRORS_OF_CALLERS = Map.of("401", "Unauthenticated", "429",
            "TooManyFailures", "503", "Unavailable");
    private static final Map<String, String> ERRORS_OF_BODIES = Map.of("408", "TooSlow");
    private static final byte[] BYTES = JsonMapper.shared().writeValueAsBytes(read());

    private OpenApiDocument() {}

    /** The document, made at the first call; must not be changed. */
    static byte[] bytes() {
        return BYTES;
    }

    /** A copy of the document. */
    public static JsonNode read() {
        try (InputStream resource = OpenApiDocument.class.getResourceAsStream("openapi.json")) {
            if (resource == null) {
                throw new IllegalStateException("openapi.json is missing beside " + OpenApiDocument.class);
            }
            JsonNode document = JsonMapper.shared().readTree(resource);
            document.path("paths").forEach(path -> path.forEach(operation -> {
                if (operation instanceof ObjectNode node && node.has(ROLE)) {
                    complete(node, node.path(ROLE).asString().equals("none"));
                }
            }));
            return document;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void complete(ObjectNode operation, boolean forAll) {
        Map<String, JsonNode> responses = new TreeMap<>();
        operation.path("responses").properties()
                .forEach(response -> responses.put(response.getKey(), response.getValue()));
        add(responses, ERRORS);
        add(responses, forAll ? Map.of() : ERRORS_OF_CALLERS);
        add(responses, operation.has("requestBody") ? ERRORS_OF_BODIES : Map.of());
        operation.putObject("responses").setAll(responses);
        var security = operation.putArray("security");
        if (!forAll) {
            security.addObject().putArray("token");
            security.addObject().putArray("session");
        }
    }

    private static void add(Map<String, JsonNode> responses, Map<String, String> errors) {
        errors.forEach((status, name) -> responses.computeIfAbsent(status,
                _ -> JsonMapper.shared().createObjectNode().put("$ref", "#/components/responses/" + name)));
    }
}
