package dev.orderly.http.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node;
import dev.orderly.http.Node.Reply;
import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Batches through the API. */
class BatchApiTest {
    private static final String JSON = "application/json";
    private static final String IMPORT = "{\"batch\":\"import\",\"queue\":\"checkout.fifo\",\"group\":\"g\","
            + "\"payload\":{\"all\":1}}";

    private final Node node = new Node();
    private final CountDownLatch open = new CountDownLatch(1);

    @AfterEach
    void close() {
        open.countDown();
        node.close();
    }

    private Reply post(String path, String body) {
        return node.post(node.atApi(path), JSON, body);
    }

    private Reply change(String path) {
        return node.send(node.atApi(path).POST(BodyPublishers.noBody()));
    }

    private JsonNode batch() {
        return node.get("/batches/import").json();
    }

    private void start() {
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (payload, _) -> {
            if (payload.asText().contains("dead")) {
                throw new Unprocessable("no such address");
            }
        });
        node.orderly.start();
    }

    @Test
    void aBatchIsOpenedFilledClosedAndCallsBack() {
        Reply opened = post("/batches", IMPORT);
        assertThat(opened.status()).isEqualTo(201);
        assertThat(opened.header("Location")).isEqualTo("/api/v1/batches/import");
        assertThat(opened.json().path("state").asString()).isEqualTo("open");
        assertThat(post("/batches", IMPORT).status()).as("the same again").isEqualTo(201);
        assertThat(post("/queues/emails/jobs?batch=import", "{}").status()).isEqualTo(202);
        String dead = String.valueOf(post("/queues/emails/jobs?batch=import", "{\"to\":\"dead\"}").header("X-Job-Id"));
        assertThat(node.post(node.atApi("/queues/emails/jobs/batch?batch=import"), "application/x-ndjson",
                "{\"payload\":1}\n{\"payload\":2}\n").status()).isEqualTo(202);
        assertThat(batch().path("counts").path("unfinished").asInt()).isEqualTo(4);
        assertThat(node.get("/batches/import/jobs?state=waiting&limit=3").json().path("jobs")).hasSize(3);
        assertThat(node.get("/jobs/" + dead).json().path("terms").path("batch").asString()).isEqualTo("import");
        assertThat(change("/batches/import/close").json().path("state").asString()).isEqualTo("closed");
        assertThat(node.access.audit().list(AuditQuery.newest(1)).getFirst().act().operation()).isEqualTo("closeBatch");
        start();
        await().untilAsserted(() -> assertThat(batch().path("state").asString()).isEqualTo("finished"));
        assertThat(batch().path("counts").path("pushed").asInt()).isEqualTo(4);
        assertThat(batch().path("counts").path("done").asInt()).isEqualTo(3);
        assertThat(batch().path("counts").path("dead").asInt()).isEqualTo(1);
        assertThat(node.get("/batches/import/jobs").json().path("jobs").path(0).path("id").asString()).isEqualTo(dead);
        JsonNode callback = node.get("/jobs/" + batch().path("callback").asString()).json();
        assertThat(callback.path("queue").asString()).isEqualTo("checkout.fifo");
        assertThat(callback.path("group").asString()).isEqualTo("g");
        assertThat(node.get("/batches").json().path("batches").path(0).path("batch").asString()).isEqualTo("import");
    }

    @Test
    void whatABatchDoesNotTakeIsAnswered409AndStoresNothing() {
        post("/batches", IMPORT);
        assertThat(post("/batches", IMPORT.replace(":1", ":2")).problem()).isEqualTo("batch-closed");
        change("/batches/import/close");
        assertThat(batch().path("state").asString()).as("without members").isEqualTo("finished");
        assertThat(post("/queues/emails/jobs?batch=import", "{}").problem()).isEqualTo("batch-closed");
        assertThat(post("/batches", IMPORT).problem()).isEqualTo("batch-closed");
        assertThat(node.get("/queues/emails").json().path("waiting").asInt()).isZero();
        assertThat(change("/batches/import/cancel").json().path("state").asString()).isEqualTo("finished");
    }

    @Test
    void whyNamesWhatTheCallbackWaitsFor() {
        assertThat(node.get("/batches/import/why").json().path("cause").asString()).isEqualTo("not-found");
        assertThat(node.get("/batches/no%20spaces/why").problem()).isEqualTo("unknown-batch");
        post("/batches", IMPORT);
        assertThat(node.get("/batches/import/why").json().path("cause").asString()).isEqualTo("open");
        String member = String.valueOf(post("/queues/emails/jobs?batch=import", "{}").header("X-Job-Id"));
        change("/batches/import/close");
        JsonNode why = node.get("/batches/import/why").json();
        assertThat(why.path("cause").asString()).isEqualTo("members");
        assertThat(why.path("job").asString()).isEqualTo(member);
        assertThat(why.path("sentence").asString()).contains("1 waits", "no handler of queue emails");
    }

    @Test
    void aCancelledBatchTakesNoMembers() {
        post("/batches", IMPORT);
        String member = String.valueOf(post("/queues/emails/jobs?batch=import", "{}").header("X-Job-Id"));
        assertThat(change("/batches/import/cancel").status()).isEqualTo(200);
        assertThat(post("/queues/emails/jobs?batch=import", "{}").problem()).isEqualTo("batch-closed");
        assertThat(node.get("/jobs/" + member).json().path("state").asString()).isEqualTo("cancelled");
        start();
        await().untilAsserted(() -> assertThat(batch().path("state").asString()).isEqualTo("finished"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "/batches | {'queue':'emails'} | bad-request", "/batches | {'batch':'b'} | bad-request",
            "/batches | {'batch':'no spaces','queue':'emails'} | bounds",
            "/batches | {'batch':'b','queue':'nowhere'} | unknown-queue",
            "/batches | {'batch':'b','queue':'checkout.fifo'} | group-missing",
            "/batches | {'batch':'b','queue':'emails','whenDead':'never'} | bad-request",
            "/batches | {'batch':7,'queue':'emails'} | bad-request",
            "/queues/emails/jobs?batch=none | {} | unknown-batch",
            "/queues/emails/jobs?batch=no%20spaces | {} | unknown-batch",
            "/batches/none/close | {} | unknown-batch"})
    void badInputIsRefusedByName(String path, String body, String problem) {
        Reply reply = path.endsWith("/close") ? change(path) : post(path, body.replace('\'', '"'));
        assertThat(reply.problem()).isEqualTo(problem);
        assertThat(node.get("/batches").json().path("batches")).isEmpty();
    }

    @Test
    void aMemberPushesIntoItsClosedBatchWithItsToken() {
        post("/batches", IMPORT);
        String member = String.valueOf(post("/queues/emails/jobs?batch=import", "{}").header("X-Job-Id"));
        change("/batches/import/close");
        assertThat(post("/queues/emails/jobs?batch=import&parent=" + member, "{}").problem())
                .isEqualTo("attempt-token");
    }
}
