package dev.orderly.fuzz;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The body of a push, behind a first line with the query. Whatever both are, the answer is a success or a refusal, no
 * server error; and what was pushed can be read again.
 */
final class PushInput implements FuzzTarget.Input {
    private static final List<String> TYPES = List.of("application/json", "text/plain",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded");

    private final FuzzedSite site = new FuzzedSite("", "127.0.0.1");
    private final HttpClient client = HttpClient.newHttpClient();
    private final String[] access;

    private PushInput() {
        try {
            access = Files.readString(site.server.localAccess()).strip().split(": ", 2);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static PushInput start() {
        return new PushInput();
    }

    @Override
    public void run(byte[] input) throws Exception {
        int line = 0;
        while (line < input.length && input[line] != '\n') {
            line++;
        }
        String query = new String(input, 0, line, StandardCharsets.US_ASCII).replaceAll("[^!-~]|[\\\\\"<>^`{|}#%]", "");
        byte[] body = line == input.length ? new byte[0] : Arrays.copyOfRange(input, line + 1, input.length);
        String admin = "http://127.0.0.1:" + site.server.adminPort() + "/api/v1/queues/";
        push(admin + "emails/jobs", query, body, TYPES.getFirst());
        push(admin + "emails/jobs/batch", query, body, "application/x-ndjson");
        push(admin + "orders.fifo/jobs", query, body, TYPES.getFirst());
        for (String type : TYPES) {
            push("http://127.0.0.1:" + site.server.edgePort() + "/mail", query, body, type);
        }
    }

    private void push(String address, String query, byte[] body, String type) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + (query.isEmpty() ? "" : "?" + query)))
                .timeout(Duration.ofSeconds(30)).header("Content-Type", type).POST(BodyPublishers.ofByteArray(body));
        if (address.contains("/api/")) {
            request.header(access[0], access[1]);
        }
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 500 || (answer.statusCode() >= 400 && !answer.body().contains("\"detail\""))) {
            throw new AssertionError(address + "?" + query + " is answered " + answer.statusCode() + ": "
                    + answer.body());
        }
    }
}
