package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node.Reply;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Attempts, masked payloads, and what operators do with single jobs. */
class JobOperationsTest {
    private static final String JSON = "application/json";
    private static final String TRACE = "1".repeat(32);

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    private String push(String queue, String type, String body) {
        return String.valueOf(node.post(node.atApi("/queues/" + queue).header("traceparent",
                "00-" + TRACE + "-" + "2".repeat(16) + "-01"), type, body).header("X-Job-Id"));
    }

    private Reply post(String path) {
        return node.send(node.atApi(path).POST(BodyPublishers.noBody()));
    }

    private AuditEntry newestEntry() {
        return node.access.audit().list(AuditQuery.newest(1)).getFirst();
    }

    /** Runs the jobs of a queue; those with an odd number of attempts fail, those that ask for it for good. */
    private void fail() {
        AtomicInteger runs = new AtomicInteger();
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (payload, job) -> {
            if (payload.asText().contains("dead")) {
                throw new Unprocessable("no such address");
            }
            if (runs.incrementAndGet() % 2 == 1) {
                throw new IllegalStateException("the mail server is away");
            }
        });
        node.orderly.start();
    }

    private String deadLetter(String body) {
        String id = push("emails/jobs?user=ada&priority=1", JSON, body);
        fail();
        await().untilAsserted(() -> assertThat(state(id)).isEqualTo("dead"));
        return id;
    }

    private String state(String id) {
        return node.get("/jobs/" + id).json().path("state").asString();
    }

    @Test
    void aJobThatWaitsForItsRetryRunsNowAndShowsItsAttempts() {
        String id = push("emails/jobs", JSON, "{\"a\":1}");
        fail();
        await().untilAsserted(() -> assertThat(state(id)).isEqualTo("delayed"));

        assertThat(post("/jobs/" + id + "/run-now").json().path("result").asString()).isEqualTo("due");
        assertThat(newestEntry().act().operation()).isEqualTo("runNow");
        assertThat(newestEntry().act().object()).isEqualTo("job " + id);
        await().untilAsserted(() -> assertThat(state(id)).isEqualTo("done"));
        assertThat(post("/jobs/" + id + "/run-now").problem()).isEqualTo("not-delayed");
        assertThat(post("/jobs/01990000-0000-7000-8000-000000000000/run-now").problem()).isEqualTo("unknown-job");

        JsonNode answer = node.get("/jobs/" + id + "/attempts").json();
        assertThat(answer.path("attempts").valueStream().map(each -> each.path("outcome").asString()))
                .containsExactly("failed", "done");
        JsonNode failed = answer.path("attempts").path(0);
        assertThat(failed.path("failure").path("summary").asString())
                .isEqualTo("IllegalStateException: the mail server is away");
        assertThat(failed.path("failure").path("detail").asString()).contains("at dev.orderly");
        assertThat(failed.path("node").asString()).isNotEmpty();
        assertThat(answer.path("timeline").valueStream().map(each -> each.path("activity").asString())
                .filter(activity -> activity.equals("running"))).hasSize(2);
    }

    @Test
    void aDeadLetterIsRedrivenByItsIdAndOtherJobsAreNot() {
        String id = deadLetter("{\"to\":\"dead\"}");
        assertThat(post("/jobs/" + id + "/redrive").json().path("result").asString()).isEqualTo("waiting");
        assertThat(newestEntry().act().operation()).isEqualTo("redriveJob");
        assertThat(newestEntry().act().object()).isEqualTo("job " + id);
        assertThat(newestEntry().after()).isEqualTo("waits again");
        await().untilAsserted(
                () -> assertThat(node.get("/jobs/" + id + "/attempts").json().path("attempts")).hasSize(2));
        String delayed = push("emails/jobs?delay=1h", JSON, "{}");
        assertThat(post("/jobs/" + delayed + "/redrive").problem()).isEqualTo("not-dead");
        assertThat(post("/jobs/01990000-0000-7000-8000-000000000000/redrive").problem()).isEqualTo("unknown-job");
    }

    @Test
    void aJobLinksToItsTrace() {
        String id = push("emails/jobs", JSON, "{\"a\":1}");
        JsonNode job = node.get("/jobs/" + id).json();
        assertThat(job.path("trace").asString()).isEqualTo(TRACE);
        assertThat(job.path("traceUrl").asString()).isEqualTo("https://traces.example/" + TRACE);
    }

    @Test
    void namedKeysAreMaskedUntilAnOperatorRevealsThem() {
        String id = push("emails/jobs", JSON, "{\"user\":\"ada\",\"Password\":\"hunter2\"}");
        JsonNode shown = node.get("/jobs/" + id).json();
        assertThat(shown.toString()).doesNotContain("hunter2");
        assertThat(shown.path("masked").asBoolean()).isTrue();
        assertThat(shown.path("payload").path("json").path("Password").asString()).isEqualTo("[masked]");

        Reply revealed = post("/jobs/" + id + "/reveal");
        assertThat(revealed.json().path("payload").path("json").path("Password").asString()).isEqualTo("hunter2");
        assertThat(newestEntry().act().operation()).isEqualTo("reveal");
        assertThat(newestEntry().toString()).contains(id).doesNotContain("hunter2");
    }

    @Test
    void aDeadLetterIsPushedAgainWithAChangedPayloadAndNamedAsOrigin() {
        String dead = deadLetter("{\"to\":\"dead\"}");
        Reply again = node.post(node.atApi("/jobs/" + dead + "/push-again"), "text/plain", "ada@example.org");
        assertThat(again.status()).isEqualTo(202);
        String id = again.json().path("id").asString();
        JsonNode job = node.get("/jobs/" + id).json();
        assertThat(job.path("origin").asString()).isEqualTo(dead);
        assertThat(job.path("user").asString()).isEqualTo("ada");
        assertThat(job.path("priority").asInt()).isEqualTo(1);
        assertThat(state(dead)).isEqualTo("dead");
        assertThat(newestEntry().after()).isEqualTo("pushed job " + id);

        Reply repeated = node.post(node.atApi("/jobs/" + dead + "/push-again"), "text/plain", "ada@example.org");
        assertThat(repeated.json().path("id").asString()).isEqualTo(id);
        assertThat(repeated.json().path("duplicate").asBoolean()).isTrue();
        Reply other = node.post(node.atApi("/jobs/" + dead + "/push-again"), JSON, "{\"to\":\"grace\"}");
        assertThat(other.json().path("id").asString()).isNotEqualTo(id);
        assertThat(node.jobs().find(JobId.parse(other.json().path("id").asString())).orElseThrow().origin())
                .isEqualTo(JobId.parse(dead));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"application/json|{\"a\":|malformed",
            "application/json|{\"password\":\"[masked]\"}|malformed", "image/png|x|unsupported-content",
            "application/json|LARGE|too-large", "application/json|HUGE|too-large"})
    void aPayloadThatTheQueueWouldRefuseIsRefused(String type, String body, String problem) {
        String dead = deadLetter("{\"to\":\"dead\"}");
        String sent = switch (body) {
            case "LARGE" -> "\"" + "x".repeat(300 << 10) + "\"";
            case "HUGE" -> "\"" + "x".repeat(2 << 20) + "\"";
            default -> body;
        };
        assertThat(node.post(node.atApi("/jobs/" + dead + "/push-again"), type, sent).problem()).isEqualTo(problem);
        assertThat(node.get("/queues/emails/jobs?state=done").json().path("jobs").valueStream().toList())
                .isEqualTo(List.of());
    }
}
