package dev.orderly.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A worker behind webhooks that answers 200 and records the start and the answer of each delivery. */
public final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedQueue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    private final Time time = Time.system();

    /**
     * One delivery of a job.
     *
     * @param began monotonic moment at which its request had arrived
     * @param answered monotonic moment just before its answer was sent
     */
    public record Delivery(String job, int attempt, String group, String params, String body, long began,
            long answered) {}

    public Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/work";
    }

    /** All deliveries so far, in no particular order. */
    public List<Delivery> deliveries() {
        return List.copyOf(deliveries);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void receive(HttpExchange exchange) throws IOException {
        long began = time.nanos();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var headers = exchange.getRequestHeaders();
        String group = headers.getFirst("Orderly-Group");
        String params = headers.getFirst("Orderly-Params");
        deliveries
                .add(new Delivery(headers.getFirst("webhook-id"), Integer.parseInt(headers.getFirst("Orderly-Attempt")),
                        group == null ? "" : group, params == null ? "" : params, body, began, time.nanos()));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }
}
