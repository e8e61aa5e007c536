package dev.orderly.http.access;

import dev.orderly.web.route.Endpoint;

/**
 * An endpoint of the API with the identities that may use it. There is no endpoint without this declaration.
 *
 * @param operation the operation's id in the OpenAPI document, and in the audit log
 */
public record ApiEndpoint(String operation, LeastRole least, Effect effect, Endpoint endpoint) {
    /** The relation of an operation to the audit log. */
    public enum Effect {
        /** Changes nothing. */
        VIEW,
        /** Changes the system; each change has an entry, made by {@link ApiCall#change}. */
        CHANGE,
        /** The work itself: jobs and messages, which are their own record. */
        WORK
    }

    public static ApiEndpoint view(String operation, LeastRole least, Endpoint endpoint) {
        return new ApiEndpoint(operation, least, Effect.VIEW, endpoint);
    }

    public static ApiEndpoint change(String operation, LeastRole least, Endpoint endpoint) {
        return new ApiEndpoint(operation, least, Effect.CHANGE, endpoint);
    }

    public static ApiEndpoint work(String operation, LeastRole least, Endpoint endpoint) {
        return new ApiEndpoint(operation, least, Effect.WORK, endpoint);
    }
}
