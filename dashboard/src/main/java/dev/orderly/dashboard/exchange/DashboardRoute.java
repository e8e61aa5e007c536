package dev.orderly.dashboard.exchange;

import dev.orderly.access.Role;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import org.jspecify.annotations.Nullable;

/**
 * A page or an action of the dashboard: one method on one path.
 *
 * @param operation the operation that it runs; null for a page, and for a question
 * @param least the role that it needs
 */
public record DashboardRoute(@Nullable OperationSpec operation, String method, PathTemplate path, Role least,
        Answer answer) {
    public DashboardRoute(String method, String path, Role least, Answer answer) {
        this(null, method, PathTemplate.parse(path), least, answer);
    }

    /** The action that runs an operation, in place of the method and the path that it has in the API. */
    public DashboardRoute(OperationSpec operation, String path, Answer answer) {
        this(operation, "POST", PathTemplate.parse(path), operation.least(), answer);
    }

    /** The id of the operation, or of the page. */
    public String id() {
        return operation == null ? "page" + path.text() : operation.id();
    }

    /** Answers a request of the route; blocks on the store. */
    @FunctionalInterface
    public interface Answer {
        /** @throws RefusedFormException if it is not served as asked */
        Response to(DashboardRequest request);
    }
}
