package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.api.AttemptEndpoints;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Limit;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Workers that claim jobs over the API and report about them with their tokens. */
@Timeout(150)
class WorkerApiTest {
    private static final String JSON = "application/json";

    private final Node node = new Node();

    @BeforeEach
    void start() {
        node.jobs().pull(node.orderly.queue("emails", Payload.class));
        node.jobs().pull(node.orderly.fifo("checkout.fifo", Payload.class));
        node.orderly.start();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private JobId push(PushRequest request) {
        return node.jobs().push(request).id();
    }

    private Node.Reply claim(String queue, String body) {
        return node.post(node.atApi("/queues/" + queue + "/claims"), JSON, body);
    }

    /** The jobs of a claim that has to get one. */
    private List<JsonNode> claimed(String queue, int max) {
        JsonNode jobs = claim(queue, "{\"max\": " + max + ", \"wait\": \"20s\", \"lease\": \"1h\", \"worker\": \"w\"}")
                .json().path("jobs");
        assertThat(jobs.size()).isPositive();
        return StreamSupport.stream(jobs.spliterator(), false).toList();
    }

    private JsonNode claimedEmail() {
        push(PushRequest.of("emails", Payload.json("{\"to\":\"ada\"}")));
        return claimed("emails", 1).getFirst();
    }

    private Node.Reply report(JsonNode job, String what, @Nullable String contentType, String body) {
        HttpRequest.Builder request = node.atApi("/jobs/" + job.path("id").asString() + "/" + what)
                .header(AttemptTokens.HEADER, job.path("token").asString());
        return node.post(request, contentType, body);
    }

    private JobView view(JsonNode job) {
        return node.jobs().find(JobId.parse(job.path("id").asString())).orElseThrow();
    }

    @Test
    void aClaimedJobIsDoneByItsWorkersReportWithAResultOfAnyType() {
        JsonNode job = claimedEmail();
        assertThat(job.at("/payload/json/to").asString()).isEqualTo("ada");
        assertThat(job.path("attempt").asInt()).isEqualTo(1);
        assertThat(view(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(view(job).leasedUntil()).isNotNull();

        Node.Reply reply = report(job, "done", "text/markdown", "# sent");
        assertThat(reply.json().path("result").asString()).isEqualTo("accepted");
        assertThat(view(job).state()).isEqualTo(JobState.DONE);
        JsonNode shown = node.get("/jobs/" + job.path("id").asString()).json();
        assertThat(shown.at("/result/contentType").asString()).isEqualTo("text/markdown");
        assertThat(shown.at("/result/text").asString()).isEqualTo("# sent");
    }

    @Test
    void aRepeatedReportIsAnsweredAsTheFirstAndAnotherIsRefused() {
        JsonNode job = claimedEmail();
        report(job, "done", null, "");
        assertThat(report(job, "done", null, "").status()).isEqualTo(200);
        Node.Reply other = report(job, "failed", "text/plain", "no");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.problem()).isEqualTo("attempt-over");
        assertThat(report(job, "heartbeat", JSON, "{\"lease\":\"1h\"}").status()).isEqualTo(409);
        assertThat(report(job, "progress", JSON, "{\"done\":1,\"total\":2,\"text\":\"\"}").status()).isEqualTo(409);
    }

    private Node.Reply step(JsonNode job, String name, @Nullable String contentType, String body) {
        HttpRequest.Builder request = node.atApi("/jobs/" + job.path("id").asString() + "/steps/" + name)
                .header(AttemptTokens.HEADER, job.path("token").asString())
                .PUT(BodyPublishers.ofString(body));
        return node.send(contentType == null ? request : request.header("Content-Type", contentType));
    }

    private JsonNode again(JsonNode job) {
        assertThat(report(job, "release", null, "").status()).isEqualTo(200);
        return claimed("emails", 1).getFirst();
    }

    @Test
    void theNextAttemptFindsTheStepsOfAWorker() {
        JsonNode first = claimedEmail();
        assertThat(first.has("steps")).isFalse();
        assertThat(step(first, "charge", JSON, "{\"id\": \"c-1\",\n \"cents\": 995}").status()).isEqualTo(200);
        assertThat(step(first, "charge", JSON, "{\"id\": \"c-1\",\n \"cents\": 995}").status()).as("again")
                .isEqualTo(200);
        assertThat(step(first, "mail", null, "").status()).isEqualTo(200);

        JsonNode second = again(first);
        assertThat(second.path("steps").valueStream().map(step -> step.path("name").asString()))
                .containsExactly("charge", "mail");
        assertThat(second.at("/steps/0/value/json/cents").asInt()).isEqualTo(995);
        assertThat(second.at("/steps/0/attempt").asInt()).isEqualTo(1);
        assertThat(second.at("/steps/1/value").isNull()).isTrue();
        assertThat(second.has("stepsAt")).isFalse();
        assertThat(step(first, "late", null, "").problem()).isEqualTo("attempt-over");
        JsonNode shown = node.get("/jobs/" + second.path("id").asString() + "/steps").json();
        assertThat(shown.at("/steps/0/value/json/id").asString()).isEqualTo("c-1");
    }

    @Test
    void theTokenOfAnAttemptThatIsOverShowsNoSteps() {
        JsonNode first = claimedEmail();
        step(first, "charge", JSON, "{\"id\": \"c-1\"}");
        assertThat(stepsOf(first).status()).isEqualTo(200);
        JsonNode second = again(first);
        assertThat(stepsOf(first).problem()).isEqualTo("attempt-over");
        assertThat(stepsOf(second).status()).isEqualTo(200);
        report(second, "done", null, "");
        assertThat(stepsOf(second).problem()).isEqualTo("attempt-over");
    }

    private Node.Reply stepsOf(JsonNode job) {
        return node.send(node.atApi("/jobs/" + job.path("id").asString() + "/steps")
                .header(AttemptTokens.HEADER, job.path("token").asString()).GET());
    }

    @Test
    void stepsThatAreTooLargeForAClaimAreGotWithTheToken() {
        JsonNode first = claimedEmail();
        String large = "x".repeat(20_000);
        assertThat(step(first, "render", "text/plain", large).status()).isEqualTo(200);
        JsonNode second = again(first);
        assertThat(second.has("steps")).isFalse();
        String at = second.path("stepsAt").asString();
        assertThat(at).isEqualTo("jobs/" + second.path("id").asString() + "/steps");
        JsonNode steps = node.send(node.atApi("/" + at).header(AttemptTokens.HEADER, second.path("token").asString())
                .GET()).json();
        assertThat(steps.at("/steps/0/value/text").asString()).isEqualTo(large);
        assertThat(node.send(node.atApi("/" + at).header(AttemptTokens.HEADER, "x").GET()).problem())
                .isEqualTo("attempt-token");
    }

    @Test
    void aStepThatBreaksARuleIsRefusedAndKeepsNothing() {
        JsonNode job = claimedEmail();
        assertThat(step(job, "a%20b", null, "").status()).isEqualTo(422);
        assertThat(step(job, "large", "text/plain", "x".repeat(65_537)).status()).isEqualTo(413);
        assertThat(step(job, "taken", "text/plain", "one").status()).isEqualTo(200);
        Node.Reply other = step(job, "taken", "text/plain", "two");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text()).contains("step taken with another value").contains("the first counts");
        for (int n = 0; n < 3; n++) {
            assertThat(step(job, "part-" + n, "text/plain", "x".repeat(65_536)).status()).isEqualTo(200);
        }
        Node.Reply full = step(job, "part-3", "text/plain", "x".repeat(65_536));
        assertThat(full.status()).isEqualTo(422);
        assertThat(full.text()).contains("part-3").contains("at most 1000 steps");
        assertThat(node.jobs().steps(JobId.parse(job.path("id").asString()))).hasSize(4);
        assertThat(node.get("/jobs/" + "01990000-0000-7000-8000-000000000000" + "/steps").status()).isEqualTo(404);
    }

    @Test
    void aTokenHoldsForItsOwnAttemptOnly() {
        JsonNode job = claimedEmail();
        JsonNode other = claimedEmail();
        String path = "/jobs/" + job.path("id").asString() + "/done";
        String token = job.path("token").asString();
        String longer = token.replaceFirst(":1:", ":2:");
        for (String wrong : List.of(other.path("token").asString(), longer, token.substring(0, token.length() - 2),
                token.toUpperCase(java.util.Locale.ROOT), "x", "a".repeat(5_000))) {
            Node.Reply reply = node.post(node.atApi(path).header(AttemptTokens.HEADER, wrong), null, "");
            assertThat(reply.status()).as(wrong).isEqualTo(403);
            assertThat(reply.problem()).isEqualTo("attempt-token");
            assertThat(reply.text()).doesNotContain(token);
        }
        assertThat(node.post(node.atApi(path), null, "").status()).isEqualTo(403);
        assertThat(node.post(node.atApi("/jobs/nonsense/done").header(AttemptTokens.HEADER, token), null, "").status())
                .isEqualTo(403);
        assertThat(view(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aWorkersFailureIsRetriedOrFinalWithItsOwnWords() {
        JsonNode job = claimedEmail();
        Node.Reply reply = node.post(node.atApi("/jobs/" + job.path("id").asString() + "/failed?retry-in=1h")
                .header(AttemptTokens.HEADER, job.path("token").asString()), "application/problem+json",
                "{\"detail\":\"The mailbox is full\"}");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(view(job).state()).isEqualTo(JobState.DELAYED);
        assertThat(view(job).failures()).isEqualTo(1);
        assertThat(Objects.requireNonNull(view(job).failure()).summary()).isEqualTo("The mailbox is full");

        JsonNode second = claimedEmail();
        node.post(node.atApi("/jobs/" + second.path("id").asString() + "/failed?final=true")
                .header(AttemptTokens.HEADER, second.path("token").asString()), "text/plain", "no such address");
        assertThat(view(second).state()).isEqualTo(JobState.DEAD);
        assertThat(Objects.requireNonNull(view(second).failure()).summary()).isEqualTo("no such address");
    }

    @Test
    void aWorkerReportsProgressProlongsSnoozesAndReleases() {
        JsonNode job = claimedEmail();
        assertThat(report(job, "progress", JSON, "{\"done\":3,\"total\":10,\"text\":\"images\"}").status())
                .isEqualTo(200);
        assertThat(Objects.requireNonNull(view(job).progress()).done()).isEqualTo(3);
        assertThat(report(job, "heartbeat", JSON, "{\"lease\":\"2h\"}").json().has("leasedUntil")).isTrue();
        assertThat(report(job, "heartbeat", JSON, "{\"lease\":\"1s\"}").status()).isEqualTo(400);
        assertThat(report(job, "snooze", JSON, "{\"delay\":\"1h\"}").status()).isEqualTo(200);
        assertThat(view(job).state()).isEqualTo(JobState.DELAYED);
        assertThat(view(job).failures()).isZero();

        JsonNode second = claimedEmail();
        assertThat(report(second, "release", null, "").status()).isEqualTo(200);
        JsonNode again = claimed("emails", 1).getFirst();
        assertThat(again.path("id")).isEqualTo(second.path("id"));
        assertThat(again.path("attempt").asInt()).isEqualTo(2);
        assertThat(report(second, "done", null, "").status()).as("the first attempt").isEqualTo(409);
    }

    @Test
    void aThrottledReportLetsTheKeyRestOrWithAllTheLimitAndCountsNoFailure() {
        node.jobs().pull(node.orderly.queue("exports", Payload.class,
                options -> options.withKey("payload:/tenant").withLimit(Limit.concurrency(20))));
        for (String tenant : List.of("acme", "acme", "beta", "beta")) {
            push(PushRequest.of("exports", Payload.json("{\"tenant\":\"" + tenant + "\"}")));
        }
        JsonNode acme = claimed("exports", 1).getFirst();
        assertThat(acme.at("/payload/json/tenant").asString()).isEqualTo("acme");
        for (String wrong : List.of("{}", "{\"rest\":\"25h\"}", "{\"rest\":\"1h\",\"all\":\"yes\"}")) {
            assertThat(report(acme, "throttled", JSON, wrong).status()).as(wrong).isEqualTo(400);
        }
        assertThat(report(acme, "throttled", JSON, "{\"rest\":\"1h\"}").status()).isEqualTo(200);
        assertThat(view(acme).state()).isEqualTo(JobState.WAITING);
        assertThat(view(acme).failures()).isZero();
        assertThat(node.orderly.why(view(acme).id()).sentence()).contains("its key acme rests until");
        assertThat(report(acme, "throttled", JSON, "{\"rest\":\"1h\"}").status()).as("repeated").isEqualTo(200);

        JsonNode beta = claimed("exports", 1).getFirst();
        assertThat(beta.at("/payload/json/tenant").asString()).isEqualTo("beta");
        Node.Reply several = node.post(node.atApi("/attempts"), JSON, "{\"reports\":[{\"id\":"
                + beta.path("id") + ",\"token\":" + beta.path("token")
                + ",\"report\":\"throttled\",\"rest\":\"1h\",\"all\":true}]}");
        assertThat(several.json().at("/results/0/result").asString()).isEqualTo("accepted");
        assertThat(node.orderly.why(view(beta).id()).sentence()).contains("limit queue:exports rests until");
        assertThat(claim("exports", "{\"max\": 5}").json().path("jobs").isEmpty()).isTrue();
    }

    @Test
    void aHeartbeatTellsTheWorkerOfACancellation() {
        JsonNode job = claimedEmail();
        node.jobs().cancel(JobId.parse(job.path("id").asString()));
        assertThat(report(job, "heartbeat", JSON, "{\"lease\":\"2h\"}").json().path("result").asString())
                .isEqualTo("cancelled");
        assertThat(report(job, "done", null, "").status()).isEqualTo(200);
    }

    @Test
    void severalReportsAreAnsweredEachForItself() {
        push(PushRequest.of("emails", Payload.json("1")));
        push(PushRequest.of("emails", Payload.json("2")));
        List<JsonNode> jobs = claimed("emails", 2);
        while (jobs.size() < 2) {
            jobs = java.util.stream.Stream.concat(jobs.stream(), claimed("emails", 1).stream()).toList();
        }
        String body = """
                {"reports": [
                  {"id": "%s", "token": "%s", "report": "done", "result": {"json": {"n": 1}}},
                  {"id": "%s", "token": "%s", "report": "failed", "error": "no", "final": true},
                  {"id": "%s", "token": "wrong", "report": "done"},
                  {"id": "%s", "token": "%s", "report": "dance"}]}"""
                .formatted(jobs.get(0).path("id").asString(), jobs.get(0).path("token").asString(),
                        jobs.get(1).path("id").asString(), jobs.get(1).path("token").asString(),
                        jobs.get(1).path("id").asString(), jobs.get(1).path("id").asString(),
                        jobs.get(1).path("token").asString());
        JsonNode results = node.post(node.atApi("/attempts"), JSON, body).json().path("results");
        assertThat(results.findValuesAsString("result")).containsExactly("accepted", "accepted", "refused", "refused");
        assertThat(results.path(2).path("status").asInt()).isEqualTo(403);
        assertThat(view(jobs.get(0)).result()).isEqualTo(Payload.json("{\"n\":1}"));
        assertThat(view(jobs.get(1)).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void aWaitingClaimIsAnsweredByAPush() throws Exception {
        CompletableFuture<List<JsonNode>> waiting = CompletableFuture.supplyAsync(() -> claimed("emails", 5));
        JobId id = push(PushRequest.of("emails", Payload.json("1")));
        assertThat(waiting.get(60, TimeUnit.SECONDS)).singleElement()
                .satisfies(job -> assertThat(job.path("id").asString()).isEqualTo(id.toString()));
        assertThat(claim("emails", "{}").json().path("jobs").size()).as("without a wait").isZero();
    }

    @Test
    void aJobThatHasExpiredGoesToNoWorker() {
        JobId late = push(PushRequest.of("emails", Payload.json("1")).withExpires(Duration.ofMillis(1)));
        Instant expiresAt = Objects.requireNonNull(node.jobs().find(late).orElseThrow().terms().expiresAt());
        await().until(() -> Time.system().now().isAfter(expiresAt));
        JobId next = push(PushRequest.of("emails", Payload.json("2")));
        assertThat(claimed("emails", 5)).extracting(job -> job.path("id").asString()).containsExactly(next.toString());
        assertThat(node.jobs().find(late).orElseThrow().reason()).startsWith("Expired");
    }

    @Test
    void groupsAreHandedOutOneJobAtATimeInOrder() {
        for (String body : List.of("1", "2", "3")) {
            push(PushRequest.of("checkout.fifo", Payload.json(body)).withGroup("g"));
        }
        JobId other = push(PushRequest.of("checkout.fifo", Payload.json("4")).withGroup("h"));
        List<JsonNode> first = new java.util.ArrayList<>(claimed("checkout.fifo", 10));
        while (first.size() < 2) {
            first.addAll(claimed("checkout.fifo", 10));
        }
        assertThat(first.stream().map(job -> job.path("group").asString())).containsExactlyInAnyOrder("g", "h");
        assertThat(first).anySatisfy(job -> assertThat(job.path("id").asString()).isEqualTo(other.toString()));
        assertThat(claim("checkout.fifo", "{\"max\": 10}").json().path("jobs").size()).isZero();
        for (String expected : List.of("1", "2", "3")) {
            JsonNode job = first.stream().filter(one -> one.path("group").asString().equals("g")).findFirst()
                    .orElseGet(() -> claimed("checkout.fifo", 10).getFirst());
            first.removeIf(one -> one.path("group").asString().equals("g"));
            assertThat(job.at("/payload/json").toString()).isEqualTo(expected);
            assertThat(job.path("attempt").asInt()).isEqualTo(1);
            report(job, "done", null, "");
        }
    }

    @Test
    void whatAClosedConnectionDidNotGetGoesToTheNextWorkerAtOnce() throws IOException {
        leaveWhileWaiting();
        JobId id = push(PushRequest.of("emails", Payload.json("1")));
        assertThat(claimed("emails", 1).getFirst().path("id").asString()).isEqualTo(id.toString());
    }

    /** A worker whose connection is reset while its claim waits. */
    private void leaveWhileWaiting() throws IOException {
        byte[] body = "{\"wait\": \"20s\", \"lease\": \"12h\"}".getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.api.port())) {
            socket.getOutputStream().write(("POST /api/v1/queues/emails/claims HTTP/1.1\r\nHost: localhost\r\n"
                    + Node.LOCAL_LINE
                    + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            await().atMost(Duration.ofSeconds(60)).until(() -> node.orderly.engines().pulls().waiting() == 1);
            socket.setSoLinger(true, 0);
        }
    }

    @Test
    void aWorkerThatLeavesWhileItWaitsTakesNoJobAndCostsNoAttempt() throws IOException {
        leaveWhileWaiting();
        // Long before the end of the wait, and before any job comes.
        await().atMost(Duration.ofSeconds(15)).until(() -> node.orderly.engines().pulls().waiting() == 0);
        JobId id = push(PushRequest.of("emails", Payload.json("1")));
        JsonNode job = claimed("emails", 1).getFirst();
        assertThat(job.path("id").asString()).isEqualTo(id.toString());
        assertThat(job.path("attempt").asInt()).isEqualTo(1);
    }

    @Test
    void claimsOfANodeKeepTheBoundOnLeasedJobs() {
        node.jobs().pull(node.orderly.queue("bounded", Payload.class, o -> o.withMaxLeased(3)));
        for (int n = 0; n < 5; n++) {
            push(PushRequest.of("bounded", Payload.json("1")));
        }
        List<JsonNode> jobs = claimed("bounded", 5);
        assertThat(jobs).hasSizeLessThanOrEqualTo(3);
        int more = claim("bounded", "{\"max\": 5, \"wait\": \"0s\"}").json().path("jobs").size();
        assertThat(jobs.size() + more).isLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"max\": 0}", "{\"max\": 101}", "{\"wait\": \"31s\"}", "{\"lease\": \"1s\"}",
            "{\"lease\": \"13h\"}", "{\"max\": \"2\"}", "{\"wait\": \"soon\"}", "{\"what\": 1}", "[]"})
    void aClaimOutOfBoundsIsRefused(String body) {
        assertThat(claim("emails", body).status()).isEqualTo(400);
    }

    @Test
    void aQueueThatIsNotPulledOrNotDeclaredIsRefused() {
        assertThat(claim("tiny", "{}").problem()).isEqualTo("not-pulled");
        assertThat(claim("nothing", "{}").problem()).isEqualTo("unknown-queue");
    }

    @Test
    void whereTheOperatorSaysSoTheEdgeTakesReportsOfWorkers() {
        AttemptTokens tokens = new AttemptTokens(List.of());
        push(PushRequest.of("emails", Payload.json("1")));
        ClaimedJob job = node.orderly.engines().pulls().claim(new PullRequest(new QueueName("emails"), 1,
                Duration.ofSeconds(30), Duration.ofHours(1))).orElseThrow().join().getFirst();
        try (EdgeServer edge = new EdgeServer(BindAddress.loopback(0), Routes.of(List.of(), node.jobs()),
                HttpLimits.DEFAULT, Gateway.NONE,
                EdgeHandlers.NONE
                        .withReports(new AttemptEndpoints(node.jobs(), tokens, Redaction.NONE, "/.orderly")))) {
            edge.start();
            String path = "/.orderly/jobs/" + job.id();
            assertThat(node.post(Node.at(edge.port(), path + "/done"), null, "").status()).isEqualTo(403);
            assertThat(node.post(Node.at(edge.port(), path + "/done").header(AttemptTokens.HEADER,
                    tokens.sign(job.attempt())), "text/plain", "ok").status()).isEqualTo(200);
            assertThat(node.send(Node.at(edge.port(), path + "/steps").GET()).status()).isEqualTo(403);
            assertThat(node.post(Node.at(edge.port(), path), null, "").status()).isEqualTo(404);
        }
        assertThat(node.jobs().find(job.id()).orElseThrow().result()).isEqualTo(new Payload("text/plain",
                "ok".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void reportsAreTakenAtTheEdgeOnlyWhereTheOperatorSaysSo() {
        JsonNode job = claimedEmail();
        HttpRequest.Builder request = node.atEdge("/.orderly/jobs/" + job.path("id").asString() + "/done")
                .header(AttemptTokens.HEADER, job.path("token").asString()).POST(BodyPublishers.noBody());
        assertThat(node.send(request).status()).isEqualTo(404);
        assertThat(view(job).state()).isEqualTo(JobState.RUNNING);
    }
}
