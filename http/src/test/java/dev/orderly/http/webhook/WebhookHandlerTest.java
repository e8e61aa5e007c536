package dev.orderly.http.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import dev.orderly.web.webhook.WebhookSignature.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Queues with a webhook as handler. */
class WebhookHandlerTest extends WebhookTest {
    private void work(JobQueue<Payload> jobs, URI url, WebhookSecret... keys) {
        orderly.handle(jobs, new WebhookHandler(new Webhook(url, List.of(keys)), TOKENS, Redaction.NONE, () -> client,
                Time.system()));
        orderly.start();
    }

    private JobView run(JobState state) {
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url("/hook?token=secret"));
        return ended(push(PushRequest.of("hooks", Payload.json("1"))), state);
    }

    @Test
    void aJobIsPostedWithItsPayloadAndMetadata() throws InterruptedException {
        work(orderly.fifo("hooks.fifo", Payload.class, _ -> RULES), url("/a/b?c=d"), SECRET);
        byte[] body = {0, (byte) 0xFF, '\r', '\n'};
        JobId id = push(PushRequest.of("hooks.fifo", new Payload("image/png; q=\"1\"", body)).withGroup("Jürgen & Co")
                .withUser(new UserId("ü1")).withParams(Map.of("b", "x y&z", "a", "é")));
        JobView job = ended(id, JobState.DONE);
        Got request = got.take();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.uri()).hasToString("/a/b?c=d");
        assertThat(request.body()).isEqualTo(body);
        assertThat(request.header("Content-Type")).isEqualTo("image/png; q=\"1\"");
        assertThat(request.header("Orderly-Queue")).isEqualTo("hooks.fifo");
        assertThat(request.header("Orderly-Attempt")).isEqualTo("1");
        assertThat(request.header("Orderly-Group")).isEqualTo("J%C3%BCrgen%20%26%20Co");
        assertThat(URLDecoder.decode(request.header("Orderly-User"), StandardCharsets.UTF_8)).isEqualTo("ü1");
        assertThat(request.header("Orderly-Sequence")).isEqualTo(Long.toString(id.sequence()));
        assertThat(request.header("Orderly-Pushed-At")).isEqualTo(job.pushedAt().toString());
        assertThat(request.header("Orderly-Params")).isEqualTo("a=%C3%A9&b=x%20y%26z");
        assertThat(request.header("webhook-id")).isEqualTo(id.toString());
        assertThat(request.signature().verify(body, List.of(SECRET), Time.system().now())).isEqualTo(Verdict.VALID);
    }

    @Test
    void theNextAttemptIsPostedWithTheStepsOfEarlierOnes() throws InterruptedException {
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url("/hook"));
        for (String value : List.of("änderung\n✉", "x".repeat(5_000))) {
            answer.set(exchange -> {
                AttemptId attempt = attempt(exchange.getRequestHeaders().getFirst("webhook-id"),
                        exchange.getRequestHeaders().getFirst(AttemptTokens.HEADER));
                if (attempt.number() == 1) {
                    orderly.engines().jobs().reportStep(attempt, "charge", Payload.text(value));
                }
                reply(exchange, attempt.number() == 1 ? 503 : 200, "", "");
            });
            JobId id = push(PushRequest.of("hooks", Payload.json("1")));
            ended(id, JobState.DONE);
            assertThat(got.take().headers()).doesNotContainKeys("Orderly-Steps", "Orderly-Steps-At");
            Got second = got.take();
            if (value.length() < 100) {
                String header = second.header("Orderly-Steps");
                assertThat(header).matches("[ -~]+");
                assertThat(JsonMapper.shared().readTree(header).at("/0/value/text").asString()).isEqualTo(value);
                assertThat(JsonMapper.shared().readTree(header).at("/0/name").asString()).isEqualTo("charge");
            } else {
                assertThat(second.header("Orderly-Steps-At")).isEqualTo("jobs/" + id + "/steps");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"amount\": 0.10,\r\n\t\"rate\": 0.1234567890123456789012345678}", "1e400",
            "{\"ä\": \"\\n✉\", \"a\": 1, \"a\": 2}", "NESTED"})
    void aJsonValueOfAStepIsInTheHeaderAsItWasKept(String content) throws InterruptedException {
        String value = content.equals("NESTED")
                ? "[".repeat(498) + "]".repeat(498)
                : content;
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url("/hook"));
        answer.set(exchange -> {
            AttemptId attempt = attempt(exchange.getRequestHeaders().getFirst("webhook-id"),
                    exchange.getRequestHeaders().getFirst(AttemptTokens.HEADER));
            if (attempt.number() == 1) {
                orderly.engines().jobs().reportStep(attempt, "charge", Payload.json(value));
            }
            reply(exchange, attempt.number() == 1 ? 503 : 200, "", "");
        });
        ended(push(PushRequest.of("hooks", Payload.json("1"))), JobState.DONE);
        got.take();
        String header = got.take().header("Orderly-Steps");
        assertThat(header).matches("[ -~]+").contains("\"json\":" + value.replaceAll("[\r\n\t]", " ")
                .replace("ä", "\\u00e4").replace("✉", "\\u2709") + "}");
    }

    private static AttemptId attempt(String id, String token) {
        return TOKENS.verify(JobId.parse(id), token).orElseThrow();
    }

    @Test
    void anAnswerOfAnyContentTypeIsTheResultAsItWasSentUnlessItIsEmptyOrTooLarge() {
        byte[] image = {(byte) 0x89, 'P', 'N', 'G', 0, (byte) 0xFF};
        answer.set(exchange -> reply(exchange, 201, "application/json; charset=utf-8", "{\"n\": 1.10}"));
        assertThat(run(JobState.DONE).result()).isEqualTo(result("application/json; charset=utf-8", "{\"n\": 1.10}"));

        assertThat(resultOf(exchange -> reply(exchange, 200, "text/plain", "ok")))
                .isEqualTo(result("text/plain", "ok"));
        assertThat(resultOf(exchange -> reply(exchange, 200, "application/json", "{oops")))
                .isEqualTo(result("application/json", "{oops"));
        assertThat(resultOf(exchange -> reply(exchange, 204, "", ""))).isNull();
        assertThat(resultOf(exchange -> reply(exchange, 200, "text/plain", "x".repeat(70_000)))).isNull();
        assertThat(resultOf(exchange -> reply(exchange, 200, "", "b"))).isEqualTo(result(Payload.BYTES, "b"));
        assertThat(resultOf(exchange -> reply(exchange, 200, "nonsense", "b"))).isEqualTo(result(Payload.BYTES, "b"));
        assertThat(resultOf(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "image/png");
            exchange.sendResponseHeaders(200, image.length);
            exchange.getResponseBody().write(image);
            exchange.close();
        })).isEqualTo(new Payload("image/png", image));
    }

    private static Payload result(String contentType, String body) {
        return new Payload(contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Payload resultOf(Answering answering) {
        answer.set(answering);
        return ended(push(PushRequest.of("hooks", Payload.json("2"))), JobState.DONE).result();
    }

    @Test
    void theWorkersOwnWordsComeFirstInAFailure() {
        answer.set(exchange -> reply(exchange, 422, "application/problem+json",
                "{\"title\": \"Declined\", \"detail\": \"The card was declined\"}"));
        JobView job = run(JobState.DEAD);
        assertThat(job.failure()).isNotNull().satisfies(failure -> {
            assertThat(failure.summary()).startsWith("The card was declined (POST http://").endsWith("answered 422)");
            assertThat(failure.detail()).contains("\"Declined\"").doesNotContain("\tat ");
        });
        assertThat(failureOf("application/json", "{\"error\": \"no such order\"}")).startsWith("no such order (POST");
        assertThat(failureOf("application/json", "{\"error\": {\"code\": 7, \"message\": \"too late\"}}"))
                .startsWith("too late (POST");
        assertThat(failureOf("application/json", "{\"message\": \"sold out\"}")).startsWith("sold out (POST");
        assertThat(failureOf("text/plain; charset=iso-8859-1", "\n  Traceback\nValueError")).startsWith("Traceback (");
        assertThat(failureOf("text/html", "<h1>Nope</h1>")).startsWith("POST ");
        assertThat(failureOf("application/octet-stream", "\u00ff\u0000")).startsWith("POST ");
        assertThat(failureOf("text/plain", "x".repeat(70_000))).hasSizeLessThan(500).contains("answered 400");
    }

    private String failureOf(String contentType, String body) {
        answer.set(exchange -> reply(exchange, 400, contentType, body));
        return Objects.requireNonNull(ended(push(PushRequest.of("hooks", Payload.json("3"))), JobState.DEAD).failure())
                .summary();
    }

    private void answerLater(String header) {
        answer.set(exchange -> {
            exchange.getResponseHeaders().set("Orderly-Later", header);
            reply(exchange, 202, "", "");
        });
    }

    @Test
    void aJobThatIsEndedLaterRunsWithoutAConnectionUntilItsWorkerReports() throws InterruptedException {
        answerLater("2h");
        work(orderly.queue("hooks", Payload.class, _ -> RULES.withConcurrency(1)), url("/"));
        List<JobId> ids = List.of(push(PushRequest.of("hooks", Payload.json("1"))),
                push(PushRequest.of("hooks", Payload.json("2"))));
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(ids)
                .allSatisfy(id -> assertThat(orderly.jobs().find(id).orElseThrow().leasedUntil()).isNotNull()));
        for (int n = 0; n < 2; n++) {
            Got request = Objects.requireNonNull(got.poll(60, TimeUnit.SECONDS));
            JobId id = JobId.parse(request.header(WebhookSignature.ID));
            AttemptId attempt = TOKENS.verify(id, request.header(AttemptTokens.HEADER)).orElseThrow();
            assertThat(orderly.jobs().report(attempt, new AttemptOutcome.Done(Payload.text("late"))))
                    .isEqualTo(SettleResult.ACCEPTED);
            assertThat(ended(id, JobState.DONE).result()).isEqualTo(Payload.text("late"));
        }
    }

    @Test
    void atTheBoundOfLeasedJobsNoFurtherJobStarts() throws InterruptedException {
        answerLater("2h");
        work(orderly.queue("hooks", Payload.class, _ -> RULES.withConcurrency(1).withMaxLeased(1)), url("/"));
        push(PushRequest.of("hooks", Payload.json("1")));
        Got request = Objects.requireNonNull(got.poll(60, TimeUnit.SECONDS));
        JobId first = JobId.parse(request.header(WebhookSignature.ID));
        await().atMost(Duration.ofSeconds(60)).untilAsserted(
                () -> assertThat(orderly.jobs().find(first).orElseThrow().leasedUntil()).isNotNull());
        push(PushRequest.of("hooks", Payload.json("2")));
        assertThat(got.poll(1, TimeUnit.SECONDS)).isNull();
        orderly.jobs().report(TOKENS.verify(first, request.header(AttemptTokens.HEADER)).orElseThrow(),
                new AttemptOutcome.Done(null));
        assertThat(got.poll(60, TimeUnit.SECONDS)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "8d", "0s", "-1s"})
    void aLaterThatIsNoTimeFailsTheAttempt(String later) {
        answerLater(later);
        assertThat(Objects.requireNonNull(run(JobState.DEAD).failure()).summary()).contains("Orderly-Later");
    }

    @Test
    void whileSecretsRotateBothReceiversAcceptARequest() throws InterruptedException {
        WebhookSecret fresh = WebhookSecret.parse("whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=");
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url("/"), fresh, SECRET);
        ended(push(PushRequest.of("hooks", Payload.json("1"))), JobState.DONE);
        Got request = got.take();
        WebhookSignature signature = request.signature();
        for (WebhookSecret known : List.of(fresh, SECRET)) {
            assertThat(signature.verify(request.body(), List.of(known), Time.system().now())).isEqualTo(Verdict.VALID);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 429, 500, 503})
    void aTemporaryFailureIsRetriedUntilTheAttemptsAreSpent(int status) {
        answer.set(exchange -> reply(exchange, status, "text/plain", "not now"));
        JobView job = run(JobState.DEAD);

        assertThat(got).hasSize(3);
        assertThat(job.failures()).isEqualTo(3);
        assertThat(job.failure()).isNotNull().satisfies(failure -> {
            assertThat(failure.summary()).contains(Integer.toString(status)).contains("/hook")
                    .doesNotContain("secret");
            assertThat(failure.detail()).contains("not now").doesNotContain("secret");
        });
        assertThat(got.stream().map(request -> request.header("Orderly-Attempt"))).containsExactly("1", "2", "3");
        assertThat(got.stream().map(request -> request.header("webhook-id")).distinct()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 307, 400, 401, 404, 422})
    void aFinalFailureIsADeadLetterAtOnce(int status) {
        answer.set(exchange -> {
            exchange.getResponseHeaders().set("Location", url("/elsewhere").toString());
            reply(exchange, status, "text/plain", "never");
        });
        JobView job = run(JobState.DEAD);

        assertThat(got).hasSize(1);
        assertThat(job.failure()).isNotNull()
                .satisfies(failure -> assertThat(failure.summary()).contains(Integer.toString(status)));
    }

    @Test
    void retryAfterIsHonouredAsSecondsAndAsADate() {
        answer.set(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            reply(exchange, 503, "", "");
        });
        JobView job = run(JobState.DELAYED);

        assertThat(job.dueAt()).isNotNull()
                .satisfies(due -> assertThat(Duration.between(Time.system().now(), due))
                        .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(61)));
        Instant now = Instant.parse("2026-11-21T12:00:00Z");
        assertThat(RetryAfter.parse("Sat, 21 Nov 2026 12:00:30 GMT", now)).contains(Duration.ofSeconds(30));
        assertThat(RetryAfter.parse("Sat, 21 Nov 2026 11:00:00 GMT", now)).contains(Duration.ZERO);
        assertThat(RetryAfter.parse(" 7 ", now)).contains(Duration.ofSeconds(7));
        assertThat(RetryAfter.parse("soon", now)).isEmpty();
        assertThat(RetryAfter.parse("-1", now)).isEmpty();
        assertThat(RetryAfter.parse("99999999999", now)).isEmpty();
    }

    @Test
    void aReceiverThatTakesNoMoreForATimeLetsTheKeyOfTheJobRestWithoutAFailure() {
        answer.set(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            reply(exchange, 429, "text/plain", "the quota is used up");
        });
        work(orderly.queue("keyed", Payload.class, o -> o.withKey("payload:/tenant")), url("/"));
        JobId id = push(PushRequest.of("keyed", Payload.json("{\"tenant\":\"acme\"}")));
        await().atMost(Duration.ofSeconds(60)).until(() -> orderly.why(id).cause() == JobDiagnosis.Cause.KEY_LIMITED);

        JobDiagnosis why = orderly.why(id);
        assertThat(why.sentence()).contains("its key acme rests until").contains("said by attempt 1");
        assertThat(Duration.between(Time.system().now(), Objects.requireNonNull(why.at()))).isBetween(
                Duration.ofMinutes(58),
                Duration.ofMinutes(61));
        assertThat(orderly.jobs().find(id).orElseThrow().failures()).isZero();
        assertThat(got).hasSize(1);
    }

    @Test
    void aMissingReceiverIsRetried() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        work(orderly.queue("hooks", Payload.class, _ -> RULES),
                URI.create("http://127.0.0.1:" + port + "/?key=secret"));
        JobView job = ended(push(PushRequest.of("hooks", Payload.json("1"))), JobState.DEAD);

        assertThat(job.failures()).isEqualTo(3);
        assertThat(job.failure()).isNotNull().satisfies(failure -> assertThat(failure.summary())
                .contains("got no answer").contains("127.0.0.1:" + port).doesNotContain("secret"));
    }

    @Test
    void theExchangeEndsAtTheJobsTimeout() {
        answer.set(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush(); // the rest never comes
        });
        QueueOptions quick = RULES.withTimeout(Duration.ofMillis(500)).withRetry(RULES.retry().withAttempts(1));
        work(orderly.queue("hooks", Payload.class, _ -> quick), url("/"));
        JobView job = ended(push(PushRequest.of("hooks", Payload.json("1"))), JobState.DEAD);

        assertThat(job.failure()).isNotNull()
                .satisfies(failure -> assertThat(failure.summary()).contains("Timed out"));
    }

    @Test
    void cancellingAJobEndsItsExchange() throws InterruptedException {
        answer.set(_ -> {
            // no answer at all
        });
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url("/"));
        JobId id = push(PushRequest.of("hooks", Payload.json("1")));
        assertThat(got.poll(60, TimeUnit.SECONDS)).isNotNull();
        orderly.jobs().cancel(id);

        ended(id, JobState.CANCELLED);
    }

    @Test
    void aContentTypeThatIsNoValidHeaderIsADeadLetter() {
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url("/"));
        JobView job = ended(push(PushRequest.of("hooks", new Payload("a/b\r\nX: y", new byte[]{1}))), JobState.DEAD);

        assertThat(got).isEmpty();
        assertThat(job.failure()).isNotNull()
                .satisfies(failure -> assertThat(failure.summary()).contains("content type"));
    }

    @Test
    void aUserInTheUrlBecomesBasicAuthenticationAndIsHidden() throws InterruptedException {
        URI url = URI.create(url("/x?y=z").toString().replace("127.0.0.1", "anna:hush@127.0.0.1"));
        work(orderly.queue("hooks", Payload.class, _ -> RULES), url);
        ended(push(PushRequest.of("hooks", Payload.json("1"))), JobState.DONE);

        assertThat(got.take().header("Authorization")).isEqualTo("Basic YW5uYTpodXNo");
        assertThat(new Webhook(url, List.of(SECRET))).asString().doesNotContain("hush").doesNotContain("y=z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host/", "/path", "mailto:a@b", "http:///x", "http://host/#part"})
    void anInvalidUrlIsRefused(String url) {
        assertThatThrownBy(() -> new Webhook(URI.create(url), List.of())).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://");
    }
}
