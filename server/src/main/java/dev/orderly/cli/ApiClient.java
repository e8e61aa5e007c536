package dev.orderly.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A client of a server's API. Answers are JSON; any other answer than a success ends the command with the server's
 * message.
 */
final class ApiClient implements AutoCloseable {
    /** The path of the API. */
    static final String BASE = "/api/v1";

    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** Time for an answer, unless a command has less. */
    static final Duration ANSWER = Duration.ofSeconds(60);

    private final String base;
    private final @Nullable String token;
    private final HttpClient client;
    private final Duration answer;

    /**
     * A client of one server.
     *
     * @param url address of the API listener, without a path
     * @param token null for none
     * @param tls for https addresses; null for that of the JDK
     * @param answer time for each answer
     */
    ApiClient(String url, @Nullable String token, @Nullable SSLContext tls, Duration answer) {
        this.base = url;
        this.token = token;
        this.answer = answer;
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT);
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /** The address of the API, without a path. */
    String base() {
        return base;
    }

    JsonNode get(String path, Map<String, String> query) {
        return send(HttpRequest.newBuilder(uri(path, query)).GET());
    }

    JsonNode post(String path, Map<String, String> query) {
        return send(HttpRequest.newBuilder(uri(path, query)).POST(BodyPublishers.noBody()));
    }

    JsonNode post(String path, Map<String, String> query, byte[] body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path, query)).POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return send(request);
    }

    JsonNode patch(String path, byte[] body) {
        return send(HttpRequest.newBuilder(uri(path, Map.of())).method("PATCH", BodyPublishers.ofByteArray(body))
                .header("Content-Type", "application/json"));
    }

    JsonNode put(String path, byte[] body) {
        return send(HttpRequest.newBuilder(uri(path, Map.of())).PUT(BodyPublishers.ofByteArray(body))
                .header("Content-Type", "application/json"));
    }

    JsonNode delete(String path) {
        return send(HttpRequest.newBuilder(uri(path, Map.of())).DELETE());
    }

    /** A text escaped for one path segment or query value. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        client.close();
    }

    private URI uri(String path, Map<String, String> query) {
        String text = query.entrySet().stream().map(e -> e.getKey() + "=" + encoded(e.getValue()))
                .collect(Collectors.joining("&"));
        try {
            return URI.create(base + path + (text.isEmpty() ? "" : "?" + text));
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(Main.WRONG,
                    "\"" + base + "\" is not an address: use one like http://127.0.0.1:8081", e);
        }
    }

    private JsonNode send(HttpRequest.Builder builder) {
        try {
            if (token != null) {
                builder.header("Authorization", "Bearer " + token);
            }
            HttpRequest request = builder.timeout(answer).header("Accept", "application/json").build();
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            JsonNode json = json(response.body());
            if (response.statusCode() / 100 != 2) {
                throw new CommandFailedException(reason(response.statusCode(), json), null);
            }
            return json;
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(Main.WRONG, "The request cannot be made: " + e.getMessage(), e);
        } catch (ConnectException e) {
            throw new CommandFailedException.NoServer("Nothing answers at " + base
                    + ": start a server with \"orderly serve --config FILE\" or \"orderly demo\", or name its address"
                    + " with"
                    + " --url or --config", e);
        } catch (SSLException e) {
            if (String.valueOf(e.getMessage()).contains("certificate_required")) {
                throw new CommandFailedException(base + " asks for a certificate of its clients: name one with --cert"
                        + " CERTIFICATE,KEY", e);
            }
            throw new CommandFailedException(
                    base + " is not trusted (" + e.getMessage() + "): use the name in its certificate,"
                            + " and name the certificate of a private issuer with --ca FILE",
                    e);
        } catch (IOException e) {
            throw new CommandFailedException("No answer from " + base + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("Interrupted while waiting for " + base, e);
        }
    }

    private String reason(int status, JsonNode json) {
        String detail = json.path("detail").asString("");
        return detail.isEmpty()
                ? base + " answered " + status + ", unlike Orderly's API: check the address"
                : detail;
    }

    private static JsonNode json(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException _) {
            return MissingNode.getInstance(); // the reader of a missing field reports it
        }
    }
}
