package dev.orderly.dashboard.room;

import dev.orderly.access.Role;
import dev.orderly.access.control.AuditLog;
import dev.orderly.dashboard.chart.HistoryRoutes;
import dev.orderly.dashboard.chart.Trends;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.overview.RoomSummary;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.history.HistoryReader;
import dev.orderly.operate.Targets;
import dev.orderly.room.gate.Room;
import dev.orderly.web.message.Response;
import dev.orderly.web.report.RoomReportPage;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The routes of rooms: pages and previews. What changes a room is in {@link RoomActions}. */
public final class RoomRoutes {
    /** Visitors at the front of the line on the page of a room. */
    private static final int FRONT = 10;
    /** Takers of places in each list on the page of a room. */
    private static final int TAKERS = 10;

    private final PageContext context;
    private final Targets targets;
    private final WaitingPreviews previews;
    private final Trends trends;
    private final HistoryReader history;
    private final InvitationSeries invitations;

    public RoomRoutes(PageContext context, Targets targets, WaitingPreviews previews, Trends trends,
            HistoryReader history, AuditLog audit) {
        this.invitations = new InvitationSeries(audit, context.store(), context.time());
        this.history = history;
        this.trends = trends;
        this.context = context;
        this.targets = targets;
        this.previews = previews;
    }

    public List<DashboardRoute> routes() {
        return Stream.concat(Stream.of(new DashboardRoute("GET", "/rooms", Role.VIEWER, this::all),
                new DashboardRoute("GET", "/rooms/{room}", Role.VIEWER, this::single),
                new DashboardRoute("GET", "/rooms/{room}/report", Role.VIEWER, this::report),
                new DashboardRoute("GET", "/rooms/{room}/preview", Role.VIEWER, this::preview),
                new DashboardRoute("GET", "/rooms/{room}/preview/{state}/{language}", Role.VIEWER, this::framed)),
                new RoomActions(context, targets, invitations).routes().stream()).toList();
    }

    private Response all(DashboardRequest request) {
        return context.page(request, new RoomListPage(targets.rooms().rooms().stream().map(this::summary).toList()));
    }

    private RoomSummary summary(Room room) {
        return RoomSummary.of(room, trends, context.store());
    }

    private Response single(DashboardRequest request) {
        Room room = targets.room(request.param("room"));
        return context.page(request, new RoomPage(summary(room), room.options(),
                new RoomPage.Gates(targets.rooms().front(room.name(), FRONT), targets.rooms().refusals(room.name()),
                        request.viewer().operates() ? targets.rooms().places(room.name(), TAKERS) : null,
                        room.beaconFailure()),
                HistoryRoutes.range(request), !previews.languages().isEmpty(),
                request.viewer().operates() && !room.options().tiers().invited().isEmpty()
                        ? invitations.of(room)
                        : null));
    }

    /** The last 24 hours as a page to print or keep. */
    private Response report(DashboardRequest request) {
        Room room = targets.room(request.param("room"));
        return Response.html(200, new RoomReportPage(history.report(room.name(), room.tiers(), null, null),
                ZoneOffset.UTC).html())
                .withHeader("Content-Security-Policy", RoomReportPage.CONTENT_SECURITY_POLICY)
                .withHeader("X-Content-Type-Options", "nosniff").withHeader("Cache-Control", "no-store");
    }

    private Response preview(DashboardRequest request) {
        Room room = targets.room(request.param("room"));
        String state = chosen(previews.states(), request.query("state"), 0);
        String language = chosen(previews.languages(), request.query("language"),
                Math.max(0, previews.languages().indexOf("en")));
        return context.page(request, new PreviewPage(room.name(), previews, state, language, chosen(PreviewPage.WIDTHS,
                request.query("width"), 0)));
    }

    private static String chosen(List<String> known, @Nullable String asked, int otherwise) {
        return asked != null && known.contains(asked) ? asked : known.get(otherwise);
    }

    private Response framed(DashboardRequest request) {
        Room room = targets.room(request.param("room"));
        String state = request.param("state");
        return previews.renderer().page(room.name(), state, request.param("language").toLowerCase(Locale.ROOT))
                .map(page -> Response.html(200, page.html())
                        .withHeader("Content-Security-Policy", page.contentSecurityPolicy())
                        .withHeader("X-Content-Type-Options", "nosniff").withHeader("Cache-Control", "no-store"))
                .orElseThrow(
                        () -> RefusedFormException.unknown("The preview " + state, "choose a state and a language"));
    }
}
