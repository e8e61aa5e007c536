package dev.orderly.web.route;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A table of endpoints by path and method. Of several templates that match a path, the most specific one with the
 * method serves it: literals are more specific than names, compared from the left. {@code HEAD} is served by
 * {@code GET}, {@code OPTIONS} by the table.
 */
public final class RouteTable implements RequestRouter {
    private final List<Endpoint> endpoints;

    /** @throws IllegalArgumentException if two endpoints with one method match the same paths */
    public RouteTable(List<Endpoint> endpoints) {
        this.endpoints = endpoints.stream().sorted(Comparator.comparing(Endpoint::path)).toList();
        for (int i = 1; i < this.endpoints.size(); i++) {
            for (int j = 0; j < i; j++) {
                Endpoint one = this.endpoints.get(j);
                Endpoint other = this.endpoints.get(i);
                if (one.method().equals(other.method()) && one.path().sameShape(other.path())) {
                    throw new IllegalArgumentException(one.method() + " " + one.path().text() + " and "
                            + other.path().text() + " match the same paths: change or drop one");
                }
            }
        }
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** The endpoint of exactly this path and method, if there is one. */
    public Optional<Match> taken(RequestHead head) {
        if (endpoints.isEmpty() || head.path().equals("*")) {
            return Optional.empty();
        }
        String method = head.method().equals("HEAD") ? "GET" : head.method();
        List<String> path = PathTemplate.split(head.path());
        for (Endpoint endpoint : endpoints) {
            Optional<Map<String, String>> params = endpoint.path().match(path);
            if (params.isPresent() && endpoint.method().equals(method)) {
                return Optional.of(new Match.Collected(endpoint, head.withParams(params.get())));
            }
        }
        return Optional.empty();
    }

    @Override
    public Match match(RequestHead head) {
        String method = head.method().equals("HEAD") ? "GET" : head.method();
        SortedSet<String> allowed = new TreeSet<>();
        Map<String, String> options = new HashMap<>();
        List<String> path = head.path().equals("*") ? List.of("*") : PathTemplate.split(head.path());
        for (Endpoint endpoint : endpoints) {
            Optional<Map<String, String>> params = endpoint.path().match(path);
            if (params.isPresent()) {
                if (endpoint.method().equals(method)) {
                    return new Match.Collected(endpoint, head.withParams(params.get()));
                }
                allow(endpoint, allowed, options);
            }
        }
        if (head.path().equals("*")) {
            endpoints.forEach(endpoint -> allow(endpoint, allowed, options));
        }
        if (allowed.isEmpty()) {
            throw new ProblemException(ProblemType.UNKNOWN_PATH,
                    "There is nothing at this path: check it for a missing, doubled or trailing slash");
        }
        allowed.add("OPTIONS");
        String allow = String.join(", ", allowed);
        if (method.equals("OPTIONS")) {
            Response answer = Response.empty(204).withHeader("Allow", allow).withHeaders(options);
            return new Match.Collected(Endpoint.bodiless("OPTIONS", "/", _ -> answer), head);
        }
        throw new ProblemException(new Problem(ProblemType.METHOD_NOT_ALLOWED,
                "This path takes " + allow + ", not " + head.method() + ": use one of those")
                .withHeader("Allow", allow));
    }

    private static void allow(Endpoint endpoint, SortedSet<String> allowed, Map<String, String> options) {
        allowed.add(endpoint.method());
        if (endpoint.method().equals("GET")) {
            allowed.add("HEAD");
        }
        options.putAll(endpoint.options());
    }
}
