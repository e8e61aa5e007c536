package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.http.access.AccessGate.Sender;
import dev.orderly.job.QueueName;
import dev.orderly.operate.Caller;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RouteTable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The router of the API. Decides in this order, and before a body is read: whether host and source are allowed, who
 * sends the request, whether the path exists, whether the role allows the operation, and whether a worker may use the
 * queue in the path. Nothing but the operations for everybody is answered before the sender is known, not even that a
 * path does not exist.
 */
public final class AccessRouter implements RequestRouter {
    private static final String QUEUE = "queue";
    private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS");
    private static final String CSRF = "X-CSRF-Token";
    private static final String LOGIN = "/login";
    private static final String SET_COOKIE = "Set-Cookie";

    private final RouteTable table;
    private final IdentityHashMap<Endpoint, ApiEndpoint> rules = new IdentityHashMap<>();
    private final AccessGate gate;
    private final MountedPages pages;

    public AccessRouter(List<ApiEndpoint> endpoints, AccessGate gate) {
        this(endpoints, gate, MountedPages.NONE);
    }

    /** A router that also serves pages; browsers without an identity are sent to the login. */
    public AccessRouter(List<ApiEndpoint> endpoints, AccessGate gate, MountedPages pages) {
        List<ApiEndpoint> all = Stream.concat(endpoints.stream(), pages.endpoints().stream()).toList();
        this.table = new RouteTable(all.stream().map(ApiEndpoint::endpoint).toList());
        all.forEach(endpoint -> rules.put(endpoint.endpoint(), endpoint));
        this.gate = gate;
        this.pages = pages;
    }

    @Override
    public Match match(RequestHead head) {
        gate.policy().check(head);
        Optional<Match> found = table.taken(head);
        if (found.isPresent() && found.get() instanceof Match.Collected collected
                && rule(collected).least().isPublic()) {
            return collected;
        }
        return switch (gate.sender(head)) {
            case Sender.Known(Caller caller) -> serve(head, caller);
            case Sender.Presented presented -> {
                gate.checkFailures(presented, head);
                yield later(() -> orToLogin(head, () -> serve(head, gate.verify(presented, head))));
            }
            case Sender.Unknown(boolean presented) -> {
                if (!presented) {
                    yield orToLogin(head, () -> {
                        throw gate.unauthenticated(head, false);
                    });
                }
                gate.checkFailures(head);
                yield later(() -> orToLogin(head, () -> {
                    throw gate.failed(head, true);
                }));
            }
        };
    }

    /** A browser that opens a page without an identity gets the login, which leads back to the page. */
    private Match orToLogin(RequestHead head, Supplier<Match> match) {
        try {
            return match.get();
        } catch (ProblemException refusal) {
            Problem problem = refusal.problem();
            if (problem.type() != ProblemType.UNAUTHENTICATED || pages.endpoints().isEmpty()
                    || !isPage(head.path(), head.headers()::getAll)) {
                throw refusal;
            }
            String to = head.query() == null ? head.path() : head.path() + "?" + head.query();
            Response login = Response.empty(303).withHeader("Location",
                    LOGIN + "?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8));
            String cookie = problem.headers().get(SET_COOKIE);
            return new Match.Immediate(cookie == null ? login : login.withHeader(SET_COOKIE, cookie));
        }
    }

    /** Whether a browser asks for a page, and not a program for data. */
    private static boolean isPage(String path, Function<String, List<String>> headers) {
        return !path.startsWith("/api/")
                && headers.apply("Accept").stream().anyMatch(accept -> accept.contains("text/html"));
    }

    @Override
    public Response refusal(Problem problem, Refused refused) {
        boolean fragment = !refused.headers().apply("HX-Request").isEmpty();
        return fragment || isPage(refused.path(), refused.headers())
                ? pages.refusals().answer(problem, refused.path(), fragment)
                : Response.problem(problem, refused.path());
    }

    private Match serve(RequestHead head, Caller caller) {
        for (MountedPages.Stream stream : pages.streams()) {
            if (stream.path().equals(head.path()) && head.method().equals("GET")) {
                if (!stream.least().allows(caller.identity().role())) {
                    throw new ProblemException(ProblemType.ROLE, "The stream " + stream.path() + " needs the role "
                            + stream.least().text() + ", and " + caller.identity() + " has the role "
                            + caller.identity().role().text());
                }
                return stream.opening().open(head, caller);
            }
        }
        Match found = table.match(head);
        if (!(found instanceof Match.Collected collected)) {
            return found;
        }
        ApiEndpoint rule = rule(collected);
        ApiCall call = new ApiCall(caller, rule, gate.control().audit());
        if (caller.csrf() != null && !SAFE.contains(head.method())
                && !SessionCookie.isCsrf(caller.csrf(), head.header(CSRF))) {
            throw new ProblemException(ProblemType.CSRF, "A change in a session needs the header " + CSRF
                    + " with the session's token: read it at /api/v1/identity");
        }
        Problem refusal = refusal(rule, collected.head(), caller.identity());
        if (refusal != null) {
            return later(() -> {
                call.refuse(refusal, object(collected.head()));
                throw new ProblemException(refusal);
            });
        }
        Endpoint inner = collected.endpoint();
        return new Match.Collected(new Endpoint(inner.method(), inner.path(), inner.body(), inner.options(),
                request -> ScopedValue.where(ApiCall.CURRENT, call).call(() -> inner.action().answer(request))),
                collected.head());
    }

    private static @Nullable Problem refusal(ApiEndpoint rule, RequestHead head, Identity who) {
        if (!rule.least().allows(who.role())) {
            return ApiCall.roleProblem(rule, who);
        }
        String named = head.params().get(QUEUE);
        QueueName queue = named == null ? null : queue(named);
        return queue != null && !who.mayUse(queue) ? ApiCall.queueProblem(rule, who, queue) : null;
    }

    private static @Nullable QueueName queue(String named) {
        try {
            return new QueueName(named);
        } catch (IllegalArgumentException _) {
            return null; // answered by the endpoint
        }
    }

    private static String object(RequestHead head) {
        return head.params().isEmpty()
                ? head.path()
                : head.params().entrySet().stream().sorted(Map.Entry
                        .comparingByKey())
                        .map(param -> (param.getKey().equals("id") ? "" : param.getKey() + " ") + param
                                .getValue())
                        .collect(Collectors.joining(", "));
    }

    /** The declaration of an endpoint; the table's own answer to {@code OPTIONS} is for every identity. */
    private ApiEndpoint rule(Match.Collected found) {
        ApiEndpoint rule = rules.get(found.endpoint());
        return rule == null
                ? new ApiEndpoint("options", LeastRole.VIEWER.orWorker(), found.endpoint())
                : rule;
    }

    private static Match later(Supplier<Match> decision) {
        return new Match.Deferred(CompletableFuture.supplyAsync(decision, task -> Thread.ofVirtual()
                .name("orderly-access").start(task)));
    }
}
