package dev.orderly.http.user.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.Unprocessable;
import dev.orderly.user.UserId;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The view of a user on a job that was pushed at the edge. */
class UserJobHandlerTest {
    private static final String JOBS = "/.orderly/jobs/";
    private static final String BATCHES = "/.orderly/batches/";

    private final JobNode node = new JobNode();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theUserSeesTheJobWaitRunAndEnd() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        node.orderly.handle(node.steps, (_, job) -> {
            job.progress(1, 4, "cutting");
            go.await();
            job.result(Map.of("seat", 7));
        });
        JobId first = node.push("ada", "/steps/g", "1");
        JobId second = node.push("ada", "/steps/g", "2");

        assertThat(node.look("ada", first).path("line").path("ahead").asInt()).isZero();
        JsonNode waiting = node.look("ada", second);
        assertThat(waiting.path("state").asString()).isEqualTo("waiting");
        assertThat(waiting.path("line")).hasToString("{\"ahead\":1,\"more\":false,\"seconds\":null}");
        node.orderly.start();
        Awaitility.await().atMost(JobNode.SOON).until(() -> node.look("ada", first).has("progress")
                && !node.look("ada", first).path("progress").isNull());
        JsonNode running = node.look("ada", first);
        assertThat(running.path("state").asString()).isEqualTo("running");
        assertThat(running.path("progress")).hasToString("{\"done\":1,\"total\":4,\"text\":\"cutting\"}");
        assertThat(running.path("line").isNull()).isTrue();
        assertThat(running.path("ended").asBoolean()).isFalse();
        go.countDown();
        Awaitility.await().atMost(JobNode.SOON).until(() -> node.look("ada", second).path("ended").asBoolean());
        JsonNode done = node.look("ada", second);
        assertThat(done.path("state").asString()).isEqualTo("done");
        assertThat(done.path("result")).hasToString(
                "{\"contentType\":\"application/json\",\"size\":10,\"json\":{\"seat\":7}}");
        assertThat(Instant.parse(done.path("endedAt").asString())).isNotNull();
    }

    @Test
    void payloadAndFailureAreHiddenFromTheUser() {
        node.orderly.handle(node.mail, (_, _) -> {
            throw new Unprocessable("jdbc:secret is down");
        });
        JobId id = node.push("ada", "/mail", "{\"card\":4711}");
        node.orderly.start();
        Awaitility.await().atMost(JobNode.SOON).until(() -> node.look("ada", id).path("ended").asBoolean());

        JsonNode dead = node.look("ada", id);
        assertThat(dead.path("state").asString()).isEqualTo("dead");
        assertThat(new TreeSet<>(dead.propertyNames())).isEqualTo(new TreeSet<>(Set.of("id", "queue", "state", "ended",
                "attempt", "pushedAt", "dueAt", "endedAt", "progress", "result", "line", "reason")));
        assertThat(dead.toString()).doesNotContain("4711", "secret", "Unprocessable", "ada");
    }

    @Test
    void aJobOfAnotherUserIsAnsweredAsUnknown() {
        JobId others = node.push("bob", "/mail", "1");
        JobId nobodys = JobNode.id(node.post(node.at("/mail"), "2"));
        String unknown = JobId.of(12_345L << 20, 99).toString();
        List<String> answers = List.of(others.toString(), nobodys.toString(), unknown, "x", "", "%20", "a%2Fb",
                "x".repeat(2_000)).stream().map(id -> {
                    HttpResponse<String> answer = node.send(node.as("ada", JOBS + id));
                    assertThat(answer.statusCode()).as(id).isEqualTo(404);
                    assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
                    return answer.body().replaceAll("\"instance\":\"[^\"]*\"", "");
                }).distinct().toList();
        assertThat(answers).singleElement().asString().contains("unknown-job");
        assertThat(node.send(node.as("bob", JOBS + others)).statusCode()).isEqualTo(200);
    }

    @Test
    void onlyTheUserOfItsCallbackSeesABatchAndItHasNoMembersOfOthers() {
        node.orderly.batch("hers").user(new UserId("ada")).then(node.mail, Payload.json("{}"));
        node.orderly.batch("his").user(new UserId("bob")).then(node.mail, Payload.json("{}"));
        node.orderly.batch("nobodys").then(node.mail, Payload.json("{}"));
        HttpResponse<String> hers = node.send(node.as("ada", BATCHES + "hers"));
        assertThat(new TreeSet<>(JsonMapper.shared().readTree(hers.body()).propertyNames())).isEqualTo(
                new TreeSet<>(Set.of("batch", "state", "ended", "pushed", "done", "dead", "cancelled", "unfinished",
                        "openedAt", "finishedAt", "callback")));
        for (String name : List.of("his", "nobodys", "unknown", "", "%20", "x".repeat(2_000))) {
            HttpResponse<String> answer = node.send(node.as("ada", BATCHES + name));
            assertThat(answer.statusCode()).as(name).isEqualTo(404);
            assertThat(answer.body()).contains("unknown-batch");
        }
        assertThat(node.send(node.at(BATCHES + "hers")).statusCode()).isEqualTo(401);
        assertThat(node.post(node.as("ada", BATCHES + "hers"), "1").statusCode()).isEqualTo(405);
    }

    @Test
    void aRequestWithoutAUserIs401() {
        JobId id = node.push("ada", "/mail", "1");
        for (HttpResponse<String> answer : List.of(node.send(node.at(JOBS + id)), node.send(node.at(JOBS + "x")),
                node.send(node.at(JOBS + id).header("Authorization", "Bearer x")),
                node.send(node.at(JOBS + id).header("Accept", "text/event-stream")))) {
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
            assertThat(answer.body()).contains("unauthenticated");
        }
    }

    @Test
    void aPageOfAnotherSiteSeesNothingWithTheCookie() {
        JobId id = node.push("ada", "/mail", "1");
        String cookie = "session=" + JobNode.token("ada");
        assertThat(node.send(node.at(JOBS + id).header("Cookie", cookie)).statusCode()).isEqualTo(200);
        assertThat(node.send(node.at(JOBS + id).header("Cookie", cookie).header("Sec-Fetch-Site", "cross-site"))
                .statusCode()).isEqualTo(401);
        assertThat(node.send(node.at(JOBS + id).header("Cookie", cookie).header("Origin", "https://evil.example"))
                .statusCode()).isEqualTo(401);
    }

    @Test
    void otherMethodsAre405AndOtherPathsArePassedOn() {
        JobId id = node.push("ada", "/mail", "1");
        HttpResponse<String> deleted = node.send(node.as("ada", JOBS + id).DELETE());
        assertThat(deleted.statusCode()).isEqualTo(405);
        assertThat(deleted.headers().firstValue("Allow")).hasValue("GET");
        assertThat(node.send(node.as("ada", JOBS + id + "/x")).body()).contains("unknown-path");
        assertThat(node.send(node.as("ada", "/.orderly/jobsx")).body()).contains("unknown-path");
        assertThat(node.send(node.as("ada", "/.ORDERLY//jobs/../jobs/" + id)).statusCode()).isEqualTo(404);
        assertThat(node.send(node.as("ada", "/.orderly/%6Aobs/" + id)).statusCode()).isEqualTo(200);
        assertThat(node.send(node.as("ada", JOBS + id).method("HEAD", BodyPublishers.noBody())).statusCode())
                .isEqualTo(200);
    }

    @Test
    void anUnavailableStoreIs503() {
        JobId id = node.push("ada", "/mail", "1");
        node.store.close();
        assertThat(node.send(node.as("ada", JOBS + id)).statusCode()).isEqualTo(503);
    }

    @Test
    void aJobWithRetriesLeftIsDelayedAndShowsItsDueTime() {
        node.orderly.handle(node.mail, (_, _) -> {
            throw new IllegalStateException("not yet");
        });
        JobId id = JobNode.id(node.post(node.as("ada", "/mail"), "1"));
        node.orderly.start();
        Awaitility.await().atMost(JobNode.SOON)
                .until(() -> node.look("ada", id).path("state").asString().equals("delayed"));
        JsonNode delayed = node.look("ada", id);
        assertThat(Instant.parse(delayed.path("dueAt").asString()))
                .isAfter(Instant.parse(delayed.path("pushedAt").asString())
                        .plus(RetryPolicy.STANDARD.base().dividedBy(2)));
        assertThat(delayed.path("line").isNull()).isTrue();
    }

    @Test
    void aJobThatTheApplicationPushedForAUserBelongsToTheUser() {
        JobId id = node.jobs().push(PushRequest.of("mail", Payload.json("1")).withUser(new UserId("ada"))).id();
        assertThat(node.look("ada", id).path("state").asString()).isEqualTo("waiting");
    }
}
