package dev.orderly.boxoffice.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.boxoffice.web.Response.Asset;
import dev.orderly.boxoffice.web.Response.Page;
import dev.orderly.boxoffice.web.Response.Redirect;
import dev.orderly.boxoffice.web.Response.WrongMethod;
import dev.orderly.job.PushRefusedException;
import dev.orderly.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP side of the routes: cookies, limits, headers, errors. On loopback only; each request on a virtual thread,
 * which may block.
 *
 * <p>Not a server for the open Internet: the JDK's server has no deadline for a client that sends slowly. Orderly's
 * edge in front has one.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    private static final int AT_ONCE = 1_024;
    private static final Map<String, String> SAFETY = Map.of(
            "Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
                    + " img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options", "nosniff", "Referrer-Policy", "same-origin");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Function<Request, Response> routes;
    private final Numbers numbers;
    private final Sessions sessions;

    /**
     * @param port 0 for any free port
     * @throws IOException if the port is taken
     */
    public WebServer(int port, Site site, Numbers numbers, Sessions sessions) throws IOException {
        this.routes = site::answer;
        this.numbers = numbers;
        this.sessions = sessions;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), AT_ONCE);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(1);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        boolean admitted = places.tryAcquire();
        try (exchange) {
            if (!admitted) {
                send(exchange, Problems.busy(), Optional.empty());
                return;
            }
            Optional<String> known = Request.session(exchange.getRequestHeaders()).flatMap(sessions::customer);
            String customer = known.orElseGet(numbers::customer);
            send(exchange, answer(exchange, customer),
                    known.isPresent() ? Optional.empty() : Optional.of(sessions.token(customer)));
        } finally {
            if (admitted) {
                places.release();
            }
        }
    }

    private Response answer(HttpExchange exchange, String customer) throws IOException {
        String method = exchange.getRequestMethod();
        try {
            Map<String, String> form = Map.of();
            if (method.equals("POST")) {
                if (!Request.isFromHere(exchange.getRequestHeaders())) {
                    return Problems.foreign();
                }
                Optional<Map<String, String>> read = Request.form(exchange);
                if (read.isEmpty()) {
                    return Problems.unreadable();
                }
                form = read.get();
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                return new WrongMethod("GET, HEAD, POST");
            }
            return routes.apply(new Request(method, Request.path(exchange), form, customer));
        } catch (StoreException | PushRefusedException e) {
            LOG.warn("{} {} has to wait: {}", method, exchange.getRequestURI().getPath(), e.getMessage());
            return Problems.busy();
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", method, exchange.getRequestURI().getPath(), e);
            return Problems.broken();
        }
    }

    private static void send(HttpExchange exchange, Response response, Optional<String> newSession)
            throws IOException {
        Headers headers = exchange.getResponseHeaders();
        SAFETY.forEach(headers::set);
        switch (response) {
            case Asset asset -> {
                headers.set("Cache-Control", "public, max-age=60");
                headers.set("ETag", asset.etag());
                headers.set("Content-Type", asset.type());
                boolean fresh = asset.etag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
                write(exchange, fresh ? 304 : 200, fresh ? "" : asset.text());
            }
            case Redirect redirect -> {
                remember(headers, newSession);
                headers.set("Location", redirect.to());
                write(exchange, 303, "");
            }
            case WrongMethod wrong -> {
                headers.set("Allow", wrong.allowed());
                page(exchange, Problems.method(wrong));
            }
            case Page page -> {
                remember(headers, newSession);
                page(exchange, page);
            }
        }
    }

    private static void page(HttpExchange exchange, Page page) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/html; charset=utf-8");
        headers.set("Cache-Control", "no-store");
        if (page.status() == 503) {
            headers.set("Retry-After", "2");
        }
        write(exchange, page.status(), page.html().markup());
    }

    private static void remember(Headers headers, Optional<String> session) {
        session.ifPresent(value -> headers.set("Set-Cookie",
                Sessions.COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Lax"));
    }

    private static void write(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean bare = exchange.getRequestMethod().equals("HEAD") || body.length == 0;
        if (bare && body.length > 0) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        }
        exchange.sendResponseHeaders(status, bare ? -1 : body.length);
        if (!bare) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }
}
