package dev.orderly.server.alert;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.time.Time;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import dev.orderly.web.webhook.WebhookSignature.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of alerts that verifies their signatures. */
public final class AlertReceiverStub implements AutoCloseable {
    public final AtomicInteger refusals = new AtomicInteger();
    private final Queue<String> ids = new ConcurrentLinkedQueue<>();
    private final Queue<JsonNode> taken = new ConcurrentLinkedQueue<>();
    private final Queue<Verdict> faults = new ConcurrentLinkedQueue<>();
    private final List<WebhookSecret> secrets;
    private final HttpServer server;

    public AlertReceiverStub(List<WebhookSecret> secrets) throws IOException {
        this.secrets = secrets;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::receive);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/alerts";
    }

    /** Type, phase and subject of the alerts of a type, each once. */
    public List<String> of(String type) {
        return taken.stream().filter(alert -> alert.path("type").asString().equals(type))
                .map(alert -> type + " " + alert.path("data").path("phase").asString() + " "
                        + alert.path("data").path("subject").asString())
                .toList();
    }

    public List<JsonNode> taken() {
        return List.copyOf(taken);
    }

    public List<Verdict> faults() {
        return List.copyOf(faults);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            var headers = exchange.getRequestHeaders();
            WebhookSignature signature = new WebhookSignature(headers.getFirst(WebhookSignature.ID),
                    headers.getFirst(WebhookSignature.TIMESTAMP), headers.getFirst(WebhookSignature.SIGNATURE));
            Verdict verdict = signature.verify(body, secrets, Time.system().now());
            if (verdict != Verdict.VALID) {
                faults.add(verdict);
            }
            if (refusals.getAndDecrement() > 0) {
                exchange.sendResponseHeaders(500, -1);
                return;
            }
            if (!ids.contains(signature.id())) {
                ids.add(signature.id());
                taken.add(JsonMapper.shared().readTree(body));
            }
            exchange.sendResponseHeaders(204, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
