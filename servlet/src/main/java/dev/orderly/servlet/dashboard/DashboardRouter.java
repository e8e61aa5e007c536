package dev.orderly.servlet.dashboard;

import dev.orderly.access.Role;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.operate.Caller;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.user.PageOrigins;
import java.util.Map;

/** The router of one request to the dashboard: decides what its sender may do before a body is read. */
final class DashboardRouter implements RequestRouter {
    private static final String CSRF = "X-CSRF-Token";

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
            throw new ProblemException(ProblemType.ROLE,
                    "The application gives " + caller.name() + " no role in the dashboard:"
                            + " sign in as a user with one, or let its DashboardAccess give the user a role");
        }
        Caller viewer = caller.viewer(role);
        String below = head.path().substring(Math.min(path.length(), head.path().length()));
        return switch (head.method()) {
            case "GET", "HEAD" -> below.equals(Dashboard.UPDATES)
                    ? dashboard.updates(head, viewer)
                    : collected(head, below, viewer, Endpoint.bodiless("GET", "/", _ -> Response.empty(500)).body());
            case "POST" -> {
                checkSource(head);
                yield collected(head, below, viewer, _ -> Dashboard.FORM);
            }
            case String other -> throw new ProblemException(new Problem(ProblemType.METHOD_NOT_ALLOWED,
                    "The dashboard takes GET and POST, not " + other).withHeader("Allow", "GET, HEAD, POST"));
        };
    }

    /** A change comes from a page of the dashboard: it has the token of the cookie, and no foreign origin. */
    private void checkSource(RequestHead head) {
        if (PageOrigins.OWN.isForeign(head)) {
            throw new ProblemException(ProblemType.FORBIDDEN, "A page of another site may change nothing here");
        }
        if (!caller.csrf().isToken(head.header(CSRF))) {
            throw new ProblemException(ProblemType.CSRF, "A change needs the header " + CSRF
                    + " with the token of the page: reload the page, and let the browser keep its cookies");
        }
    }

    private Match collected(RequestHead head, String below, Caller viewer, Endpoint.BodyRule body) {
        return new Match.Collected(new Endpoint(head.method(), PathTemplate.parse("/"), body, Map.of(),
                call -> dashboard.answer(DashboardRequest.of(call, below, viewer))), head);
    }

    @Override
    public Response refusal(Problem problem, Refused refused) {
        boolean fragment = !refused.headers().apply("HX-Request").isEmpty();
        boolean page = refused.headers().apply("Accept").stream().anyMatch(accept -> accept.contains("text/html"));
        if (!fragment && !page) {
            return Response.problem(problem, refused.path());
        }
        return dashboard.refusal(problem, fragment);
    }
}
