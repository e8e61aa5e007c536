package dev.orderly.http.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node;
import dev.orderly.http.Node.Reply;
import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Search, dead letters by error, and bulk operations through the API. */
class SearchApiTest {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    private String push(String path) {
        return String.valueOf(node.post(node.atApi(path), "application/json", "1").header("X-Job-Id"));
    }

    private List<String> ids(String query) {
        Reply reply = node.get("/jobs" + query);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        List<String> ids = new ArrayList<>();
        reply.json().path("jobs").forEach(job -> ids.add(job.path("id").asString()));
        return ids;
    }

    private Reply bulk(String path, String body) {
        return node.post(node.atApi("/bulk" + path), "application/json", body);
    }

    /** Dead letters of the queue emails, with three shapes of errors in turn. */
    private List<String> dead(int count) {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            ids.add(push("/queues/emails/jobs"));
        }
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (_, job) -> {
            int n = ids.indexOf(job.id().toString());
            throw new Unprocessable(
                    n % 3 == 0 ? "No mailbox " + n : n % 3 == 1 ? "Refused by 'host" + n + "'" : "Gone");
        });
        node.orderly.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> ids("?queue=emails&state=dead").size() == count);
        node.send(node.atApi("/queues/emails/pause").POST(BodyPublishers.noBody()));
        return ids;
    }

    @Test
    void aSearchAnswersPagesAndSaysHowItCameToThem() {
        String first = push("/queues/emails/jobs?user=ann&dedupe=d7");
        String second = push("/queues/emails/jobs?user=bob");
        String third = push("/queues/checkout.fifo/jobs?group=g&user=ann");
        assertThat(ids("")).containsExactly(third, second, first);
        assertThat(ids("?user=ann")).containsExactly(third, first);
        assertThat(ids("?queue=emails&user=ann")).containsExactly(first);
        assertThat(ids("?queue=checkout.fifo&group=g")).containsExactly(third);
        assertThat(ids("?queue=emails&dedupe=d7")).containsExactly(first);
        assertThat(ids("?q=" + second)).containsExactly(second);
        assertThat(ids("?id=" + second.substring(0, 36))).containsExactly(second);
        assertThat(ids("?to=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(ids("?from=2020-01-01T00:00:00Z")).hasSize(3);
        JsonNode page = node.get("/jobs?limit=2").json();
        assertThat(page.path("extent").asString()).isEqualTo("page");
        assertThat(page.path("looked").asInt()).isEqualTo(2);
        assertThat(ids("?limit=2&before=" + page.path("next").asString())).containsExactly(first);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"state=ended|waiting", "queue=no%20name|queue", "error=12|16 digits",
            "from=yesterday|2026-03-01T12:00:00Z", "dedupe=x|queue", "param=x|name=value", "id=xyz|UUIDv7",
            "before=x|UUIDv7", "limit=0|1 to 200", "state=waiting&error=0123456789abcdef|dead letters", "x=1|known"})
    void aConditionThatIsNotValidIsNamedWithTheRemedy(String query, String remedy) {
        Reply reply = node.get("/jobs?" + query);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.detail()).contains(remedy);
    }

    @Test
    void deadLettersAreGroupedByErrorAndAGroupIsRedriven() {
        List<String> dead = dead(7);
        JsonNode errors = node.get("/queues/emails/dead").json().path("errors");
        assertThat(errors.findValuesAsString("shape")).containsExactly("No mailbox <n>", "Gone", "Refused by <text>");
        assertThat(errors.path(0).path("count").asInt()).isEqualTo(3);
        assertThat(errors.path(0).path("first").path("id").asString()).isEqualTo(dead.getFirst());
        assertThat(errors.path(0).path("last").path("id").asString()).isEqualTo(dead.getLast());
        assertThat(node.get("/dead").json().path("errors")).isEqualTo(errors);
        String error = errors.path(0).path("error").asString();
        assertThat(ids("?error=" + error)).containsExactly(dead.get(6), dead.get(3), dead.get(0));
        assertThat(ids("?q=refused")).containsExactly(dead.get(4), dead.get(1));

        String body = "{\"action\":\"redrive\",\"queue\":\"emails\",\"error\":\"" + error + "\"}";
        Reply count = bulk("/count", body);
        assertThat(count.json().path("jobs").asInt()).isEqualTo(3);
        assertThat(ids("?state=dead")).hasSize(7);
        Reply started = bulk("", body);
        assertThat(started.status()).isEqualTo(202);
        String at = String.valueOf(started.header("Location")).replace("/api/v1", "");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> node.get(at).json().path("phase").asString().equals("done"));
        assertThat(node.get(at).json().path("changed").asInt()).isEqualTo(3);
        assertThat(ids("?state=dead")).hasSize(4);
        assertThat(node.get("/bulk").json().path("operations").size()).isEqualTo(1);
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(entries("bulk")).hasSize(2));
        assertThat(entries("bulk").get(1).after()).contains("started");
        assertThat(entries("bulk").get(1).act().before()).isEqualTo("3 jobs");
        assertThat(entries("bulk").get(0).after()).contains("done, redriven 3 of 3");
        assertThat(node.send(node.atApi(at).DELETE()).status()).isEqualTo(202);
        assertThat(entries("stopBulk")).hasSize(1);
    }

    private List<AuditEntry> entries(String operation) {
        return node.access.audit().list(AuditQuery.newest(100)).stream()
                .filter(entry -> entry.act().operation().equals(operation)).toList();
    }

    @Test
    void groupsOfAFifoQueueAreListed() {
        push("/queues/checkout.fifo/jobs?group=ann&dedupe=1");
        push("/queues/checkout.fifo/jobs?group=bob&dedupe=2");
        push("/queues/checkout.fifo/jobs?group=bob&dedupe=3");
        JsonNode largest = node.get("/queues/checkout.fifo/groups").json();
        assertThat(largest.path("groups").findValuesAsString("group")).containsExactly("bob", "ann");
        assertThat(largest.path("groups").path(0).path("jobs").asInt()).isEqualTo(2);
        assertThat(largest.path("complete").asBoolean()).isTrue();
        assertThat(node.get("/queues/checkout.fifo/groups?order=name&limit=1").json().path("next").asString())
                .isEqualTo("ann");
        assertThat(node.get("/queues/checkout.fifo/groups?order=halted").json().path("groups").isEmpty()).isTrue();
        assertThat(node.get("/queues/checkout.fifo/groups?order=x").detail()).contains("largest, oldest, halted");
        assertThat(node.get("/queues/emails/groups").problem()).isEqualTo("group-forbidden");
    }

    @Test
    void aSelectionIsCancelled() {
        String first = push("/queues/emails/jobs");
        push("/queues/emails/jobs");
        Reply started = bulk("", "{\"action\":\"cancel\",\"ids\":[\"" + first + "\"]}");
        assertThat(started.status()).isEqualTo(202);
        await().atMost(Duration.ofMinutes(1)).until(() -> ids("?state=cancelled").equals(List.of(first)));
        assertThat(ids("?state=waiting")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{}|redrive or cancel", "{\"action\":\"delete\"}|redrive or cancel",
            "{\"action\":\"cancel\"}|neither jobs nor a condition",
            "{\"action\":\"redrive\",\"state\":\"waiting\"}|dead letters",
            "{\"action\":\"cancel\",\"state\":\"done\"}|have ended", "{\"action\":\"cancel\",\"ids\":[]}|ids",
            "{\"action\":\"cancel\",\"queue\":\"emails\",\"ids\":[\"01990000-0000-7000-8000-000000000000\"]}|only one",
            "{\"action\":\"cancel\",\"ids\":[\"x\"]}|not a job id", "{\"action\":\"cancel\",\"user\":7}|no string",
            "{\"action\":\"cancel\",\"x\":7}|known are"})
    void aBulkRequestThatIsNotValidChangesNothing(String body, String remedy) {
        push("/queues/emails/jobs");
        for (String path : List.of("", "/count")) {
            Reply reply = bulk(path, body);
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.detail()).contains(remedy);
        }
        assertThat(ids("?state=waiting")).hasSize(1);
        assertThat(node.get("/bulk/x").problem()).isEqualTo("unknown-operation");
        assertThat(node.get("/bulk/01990000-0000-7000-8000-000000000000").status()).isEqualTo(404);
    }
}
