package dev.orderly.http.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.webhook.WebhookSignature.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Queues of which a webhook gets several jobs in one request. */
class BatchWebhookHandlerTest extends WebhookTest {
    private final StandardQueue<Payload> rows = orderly.queue("rows", Payload.class,
            _ -> RULES.withConcurrency(1).withRetry(RULES.retry().withAttempts(1)));

    private void work() {
        orderly.handleBatch(rows, 100, new BatchWebhookHandler(new Webhook(url("/rows"), List.of(SECRET)), TOKENS,
                Redaction.NONE, () -> client, Time.system()));
        orderly.start();
    }

    private List<JobId> push(int jobs) {
        return rows.pushAll(IntStream.range(0, jobs).mapToObj(n -> Payload.json("{\"n\":" + n + "}")).toList());
    }

    private JobFailure failure(JobView job) {
        return Objects.requireNonNull(job.failure());
    }

    @Test
    void whatWaitsIsOneSignedRequestWithTheJobsAsAClaimShowsThem() throws InterruptedException {
        JobId first = push(PushRequest.of("rows", Payload.json("{\"n\":1}")).withUser(new UserId("ann"))
                .withParams(Map.of("a", "b")));
        JobId second = push(PushRequest.of("rows", new Payload("image/png", new byte[]{1, 2})));
        work();
        ended(first, JobState.DONE);
        ended(second, JobState.DONE);
        Got request = got.take();
        assertThat(got).isEmpty();
        assertThat(request.header("Orderly-Queue")).isEqualTo("rows");
        assertThat(request.header("Orderly-Jobs")).isEqualTo("2");
        assertThat(request.header("Content-Type")).isEqualTo("application/json");
        assertThat(request.signature().verify(request.body(), List.of(SECRET), Time.system().now()))
                .isEqualTo(Verdict.VALID);
        JsonNode jobs = JsonMapper.shared().readTree(request.body()).path("jobs");
        assertThat(jobs.get(0).path("id").stringValue()).isEqualTo(first.toString());
        assertThat(jobs.get(0).path("user").stringValue()).isEqualTo("ann");
        assertThat(jobs.get(0).path("params").path("a").stringValue()).isEqualTo("b");
        assertThat(jobs.get(0).path("attempt").intValue()).isOne();
        assertThat(jobs.get(0).path("payload").path("json").path("n").intValue()).isOne();
        assertThat(jobs.get(1).path("payload").path("base64").stringValue()).isEqualTo("AQI=");
        assertThat(TOKENS.verify(second, jobs.get(1).path("token").stringValue()))
                .contains(new AttemptId(second, rows.name(), 1));
    }

    @Test
    void theAnswerSettlesEachJobThatItNamesAndTheOthersAreDone() {
        List<JobId> ids = push(5);
        answer.set(exchange -> reply(exchange, 200, "application/json", """
                {"jobs": [{"id": "%s", "status": 422, "error": "no such customer"},
                          {"id": "%s", "result": {"row": 7}},
                          {"id": "%s", "status": 503, "retry-after": 3600},
                          {"id": "%s", "later": "2h"},
                          {"id": "of another request", "status": 500}]}
                """.formatted(ids.get(0), ids.get(1), ids.get(2), ids.get(3))));
        work();
        assertThat(failure(ended(ids.get(0), JobState.DEAD)).summary()).startsWith("no such customer");
        assertThat(ended(ids.get(1), JobState.DONE).result()).isEqualTo(Payload.json("{\"row\":7}"));
        assertThat(failure(ended(ids.get(2), JobState.DEAD)).summary()).contains("was answered 503");
        ended(ids.get(4), JobState.DONE);
        assertThat(orderly.jobs().find(ids.get(3)).orElseThrow().state()).isEqualTo(JobState.RUNNING);
        AttemptId attempt = new AttemptId(ids.get(3), rows.name(), 1);
        assertThat(orderly.jobs().report(attempt, new AttemptOutcome.Done(null))).isEqualTo(SettleResult.ACCEPTED);
        ended(ids.get(3), JobState.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html; charset=utf-8", "application/octet-stream", "no type"})
    void aFailureCountsWhateverTheAnswerCallsItself(String contentType) {
        List<JobId> ids = push(2);
        answer.set(exchange -> reply(exchange, 200, contentType,
                "{\"jobs\": [{\"id\": \"%s\", \"status\": 422}]}".formatted(ids.getFirst())));
        work();
        ended(ids.getFirst(), JobState.DEAD);
        ended(ids.getLast(), JobState.DONE);
    }

    @Test
    void anIdInCapitalLettersIsTheSame() {
        List<JobId> ids = push(2);
        answer.set(exchange -> reply(exchange, 200, "application/json",
                "{\"jobs\": [{\"id\": \"%s\", \"status\": 422}]}"
                        .formatted(ids.getFirst().toString().toUpperCase(Locale.ROOT))));
        work();
        ended(ids.getFirst(), JobState.DEAD);
        ended(ids.getLast(), JobState.DONE);
    }

    @Test
    void aTimeForLaterThatIsNoneFailsItsJobInPlaceOfEndingIt() {
        List<JobId> ids = push(3);
        answer.set(exchange -> reply(exchange, 200, "application/json", """
                {"jobs": [{"id": "%s", "later": 7200}, {"id": "%s", "status": 200, "later": "2h"},
                          {"id": "%s", "status": null, "later": null, "retry-after": null, "result": null}]}
                """.formatted(ids.get(0), ids.get(1), ids.get(2))));
        work();
        assertThat(failure(ended(ids.get(0), JobState.DEAD)).summary()).contains("Orderly-Later");
        assertThat(ended(ids.get(2), JobState.DONE).result()).isNull();
        assertThat(orderly.jobs().find(ids.get(1)).orElseThrow().state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void theStatusOfARequestCountsForAllItsJobs() {
        List<JobId> ids = push(3);
        answer.set(exchange -> reply(exchange, 410, "text/plain", "this shop is closed"));
        work();
        ids.forEach(id -> assertThat(failure(ended(id, JobState.DEAD)).summary()).startsWith("this shop is closed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"jobs\": 1}", "{\"jobs\": [{\"status\": 200}]}", "{\"jobs\": [7]}",
            "{\"jobs\": [{\"id\": \"a\", \"status\": 99}]}", "{\"jobs\": [{\"id\": \"a\", \"status\": \"x\"}]}",
            "{\"jobs\": [{\"id\": \"a\", \"later\": {\"hours\": 2}}]}",
            "{\"jobs\": [{\"id\": \"a\", \"status\": 503}, {\"id\": \"A\"}]}"})
    void anAnswerThatCannotBeReadFailsTheJobsOfItsRequest(String body) {
        List<JobId> ids = push(2);
        answer.set(exchange -> reply(exchange, 200, "application/json", body));
        work();
        ids.forEach(id -> assertThat(failure(ended(id, JobState.DEAD)).summary()).contains("answer {\"jobs\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "7", "{\"jobs\": []}"})
    void anAnswerThatNamesNoJobCompletesAll(String body) {
        List<JobId> ids = push(2);
        answer.set(exchange -> reply(exchange, 200, "application/json", body));
        work();
        ids.forEach(id -> ended(id, JobState.DONE));
    }

    @Test
    void jobsOfManyBytesAreDividedAndARequestThatFailsFailsItsOwnJobsOnly() {
        byte[] large = new byte[1 << 20];
        orderly.engines().jobs().change(rows.name(), RULES.withConcurrency(1).withMaxPayload(1 << 20));
        List<JobId> ids = IntStream.range(0, 6)
                .mapToObj(_ -> push(PushRequest.of("rows", new Payload(Payload.BYTES, large)))).toList();
        answer.set(exchange -> {
            boolean first = got.size() == 1;
            reply(exchange, first ? 200 : 422, "text/plain", first ? "" : "too much");
        });
        work();
        ids.subList(0, 4).forEach(id -> ended(id, JobState.DONE));
        ids.subList(4, 6).forEach(id -> ended(id, JobState.DEAD));
        assertThat(got).hasSize(2);
    }

    @Test
    void theTimeoutOfTheLastJobEndsTheRequest() {
        List<JobId> ids = rows.timeout(Duration.ofMillis(200)).pushAll(List.of(Payload.json("1"), Payload.json("2")));
        answer.set(_ -> {});
        work();
        ids.forEach(id -> assertThat(failure(ended(id, JobState.DEAD)).summary()).startsWith("Timed out"));
    }
}
