package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.Node.Reply;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.Unprocessable;
import dev.orderly.user.UserId;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The API of the admin listener. Every answer is also checked against the OpenAPI document. */
class ApiTest {
    private static final String JSON = "application/json";
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    private Reply push(String query, String body) {
        return node.post(node.atApi("/queues/emails/jobs" + query), JSON, body);
    }

    private static String id(Reply reply) {
        return String.valueOf(reply.header("X-Job-Id"));
    }

    @Test
    void aPushTakesGroupDedupeDelayPriorityAndUserFromTheQuery() {
        Reply fifo = node.post(node.atApi("/queues/checkout.fifo/jobs?group=a%20b&dedupe=d+1"), JSON, "1");
        Reply delayed = push("?delay=30s&priority=2&user=anna", "1");

        assertThat(fifo.status()).isEqualTo(202);
        assertThat(fifo.header("Location")).isEqualTo("/api/v1/jobs/" + id(fifo));
        assertThat(node.get("/jobs/" + id(fifo)).json().path("group").asString()).isEqualTo("a b");
        var job = node.jobs().find(JobId.parse(id(delayed))).orElseThrow();
        assertThat(job.priority()).isEqualTo(Priority.HIGH);
        assertThat(job.user()).isEqualTo(new UserId("anna"));
        assertThat(job.dueAt()).isNotNull()
                .satisfies(due -> assertThat(Duration.between(job.pushedAt(), due)).isBetween(Duration.ofSeconds(29),
                        Duration.ofSeconds(31)));
    }

    @Test
    void aPushTakesTheTermsOfItsJobFromTheQueryAndTheJobShowsThem() {
        Reply first = push("?delay=1h&unique=k&expires=2h&attempts=1&timeout=30m", "1");
        Reply second = push("?unique=k", "2");

        assertThat(first.json().path("duplicate").asBoolean()).isFalse();
        assertThat(second.json().path("duplicate").asBoolean()).isTrue();
        assertThat(id(second)).isEqualTo(id(first));
        var job = node.jobs().find(JobId.parse(id(first))).orElseThrow();
        assertThat(job.terms().expiresAt()).isNotNull().satisfies(at -> assertThat(Duration.between(job.pushedAt(), at))
                .isBetween(Duration.ofMinutes(119), Duration.ofMinutes(121)));
        assertThat(job.terms().retryOr(RetryPolicy.STANDARD).attempts()).isOne();
        assertThat(job.terms().timeout()).isEqualTo(Duration.ofMinutes(30));
        var terms = node.get("/jobs/" + id(first)).json().path("terms");
        assertThat(terms.path("unique").asString()).isEqualTo("k");
        assertThat(terms.path("attempts").asInt()).isOne();
        assertThat(terms.path("expiresAt").asString()).isEqualTo(String.valueOf(job.terms().expiresAt()));
        assertThat(node.get("/jobs/" + id(push("", "3"))).json().path("terms").isNull()).isTrue();
    }

    @Test
    void aDebouncedPushReplacesThePayloadAndSaysSo() {
        Reply first = push("?debounce=k&delay=1h&at-most=2h", "1");
        Reply second = push("?debounce=k&delay=1h&at-most=2h", "2");
        Reply other = push("?debounce=k&delay=1h&user=bob", "3");

        assertThat(first.json().path("replaced").asBoolean()).isFalse();
        assertThat(first.header("Orderly-Replaced")).isNull();
        assertThat(second.json().path("replaced").asBoolean()).isTrue();
        assertThat(second.header("Orderly-Replaced")).isEqualTo("true");
        assertThat(second.header("Orderly-Duplicate")).isNull();
        assertThat(id(second)).isEqualTo(id(first));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.detail()).contains("another user");
        var job = node.get("/jobs/" + id(first)).json();
        assertThat(job.path("payload").toString()).contains("2");
        assertThat(job.at("/terms/debounce").asString()).isEqualTo("k");
        assertThat(job.at("/terms/atMost").asString()).isEqualTo("PT2H");
    }

    @Test
    void anIdIsKeptForTheTimeThatItsPushSays() {
        Reply first = push("?dedupe=d&dedupe-for=1h", "1");

        assertThat(push("?dedupe=d&dedupe-for=1h", "1").json().path("duplicate").asBoolean()).isTrue();
        assertThat(push("?dedupe=d", "1").json().path("duplicate").asBoolean()).isFalse();
        assertThat(node.get("/jobs/" + id(first)).json().at("/terms/dedupeFor").asString()).isEqualTo("PT1H");
    }

    @Test
    void aPushSaysWhatItsJobCosts() {
        assertThat(node.get("/jobs/" + id(push("?cost=3", "1"))).json().at("/terms/cost").asInt()).isEqualTo(3);
    }

    @Test
    void equalJobsOfTwoUsersAreTwoJobs() {
        String path = "/queues/checkout.fifo/jobs?group=g";
        Reply anna = node.post(node.atApi(path + "&user=anna"), JSON, "1");
        Reply bert = node.post(node.atApi(path + "&user=bert"), JSON, "1");

        assertThat(id(bert)).isNotEqualTo(id(anna));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"/queues/checkout.fifo/jobs|422|group-missing",
            "/queues/emails/jobs?group=a|422|group-forbidden", "/queues/checkout.fifo/jobs?group=a&delay=1s|422|order",
            "/queues/checkout.fifo/jobs?group=a&priority=1|422|order", "/queues/nowhere/jobs|404|unknown-queue",
            "/queues/no%20name/jobs|404|unknown-queue", "/queues/emails/jobs?priority=5|400|bad-request",
            "/queues/emails/jobs?delay=soon|400|bad-request", "/queues/emails/jobs?delay=400d|422|bounds",
            "/queues/checkout.fifo/jobs?group=a&debounce=k|422|order",
            "/queues/emails/jobs?debounce=k&dedupe=d|422|bounds", "/queues/emails/jobs?dedupe-for=1h|422|bounds",
            "/queues/emails/jobs?dedupe=d&dedupe-for=8d|422|bounds", "/queues/emails/jobs?at-most=1h|422|bounds",
            "/queues/emails/jobs?cost=0|400|bad-request", "/queues/emails/jobs?cost=1000001|400|bad-request",
            "/queues/emails/jobs?delay=-PT1S|400|bad-request", "/queues/emails/jobs?dedupe=|422|bounds",
            "/queues/emails/jobs?user=a&user=b|400|bad-request", "/queues/emails/jobs?a=%2|400|bad-request"})
    void aPushThatBreaksARuleIsRefusedAndStoresNothing(String path, int status, String problem) {
        Reply reply = node.send(Node.at(node.api.port(), "/api/v1").GET());
        assertThat(reply.status()).isEqualTo(200);
        String answer = raw("POST /api/v1" + path + " HTTP/1.1\r\nContent-Length: 2\r\n", "{}");

        assertThat(answer).startsWith("HTTP/1.1 " + status).contains("urn:orderly:problem:" + problem + "\"");
        assertThat(node.jobs().queues()).allSatisfy(q -> assertThat(q.view().waiting() + q.view().delayed()).isZero());
    }

    private String raw(String head, String body) {
        try (RawHttp raw = new RawHttp(node.api.port())) {
            raw.send(head + Node.LOCAL_LINE + "Host: localhost\r\nConnection: close\r\n\r\n" + body);
            return raw.rest();
        }
    }

    @Test
    void anUnknownQueryParameterIsRefusedAndTheKnownAreNamed() {
        Reply reply = push("?prio=1", "1");

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.detail()).contains("prio")
                .contains("group, dedupe, unique, delay, expires, priority, attempts, timeout, user, debounce, at-most,"
                        + " dedupe-for, cost");
        assertThat(node.get("/queues?x=1").status()).isEqualTo(400);
        assertThat(node.get("/queues/emails/jobs?statet=dead").detail()).contains("state, after, limit");
    }

    @Test
    void aSequenceNumberIsAStringSinceADoubleCannotHoldIt() {
        Reply pushed = push("", "1");
        var sequence = node.get("/jobs/" + id(pushed)).json().path("sequence");

        assertThat(sequence.isString()).isTrue();
        long exact = Long.parseLong(sequence.asString());
        assertThat(exact).isEqualTo(JobId.parse(id(pushed)).sequence()).isGreaterThan(1L << 53);
    }

    @Test
    void aPayloadIsShownByItsContentType() {
        String number = "{\"n\": 12345678901234567890.10, \"n\": 9007199254740993}";
        Reply json = push("", number);
        Reply text = node.post(node.atApi("/queues/emails/jobs"), "text/plain", "Grüße");
        Reply bytes = node.send(node.atApi("/queues/emails/jobs").header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(new byte[]{(byte) 0xFF, 0})));
        JobId broken = node.jobs().push(dev.orderly.job.PushRequest.of("emails", Payload.json("{oops"))).id();

        assertThat(node.get("/jobs/" + id(json)).text()).contains("\"json\":" + number);
        assertThat(node.get("/jobs/" + id(text)).json().at("/payload/text").asString()).isEqualTo("Grüße");
        assertThat(node.get("/jobs/" + id(bytes)).json().at("/payload/base64").asString()).isEqualTo("/wA=");
        assertThat(node.get("/jobs/" + broken).json().at("/payload/text").asString()).isEqualTo("{oops");
    }

    @Test
    void aDoneJobShowsItsResultAndNoPayload() {
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (_, job) -> {
            job.progress(1, 2, "half");
            job.result(List.of(1, 2));
        });
        node.orderly.start();
        Reply pushed = push("", "1");

        await().untilAsserted(() -> {
            var json = node.get("/jobs/" + id(pushed)).json();
            assertThat(json.path("state").asString()).isEqualTo("done");
            assertThat(json.at("/result/json").toString()).isEqualTo("[1,2]");
            assertThat(json.path("payload").isNull()).isTrue();
            assertThat(json.path("attempt").asInt()).isEqualTo(1);
            assertThat(json.path("endedAt").asString()).endsWith("Z");
        });
    }

    @Test
    void aCancellationAnswersWithItsOutcome() throws InterruptedException {
        Reply waiting = push("", "1");
        Reply first = node.send(node.atApi("/jobs/" + id(waiting)).DELETE());
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.json().path("result").asString()).isEqualTo("cancelled");
        Reply second = node.send(node.atApi("/jobs/" + id(waiting)).DELETE());
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.problem()).isEqualTo("job-ended");

        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (_, _) -> {
            began.countDown();
            never.await();
        });
        node.orderly.start();
        Reply running = push("", "2");
        began.await();
        Reply signalled = node.send(node.atApi("/jobs/" + id(running)).DELETE());
        assertThat(signalled.json().path("result").asString()).isEqualTo("signalled");
        await().untilAsserted(() -> assertThat(node.get("/jobs/" + id(running)).json().path("state").asString())
                .isEqualTo("cancelled"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000-0000-7000-8000-000000000000", "nonsense", "1-1-1-1-1",
            "9b2d7a52-7a3c-4a55-9d57-0d9f1a1b2c3d"})
    void anUnknownJobIs404(String id) {
        assertThat(node.get("/jobs/" + id).problem()).isEqualTo("unknown-job");
        assertThat(node.send(node.atApi("/jobs/" + id).DELETE()).status()).isEqualTo(404);
    }

    @Test
    void queuesAreShownWithTheirCountsAndSettings() {
        push("", "1");
        push("?delay=1h", "2");
        var queues = node.get("/queues").json().path("queues");
        var emails = node.get("/queues/emails").json();

        assertThat(queues.findValuesAsString("queue")).containsExactly("checkout.fifo", "emails", "tiny");
        assertThat(emails.at("/jobs/waiting").asLong()).isEqualTo(1);
        assertThat(emails.at("/jobs/delayed").asLong()).isEqualTo(1);
        assertThat(emails.path("fifo").asBoolean()).isFalse();
        assertThat(emails.at("/options/timeout").asString()).isEqualTo("PT5M");
        assertThat(emails.path("drainTime").isNull()).isTrue();
        assertThat(node.get("/queues/nowhere").problem()).isEqualTo("unknown-queue");
        assertThat(node.get("/queues/nowhere/jobs").status()).isEqualTo(404);
    }

    @Test
    void theJobsOfAQueueComeInPagesWithoutTheirContent() {
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pushed.add(id(push("", Integer.toString(i))));
        }
        List<String> seen = new ArrayList<>();
        String query = "?limit=2";
        for (int page = 0; page < 3; page++) {
            var json = node.get("/queues/emails/jobs" + query).json();
            seen.addAll(json.path("jobs").findValuesAsString("id"));
            assertThat(json.path("next").isNull()).isEqualTo(page == 2);
            query = "?state=waiting&limit=2&after=" + json.path("next").asString("");
            assertThat(json.at("/jobs/0/payload/size").asInt()).isEqualTo(1);
            assertThat(json.at("/jobs/0/payload").has("json")).isFalse();
        }
        assertThat(seen).isEqualTo(pushed);
        assertThat(node.get("/queues/emails/jobs?state=sleeping").detail()).contains("waiting, delayed");
        assertThat(node.get("/queues/emails/jobs?limit=0").status()).isEqualTo(400);
        assertThat(node.get("/queues/emails/jobs?limit=201").status()).isEqualTo(400);
        assertThat(node.get("/queues/emails/jobs?after=x").status()).isEqualTo(400);
    }

    @Test
    void pauseAndResumeTurnAQueueOffAndOn() {
        assertThat(post("/queues/emails/pause").json().path("paused").asBoolean()).isTrue();
        assertThat(node.get("/queues/emails").json().path("paused").asBoolean()).isTrue();
        assertThat(post("/queues/emails/resume").json().path("paused").asBoolean()).isFalse();
        assertThat(node.get("/queues/emails").json().path("paused").asBoolean()).isFalse();
        assertThat(post("/queues/nowhere/pause").status()).isEqualTo(404);
        assertThat(node.get("/queues").json().toString()).doesNotContain("nowhere");
    }

    private Reply post(String path) {
        return node.send(node.atApi(path).POST(BodyPublishers.noBody()));
    }

    @Test
    void aDeadLetterIsPushedAgainOnceWithEverythingItHad() {
        String dead = id(push("?user=ada&priority=1", "{\"a\":1}"));
        assertThat(post("/jobs/" + dead + "/push-again").problem()).isEqualTo("not-dead");
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (payload, job) -> {
            if (job.id().toString().equals(dead)) {
                throw new Unprocessable("never");
            }
        });
        node.orderly.start();
        await().untilAsserted(() -> assertThat(node.get("/jobs/" + dead).json().path("state").asString())
                .isEqualTo("dead"));

        Reply again = post("/jobs/" + dead + "/push-again");
        assertThat(again.status()).isEqualTo(202);
        String fresh = again.json().path("id").asString();
        assertThat(fresh).isNotEqualTo(dead).isEqualTo(again.header("X-Job-Id"));
        assertThat(again.header("Location")).isEqualTo("/api/v1/jobs/" + fresh);
        assertThat(post("/jobs/" + dead + "/push-again").json().path("id").asString()).isEqualTo(fresh);
        JsonNode job = node.get("/jobs/" + fresh).json();
        assertThat(job.path("user").asString()).isEqualTo("ada");
        assertThat(job.path("priority").asInt()).isEqualTo(1);
        await().untilAsserted(() -> assertThat(node.get("/jobs/" + fresh + "/why").json().path("cause").asString())
                .isEqualTo("done"));
        assertThat(node.get("/jobs/" + dead + "/why").json().path("cause").asString()).isEqualTo("dead");
        assertThat(node.get("/jobs/" + dead + "/why").json().path("sentence").asString()).contains("never");
        assertThat(post("/jobs/01990000-0000-7000-8000-000000000000/push-again").problem()).isEqualTo("unknown-job");
        assertThat(node.get("/jobs/01990000-0000-7000-8000-000000000000/why").json().path("cause").asString())
                .isEqualTo("not-found");
    }

    @Test
    void redriveLetsDeadLettersWaitAgain() {
        node.orderly.handle(node.orderly.queue("emails", Payload.class), (_, _) -> {
            throw new Unprocessable("no");
        });
        node.orderly.start();
        List<String> dead = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            dead.add(id(push("", "1")));
        }
        await().untilAsserted(() -> assertThat(node.get("/queues/emails/jobs?state=dead").json().path("jobs").size())
                .isEqualTo(4));
        post("/queues/emails/pause");

        assertThat(redrive("{\"ids\":[]}").json().path("redriven").asInt()).isZero();
        assertThat(redrive("{}").detail()).contains("send ids, or all=true");
        assertThat(post("/queues/emails/redrive?ids=" + dead.get(3)).json().path("redriven").asInt()).isEqualTo(1);
        assertThat(redrive("{\"ids\":[\"" + dead.get(0) + "\",\"" + dead.get(3) + "\"]}").json().path("redriven")
                .asInt()).isEqualTo(1);
        assertThat(redrive("{\"all\":true,\"limit\":1}").json().path("redriven").asInt()).isEqualTo(1);
        assertThat(post("/queues/emails/redrive?all=true").json().path("redriven").asInt()).isEqualTo(1);
        assertThat(node.get("/queues/emails").json().at("/jobs/waiting").asInt()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"limit\":1}", "{\"all\":false}", "{\"all\":true,\"ids\":[]}",
            "{\"ids\":\"all\"}", "{\"ids\":[1]}", "{\"limit\":0}", "{\"limit\":\"1\"}",
            "{\"id\":[]}", "[]", "{"})
    void aMalformedRedriveRedrivesNothing(String body) {
        assertThat(redrive(body).status()).isEqualTo(400);
    }

    private Reply redrive(String body) {
        return node.post(node.atApi("/queues/emails/redrive"), JSON, body);
    }

    @Test
    void headIsAnsweredLikeGetWithoutABodyAndOptionsNameTheMethods() {
        Reply head = node.send(node.atApi("/queues").method("HEAD", BodyPublishers.noBody()));
        Reply options = node.send(node.atApi("/jobs/x").method("OPTIONS", BodyPublishers.noBody()));
        Reply wrong = node.send(node.atApi("/queues").DELETE());

        assertThat(head.status()).isEqualTo(200);
        assertThat(Integer.parseInt(String.valueOf(head.header("Content-Length")))).isGreaterThan(10);
        assertThat(head.response().body()).isEmpty();
        assertThat(options.header("Allow")).isEqualTo("DELETE, GET, HEAD, OPTIONS");
        assertThat(wrong.status()).isEqualTo(405);
        assertThat(wrong.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }

    @Test
    void withoutTlsAndProxiesTheApiListensOnLoopbackOnly() {
        assertThatThrownBy(
                () -> new ApiServer(new BindAddress("0.0.0.0", 0), HttpLimits.DEFAULT, node.access, node.orderly,
                        node.rooms))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0.0.0.0")
                .hasMessageContaining("127.0.0.1");
        try (ApiServer named = new ApiServer(new BindAddress("localhost", 0), HttpLimits.DEFAULT, node.access,
                node.orderly, node.rooms)) {
            named.start();
            assertThat(RawHttp.status(named.port(), "GET /api/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n")).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"evil.example,421", "127.0.0.1.evil.example,421", "localhost.evil.example:8081,421", "localhost,200",
            "LOCALHOST:1,200", "127.8.0.1:8081,200", "[::1]:8081,200", "10.0.0.1,421"})
    void theApiAnswersOnlyToLoopbackNames(String host, int status) {
        assertThat(RawHttp.status(node.api.port(), "GET /api/v1/queues HTTP/1.1\r\n" + Node.LOCAL_LINE + "Host: "
                + host + "\r\n\r\n"))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Origin: https://evil.example|403", "Origin: null|403",
            "Origin: http://localhost:1|403", "Sec-Fetch-Site: cross-site|403", "Sec-Fetch-Site: same-site|403",
            "Origin: http://localhost|200", "Sec-Fetch-Site: same-origin|200", "Sec-Fetch-Site: none|200", "X: y|200"})
    void aPageOfAnotherSiteCannotChangeAnything(String header, int status) {
        String answer = raw("POST /api/v1/queues/emails/pause HTTP/1.1\r\nContent-Length: 0\r\n" + header + "\r\n", "");

        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(node.get("/queues/emails").json().path("paused").asBoolean()).isEqualTo(status == 200);
        assertThat(raw("GET /api/v1/queues HTTP/1.1\r\n" + header + "\r\n", "")).startsWith("HTTP/1.1 200");
    }

    @Test
    void theNodesAreListedThisNodeFirst() {
        JsonNode nodes = node.get("/nodes").json().path("nodes");
        assertThat(nodes.size()).isOne();
        assertThat(nodes.get(0).path("self").asBoolean()).isTrue();
        assertThat(nodes.get(0).path("state").asString()).isEqualTo("running");
        assertThat(nodes.get(0).path("reportAge").asString()).isEqualTo("PT0S");
        assertThat(node.get("/nodes?limit=1").status()).isEqualTo(400);
    }
}
