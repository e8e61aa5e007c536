package dev.orderly.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.time.Time;
import dev.orderly.web.webhook.WebhookSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A trial without a cluster. */
class ClusterTrialTest {
    /** The example of Standard Webhooks. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    private static final Map<String, String> SIGNED = Map.of("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp", "1614265330", "webhook-signature",
            "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");

    @TempDir
    private Path folder = Path.of("");
    private final int port = FreePort.find();

    /** A node that runs each job before it answers the push. */
    private class Direct implements TrialNode {
        private final HttpClient client;

        Direct(HttpClient client) {
            this.client = client;
        }

        @Override
        public String address() {
            return "nowhere";
        }

        @Override
        public JsonNode push(String queue, Map<String, String> query, byte[] payload) {
            for (int attempt = 1; ask(client, signed(attempt, payload), payload) != 200; attempt++) {
                // the handler refuses some attempts on purpose
            }
            return JsonMapper.shared().createObjectNode().put("id", "job");
        }

        @Override
        public JsonNode queue(String queue) {
            return JsonMapper.shared().createObjectNode();
        }
    }

    private static Map<String, String> signed(int attempt, byte[] payload) {
        byte[] mac = WebhookSecret.parse(SECRET).mac("job.1.".getBytes(StandardCharsets.UTF_8), payload);
        return Map.of("webhook-id", "job", "webhook-timestamp", "1", "webhook-signature",
                "v1," + Base64.getEncoder().encodeToString(mac), "Orderly-Attempt", String.valueOf(attempt));
    }

    private TrialResult run(String name, TrialNode node) throws IOException {
        TrialPlan plan = new TrialPlan(Duration.ofMillis(700), 200, List.of(":", "true", "exit 0"),
                Duration.ofMillis(100), new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                Files.createDirectories(folder.resolve(name)), 7);
        return new ClusterTrial(plan, List.of(node), new TrialSignatures(List.of(WebhookSecret.parse(SECRET))), name,
                Time.system()).run();
    }

    @Test
    void aSeedRepeatsTheCommands() throws IOException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            List<String> first = commands(run("first", new Direct(client)));
            List<String> again = commands(run("again", new Direct(client)));
            int both = Math.min(first.size(), again.size());
            assertThat(both).isPositive();
            assertThat(first.subList(0, both)).isEqualTo(again.subList(0, both));
        }
    }

    private static List<String> commands(TrialResult result) {
        return result.disturbances().stream().map(TrialResult.Disturbance::command).toList();
    }

    @Test
    void aRequestThatNoNodeHasSignedIsRefusedAndRecorded() throws IOException {
        List<Integer> answers = new CopyOnWriteArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            TrialResult result = run("trial", new Direct(client) {
                @Override
                public JsonNode push(String queue, Map<String, String> query, byte[] payload) {
                    answers.add(ask(client, Map.of("webhook-id", "forged", "Orderly-Attempt", "1"), payload));
                    return super.push(queue, query, payload);
                }
            });
            assertThat(result.drained()).isTrue();
        }
        assertThat(answers).isNotEmpty().containsOnly(401);
        assertThat(Files.readAllLines(folder.resolve("trial/history.jsonl")))
                .filteredOn(line -> line.contains("\"op\":\"unsigned\"")).hasSameSizeAs(answers)
                .allMatch(line -> line.contains("\"job\":\"forged\""));
    }

    private int ask(HttpClient client, Map<String, String> headers, byte[] payload) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(payload));
        headers.forEach(request::header);
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new ClusterTrial.NodeFailure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterTrial.NodeFailure(e);
        }
    }

    @Test
    void aSignatureCountsForItsBodyIdAndSecretOnly() {
        WebhookSecret other = WebhookSecret.parse("whsec_" + "A".repeat(32));
        TrialSignatures signatures = new TrialSignatures(List.of(other, WebhookSecret.parse(SECRET)));
        Headers headers = new Headers();
        SIGNED.forEach(headers::set);
        assertThat(signatures.isSigned(headers, BODY)).isTrue();
        assertThat(new TrialSignatures(List.of(other)).isSigned(headers, BODY)).isFalse();
        assertThat(signatures.isSigned(headers, new byte[0])).isFalse();
        headers.set("webhook-id", "other");
        assertThat(signatures.isSigned(headers, BODY)).isFalse();
        assertThat(signatures.isSigned(new Headers(), BODY)).isFalse();
        assertThat(new TrialSignatures(List.of()).isSigned(new Headers(), BODY)).isTrue();
    }
}
