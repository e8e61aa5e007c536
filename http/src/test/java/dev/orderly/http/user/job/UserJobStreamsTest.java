package dev.orderly.http.user.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.orderly.flow.Lifecycle;
import dev.orderly.flow.Quota;
import dev.orderly.http.user.Tokens;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.testkit.ManualTime;
import dev.orderly.time.Time;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Event streams of jobs. */
class UserJobStreamsTest {
    private static final String JOBS = "/.orderly/jobs/";

    private JobNode node = new JobNode();

    @AfterEach
    void close() {
        node.close();
    }

    private void restart(Time time, Quota.Limit limits) {
        node.close();
        node = new JobNode(time, limits);
    }

    private Followed follow(String user, JobId id) {
        return Followed.open(node, node.as(user, JOBS + id));
    }

    @Test
    void aStreamShowsTheWholeLifeOfAJobAndEnds() throws Exception {
        CountDownLatch report = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        node.orderly.handle(node.mail, (_, job) -> {
            report.await();
            job.progress(1, 2, "half");
            end.await();
            job.result(Map.of("all", true));
        });
        JobId id = node.push("ada", "/mail", "1");
        try (Followed followed = follow("ada", id)) {
            assertThat(followed.awaitReceived(job -> true).path("state").asString()).isEqualTo("waiting");
            assertThat(followed.lines.getFirst()).isEqualTo("retry: 2000");
            node.orderly.start();
            followed.awaitReceived(job -> job.path("state").asString().equals("running"));
            report.countDown();
            followed.awaitReceived(job -> job.path("progress").path("text").asString("").equals("half"));
            end.countDown();
            JsonNode done = followed.awaitReceived(job -> job.path("ended").asBoolean());
            assertThat(done.path("result").path("json")).hasToString("{\"all\":true}");
            followed.awaitLine(Followed.ENDED);
            List<String> ids = followed.lines.stream().filter(line -> line.startsWith("id: ")).toList();
            assertThat(ids).startsWith("id: 1", "id: 2").endsWith("id: end").doesNotHaveDuplicates();
        }
        HttpResponse<String> again = node.send(node.as("ada", JOBS + id).header("Accept", "text/event-stream")
                .header("Last-Event-ID", "end"));
        assertThat(again.statusCode()).isEqualTo(204);
    }

    @Test
    void aResultOfSeveralLinesIsOneEvent() {
        node.orderly.handle(node.mail, (_, job) -> job.result(Payload.json("{\n\"a\":1,\r\n\"b\":2\r}")));
        JobId id = node.push("ada", "/mail", "1");
        node.orderly.start();
        Awaitility.await().atMost(JobNode.SOON).until(() -> node.look("ada", id).path("ended").asBoolean());
        try (Followed followed = follow("ada", id)) {
            followed.awaitLine(Followed.ENDED);
            assertThat(followed.lines).filteredOn(line -> !line.startsWith("data: "))
                    .containsExactly("retry: 2000", "", "event: job", "id: end", "", Followed.ENDED);
        }
    }

    @Test
    void aJobOfAnotherUserCannotBeFollowed() {
        JobId id = node.push("bob", "/mail", "1");
        for (String last : List.of("", "end")) {
            HttpResponse<String> answer = node.send(node.as("ada", JOBS + id).header("Accept", "text/event-stream")
                    .header("Last-Event-ID", last));
            assertThat(answer.statusCode()).isEqualTo(404);
        }
    }

    @Test
    void allStreamsOfAJobShowItsEnd() {
        node.orderly.handle(node.mail, (_, _) -> {});
        JobId id = node.push("ada", "/mail", "1");
        try (Followed one = follow("ada", id); Followed other = follow("ada", id)) {
            node.orderly.start();
            one.awaitLine("id: end");
            other.awaitLine("id: end");
        }
    }

    @Test
    void aCancelledJobIsReportedAtOnce() {
        JobId id = node.push("ada", "/mail", "1");
        try (Followed followed = follow("ada", id)) {
            followed.awaitReceived(job -> true);
            node.jobs().cancel(id);
            assertThat(followed.awaitReceived(job -> job.path("ended").asBoolean()).path("state").asString())
                    .isEqualTo("cancelled");
        }
    }

    @Test
    void changesOfAnotherNodeAreSeenInTheNextRound() {
        JobId id = node.push("ada", "/steps/g", "1");
        JobId second = node.push("ada", "/steps/g", "2");
        JobClient other = new JobClient(node.store.jobs(), node.store.jobViews(), EngineOptions.defaults(),
                new Lifecycle());
        JobWorker worker = new JobWorker(other, MessageTarget.NONE);
        CountDownLatch go = new CountDownLatch(1);
        worker.handle(other.<Payload>fifo("steps.fifo", Payload.class, QueueOptions.FIFO), (_, job) -> {
            if (!job.id().equals(id)) {
                go.await();
            }
        });
        try (Followed followed = follow("ada", second)) {
            followed.awaitReceived(job -> job.path("line").path("ahead").asInt(-1) == 1);
            worker.start();
            followed.awaitReceived(job -> job.path("state").asString().equals("running"));
            go.countDown();
            followed.awaitLine("id: end");
        } finally {
            go.countDown();
            worker.stop();
        }
    }

    @Test
    void anUnchangedStateIsNotSentAgainAndALongSilenceGetsAComment() {
        ManualTime time = new ManualTime();
        restart(time, UserJobStreams.LIMIT);
        JobId id = node.push("ada", "/mail", "1");
        try (Followed followed = follow("ada", id)) {
            Awaitility.await().atMost(JobNode.SOON).until(() -> {
                time.advance(Duration.ofMillis(500));
                return followed.lines.contains(":");
            });
            assertThat(followed.received()).hasSize(1);
        }
    }

    @Test
    void aStreamEndsWithItsToken() {
        JobId id = node.push("ada", "/mail", "1");
        String expired = Tokens.of("ada", Time.system().now().minusSeconds(2)); // still inside the leeway
        try (Followed followed = Followed.open(node, node.at(JOBS + id).header("Authorization", "Bearer " + expired))) {
            followed.awaitLine(Followed.ENDED);
            assertThat(followed.received()).hasSize(1);
            assertThat(followed.lines).doesNotContain("id: end");
        }
    }

    @Test
    void aUserHasABoundedNumberOfStreamsAndAClosedStreamFreesASlot() {
        restart(Time.system(), new Quota.Limit(3, 2));
        JobId adas = node.push("ada", "/mail", "1");
        JobId bobs = node.push("bob", "/mail", "1");
        Followed one = follow("ada", adas);
        try (Followed _ = follow("ada", adas)) {
            HttpResponse<String> third = refused("ada", adas);
            assertThat(third.statusCode()).isEqualTo(429);
            assertThat(third.body()).contains("too-many-streams");
            assertThat(third.headers().firstValue("Retry-After")).isPresent();
            try (Followed _ = follow("bob", bobs)) {
                assertThat(refused("bob", bobs).statusCode()).as("three in all").isEqualTo(429);
            }
            one.close();
            Awaitility.await().atMost(JobNode.SOON).ignoreException(AssertionError.class)
                    .untilAsserted(() -> follow("ada", adas).close());
        }
    }

    @Test
    void concurrentStreamsBeyondTheLimitAreRefusedNotBegunAndEnded() {
        restart(Time.system(), new Quota.Limit(100, 2));
        JobId id = node.push("ada", "/mail", "1");
        List<CompletableFuture<HttpResponse<InputStream>>> asked = IntStream.range(0, 30)
                .mapToObj(_ -> node.client.sendAsync(node.as("ada", JOBS + id).header("Accept", "text/event-stream")
                        .build(), BodyHandlers.ofInputStream()))
                .toList();
        List<HttpResponse<InputStream>> answers = asked.stream().map(CompletableFuture::join).toList();
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 200)).hasSize(2);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 429)).hasSize(28);
        answers.forEach(answer -> assertThatCode(() -> answer.body().close()).doesNotThrowAnyException());
        Awaitility.await().atMost(JobNode.SOON).ignoreException(AssertionError.class)
                .untilAsserted(() -> follow("ada", id).close());
    }

    private HttpResponse<String> refused(String user, JobId id) {
        return node.send(node.as(user, JOBS + id).header("Accept", "text/event-stream"));
    }
}
