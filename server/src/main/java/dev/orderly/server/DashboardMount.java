package dev.orderly.server;

import dev.orderly.dashboard.Dashboard;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.MountedPages;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.util.List;
import java.util.Map;

/** The dashboard as pages of the listener of the API, whose identities and rules of sessions hold for it. */
public final class DashboardMount {
    private final Dashboard dashboard;

    public DashboardMount(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    /** All pages, actions and the stream of updates. */
    public MountedPages pages() {
        return new MountedPages(dashboard.routes().stream().map(this::endpoint).toList(),
                List.of(new MountedPages.Stream(Dashboard.UPDATES, LeastRole.VIEWER, dashboard::updates)),
                (problem, _, fragment) -> dashboard.refusal(problem, fragment));
    }

    /** A page refuses a lower role itself, within the frame of who is signed in. */
    private ApiEndpoint endpoint(DashboardRoute route) {
        if (route.method().equals("GET")) {
            return new ApiEndpoint(route.id(), LeastRole.VIEWER,
                    Endpoint.bodiless("GET", route.path().text(), this::answer));
        }
        return new ApiEndpoint(route.id(), new LeastRole(route.least(), false),
                new Endpoint(route.method(), route.path(), _ -> Dashboard.FORM, Map.of(), this::answer));
    }

    private Response answer(Request call) {
        return dashboard.answer(DashboardRequest.of(call, call.head().path(), ApiCall.current().caller()));
    }
}
