package dev.orderly.servlet.live;

import dev.orderly.flow.Quota;
import dev.orderly.live.LiveEngine;
import dev.orderly.servlet.exchange.ServletTransport;
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
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Live connections of users at one path, as WebSockets and as event streams, by the rules of an edge: messages,
 * presence and limits are those of the engine. The user is the one that the application names for the request. Needs
 * asynchronous support, and the container's WebSockets for WebSockets. The engine belongs to the caller.
 */
@SuppressWarnings("serial") // containers do not serialize servlets
public final class LiveServlet extends HttpServlet {
    private static final int WAITS = 8;
    private static final String CONTAINER = ServerContainer.class.getName();
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
    public LiveServlet(LiveEngine engine, Time time) {
        this(engine, LiveUsers.PRINCIPALS, time);
    }

    public LiveServlet(LiveEngine engine, LiveUsers users, Time time) {
        this.users = users;
        this.time = time;
        this.door = new LiveHandler(engine, LiveAccess.of(Authenticator.NONE), LiveTimes.DEFAULT, time,
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
        if (!(getServletContext().getAttribute(CONTAINER) instanceof ServerContainer container)) {
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
        LiveSocket socket = new LiveSocket(door, address, known);
        try {
            ServerEndpointConfig config = ServerEndpointConfig.Builder.create(LiveSocket.class, head.path())
                    .configurator(new One(socket)).build();
            container.upgradeHttpToWebSocket(request, response, config, Map.of());
        } catch (DeploymentException e) {
            throw new ServletException("The container does not open a WebSocket", e);
        } finally {
            if (response.getStatus() != HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
                socket.leave();
            }
        }
    }

    /** The endpoint of one request. */
    private static final class One extends ServerEndpointConfig.Configurator {
        private final LiveSocket socket;

        One(LiveSocket socket) {
            this.socket = socket;
        }

        @Override
        public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(socket);
        }

        /** The servlet has checked the origin. */
        @Override
        public boolean checkOrigin(String origin) {
            return true;
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
