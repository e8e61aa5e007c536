package dev.orderly.servlet.dashboard;

import dev.orderly.access.Role;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.update.UpdateStream;
import dev.orderly.operate.Caller;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.message.FormFields;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.user.PageOrigins;
import java.util.List;
import java.util.Map;

/** The router of one request to the dashboard: decides what its sender may do before a body is read. */
final class DashboardRouter implements RequestRouter {
    private static final String EVENTS = "/events";
    private static final String CSRF = "X-CSRF-Token";
    /** The largest payload, percent-encoded. */
    private static final BodyLimit FORM = new BodyLimit(4 << 20, new Problem(ProblemType.TOO_LARGE,
            "The form has more than 4 MiB: send less"));

    private final Dashboard dashboard;
    private final String path;
    private final DashboardCaller caller;

    DashboardRouter(Dashboard dashboard, String path, DashboardCaller caller) {
        this.dashboard = dashboard;
        this.path = path;
        this.caller = caller;
    }

    @Override
    public Match match(RequestHead head) {
        Role role = caller.role();
        if (role == null) {
            throw new Refusal(ProblemType.ROLE, "The application gives " + caller.name() + " no role in the dashboard:"
                    + " sign in as a user with one, or let its DashboardAccess give the user a role");
        }
        Caller viewer = caller.viewer(role);
        String below = head.path().substring(Math.min(path.length(), head.path().length()));
        return switch (head.method()) {
            case "GET", "HEAD" -> below.equals(EVENTS)
                    ? events(head, viewer)
                    : collected(head, below, viewer, Endpoint.bodiless("GET", "/", _ -> Response.empty(500)).body());
            case "POST" -> {
                checkSource(head);
                yield collected(head, below, viewer, _ -> FORM);
            }
            case String other -> throw new Refusal(new Problem(ProblemType.METHOD_NOT_ALLOWED,
                    "The dashboard takes GET and POST, not " + other).withHeader("Allow", "GET, HEAD, POST"));
        };
    }

    /** A change comes from a page of the dashboard: it has the token of the cookie, and no foreign origin. */
    private void checkSource(RequestHead head) {
        if (PageOrigins.OWN.isForeign(head)) {
            throw new Refusal(ProblemType.FORBIDDEN, "A page of another site may change nothing here");
        }
        if (!caller.csrf().isToken(head.header(CSRF))) {
            throw new Refusal(ProblemType.CSRF, "A change needs the header " + CSRF
                    + " with the token of the page: reload the page, and let the browser keep its cookies");
        }
    }

    private Match collected(RequestHead head, String below, Caller viewer, Endpoint.BodyRule body) {
        return new Match.Collected(new Endpoint(head.method(), PathTemplate.parse("/"), body, Map.of(),
                call -> answer(call, below, viewer)), head);
    }

    private Response answer(Request call, String below, Caller viewer) {
        RequestHead head = call.head();
        return response(dashboard.answer(new DashboardRequest(head.method().equals("HEAD") ? "GET" : head.method(),
                below, FormFields.ofQuery(head.query()), FormFields.ofForm(head, call.body()), viewer)));
    }

    private static Response response(DashboardResponse answer) {
        Response response = new Response(answer.status(), List.of(), answer.body());
        for (Map.Entry<String, String> header : answer.headers().entrySet()) {
            response = response.withHeader(header.getKey(), header.getValue());
        }
        return response;
    }

    private Match events(RequestHead head, Caller viewer) {
        List<String> pages = FormFields.ofQuery(head.query()).getOrDefault("page", List.of());
        if (pages.size() != 1 || !pages.getFirst().startsWith("/")) {
            throw new Refusal(ProblemType.BAD_REQUEST, "The query parameter page names no page: send its path");
        }
        String[] page = pages.getFirst().split("\\?", 2);
        DashboardRequest request = new DashboardRequest("GET", page[0],
                FormFields.ofQuery(page.length < 2 ? null : page[1]), Map.of(), viewer);
        return new Match.Opened(List.of(), stream -> stream.onClose(dashboard.watch(request, new Updates(stream))
                .orElseThrow(() -> new Refusal(ProblemType.TOO_MANY_STREAMS, "Too many live pages of the dashboard are"
                        + " open on this node: close one; a page connects again by itself"))));
    }

    private record Updates(EventStream stream) implements UpdateStream {
        @Override
        public boolean write(byte[] events) {
            return stream.write(events);
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    @Override
    public Response refusal(Problem problem, Refused refused) {
        boolean fragment = !refused.headers().apply("HX-Request").isEmpty();
        boolean page = refused.headers().apply("Accept").stream().anyMatch(accept -> accept.contains("text/html"));
        if (!fragment && !page) {
            return Response.problem(problem, refused.path());
        }
        Response response = response(dashboard.refusal(problem.type().status(), problem.type().title(),
                problem.detail(), fragment));
        for (Map.Entry<String, String> header : problem.headers().entrySet()) {
            response = response.withHeader(header.getKey(), header.getValue());
        }
        return response;
    }
}
