package dev.orderly.servlet;

import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

final class JettyContainer implements Container {
    private final Server server;
    private final ServerConnector connector;

    JettyContainer(String context, Parts parts) {
        server = new Server(new QueuedThreadPool(parts.threads() + 6, 4));
        connector = new ServerConnector(server, 1, 1);
        if (parts.lenient()) {
            connector.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration()
                    .setUriCompliance(UriCompliance.UNSAFE);
        }
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler app = new ServletContextHandler(context.isEmpty() ? "/" : context,
                ServletContextHandler.SESSIONS);
        parts.filters().values().forEach(filter -> {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            app.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
        });
        parts.servlets().forEach((mapping, servlet) -> {
            ServletHolder holder = new ServletHolder(servlet);
            holder.setAsyncSupported(true);
            app.addServlet(holder, mapping);
        });
        JakartaWebSocketServletContainerInitializer.configure(app, null);
        app.getServletHandler().setDecodeAmbiguousURIs(parts.lenient());
        server.setHandler(app);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
