package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.BAD_REQUEST;
import static dev.orderly.http.openapi.ErrorAnswer.FORBIDDEN;
import static dev.orderly.http.openapi.ErrorAnswer.INTERNAL;
import static dev.orderly.http.openapi.ErrorAnswer.MISDIRECTED;
import static dev.orderly.http.openapi.ErrorAnswer.TOO_LARGE;
import static dev.orderly.http.openapi.ErrorAnswer.TOO_MANY_FAILURES;
import static dev.orderly.http.openapi.ErrorAnswer.UNAUTHENTICATED;
import static dev.orderly.http.openapi.ErrorAnswer.UNAVAILABLE;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.openapi.ErrorAnswer;
import dev.orderly.http.openapi.JsonSchemas;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.ProblemJson;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI document of the endpoints, with what all operations of the API have in common by their role: the schemes
 * of their security, and the errors that the listener answers for them.
 */
public final class OpenApiDocument {
    private static final String DESCRIPTION = "The API of the admin listener. Every operation names its least role in"
            + " `x-orderly-role`; callers send `Authorization: Bearer TOKEN`. The server's own user finds a token in"
            + " the file `local-access` beside the secret: `curl -H @data/local-access`. The API refuses hosts that it"
            + " does not serve, and changes sent by pages of other sites. Times are ISO-8601 instants, durations are"
            + " ISO-8601. Every error is an RFC 9457 problem. HEAD is answered wherever GET is, OPTIONS everywhere with"
            + " Allow; another method is answered 405 with Allow. Malformed HTTP is answered 400, 408, 414, 417 or 431."
            + " Unknown query parameters are refused with 400.";
    private static final List<String> TAGS = List.of("jobs", "queues", "rooms", "schedules", "nodes", "users",
            "config", "health", "access", "workers");

    private static final Set<ErrorAnswer> ERRORS = EnumSet.of(BAD_REQUEST, FORBIDDEN, TOO_LARGE, MISDIRECTED, INTERNAL);
    private static final Set<ErrorAnswer> ERRORS_OF_CALLERS = EnumSet.of(BAD_REQUEST, FORBIDDEN, TOO_LARGE,
            MISDIRECTED, INTERNAL, UNAUTHENTICATED, TOO_MANY_FAILURES, UNAVAILABLE);

    private final JsonSchemas schemas = new JsonSchemas();
    private final ObjectNode document = JsonMapper.shared().createObjectNode();

    private OpenApiDocument(List<ApiEndpoint> endpoints) {
        head();
        ObjectNode paths = document.putObject("paths");
        endpoints.forEach(endpoint -> add(paths, endpoint));
        EdgeOperations.all().forEach(call -> edge(paths.withObjectProperty(call.path()), call));
        ObjectNode webhooks = document.putObject("webhooks");
        EdgeOperations.webhooks().forEach((name, call) -> webhooks.putObject(name).set(call.method(), write(call)));
        ObjectNode components = document.putObject("components");
        edge(components.putObject("pathItems").putObject("Route").put("summary",
                "A route of the configuration: POST to its path pushes a job."), EdgeOperations.route());
        components.set("responses", OperationDoc.errors(schemas, ProblemJson.class));
        components.set("schemas", schemas.named());
        ObjectNode security = components.putObject("securitySchemes");
        security.putObject("token").put("type", "http").put("scheme", "bearer").put("description",
                "An access token, or that of the file `local-access`.");
        security.putObject("session").put("type", "apiKey").put("in", "cookie").put("name", "__Host-orderly_session")
                .put("description", "A session of `/login`; `orderly_session` on loopback without TLS. Changes need the"
                        + " header `X-CSRF-Token`.");
    }

    /** The document of these endpoints. */
    public static JsonNode of(List<ApiEndpoint> endpoints) {
        return new OpenApiDocument(endpoints).document;
    }

    private void head() {
        document.put("openapi", "3.1.0").put("jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema");
        document.putObject("info").put("title", "Orderly").put("version", "1")
                .put("summary", "Pushes, views and operation of waiting rooms and job queues.")
                .put("description", DESCRIPTION).putObject("license").put("name", "Apache-2.0")
                .put("identifier", "Apache-2.0");
        document.putArray("servers").addObject().put("url", "/");
        ArrayNode tags = document.putArray("tags");
        TAGS.forEach(tag -> tags.addObject().put("name", tag));
        tags.addObject().put("name", "edge").put("description",
                "Calls of visitors and users on the public edge, not on the API's listener.");
    }

    private void add(ObjectNode paths, ApiEndpoint endpoint) {
        OperationDoc doc = endpoint.doc();
        if (doc == null) {
            return;
        }
        LeastRole least = endpoint.least();
        String path = endpoint.endpoint().path().text();
        ObjectNode operation = doc.write(endpoint.operation(), path,
                least.isPublic() ? ERRORS : ERRORS_OF_CALLERS, schemas).put("x-orderly-role", least.text());
        ArrayNode security = operation.putArray("security");
        if (!least.isPublic()) {
            security.addObject().putArray("token");
            security.addObject().putArray("session");
        }
        paths.withObjectProperty(path).set(endpoint.endpoint().method().toLowerCase(Locale.ROOT), operation);
    }

    private void edge(ObjectNode path, EdgeOperations.Call call) {
        ObjectNode operation = write(call);
        operation.putArray("servers").addObject().put("url", "http://127.0.0.1:8080").put("description",
                "The public edge.");
        path.set(call.method(), operation);
    }

    private ObjectNode write(EdgeOperations.Call call) {
        return call.doc().write(call.id(), call.path(), Set.of(), schemas);
    }
}
