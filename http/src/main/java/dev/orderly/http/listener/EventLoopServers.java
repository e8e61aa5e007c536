package dev.orderly.http.listener;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Servers on one address, one for each event loop. Vert.x binds the address once, and deals the accepted connections to
 * the servers in turn.
 */
final class EventLoopServers {
    /** To Vert.x, servers that listen on this port share one free port; 0 would give each server a port of its own. */
    private static final int FREE_PORT_OF_ALL = -1;

    private final Vertx vertx;
    private final Supplier<HttpServer> server;
    private final Runnable started;
    private final Queue<HttpServer> servers = new ConcurrentLinkedQueue<>();

    /**
     * Servers that do not listen yet.
     *
     * @param vertx whose event loops the servers use
     * @param started runs on each event loop once
     */
    EventLoopServers(Vertx vertx, Supplier<HttpServer> server, Runnable started) {
        this.vertx = vertx;
        this.server = server;
        this.started = started;
    }

    /** Listens on {@code loops} event loops; completes once all of them accept connections. */
    Future<?> listen(BindAddress bind, int loops) {
        int port = bind.port() == 0 ? FREE_PORT_OF_ALL : bind.port();
        return vertx.deployVerticle(() -> new Listening(port, bind.host()),
                new DeploymentOptions().setInstances(loops));
    }

    /** The server of one event loop. Vert.x wants an object of its own for each. */
    private final class Listening implements Deployable {
        private final int port;
        private final String host;

        Listening(int port, String host) {
            this.port = port;
            this.host = host;
        }

        @Override
        public Future<?> deploy(Context loop) {
            HttpServer made = server.get();
            servers.add(made);
            started.run();
            return made.listen(port, host);
        }
    }

    /** The port that all of them listen on. */
    int port() {
        return servers.element().actualPort();
    }

    /** Accepts no new connections and requests; completes when all connections are closed, at the latest after this. */
    Future<?> shutdown(Duration patience) {
        return Future.join(servers.stream().map(one -> one.shutdown(patience)).toList());
    }
}
