package dev.orderly.http.access;

import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.Operations;
import dev.orderly.operate.Targets;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.route.Endpoint;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The door of the API to the table of operations.
 *
 * @param base the path of the API, without a trailing slash
 */
public record OperationEndpoints(Operations operations, String base) {
    /** The endpoint of an operation whose request has no body. */
    public <T> ApiEndpoint bodiless(OperationSpec spec, Function<Request, Operation<T>> read,
            BiFunction<Request, T, Response> answer, OperationDoc doc) {
        return endpoint(spec, Endpoint.bodiless(spec.method(), base + spec.path(), action(read, answer)), doc);
    }

    /** The endpoint of an operation: reads the request, runs the operation, and answers with its result. */
    public <T> ApiEndpoint of(OperationSpec spec, Endpoint.BodyLimit body, Function<Request, Operation<T>> read,
            BiFunction<Request, T, Response> answer, OperationDoc doc) {
        return endpoint(spec, new Endpoint(spec.method(), PathTemplate.parse(base + spec.path()), _ -> body, Map.of(),
                action(read, answer)), doc);
    }

    private static ApiEndpoint endpoint(OperationSpec spec, Endpoint endpoint, OperationDoc doc) {
        return new ApiEndpoint(spec.id(), new LeastRole(spec.least(), false), endpoint, doc);
    }

    private <T> Endpoint.Action action(Function<Request, Operation<T>> read, BiFunction<Request, T, Response> answer) {
        return call -> answer.apply(call, operations.run(ApiCall.current().caller(), read.apply(call), null));
    }

    /** Reads a request that has neither parameters nor a body. */
    public static <T> Function<Request, Operation<T>> plain(Supplier<Operation<T>> operation) {
        return call -> {
            QueryParameters.of(call.head());
            return operation.get();
        };
    }

    /** A value in the path of a request that has no parameters. */
    public static String param(Request call, String name) {
        QueryParameters.of(call.head());
        return call.head().param(name);
    }

    public Targets targets() {
        return operations.targets();
    }
}
