package dev.orderly.dashboard.exchange;

import dev.orderly.operate.Caller;
import dev.orderly.web.message.FormFields;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to the dashboard by an identified viewer.
 *
 * @param path below the dashboard's base, percent-encoded, such as {@code /queues/emails}
 * @param query decoded values of the query
 * @param form decoded values of the form; empty without one
 * @param params values of the names in the route's path; empty until the route is found
 */
public record DashboardRequest(String method, String path, Map<String, List<String>> query,
        Map<String, List<String>> form, Map<String, String> params, Caller viewer) {
    public DashboardRequest {
        query = Map.copyOf(query);
        form = Map.copyOf(form);
        params = Map.copyOf(params);
    }

    /** A request whose route is not found yet. */
    public DashboardRequest(String method, String path, Map<String, List<String>> query, Map<String, List<String>> form,
            Caller viewer) {
        this(method, path, query, form, Map.of(), viewer);
    }

    /** @param path below the dashboard's base, percent-encoded */
    public static DashboardRequest of(Request call, String path, Caller viewer) {
        RequestHead head = call.head();
        return new DashboardRequest(head.method().equals("HEAD") ? "GET" : head.method(), path,
                FormFields.ofQuery(head.query()), FormFields.ofForm(head, call.body()), viewer);
    }

    /** @param address path below the dashboard's base, and the query if there is one */
    public static DashboardRequest ofPage(String address, Caller viewer) {
        String[] parts = address.split("\\?", 2);
        return new DashboardRequest("GET", parts[0], FormFields.ofQuery(parts.length < 2 ? null : parts[1]), Map.of(),
                viewer);
    }

    /** A copy with the values of the names in the route's path. */
    public DashboardRequest withParams(Map<String, String> values) {
        return new DashboardRequest(method, path, query, form, values, viewer);
    }

    /**
     * The value of a name in the route's path.
     *
     * @throws IllegalArgumentException if the path has no such name
     */
    public String param(String name) {
        String value = params.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The path of this route has no {" + name + "}");
        }
        return value;
    }

    /** The first value of a name in the query; null if it is absent or blank. */
    public @Nullable String query(String name) {
        return first(query, name);
    }

    /** The first value of a field of the form, stripped; null if it is absent or blank. */
    public @Nullable String field(String name) {
        return first(form, name);
    }

    /**
     * The first value of a field of the form, stripped.
     *
     * @throws RefusedFormException 422 if it is absent or blank
     */
    public String required(String name) {
        String value = field(name);
        if (value == null) {
            throw new RefusedFormException(422, "Something is missing",
                    "The field \"" + name + "\" is empty: fill it in");
        }
        return value;
    }

    private static @Nullable String first(Map<String, List<String>> values, String name) {
        List<String> all = values.getOrDefault(name, List.of());
        return all.isEmpty() || all.getFirst().isBlank() ? null : all.getFirst().strip();
    }
}
