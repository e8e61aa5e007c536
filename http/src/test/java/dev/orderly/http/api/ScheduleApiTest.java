package dev.orderly.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Node;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.ScheduleName;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Schedules over the API. {@link Node#send} checks every answer against the OpenAPI document. */
class ScheduleApiTest {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aScheduleShowsItsNextRunAndItsQueue() {
        JsonNode all = node.get("/schedules").json().path("schedules");
        assertThat(all.findValuesAsString("schedule")).containsExactly("digest", "never");
        assertThat(all.get(1).path("next").isNull()).isTrue();

        JsonNode digest = node.get("/schedules/digest").json();
        assertThat(digest).isEqualTo(all.get(0));
        assertThat(digest.path("cron").asString()).isEqualTo("daily at 07:30");
        assertThat(digest.path("zone").asString()).isEqualTo("Europe/Berlin");
        assertThat(digest.path("queue").asString()).isEqualTo("checkout.fifo");
        assertThat(digest.path("group").asString()).isEqualTo("shop");
        assertThat(digest.path("next").asString()).endsWith(":30:00Z");
        assertThat(digest.path("lastJob").isNull()).isTrue();
    }

    @Test
    void aScheduleThatNoLiveNodeDeclaresIsShownAndLeavesTheServerReady() {
        assertThat(node.get("/schedules").json().path("undeclared")).isEmpty();
        node.store.schedules().declare(new ScheduleName("gone"), Declared.anew("hourly UTC", new NodeId("gone")),
                Instant.parse("2026-03-01T12:00:00Z"));
        JsonNode undeclared = node.get("/schedules").json().path("undeclared");
        assertThat(undeclared.findValuesAsString("schedule")).containsExactly("gone");
        assertThat(undeclared.get(0).path("timing").asString()).isEqualTo("hourly UTC");
        assertThat(undeclared.get(0).path("last").isNull()).isTrue();
        assertThat(node.get("/schedules/gone").problem()).isEqualTo("unknown-schedule");
    }

    @Test
    void aScheduleThatIsGoneIsForgottenAndADeclaredOneIsRefused() {
        node.store.schedules().declare(new ScheduleName("gone"), Declared.anew("hourly UTC", new NodeId("gone")),
                Instant.parse("2026-03-01T12:00:00Z"));
        Node.Reply forgotten = forget("gone");
        assertThat(forgotten.status()).isEqualTo(200);
        assertThat(forgotten.json().path("forgotten").asBoolean()).isTrue();
        assertThat(node.get("/schedules").json().path("undeclared")).isEmpty();
        assertThat(forget("gone").problem()).isEqualTo("unknown-schedule");
        Node.Reply refused = forget("digest");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("schedule-declared");
        assertThat(refused.detail()).contains("digest is not forgotten", "declares it", "take it out");
        assertThat(node.get("/schedules/digest").status()).isEqualTo(200);
    }

    @Test
    void aScheduleIsMadeChangedAndRemovedAtRunTime() {
        Node.Reply made = put("tenant-7", """
                {"cron":"daily at 07:30","zone":"Europe/Berlin","jitter":"10m","queue":"emails","payload":{"n":1}}""");
        assertThat(made.status()).isEqualTo(200);
        assertThat(made.json().path("jitter").asString()).isEqualTo("PT10M");
        assertThat(made.json().at("/made/by").asString()).isNotEmpty();
        assertThat(node.get("/schedules/digest").json().path("made").isNull()).isTrue();
        Node.Reply run = node.post(node.atApi("/schedules/tenant-7/run"), "application/json", "");
        assertThat(node.get("/jobs/" + run.json().path("id").asString()).json().path("payload").toString())
                .contains("\"json\":{\"n\":1}");

        assertThat(put("tenant-7", "{\"cron\":\"hourly\",\"queue\":\"emails\"}").json().path("cron").asString())
                .isEqualTo("hourly");
        assertThat(forget("tenant-7").status()).isEqualTo(200);
        assertThat(node.get("/schedules/tenant-7").status()).isEqualTo(404);
    }

    @Test
    void aScheduleOfTheConfigurationStaysThere() {
        Node.Reply refused = put("digest", "{\"cron\":\"hourly\",\"queue\":\"emails\"}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("schedule-declared");
        assertThat(refused.detail()).contains("digest", "change it there");
        assertThat(node.get("/schedules/digest").json().path("cron").asString()).isEqualTo("daily at 07:30");
    }

    @Test
    void aScheduleThatCannotPushIsNotMade() {
        assertThat(put("x", "{\"cron\":\"hourly\",\"queue\":\"nowhere\"}").status()).isEqualTo(404);
        assertThat(put("x", "{\"cron\":\"hourly\",\"queue\":\"checkout.fifo\"}").status()).isEqualTo(422);
        assertThat(put("x", "{\"cron\":\"sometimes\",\"queue\":\"emails\"}").status()).isEqualTo(422);
        assertThat(put("x", "{\"cron\":\"hourly\",\"jitter\":\"1h\",\"queue\":\"emails\"}").detail())
                .contains("use less than that");
        assertThat(put("x", "{\"cron\":\"hourly\",\"zone\":\"Nowhere/City\",\"queue\":\"emails\"}").status())
                .isEqualTo(422);
        assertThat(put("x", "{\"cron\":\"never\",\"jitter\":\"PT9223372036854775807.999S\",\"queue\":\"emails\"}")
                .status())
                .isEqualTo(422);
        assertThat(put("x", "{\"cron\":\"hourly\",\"queue\":\"emails\",\"payload\":\"\\ud800\"}").detail())
                .contains("half a surrogate pair");
        assertThat(put("x", "{\"cron\":\"hourly\"}").status()).isEqualTo(400);
        assertThat(node.get("/schedules/x").status()).isEqualTo(404);
    }

    private Node.Reply put(String schedule, String body) {
        return node.send(node.atApi("/schedules/" + schedule).header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
    }

    private Node.Reply forget(String schedule) {
        return node.send(node.atApi("/schedules/" + schedule).DELETE());
    }

    @Test
    void aRunByHandIsAcceptedWithItsJobAndShown() {
        Node.Reply run = run("digest");
        assertThat(run.status()).isEqualTo(202);
        String id = run.json().path("id").asString();
        assertThat(run.header("Location")).isEqualTo("/api/v1/jobs/" + id);
        assertThat(run.header("X-Job-Id")).isEqualTo(id);
        assertThat(node.jobs().find(JobId.parse(id)).orElseThrow().state()).isEqualTo(JobState.WAITING);

        JsonNode digest = node.get("/schedules/digest").json();
        assertThat(digest.path("lastJob").asString()).isEqualTo(id);
        assertThat(digest.path("lastState").asString()).isEqualTo("waiting");
        assertThat(digest.path("last").isNull()).as("no instant fired").isTrue();
    }

    @Test
    void aRunIsRefusedWhileAnotherIsUnderWay() {
        String id = run("digest").json().path("id").asString();
        Node.Reply refused = run("digest");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("run-under-way");
        assertThat(refused.json().path("job").asString()).isEqualTo(id);
        node.jobs().cancel(JobId.parse(id));
        assertThat(run("digest").status()).isEqualTo(202);
    }

    @Test
    void anUnknownScheduleIsNotFound() {
        assertThat(node.get("/schedules/nowhere").problem()).isEqualTo("unknown-schedule");
        assertThat(node.get("/schedules/No%20Where").problem()).isEqualTo("unknown-schedule");
        assertThat(run("nowhere").problem()).isEqualTo("unknown-schedule");
        assertThat(node.get("/schedules/digest/run").status()).isEqualTo(405);
    }

    private Node.Reply run(String schedule) {
        return node.send(node.atApi("/schedules/" + schedule + "/run").POST(BodyPublishers.noBody()));
    }
}
