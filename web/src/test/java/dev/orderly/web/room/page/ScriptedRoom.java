package dev.orderly.web.room.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.web.page.ReaderLanguages;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A site behind a room; the test decides every answer of the room. */
final class ScriptedRoom implements AutoCloseable {
    private static final String BASE = "/.orderly/rooms/sale";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Queue<OutputStream> listeners = new ConcurrentLinkedQueue<>();
    private final HttpServer server;
    private final WaitingPage page;
    private final ReaderLanguages reader;
    private volatile PageState state = Pages.WAITING;
    private volatile String ticket = "{}";
    private volatile boolean eventsWork = true;
    private volatile boolean inside;
    private volatile Duration refresh = Duration.ofSeconds(20);

    ScriptedRoom(String language) throws IOException {
        this.reader = ReaderLanguages.of(List.of(language));
        this.page = Pages.standard();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::page);
        server.createContext(BASE + "/events", this::events);
        server.createContext(BASE + "/ticket", this::ticket);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/tickets?show=7";
    }

    void state(PageState value) {
        state = value;
    }

    /** Answers with the site's own page from now on. */
    void admit() {
        inside = true;
    }

    void ticket(String json) {
        ticket = json;
    }

    /** Refuses events and makes pages poll every second. */
    void withoutEvents() {
        eventsWork = false;
        refresh = Duration.ofSeconds(1);
    }

    /** Method and path of every request so far. */
    List<String> requests() {
        return requests;
    }

    boolean isHeard() {
        return !listeners.isEmpty();
    }

    /** Sends to all open event streams; the streams of closed pages are dropped. */
    void send(String event, String data) {
        byte[] lines = ("event: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        listeners.removeIf(listener -> {
            try {
                listener.write(lines);
                listener.flush();
                return false;
            } catch (IOException _) {
                return true;
            }
        });
    }

    private void page(HttpExchange exchange) throws IOException {
        note(exchange);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if (inside) {
            answer(exchange, 200,
                    "<!DOCTYPE html><title>Inside</title><h1>Inside</h1>".getBytes(StandardCharsets.UTF_8));
        } else {
            exchange.getResponseHeaders().set("Content-Security-Policy", page.contentSecurityPolicy());
            answer(exchange, 503, page.render(new PageView(state, Pages.RULE, null, refresh), reader));
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        note(exchange);
        if (!eventsWork) {
            answer(exchange, 503, new byte[0]);
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(": hello\n\n".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        listeners.add(exchange.getResponseBody());
    }

    private void ticket(HttpExchange exchange) throws IOException {
        note(exchange);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        boolean read = exchange.getRequestMethod().equals("GET");
        answer(exchange, read ? 200 : 204, read ? ticket.getBytes(StandardCharsets.UTF_8) : new byte[0]);
    }

    private void note(HttpExchange exchange) {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        for (OutputStream listener : listeners) {
            try {
                listener.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        threads.shutdownNow();
    }
}
