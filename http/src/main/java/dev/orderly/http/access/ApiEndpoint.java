package dev.orderly.http.access;

import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.web.route.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint of the API with the identities that may use it. There is no endpoint without this declaration. What
 * changes the system is made by {@link OperationEndpoints}.
 *
 * @param operation the operation's id in the OpenAPI document, and in the audit log
 * @param doc what the OpenAPI document says of it; null for a page of the dashboard
 */
public record ApiEndpoint(String operation, LeastRole least, Endpoint endpoint, @Nullable OperationDoc doc) {
    /** An endpoint that is not part of the API's contract. */
    public ApiEndpoint(String operation, LeastRole least, Endpoint endpoint) {
        this(operation, least, endpoint, null);
    }

    /** A view for every role that reads; its requests have no body. */
    public static ApiEndpoint view(String operation, String path, Endpoint.Action action, OperationDoc doc) {
        return new ApiEndpoint(operation, LeastRole.VIEWER, Endpoint.bodiless("GET", path, action), doc);
    }
}
