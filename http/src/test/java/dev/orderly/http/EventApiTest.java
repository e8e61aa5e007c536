package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EventUrls;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Events over the API: sent by anyone who operates, awaited by workers that pull. */
class EventApiTest {
    private static final String JSON = "application/json";
    private static final String UNKNOWN = "01990000-0000-7000-8000-000000000000";

    private final Node node = new Node();
    private final StandardQueue<Payload> emails = node.orderly.queue("emails", Payload.class);

    @AfterEach
    void close() {
        node.close();
    }

    private JobId pushed() {
        return node.orderly.jobs().push(PushRequest.of("emails", Payload.json("{}"))).id();
    }

    private Node.Reply event(Object id, String name, String body) {
        return node.post(node.atApi("/jobs/" + id + "/events/" + name), JSON, body);
    }

    private JobState state(JobId id) {
        return node.orderly.jobs().find(id).orElseThrow().state();
    }

    @Test
    void theFirstEventCountsAndARepeatedOneIsToldSo() {
        JobId id = pushed();
        Node.Reply first = event(id, "approval?note=fine%20by%20me", "{\"ok\":true,\"password\":\"geheim\"}");
        assertThat(first.json().path("result").asString()).isEqualTo("accepted");
        assertThat(event(id, "approval", "{\"ok\":false}").json().path("result").asString()).isEqualTo("repeated");
        JsonNode shown = node.get("/jobs/" + id + "/events").json().path("events");
        assertThat(shown).hasSize(1);
        assertThat(shown.at("/0/value/json/ok").asBoolean()).isTrue();
        assertThat(shown.at("/0/value/json/password").asString()).as("masked").isNotEqualTo("geheim");
        assertThat(shown.at("/0/from").asString()).endsWith(": fine by me");
        AuditEntry entry = node.access.audit().list(AuditQuery.newest(2)).getLast();
        assertThat(entry.act().operation()).isEqualTo("sendEvent");
        assertThat(entry.act().object()).isEqualTo("job " + id);
        assertThat(entry.after()).isEqualTo("event approval accepted: fine by me");
    }

    @Test
    void anAwaitingJobGoesOnAndTakesNoEventAfterItsEnd() {
        node.orderly.handle(emails, (Payload _, Job<Payload> job) -> job.await("approval", Payload.class,
                Duration.ofDays(7)));
        node.orderly.start();
        JobId id = pushed();
        await().untilAsserted(() -> assertThat(node.get("/jobs/" + id + "/why").json().path("cause").asString())
                .isEqualTo("awaiting"));
        JsonNode awaited = node.get("/jobs/" + id + "/events").json().at("/events/0");
        assertThat(awaited.path("value").isNull()).isTrue();
        assertThat(awaited.path("awaitedUntil").asString()).isNotEmpty();
        assertThat(node.get("/jobs/" + id + "/attempts").json().at("/attempts/0/outcome").asString())
                .isEqualTo("awaiting");
        event(id, "approval", "true");
        await().untilAsserted(() -> assertThat(state(id)).isEqualTo(JobState.DONE));
        Node.Reply late = event(id, "approval", "true");
        assertThat(late.status()).isEqualTo(410);
        assertThat(late.problem()).isEqualTo("event-gone");
    }

    @Test
    void whatBreaksARuleIsRefusedAndKeepsNothing() {
        JobId id = pushed();
        assertThat(event(id, "a%20b", "true").status()).isEqualTo(422);
        assertThat(event(id, "x".repeat(65), "true").text()).contains("is not the name of an event");
        assertThat(event(id, "approval", "").problem()).isEqualTo("empty");
        assertThat(event(id, "approval", "{oops").problem()).isEqualTo("malformed");
        assertThat(event(id, "approval", "\"" + "x".repeat(65_536) + "\"").status()).isEqualTo(413);
        assertThat(event(UNKNOWN, "approval", "true").problem()).isEqualTo("unknown-job");
        assertThat(event("nonsense", "approval", "true").status()).isEqualTo(404);
        assertThat(node.get("/jobs/" + UNKNOWN + "/events").status()).isEqualTo(404);
        for (int n = 0; n < 4; n++) {
            assertThat(event(id, "part-" + n, "\"" + "x".repeat(65_000) + "\"").status()).isEqualTo(200);
        }
        Node.Reply full = event(id, "part-4", "\"" + "x".repeat(65_000) + "\"");
        assertThat(full.status()).isEqualTo(422);
        assertThat(full.text()).contains("part-4").contains("at most 1000 events");
        assertThat(node.orderly.jobs().events(id)).hasSize(4);
    }

    @Test
    void aWorkerThatPullsAwaitsAnEventAndItsNextClaimHasIt() {
        node.orderly.engines().jobs().pull(emails);
        node.orderly.start();
        JobId id = pushed();
        JsonNode first = claimed();
        assertThat(first.has("events")).isFalse();
        assertThat(awaits(first, "{\"event\":\"approval\",\"timeout\":\"soon\"}").status()).isEqualTo(400);
        assertThat(awaits(first, "{\"timeout\":\"7d\"}").status()).isEqualTo(400);
        assertThat(awaits(first, "{\"event\":\"a b\",\"timeout\":\"7d\"}").status()).isEqualTo(422);
        assertThat(awaits(first, "{\"event\":\"approval\",\"timeout\":\"7d\"}").json().path("result").asString())
                .isEqualTo("accepted");
        assertThat(awaits(first, "{\"event\":\"approval\",\"timeout\":\"7d\"}").status()).as("again").isEqualTo(200);
        assertThat(state(id)).isEqualTo(JobState.DELAYED);
        event(id, "approval", "{\"ok\":true}");
        JsonNode second = claimed();
        assertThat(second.at("/events/0/value/json/ok").asBoolean()).isTrue();
        assertThat(node.send(node.atApi("/jobs/" + id + "/events").header(AttemptTokens.HEADER,
                second.path("token").asString()).GET()).json().at("/events/0/name").asString()).isEqualTo("approval");
        assertThat(awaits(second, "{\"event\":\"approval\",\"timeout\":\"7d\"}").status()).isEqualTo(200);
        assertThat(claimed().path("attempt").asInt()).as("what has come makes it due at once").isEqualTo(3);
    }

    @Test
    void aWorkerIsToldThatAWaitIsOverAndCannotAwaitItAgain() {
        node.orderly.engines().jobs().pull(emails);
        node.orderly.start();
        pushed();
        // not so short that a busy machine asks after the end of the wait
        assertThat(awaits(claimed(), "{\"event\":\"approval\",\"timeout\":\"2s\"}").status()).isEqualTo(200);
        JsonNode second = claimed();
        assertThat(second.at("/events/0/timedOut").asBoolean()).isTrue();
        Node.Reply again = awaits(second, "{\"event\":\"approval\",\"timeout\":\"7d\"}");
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text()).contains("its wait was over at").contains("await another name");
        assertThat(node.orderly.jobs().list(new QueueName("emails"), JobState.RUNNING, null, 10)).hasSize(1);
    }

    @Test
    void aWorkerPassesALinkOnBeforeItEndsItsAttemptAndTheLinkIsForItsWait() {
        node.orderly.engines().jobs().pull(emails);
        node.orderly.start();
        JobId id = pushed();
        JsonNode first = claimed();
        JsonNode link = link(first, "approval", "7d").json();
        String url = link.path("url").asString();
        assertThat(url).startsWith(Node.PUBLIC + EventUrls.PATH);
        assertThat(
                node.orderly.engines().jobs().eventUrls().orElseThrow().read(url.substring(url.lastIndexOf('/') + 1)))
                .contains(new EventUrls.Target(id, "approval"));
        assertThat(link(first, "approval", "1h").json().path("url").asString()).as("again").isEqualTo(url);
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        assertThat(awaits(first, "{\"event\":\"approval\",\"timeout\":\"1h\"}").status()).isEqualTo(200);
        assertThat(node.get("/jobs/" + id + "/events").json().at("/events/0/awaitedUntil"))
                .isEqualTo(link.at("/event/awaitedUntil"));
        event(id, "approval", "true");
        JsonNode second = claimed();
        assertThat(link(first, "approval", "7d").problem()).isEqualTo("attempt-over");
        JsonNode come = link(second, "approval", "7d").json();
        assertThat(come.has("url")).isFalse();
        assertThat(come.at("/event/value/json").asBoolean()).isTrue();
    }

    @Test
    void aLinkThatBreaksARuleIsRefused() {
        node.orderly.engines().jobs().pull(emails);
        node.orderly.start();
        pushed();
        JsonNode job = claimed();
        assertThat(link(job, "a%20b", "7d").status()).isEqualTo(422);
        assertThat(link(job, "approval", "0s").status()).isEqualTo(400);
        assertThat(link(job, "approval", "366d").status()).isEqualTo(400);
        assertThat(node.post(node.atApi("/jobs/" + job.path("id").asString() + "/events/approval/link"), JSON,
                "{\"timeout\":\"7d\"}").status()).as("without a token").isEqualTo(403);
    }

    private Node.Reply link(JsonNode job, String event, String timeout) {
        return node.send(node.atApi("/jobs/" + job.path("id").asString() + "/events/" + event + "/link")
                .header(AttemptTokens.HEADER, job.path("token").asString()).header("Content-Type", JSON)
                .POST(BodyPublishers.ofString("{\"timeout\":\"" + timeout + "\"}")));
    }

    private JsonNode claimed() {
        return node.post(node.atApi("/queues/emails/claims"), JSON, "{\"wait\":\"20s\",\"lease\":\"1h\"}").json()
                .at("/jobs/0");
    }

    private Node.Reply awaits(JsonNode job, String body) {
        return node.send(node.atApi("/jobs/" + job.path("id").asString() + "/await")
                .header(AttemptTokens.HEADER, job.path("token").asString()).header("Content-Type", JSON)
                .POST(BodyPublishers.ofString(body)));
    }
}
