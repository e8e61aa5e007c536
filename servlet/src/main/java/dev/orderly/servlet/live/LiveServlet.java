package dev.orderly.servlet.live;

import dev.orderly.Orderly;
import dev.orderly.flow.Quota;
import dev.orderly.servlet.exchange.ServletTransport;
import dev.orderly.servlet.exchange.StreamingPart;
import dev.orderly.time.Time;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.LiveTimes;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Live connections of users at one path, as WebSockets and as event streams, by the rules of an edge. The instance
 * has the messages, the presence and the limits; the application names the user of each request. Needs
 * asynchronous support, and the container's WebSockets for WebSockets. The instance belongs to the caller.
 */
@SuppressWarnings("serial") // containers do not serialize servlets
public final class LiveServlet extends HttpServlet implements StreamingPart {
    private static final int WAITS = 8;
    /** By name, since an application without WebSockets need not have its class. */
    private static final String CONTAINER = "jakarta.websocket.server.ServerContainer";
    /** After this time a client connects again, and is identified anew. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final LiveUsers users;
    private final LiveHandler door;
    private final Time time;
    private transient volatile @Nullable ServletTransport transport;

    /** A request that becomes a WebSocket. */
    private record Upgraded(String address, Authentication.@Nullable Known known)
            implements
                RequestRouter.Match.ByTransport {}

    /** A servlet for the users of the container's principals. */
    public LiveServlet(Orderly orderly, Time time) {
        Objects.requireNonNull(orderly, "orderly");
        this(orderly, LiveUsers.PRINCIPALS, time);
    }

    public LiveServlet(Orderly orderly, LiveUsers users, Time time) {
        Objects.requireNonNull(orderly, "orderly");
        Objects.requireNonNull(users, "users");
        this.users = users;
        this.time = time;
        this.door = new LiveHandler(orderly.engines().live(), LiveAccess.of(Authenticator.NONE), LiveTimes.DEFAULT,
                time,
                (_, _, address, known) -> new Upgraded(address, known));
    }

    @Override
    public void init() {
        door.start();
        transport = new ServletTransport(WAITS, time);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        ServletTransport running = transport;
        if (running == null) {
            throw new IllegalStateException("The live connections were not initialised by a container");
        }
        Authentication sender = users.of(request)
                .<Authentication>map(user -> new Authentication.Known(user, time.now().plus(LONGEST)))
                .orElseGet(
                        () -> new Authentication.Rejected("The application names no user for this request: sign in"));
        RequestRouter router = EdgeHandler.inOrder(TrustedProxies.NONE, List.of((edge, _) -> door.connect(edge,
                () -> sender)));
        running.serve(router, request, response, (match, head, _) -> {
            if (match instanceof Upgraded(String address, Authentication.Known known)) {
                upgrade(request, response, head, address, known);
            }
        });
    }

    private void upgrade(HttpServletRequest request, HttpServletResponse response, RequestHead head, String address,
            Authentication.@Nullable Known known) throws IOException, ServletException {
        Object container = getServletContext().getAttribute(CONTAINER);
        if (container == null) {
            response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, "This container has no WebSockets: add its"
                    + " module for them, or connect with Accept: text/event-stream");
            return;
        }
        Quota.Taken taken = door.engine().enter(address);
        if (taken != Quota.Taken.TAKEN) {
            Problem full = door.full(taken);
            full.headers().forEach(response::setHeader);
            response.sendError(full.type().status());
            return;
        }
        LiveSocketUpgrade.upgrade(container, request, response, head.path(), new LiveSocket(door, address, known));
    }

    @Override
    public void endStreams() {
        ServletTransport now = transport;
        if (now != null) {
            now.endStreams();
        }
    }

    @Override
    public void destroy() {
        ServletTransport last = transport;
        transport = null;
        if (last != null) {
            last.close();
            door.close();
        }
    }
}
