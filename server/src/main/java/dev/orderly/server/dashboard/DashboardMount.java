package dev.orderly.server.dashboard;

import dev.orderly.dashboard.Dashboard;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.update.UpdateStream;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.MountedPages;
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
import dev.orderly.web.route.RequestRouter.Match;
import java.util.List;
import java.util.Map;

/** The dashboard as pages of the listener of the API, whose identities and rules of sessions hold for it. */
public final class DashboardMount {
    private static final String EVENTS = "/events";
    /** The largest payload, percent-encoded. */
    private static final BodyLimit FORM = new BodyLimit(4 << 20, new Problem(ProblemType.TOO_LARGE,
            "The form has more than 4 MiB: send less"));

    private final Dashboard dashboard;

    public DashboardMount(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    /** All pages, actions and the stream of updates. */
    public MountedPages pages() {
        return new MountedPages(dashboard.routes().stream().map(this::endpoint).toList(),
                List.of(new MountedPages.Stream(EVENTS, LeastRole.VIEWER, this::events)), this::refusal);
    }

    /** A page refuses a lower role itself, within the frame of who is signed in. */
    private ApiEndpoint endpoint(Route route) {
        boolean page = route.method().equals("GET");
        LeastRole least = new LeastRole(route.least(), false);
        return page
                ? new ApiEndpoint(route.id(), LeastRole.VIEWER, Endpoint.bodiless("GET", route.path(), this::answer))
                : new ApiEndpoint(route.id(), least, new Endpoint(route.method(), PathTemplate.parse(route.path()),
                        _ -> FORM, Map.of(), this::answer));
    }

    private Response answer(Request call) {
        RequestHead head = call.head();
        DashboardResponse answer = dashboard.answer(new DashboardRequest(
                head.method().equals("HEAD") ? "GET" : head.method(), head.path(), FormFields.ofQuery(head.query()),
                FormFields.ofForm(head, call.body()), ApiCall.current().caller()));
        Response response = new Response(answer.status(), List.of(), answer.body());
        for (Map.Entry<String, String> header : answer.headers().entrySet()) {
            response = response.withHeader(header.getKey(), header.getValue());
        }
        return response;
    }

    private Match events(RequestHead head, Caller caller) {
        List<String> pages = FormFields.ofQuery(head.query()).getOrDefault("page", List.of());
        if (pages.size() != 1 || !pages.getFirst().startsWith("/")) {
            throw new Refusal(ProblemType.BAD_REQUEST, "The query parameter page names no page: send its path");
        }
        String[] page = pages.getFirst().split("\\?", 2);
        DashboardRequest request = new DashboardRequest("GET", page[0],
                FormFields.ofQuery(page.length < 2 ? null : page[1]), Map.of(), caller);
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

    private Response refusal(Problem problem, String path, boolean fragment) {
        DashboardResponse page = dashboard.refusal(problem.type().status(), problem.type().title(), problem.detail(),
                fragment);
        Response response = new Response(problem.type().status(), List.of(), page.body());
        for (Map.Entry<String, String> header : page.headers().entrySet()) {
            response = response.withHeader(header.getKey(), header.getValue());
        }
        for (Map.Entry<String, String> header : problem.headers().entrySet()) {
            response = response.withHeader(header.getKey(), header.getValue());
        }
        return response;
    }
}
