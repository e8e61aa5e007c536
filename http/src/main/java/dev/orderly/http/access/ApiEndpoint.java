package dev.orderly.http.access;

import dev.orderly.web.route.Endpoint;

/**
 * An endpoint of the API with the identities that may use it. There is no endpoint without this declaration. What
 * changes the system is made by {@link OperationEndpoints}.
 *
 * @param operation the operation's id in the OpenAPI document, and in the audit log
 */
public record ApiEndpoint(String operation, LeastRole least, Endpoint endpoint) {}
