package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Node.Reply;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.user.UserId;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several lines, idempotency keys, and a store that fails. */
class LinesAndKeysTest {
    private static final String JSON = "application/json";
    private final InterceptedStore store = new InterceptedStore(new MemoryStore());
    private final Node node = new Node(store, dev.orderly.http.listener.HttpLimits.DEFAULT);

    @AfterEach
    void close() {
        node.close();
    }

    private Reply batch(String queue, String lines) {
        return node.post(node.atApi("/queues/" + queue + "/jobs/batch"), "application/x-ndjson", lines);
    }

    private JobView job(String id) {
        return node.jobs().find(JobId.parse(id)).orElseThrow();
    }

    private long stored() {
        return node.jobs().queues().stream().mapToLong(q -> q.view().waiting() + q.view().delayed()).sum();
    }

    @Test
    void aRequestOfSeveralStoresItsLinesInOrderAndAnswersInOrder() {
        Reply reply = batch("emails", """
                {"payload":{"n": 12345678901234567890.10},"params":{"a":"b"},"user":"anna","priority":1}
                {"payload":"text","delay":"1h","dedupe":"d"}
                { "dedupe" : "d", "payload" : "text" , "delay":null}
                """);

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.json().size()).isEqualTo(3);
        JobView first = job(reply.json().at("/0/id").asString());
        assertThat(first.payload()).isNotNull()
                .satisfies(p -> assertThat(p.asText()).isEqualTo("{\"n\": 12345678901234567890.10}"));
        assertThat(first.params()).isEqualTo(Map.of("a", "b"));
        assertThat(first.user()).isEqualTo(new UserId("anna"));
        assertThat(first.priority()).isEqualTo(Priority.URGENT);
        JobView second = job(reply.json().at("/1/id").asString());
        assertThat(second.dueAt()).isNotNull();
        assertThat(second.id().compareTo(first.id())).isPositive();
        assertThat(reply.json().at("/1/duplicate").asBoolean()).isFalse();
        assertThat(reply.json().at("/2/duplicate").asBoolean()).isTrue();
        assertThat(reply.json().at("/2/id")).isEqualTo(reply.json().at("/1/id"));
    }

    @Test
    void aLineMayReplaceAnEarlierLine() {
        Reply reply = batch("emails", """
                {"payload":1,"debounce":"k","delay":"1h","atMost":"2h"}
                {"payload":2,"debounce":"k","delay":"1h"}
                {"payload":3,"dedupe":"d","dedupeFor":"1h","cost":4}
                """);

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.json().at("/1/replaced").asBoolean()).isTrue();
        assertThat(reply.json().at("/1/id")).isEqualTo(reply.json().at("/0/id"));
        assertThat(job(reply.json().at("/0/id").asString()).payload()).isNotNull()
                .satisfies(payload -> assertThat(payload.asText()).isEqualTo("2"));
        assertThat(job(reply.json().at("/2/id").asString()).terms().cost()).isEqualTo(4);
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void aLineWhoseDedupeIdStandsForAnotherJobIs409AndTheOtherLinesAreStored() {
        Reply reply = batch("emails", """
                {"payload":1,"dedupe":"d"}
                {"payload":2,"dedupe":"d"}
                {"payload":3}
                {"payload":1,"dedupe":"d"}
                """);

        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.problem()).isEqualTo("dedupe-id-reused");
        assertThat(reply.json().path("line").asInt()).isEqualTo(2);
        assertThat(reply.json().path("reused").toString()).isEqualTo("[2]");
        assertThat(reply.json().path("jobs").size()).isEqualTo(4);
        assertThat(stored()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "\"a\"", "true", "null", "-1.5e3", "[ ]", "{}", "\"\\u00fc \\\"}\""})
    void aLinesPayloadIsStoredByteForByte(String payload) {
        Reply reply = batch("emails",
                "{\"payload\":" + payload + ",\"user\":\"a\"}\r\n{\"payload\": " + payload + " }");

        assertThat(reply.json().findValuesAsString("id")).hasSize(2).allSatisfy(
                id -> assertThat(job(id).payload()).isNotNull()
                        .satisfies(p -> assertThat(p.asText()).isEqualTo(payload)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"payload\":1", "[1]", "", "{}", "{\"payload\":1} 2", "{\"payload\":1,\"payload\":2}",
            "{\"payload\":1,\"grop\":\"a\"}", "{\"payload\":1,\"group\":1}", "{\"payload\":1,\"delay\":\"soon\"}",
            "{\"payload\":1,\"priority\":9}", "{\"payload\":1,\"priority\":\"1\"}", "{\"payload\":1,\"params\":[]}",
            "{\"payload\":1,\"params\":{\"a\":1}}", "{\"payload\":1,\"group\":\"g\"}",
            "{\"payload\":1,\"priority\":99999999999}", "{\"payload\":1,\"attempts\":99999999999}",
            "{\"payload\":1,\"attempts\":\"1\"}"})
    void aBadLineIsNamedAndNoLineIsStored(String line) {
        Reply reply = batch("emails", "{\"payload\":1}\n" + line + "\n{\"payload\":3}\n");

        assertThat(reply.status()).as(reply::toString).isEqualTo(422);
        assertThat(reply.json().path("line").asInt()).isEqualTo(2);
        assertThat(reply.detail()).startsWith("Line 2");
        assertThat(stored()).isZero();
    }

    @Test
    void aRequestHasOneToAThousandLinesOfItsOwnContentType() {
        assertThat(batch("emails", "").problem()).isEqualTo("empty");
        assertThat(batch("emails", "{\"payload\":1}\n".repeat(1001)).problem()).isEqualTo("bounds");
        assertThat(stored()).isZero();
        assertThat(batch("emails", "{\"payload\":1}\n".repeat(1000)).status()).isEqualTo(202);
        assertThat(stored()).isEqualTo(1000);
        Reply wrong = node.post(node.atApi("/queues/emails/jobs/batch"), JSON, "{\"payload\":1}");
        assertThat(wrong.status()).isEqualTo(415);
        assertThat(wrong.header("Accept-Post")).isEqualTo("application/x-ndjson, application/jsonl");
        assertThat(batch("nowhere", "{\"payload\":1}").problem()).isEqualTo("unknown-queue");
        assertThat(batch("tiny", "{\"payload\":\"12345678901\"}").problem()).isEqualTo("too-large");
    }

    @Test
    void aKeyWithTheSameRequestIsTheFirstJobAndWithAnotherIs409() {
        Reply first = keyed("/mail", "k-1", "1");
        Reply again = keyed("/mail", "\"k-1\"", "1");
        Reply other = keyed("/mail", "k-1", "2");
        Reply otherRoute = keyed("/orders/g", "k-1", "2");

        assertThat(first.header("Orderly-Duplicate")).isNull();
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.header("X-Job-Id")).isEqualTo(first.header("X-Job-Id"));
        assertThat(again.header("Orderly-Duplicate")).isEqualTo("true");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.problem()).isEqualTo("idempotency-key-reused");
        assertThat(other.json().path("job").asString()).isEqualTo(first.header("X-Job-Id"));
        assertThat(otherRoute.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo(2);
    }

    private Reply keyed(String path, String key, String body) {
        return node.post(node.atEdge(path).header("Idempotency-Key", key), JSON, body);
    }

    @Test
    void aKeyCoversTheWholeRequestWithContentTypeAndUser() {
        Reply first = node.post(node.atApi("/queues/emails/jobs?user=a").header("Idempotency-Key", "k"), JSON, "1");
        Reply type = node.post(node.atApi("/queues/emails/jobs?user=a").header("Idempotency-Key", "k"), "text/plain",
                "1");
        Reply delay = node.post(node.atApi("/queues/emails/jobs?user=a&delay=1s").header("Idempotency-Key", "k"), JSON,
                "1");
        Reply unique = node.post(node.atApi("/queues/emails/jobs?user=a&unique=null").header("Idempotency-Key", "k"),
                JSON, "1");
        Reply debounce = node.post(node.atApi("/queues/emails/jobs?user=a&debounce=d").header("Idempotency-Key", "k"),
                JSON, "1");
        Reply user = node.post(node.atApi("/queues/emails/jobs?user=b").header("Idempotency-Key", "k"), JSON, "2");

        assertThat(debounce.status()).isEqualTo(409);
        assertThat(type.status()).isEqualTo(409);
        assertThat(delay.status()).isEqualTo(409);
        assertThat(unique.status()).isEqualTo(409);
        assertThat(user.status()).isEqualTo(202);
        assertThat(user.header("X-Job-Id")).isNotEqualTo(first.header("X-Job-Id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "\"\""})
    void aMalformedKeyIsRefused(String key) {
        assertThat(keyed("/mail", key, "1").status()).isEqualTo(400);
        assertThat(keyed("/mail", "k".repeat(256), "1").status()).isEqualTo(400);
    }

    @Test
    void linesUnderAKeyAreStoredOnce() {
        Reply first = keyedLines("{\"payload\":1}\n{\"payload\":1}\n");
        Reply again = keyedLines("{\"payload\":1}\n{\"payload\":1}\n");
        Reply other = keyedLines("{\"payload\":1}\n{\"payload\":2}\n");

        assertThat(first.json().at("/1/id")).isNotEqualTo(first.json().at("/0/id"));
        assertThat(again.json().findValuesAsString("id")).isEqualTo(first.json().findValuesAsString("id"));
        assertThat(again.json().at("/0/duplicate").asBoolean()).isTrue();
        assertThat(other.status()).isEqualTo(409);
        assertThat(stored()).isEqualTo(2);
    }

    private Reply keyedLines(String lines) {
        return node.post(node.atApi("/queues/emails/jobs/batch").header("Idempotency-Key", "k"),
                "application/x-ndjson", lines);
    }

    @Test
    void aStoreThatIsDownIs503WithRetryAfterAndNoSecrets() {
        store.before(() -> {
            throw new StoreException.Unavailable("jdbc:secret://db is down", null);
        });
        Reply push = node.post(node.atEdge("/mail"), JSON, "1");
        Reply ready = node.send(Node.at(node.api.port(), "/health/ready").GET());
        Reply live = node.send(Node.at(node.api.port(), "/health/live").GET());
        store.heal();

        assertThat(push.status()).isEqualTo(503);
        assertThat(push.problem()).isEqualTo("unavailable");
        assertThat(push.header("Retry-After")).isEqualTo("2");
        assertThat(push.text()).doesNotContain("secret");
        assertThat(ready.status()).as("no other node would do better").isEqualTo(200);
        assertThat(live.status()).isEqualTo(200);
    }

    @Test
    void aLostAnswerIs503AndTheSameKeyFindsTheJobThatWasStored() {
        store.after(() -> {
            throw new StoreException.OutcomeUnknown("the answer was lost", null);
        });
        Reply lost = keyed("/mail", "k-9", "1");
        store.heal();
        Reply again = keyed("/mail", "k-9", "1");

        assertThat(lost.status()).isEqualTo(503);
        assertThat(lost.problem()).isEqualTo("outcome-unknown");
        assertThat(lost.detail()).contains("Idempotency-Key");
        assertThat(again.header("Orderly-Duplicate")).isEqualTo("true");
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void internalErrorsAreNotRevealed() {
        store.before(() -> {
            throw new IllegalStateException("jdbc:secret at line 7");
        });
        Reply reply = node.get("/queues");

        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.problem()).isEqualTo("internal");
        assertThat(reply.text()).doesNotContain("secret").doesNotContain("IllegalState");
    }
}
