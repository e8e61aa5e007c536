package dev.orderly.dashboard.chart;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistoryReader;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.web.message.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The routes of the history: tables, and the points that a page's script draws. */
public final class HistoryRoutes {
    private final PageContext context;
    private final HistoryReader history;

    public HistoryRoutes(PageContext context, HistoryReader history) {
        this.context = context;
        this.history = history;
    }

    public List<DashboardRoute> routes() {
        return List.of(route("/queues/{queue}/history", request -> page(Kind.QUEUE, "/queues/", request)),
                route("/rooms/{room}/history", request -> page(Kind.ROOM, "/rooms/", request)),
                route("/queues/{queue}/history.json", request -> points(Kind.QUEUE, request)),
                route("/rooms/{room}/history.json", request -> points(Kind.ROOM, request)));
    }

    private static String name(Kind kind, DashboardRequest request) {
        return request.param(kind == Kind.QUEUE ? "queue" : "room");
    }

    private static DashboardRoute route(String path, DashboardRoute.Answer answer) {
        return new DashboardRoute("GET", path, Role.VIEWER, answer);
    }

    private Response page(Kind kind, String under, DashboardRequest request) {
        return context.page(request, new HistoryPage(under + name(kind, request), charts(kind, request)));
    }

    private Response points(Kind kind, DashboardRequest request) {
        return Response.json(200, ChartJson.of(charts(kind, request)).getBytes(StandardCharsets.UTF_8))
                .withHeader("Cache-Control", "no-store");
    }

    private SubjectCharts charts(Kind kind, DashboardRequest request) {
        try {
            return SubjectCharts.of(history.series(new HistorySubject(kind, name(kind, request)), range(request)));
        } catch (IllegalArgumentException e) {
            throw RefusedFormException.unknown("The history of " + name(kind, request),
                    "find the right name in the list");
        }
    }

    /** The range that a page's address names; an hour by default. */
    public static HistoryRange range(DashboardRequest request) {
        String text = request.query("range");
        return text == null ? HistoryRange.HOUR : HistoryRange.parse(text).orElse(HistoryRange.HOUR);
    }
}
