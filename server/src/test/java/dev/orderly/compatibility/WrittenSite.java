package dev.orderly.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server on the configuration of a version, with jobs, a room, a visitor inside and a waiting one, and a token. */
final class WrittenSite implements AutoCloseable {
    static final List<String> QUEUES = List.of("orders.fifo", "mails");
    private static final JsonMapper JSON = new JsonMapper();

    private final OrderlyServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * Starts it.
     *
     * @param version folder with {@code orderly.yaml} and {@code secret}
     * @param folder for a copy of the configuration
     * @param store in place of the configuration's
     */
    WrittenSite(Path version, Path folder, String store) throws IOException {
        Map<String, String> variables = Map.of("ORDERLY_SECRET",
                Files.readString(version.resolve("secret")).strip());
        String text = Files.readString(version.resolve("orderly.yaml"));
        Path file = Files.writeString(folder.resolve("used.yaml"),
                text.replaceFirst("(?m)^store: .*$", "store: " + store));
        server = ServerInTest.start(file, variables);
    }

    /** Writes what the test reads; returns the answers that it needs. */
    ObjectNode write() throws Exception {
        ObjectNode written = JSON.createObjectNode().put("written", Time.system().now().toString());
        for (String order : List.of("ann 1", "ann 2", "bob 1", "ann 3")) {
            post("/queues/orders.fifo/jobs?group=" + order.substring(0, 3), "{\"order\":\"" + order + "\"}", 202);
        }
        for (int priority : List.of(3, 1, 2)) {
            post("/queues/mails/jobs?priority=" + priority, "{\"to\":\"ada@example.org\"}", 202);
        }
        post("/queues/mails/pause", "", 200);
        QUEUES.forEach(queue -> jobs(queue).forEach(written.putArray(queue)::add));
        written.put("token", post("/tokens", "{\"name\":\"ops\",\"role\":\"viewer\"}", 201).path("token").asString());
        written.put("pass", cookie("orderly_p_sale"));
        written.put("ticket", cookie("orderly_t_sale"));
        post("/rooms/sale/mode", "{\"mode\":\"hold\"}", 200);
        post("/rooms/sale/message", "{\"text\":\"Back at noon\"}", 200);
        send("PATCH", "/rooms/sale", "{\"capacity\":7}", "", 200);
        written.put("length", get("/rooms/sale", "").path("length").asLong());
        return written;
    }

    /** The waiting jobs of a queue, in their order. */
    List<String> jobs(String queue) {
        JsonNode jobs = get("/queues/" + queue + "/jobs?state=waiting", "").path("jobs");
        return StreamSupport.stream(jobs.spliterator(), false).map(job -> job.path("id").asString()).toList();
    }

    JsonNode get(String path, String token) {
        return send("GET", path, "", token, 200);
    }

    JsonNode post(String path, String body, int status) {
        return send("POST", path, body, "", status);
    }

    /** Calls the API with a token, or as the server's own user where it is empty. */
    JsonNode send(String method, String path, String body, String token, int status) {
        HttpRequest.Builder request = HttpRequest
                .newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + "/api/v1" + path))
                .method(method, BodyPublishers.ofString(body)).header("Content-Type", "application/json");
        try {
            HttpResponse<String> answer = client.send(
                    (token.isEmpty()
                            ? OwnUser.of(server, request)
                            : request.header("Authorization", "Bearer " + token)).build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isEqualTo(status);
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** The cookie of this name that a new visitor gets. */
    private String cookie(String name) throws Exception {
        HttpResponse<Void> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.edgePort() + "/tickets/")).build(),
                BodyHandlers.discarding());
        return answer.headers().allValues("set-cookie").stream().flatMap(line -> Stream.of(line.split(";", 2)[0]))
                .filter(pair -> pair.startsWith(name + "=")).map(pair -> pair.substring(name.length() + 1)).findFirst()
                .orElseThrow(() -> new AssertionError(answer.statusCode() + " " + answer.headers().map()));
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
    }
}
