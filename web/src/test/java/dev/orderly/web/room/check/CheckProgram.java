package dev.orderly.web.room.check;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A program of an operator's that is asked about visitors, and answers what a test says. */
public final class CheckProgram implements AutoCloseable {
    /** The questions, in their order. */
    public final List<Question> questions = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int status = 200;
    private volatile String answer = "{\"verdict\":\"allow\"}";
    private volatile boolean hangs;

    /** @param head the signature's headers: id, timestamp, signature */
    public record Question(String body, List<String> head) {
        public JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    public CheckProgram() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(task -> Thread.ofVirtual().name("check").start(task));
        server.createContext("/", this::serve);
        server.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            questions.add(new Question(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                    Stream.of("webhook-id", "webhook-timestamp", "webhook-signature")
                            .map(name -> String.valueOf(exchange.getRequestHeaders().getFirst(name))).toList()));
            if (hangs) {
                end.await();
            }
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/check?key=secret");
    }

    public void answers(String json) {
        answers(200, json);
    }

    public void answers(int code, String body) {
        hangs = false;
        status = code;
        answer = body;
    }

    /** Answers no more. */
    public void hangs() {
        hangs = true;
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
    }
}
