package dev.orderly.http;

import dev.orderly.http.api.AttemptEndpoints;
import dev.orderly.http.gateway.TracedForwarding;
import dev.orderly.http.intake.EventLinks;
import dev.orderly.http.user.job.UserJobHandler;
import dev.orderly.trace.Tracer;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.StrictTransport;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.RouteTable;
import dev.orderly.web.user.PageOrigins;
import java.time.Duration;
import java.util.List;

/**
 * The handlers of an edge beside routes and origins; {@link EdgeHandler#NONE} for an absent one.
 *
 * @param transport what the edge demands of the transport of later requests
 * @param visitors endpoints of visitors of rooms
 * @param rooms the rooms in front of routes and origins
 * @param live the live connections of users
 * @param jobs the jobs of users
 * @param pages origins of other sites whose pages may act for users
 * @param traces in front of the origins
 */
public record EdgeHandlers(EdgeHandler transport, EdgeHandler visitors, EdgeHandler rooms, EdgeHandler live,
        EdgeHandler jobs, PageOrigins pages, EdgeHandler traces) {
    /** No handlers. */
    public static final EdgeHandlers NONE = new EdgeHandlers(EdgeHandler.NONE, EdgeHandler.NONE, EdgeHandler.NONE,
            EdgeHandler.NONE, EdgeHandler.NONE, PageOrigins.OWN, EdgeHandler.NONE);

    public EdgeHandlers withRooms(RoomGate gate) {
        return new EdgeHandlers(transport, gate.endpoints(), gate, live, jobs, pages, traces);
    }

    public EdgeHandlers withLive(LiveHandler handler) {
        return new EdgeHandlers(transport, visitors, rooms, handler, jobs, pages, traces);
    }

    /** With reports of workers below {@code /.orderly/jobs}; the attempt token is their whole authority. */
    public EdgeHandlers withReports(AttemptEndpoints reports) {
        return before(reports.ofJob());
    }

    private EdgeHandlers before(List<Endpoint> endpoints) {
        RouteTable table = new RouteTable(endpoints);
        EdgeHandler others = jobs;
        EdgeHandler first = (request, next) -> table.taken(request.head())
                .orElseGet(() -> others.match(request, next));
        return new EdgeHandlers(transport, visitors, rooms, live, first, pages, traces);
    }

    /** With the links by which anybody sends an event that a job awaits. */
    public EdgeHandlers withEvents(EventLinks links) {
        return before(links.endpoints());
    }

    public EdgeHandlers withJobs(UserJobHandler handler) {
        return new EdgeHandlers(transport, visitors, rooms, live, handler, pages, traces);
    }

    public EdgeHandlers withPages(PageOrigins origins) {
        return new EdgeHandlers(transport, visitors, rooms, live, jobs, origins, traces);
    }

    /** Records the requests that origins get. */
    public EdgeHandlers withTraces(Tracer tracer) {
        return new EdgeHandlers(transport, visitors, rooms, live, jobs, pages, new TracedForwarding(tracer));
    }

    /** Tells browsers for how long they may use this host over TLS only. */
    public EdgeHandlers withStrictTransport(Duration age) {
        return new EdgeHandlers(new StrictTransport(age), visitors, rooms, live, jobs, pages, traces);
    }
}
