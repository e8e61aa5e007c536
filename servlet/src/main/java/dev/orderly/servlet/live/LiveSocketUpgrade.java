package dev.orderly.servlet.live;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.Map;

/** Opens WebSockets in the container. Apart from the servlet, so that event streams need no classes of WebSockets. */
final class LiveSocketUpgrade {
    private LiveSocketUpgrade() {}

    /**
     * Makes a WebSocket of a request; leaves the socket if the container does not.
     *
     * @param container the container's attribute of that name
     */
    static void upgrade(Object container, HttpServletRequest request, HttpServletResponse response, String path,
            LiveSocket socket) throws IOException, ServletException {
        try {
            ServerEndpointConfig config = ServerEndpointConfig.Builder.create(LiveSocket.class, path)
                    .configurator(new One(socket)).build();
            ((ServerContainer) container).upgradeHttpToWebSocket(request, response, config, Map.of());
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
}
