package dev.orderly.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node;
import dev.orderly.http.Node.Reply;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.SearchTerms;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Values that are masked ({@code password}): who sees them, and what else could tell them. */
@Timeout(150)
class MaskingTest {
    private static final String JSON = "application/json";
    private static final String SECRET = "hunter \"2\" & co";

    private final Node node = new Node();

    @BeforeEach
    void start() {
        node.jobs().pull(node.orderly.queue("emails", Payload.class));
        node.orderly.start();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private JobId push() {
        return node.jobs().push(PushRequest.of("emails", Payload.json(document(SECRET)))
                .withParams(Map.of("Password", SECRET, "plain", "x"))).id();
    }

    private static String document(String secret) {
        return JsonMapper.shared().createObjectNode().put("password", secret).put("to", "ann").toString();
    }

    private JsonNode claimed() {
        Reply reply = node.post(node.atApi("/queues/emails/claims"), JSON, "{\"wait\": \"20s\"}");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json().path("jobs").path(0);
    }

    private List<AuditEntry> entries() {
        return node.access.audit().list(AuditQuery.newest(100));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void noSearchComparesAMaskedValueAndItsAnswerIsTheSameForEveryGuess() {
        push();
        for (String name : List.of("password", "Password", "PASSWORD")) {
            Reply right = node.get("/jobs?param=" + encoded(name + "=" + SECRET));
            Reply wrong = node.get("/jobs?param=" + encoded(name + "=other"));
            assertThat(right.status()).isEqualTo(400);
            assertThat(right.detail()).contains("masked", "redact", "reveal").doesNotContain("hunter");
            assertThat(right.text()).isEqualTo(wrong.text());
            for (String path : List.of("/bulk/count", "/bulk")) {
                Reply bulk = node.post(node.atApi(path), JSON,
                        "{\"action\":\"cancel\",\"param\":\"" + name + "=other\"}");
                assertThat(bulk.status()).isEqualTo(400);
                assertThat(bulk.detail()).contains("masked");
            }
        }
        assertThat(node.get("/jobs?param=plain%3Dx").json().path("jobs").size()).isEqualTo(1);
    }

    /** So that a further condition is thought of here. */
    @Test
    void noOtherConditionOfASearchReadsAParamOrAPayload() {
        assertThat(SearchTerms.NAMES).containsExactlyInAnyOrder("queue", "state", "group", "user", "param", "dedupe",
                "q", "id", "error", "from", "to");
    }

    @Test
    void aClaimOfAPersonIsInTheAuditLogBeforeItIsSeenAndThatOfAWorkerIsNot() {
        JobId id = push();
        JsonNode job = claimed();
        assertThat(job.toString()).contains("hunter");
        AuditEntry entry = entries().getFirst();
        assertThat(entry.act().operation()).isEqualTo("claim");
        assertThat(entry.act().object()).isEqualTo("job " + id);
        assertThat(entry.act().before()).isEqualTo("queue emails");
        assertThat(entry.outcome()).isEqualTo(AuditEntry.Outcome.DONE);
        assertThat(entry.toString()).doesNotContain("hunter");

        TokenSecret secret = TokenSecret.random(new SecureRandom());
        node.access.create(new AccessToken(new TokenName("worker"), Role.WORKER, Set.of(new QueueName("emails")),
                Instant.EPOCH, null), secret);
        push();
        int before = entries().size();
        Reply worker = node.send(Node.at(node.api.port(), "/api/v1/queues/emails/claims")
                .header("Authorization", "Bearer " + secret.text()).header("Content-Type", JSON)
                .POST(BodyPublishers.ofString("{\"wait\": \"20s\"}")));
        assertThat(worker.json().path("jobs").size()).isEqualTo(1);
        assertThat(node.post(node.atApi("/queues/emails/claims"), JSON, "").json().path("jobs").size()).isZero();
        assertThat(entries()).hasSize(before);
    }

    @Test
    void theWordsOfAWorkerAreMaskedWhereverTheyAreShownOrSearched() {
        JobId first = push();
        JsonNode job = claimed();
        String form = encoded(SECRET);
        report(job, "progress", JSON, "{\"done\":1,\"total\":2,\"text\":\"at hunter \\\"2\\\" & co\"}");
        assertThat(node.get("/jobs/" + first).json().path("progress").path("text").asString())
                .isEqualTo("at [masked]");
        report(job, "failed?final=true", "text/plain", "No login of " + SECRET.toUpperCase(Locale.ROOT) + "\n"
                + document(SECRET) + "\n" + form + "\n" + "x".repeat(200) + SECRET);
        JobId second = push();
        JsonNode other = claimed();
        assertThat(node.post(node.atApi("/attempts"), JSON, """
                {"reports": [{"id": "%s", "token": "%s", "report": "failed", "error": "no hunter \\"2\\" & co",
                  "detail": "hunter \\"2\\" & co", "final": true}]}
                """.formatted(second, other.path("token").asString())).status()).isEqualTo(200);
        for (String path : List.of("/jobs/" + first, "/jobs/" + first + "/attempts", "/jobs/" + first + "/why",
                "/jobs/" + second, "/jobs/" + second + "/attempts", "/jobs?state=dead", "/dead", "/queues/emails/dead",
                "/queues/emails/jobs?state=dead")) {
            Reply reply = node.get(path);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text().toLowerCase(Locale.ROOT)).as(path).contains("[masked]")
                    .doesNotContain("hunter", form.toLowerCase(Locale.ROOT));
        }
        assertThat(node.get("/jobs?q=hunter").json().path("jobs").size()).isZero();
        assertThat(node.get("/jobs?q=" + encoded("no login of")).json().path("jobs").size()).isEqualTo(1);
    }

    private void report(JsonNode job, String report, String type, String body) {
        Reply reply = node.post(node.atApi("/jobs/" + job.path("id").asString() + "/" + report)
                .header(AttemptTokens.HEADER, job.path("token").asString()), type, body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    }
}
