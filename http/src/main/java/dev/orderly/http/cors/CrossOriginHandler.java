package dev.orderly.http.cors;

import dev.orderly.http.intake.Route;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.PageOrigins;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of named origins read the answers of routes, of users' jobs and of live event streams (CORS, Fetch
 * standard). Origins are named one by one, in each answer the one that asked. Credentials are allowed only to origins
 * that may act for users; an origin of a route alone gets none. Other origins get the answers of a program: their
 * browsers hide them. Thread-safe.
 */
public final class CrossOriginHandler implements EdgeHandler {
    private static final String ASKED_METHOD = "Access-Control-Request-Method";
    private static final String ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID";
    private static final String EXPOSED_HEADERS = "Location, Orderly-Duplicate, Orderly-Replaced, Retry-After,"
            + " X-Job-Id";
    private static final String PREFLIGHT_SECONDS = "600";
    private static final Header VARY = new Header("Vary", "Origin");

    private final List<Shared> routes;
    private final PageOrigins users;

    /** A route that pages of other sites may use. */
    private record Shared(PathTemplate path, PageOrigins origins) {}

    /** @param users origins that may act for users, on every route and endpoint */
    public CrossOriginHandler(List<Route> routes, PageOrigins users) {
        this.users = users;
        this.routes = routes.stream().map(route -> new Shared(PathTemplate.parse(route.path()), route.origins()))
                .sorted(Comparator.comparing(Shared::path)).toList();
    }

    /** Whether any origin is named. */
    public boolean isUsed() {
        return !users.listed().isEmpty() || routes.stream().anyMatch(route -> !route.origins.listed().isEmpty());
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        RequestHead head = request.head();
        if (!head.headers().contains("Origin")) {
            return next.match(request);
        }
        boolean preflight = head.method().equals("OPTIONS") && head.headers().contains(ASKED_METHOD);
        String method = preflight ? String.valueOf(head.headers().get(ASKED_METHOD)) : head.method();
        PageOrigins origins = origins(method, request.path().wire());
        if (origins == null) {
            return next.match(request);
        }
        boolean acts = users.isListed(head);
        if (!acts && !origins.isListed(head)) {
            return answered(request, next).with(ExchangeContext.toAnswer(List.of(VARY)));
        }
        List<Header> allowed = new ArrayList<>(List.of(VARY,
                new Header("Access-Control-Allow-Origin", String.valueOf(head.headers().get("Origin")).strip())));
        if (acts) {
            allowed.add(new Header("Access-Control-Allow-Credentials", "true"));
        }
        if (preflight) {
            allowed.add(new Header("Access-Control-Allow-Methods", method));
            allowed.add(new Header("Access-Control-Allow-Headers", ALLOWED_HEADERS));
            allowed.add(new Header("Access-Control-Max-Age", PREFLIGHT_SECONDS));
            return new Match.Immediate(Response.empty(204)).with(ExchangeContext.toAnswer(allowed));
        }
        allowed.add(new Header("Access-Control-Expose-Headers", EXPOSED_HEADERS));
        return answered(request, next).with(ExchangeContext.toAnswer(allowed));
    }

    /** The answer of the next handlers; a refusal too, so that a page can read why. */
    private static Match answered(EdgeRequest request, Next next) {
        try {
            return next.match(request);
        } catch (ProblemException refusal) {
            return new Match.Immediate(Response.problem(refusal.problem(), request.head().path()));
        }
    }

    /** The origins named for what a request with this method and path gets; null for what CORS does not concern. */
    private @Nullable PageOrigins origins(String method, String path) {
        boolean reads = method.equals("GET") || method.equals("HEAD");
        if (path.equals("/.orderly/live") || path.startsWith("/.orderly/jobs/")) {
            return reads ? PageOrigins.OWN : null;
        }
        if (!method.equals("POST")) {
            return null;
        }
        List<String> segments = PathTemplate.split(path);
        for (Shared route : routes) {
            if (route.path.match(segments).isPresent()) {
                return route.origins;
            }
        }
        return null;
    }
}
