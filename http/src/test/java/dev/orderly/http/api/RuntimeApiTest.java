package dev.orderly.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Node;
import dev.orderly.http.Node.Reply;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What operators change while the server runs: settings of queues, pauses of schedules, drains of nodes. */
class RuntimeApiTest {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void settingsOfAQueueAreChangedShownBesideTheConfiguredOnesAndReset() {
        JsonNode before = node.get("/queues/emails").json();
        assertThat(before.path("override").isNull()).isTrue();
        assertThat(before.path("configured")).isEqualTo(before.path("options"));
        JsonNode changed = patch("{\"concurrency\":3,\"timeout\":\"30s\",\"maxPending\":9}").json();
        assertThat(changed.path("options").path("concurrency").asInt()).isEqualTo(3);
        assertThat(changed.path("options").path("timeout").asString()).isEqualTo("PT30S");
        assertThat(changed.path("options").path("maxPending").asInt()).isEqualTo(9);
        assertThat(changed.path("configured")).isEqualTo(before.path("configured"));
        assertThat(changed.path("override").path("changedBy").asString())
                .isEqualTo("local " + System.getProperty("user.name"));
        JsonNode part = patch("{\"timeout\":null}").json();
        assertThat(part.path("options").path("timeout")).isEqualTo(before.path("options").path("timeout"));
        assertThat(part.path("options").path("concurrency").asInt()).as("an absent member stays").isEqualTo(3);
        JsonNode reset = patch("{\"concurrency\":null,\"maxPending\":null}").json();
        assertThat(reset.path("override").isNull()).isTrue();
        assertThat(reset.path("options")).isEqualTo(before.path("options"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{}|400|names no setting", "{\"concurrency\":0}|422|1 to 100000",
            "{\"concurrency\":5000000000}|422|1 to 100000", "{\"concurrency\":\"8\"}|400|whole number",
            "{\"timeout\":\"soon\"}|400|PT30S", "{\"timeout\":\"8d\"}|422|7 days", "{\"maxPending\":0}|422|1 or more",
            "{\"retry\":3}|400|known are"})
    void aWrongSettingIsRefusedWithItsRuleAndChangesNothing(String body, int status, String detail) {
        Reply refused = patch(body);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
        assertThat(refused.detail()).contains(detail);
        assertThat(node.get("/queues/emails").json().path("override").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "a/b", "%2F", "a b+c", "ü€😀", "a?b#c;d", "\\", "pause", "a//b", "/"})
    void aKeyOfAnyTextIsPausedByItsPath(String key) {
        String path = "/queues/emails/keys/"
                + URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
        Reply reply = node.send(node.atApi(path + "/pause").POST(BodyPublishers.noBody()));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(reply.json().path("key").asString()).isEqualTo(key);
        assertThat(node.get(path).json().path("paused").asBoolean()).isTrue();
        assertThat(node.get("/queues/emails/keys").json().path("keys").path(0).path("key").asString()).isEqualTo(key);
    }

    @Test
    void aQueueThatIsGoneIsForgottenAndOneInUseIsRefusedWithItsReasons() {
        QueueName gone = new QueueName("gone");
        JobId job = node.store.jobs().push(List.of(new NewJob(gone, null, Priority.NORMAL, null, Payload.text("a"),
                Map.of(), null, null, null)), Instant.parse("2026-03-01T12:00:00Z")).getFirst().id();
        Reply refused = forget("gone");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("queue-in-use");
        assertThat(refused.detail()).contains("1 waiting", "bulk cancel --queue gone").doesNotContain("Live nodes");
        node.jobs().cancel(job);
        Reply forgotten = forget("gone");
        assertThat(forgotten.status()).isEqualTo(200);
        assertThat(forgotten.json().path("queue").asString()).isEqualTo("gone");
        assertThat(forgotten.json().path("forgotten").asBoolean()).isTrue();
        assertThat(node.get("/queues/gone").problem()).isEqualTo("unknown-queue");
        assertThat(node.get("/jobs/" + job).json().path("state").asString()).isEqualTo("cancelled");
        assertThat(forget("gone").problem()).isEqualTo("unknown-queue");
        assertThat(forget("emails").problem()).isEqualTo("queue-in-use");
        assertThat(forget("emails").detail()).contains("Live nodes declare it");
    }

    private Reply forget(String queue) {
        return node.send(node.atApi("/queues/" + queue).DELETE());
    }

    @Test
    void aPausedScheduleSaysSoAndShowsItsRuns() {
        String id = post("/schedules/digest/run").json().path("id").asString();
        JsonNode paused = post("/schedules/digest/pause").json();
        assertThat(paused.path("paused").path("by").asString()).startsWith("local ");
        assertThat(paused.path("next").isNull()).isTrue();
        assertThat(paused.path("upcoming")).isEmpty();
        JsonNode run = node.get("/schedules/digest").json().path("runs").path(0);
        assertThat(run.path("job").asString()).isEqualTo(id);
        assertThat(run.path("instant").isNull()).as("a run by hand").isTrue();
        assertThat(run.path("outcome").asString()).isEqualTo("under-way");
        JsonNode resumed = post("/schedules/digest/resume").json();
        assertThat(resumed.path("paused").isNull()).isTrue();
        assertThat(resumed.path("upcoming")).hasSize(5);
        assertThat(resumed.path("upcoming").path(0)).isEqualTo(resumed.path("next"));
        assertThat(post("/schedules/nowhere/pause").problem()).isEqualTo("unknown-schedule");
    }

    @Test
    void aNodeIsDrainedAndResumed() {
        String self = node.get("/nodes").json().path("nodes").path(0).path("node").asString();
        Reply drained = post("/nodes/" + self + "/drain");
        assertThat(drained.status()).isEqualTo(200);
        assertThat(drained.json().path("state").asString()).isEqualTo("draining");
        assertThat(node.get("/nodes").json().path("nodes").path(0).path("draining").asBoolean()).isTrue();
        assertThat(post("/nodes/" + self + "/resume").json().path("state").asString()).isEqualTo("running");
        assertThat(post("/nodes/nobody/drain").problem()).isEqualTo("unknown-node");
    }

    @Test
    void aServerTellsItsConfigurationAndFactsAboutItself() {
        assertThat(node.get("/config").json().path("values").isArray()).isTrue();
        assertThat(node.get("/about").json().path("version").asString()).isNotEmpty();
    }

    @Test
    void connectedUsersAreListedAndBadPagesRefused() {
        assertThat(node.get("/users").json().path("users").isEmpty()).isTrue();
        assertThat(node.get("/users/ann").json().path("open").isEmpty()).isTrue();
        assertThat(node.get("/users?after=a%00b").status()).isEqualTo(400);
        assertThat(node.get("/users?limit=201").status()).isEqualTo(400);
    }

    private Reply patch(String body) {
        return node.send(node.atApi("/queues/emails").header("Content-Type", "application/json").method("PATCH",
                BodyPublishers.ofString(body)));
    }

    private Reply post(String path) {
        return node.send(node.atApi(path).POST(BodyPublishers.noBody()));
    }
}
