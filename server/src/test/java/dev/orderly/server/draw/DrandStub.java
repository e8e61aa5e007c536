package dev.orderly.server.draw;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server of rounds, which answers what a test sets. */
final class DrandStub implements AutoCloseable {
    static final int ROUND = 7;
    static final String VALUE = randomness("0123");

    final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server;
    private volatile int status = 200;
    private volatile String body = json(ROUND, VALUE, "0123");
    private volatile @Nullable String location;

    DrandStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    static String json(long round, String randomness, String signature) {
        return "{\"round\":" + round + ",\"randomness\":\"" + randomness + "\",\"signature\":\"" + signature + "\"}";
    }

    static String randomness(String signature) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(HexFormat.of().parseHex(signature)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/public/" + ROUND;
    }

    void answers(int code, String text) {
        status = code;
        body = text;
    }

    void knowsTheRound() {
        answers(200, json(ROUND, VALUE, "0123"));
        location = null;
    }

    void redirects(String to) {
        location = to;
        answers(302, "");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.incrementAndGet();
            String to = location;
            if (to != null) {
                exchange.getResponseHeaders().add("Location", to);
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
