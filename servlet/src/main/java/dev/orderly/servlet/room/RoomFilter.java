package dev.orderly.servlet.room;

import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.servlet.exchange.ServletTransport;
import dev.orderly.servlet.exchange.StreamingPart;
import dev.orderly.web.client.ClientScriptHandler;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.ForwardedForCheck;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.page.ErrorPage;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.user.Authenticator;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rooms in front of an application: a request for a path of a room continues only with a pass, all others are answered
 * here, by the rules, pages and tokens of a gate. Serves the endpoints of visitors and the client's script below
 * {@code /.orderly}, too.
 *
 * <p>To be the first filter, on {@code /*}, for {@code REQUEST} dispatches, with asynchronous support for itself and
 * for what is behind it. Paths of rooms begin below the context path. Other dispatches belong to a request that was let
 * through, and pass. The engine of the rooms belongs to the caller, who starts it before and closes it after the
 * filter. Thread-safe.
 */
public final class RoomFilter implements Filter, StreamingPart {
    /** What trusts a proxy in front of a container. */
    private static final String TRUSTING = "let the container read its headers (in Spring Boot"
            + " server.forward-headers-strategy: native), or name its address in RoomFilterOptions.withTrusted"
            + " (orderly.room-filter.trusted-proxies)";
    private static final String SEEN = RoomFilter.class.getName() + ".seen";

    private final List<GatedRoom> rooms;
    private final RoomFilterOptions options;
    private volatile @Nullable Running running;

    private record Running(RequestRouter router, ServletTransport transport, ServletContext context) {}

    /** The rest of the filter chain. */
    private record Proceed() implements RequestRouter.Match.ByTransport {}

    /** A filter with {@link RoomFilterOptions#defaults}. */
    public RoomFilter(List<GatedRoom> rooms) {
        Objects.requireNonNull(rooms, "rooms");
        this(rooms, RoomFilterOptions.defaults());
    }

    /**
     * A filter with its options.
     *
     * @throws IllegalArgumentException if two rooms protect one path of the same hosts, or a room has to know who is
     *     signed in and has no {@link GatedRoom#withUsers users}
     */
    public RoomFilter(List<GatedRoom> rooms, RoomFilterOptions options) {
        Objects.requireNonNull(rooms, "rooms");
        this.rooms = List.copyOf(rooms);
        this.options = options;
        this.rooms.forEach(RoomFilter::checkUsers);
        new RoomGate(this.rooms, options.streams()); // reports a wrong setting here, not at the start of the container
    }

    private static void checkUsers(GatedRoom gated) {
        if (gated.users().equals(Authenticator.NONE) && gated.room().options().needsUsers()) {
            throw new IllegalArgumentException("Room " + gated.room().name() + " has to know who is signed in, for one"
                    + " place a user or the claim of a tier, and nobody says so: add GatedRoom.withUsers");
        }
    }

    /** The rooms in front of the application. */
    public List<GatedRoom> rooms() {
        return rooms;
    }

    @Override
    public void init(FilterConfig config) {
        ServletContext context = config.getServletContext();
        String below = context.getContextPath();
        RoomGate gate = new RoomGate(rooms.stream().map(room -> room.below(below)).toList(), options.streams(),
                TRUSTING);
        EdgeHandler rest = (_, _) -> new Proceed();
        RequestRouter handlers = EdgeHandler.inOrder(options.trusted(), List.of(
                new ForwardedForCheck(options.time(), TRUSTING), // warns of headers that nobody reads
                EdgeHandler.WELL_FORMED, // 400 for a path that servers read in different ways
                gate.endpoints(), // /.orderly/rooms/ROOM/cursor, ticket, pass, events
                new ClientScriptHandler(), // /.orderly/client.js
                gate, // paths of a room: only a request with a pass continues
                rest));
        Map<String, Room> byName = rooms.stream()
                .collect(Collectors.toMap(room -> room.room().name().value(), GatedRoom::room));
        context.setAttribute(SessionPass.ENDS, (Consumer<SessionPass>) pass -> {
            Room room = byName.get(pass.room());
            if (room != null) {
                VisitorId.parse(pass.visitor()).ifPresent(room.visits()::end);
            }
        });
        running = new Running(new Pages(handlers), new ServletTransport(options.waits(), options.time()), context);
    }

    /** Refusals as pages for people and JSON for programs. */
    private record Pages(RequestRouter handlers) implements RequestRouter {
        @Override
        public Match match(RequestHead head) {
            return handlers.match(head);
        }

        @Override
        public Response refusal(Problem problem, Refused refused) {
            return ErrorPage.answer(problem, refused);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("The filter of the rooms was not initialised by a container");
        }
        boolean first = request.getDispatcherType() == DispatcherType.REQUEST && request.getAttribute(SEEN) == null;
        if (first && request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            http.setAttribute(SEEN, true);
            now.transport().serve(now.router(), http, answer,
                    (_, head, additions) -> admitted(http, answer, chain, head, additions));
        } else {
            chain.doFilter(request, response);
        }
    }

    private void admitted(HttpServletRequest request, HttpServletResponse response, FilterChain chain,
            RequestHead head, ExchangeContext additions) throws IOException, ServletException {
        if (!AdmittedRequest.differs(head, additions)) {
            chain.doFilter(request, response); // no room, and nothing of rooms in the request
            return;
        }
        AdmittedRequest inner = new AdmittedRequest(request, head, additions);
        AdmittedResponse outer = new AdmittedResponse(response, additions);
        MeasuredAnswer measured = new MeasuredAnswer(additions, outer, options.time());
        RoomVisit visit = RoomVisit.of(head, additions);
        if (visit != null) {
            inner.setAttribute(RoomVisit.ATTRIBUTE, visit);
        }
        try {
            bind(inner, visit);
            chain.doFilter(inner, outer);
            bind(inner, visit);
            measured.ended(inner);
        } catch (IOException | ServletException | RuntimeException e) {
            measured.failed();
            throw e;
        }
    }

    /** Binds the pass to the session, which may have begun behind this filter. */
    private void bind(HttpServletRequest request, @Nullable RoomVisit visit) {
        if (options.endsWithSession() && visit != null) {
            SessionPass.bind(request, visit);
        }
    }

    @Override
    public void endStreams() {
        Running now = running;
        if (now != null) {
            now.transport().endStreams();
        }
    }

    @Override
    public void destroy() {
        Running last = running;
        running = null;
        if (last != null) {
            last.context().removeAttribute(SessionPass.ENDS); // sessions that end with the application end no stay
            last.transport().close();
        }
    }
}
