package dev.orderly.web.room.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.RoomName;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.testkit.ManualTime;
import dev.orderly.web.room.check.CheckPolicy.OnFailure;
import dev.orderly.web.room.check.CheckPolicy.When;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JoinCheckTest {
    private static final RoomName SALE = new RoomName("sale");
    private static final CheckedVisitor VISITOR = new CheckedVisitor("203.0.113.7", "GET", "shop.example",
            "/tickets/12", Map.of("user-agent", "Mozilla", "cf-bot-score", "3"));
    private static final WebhookSecret SECRET = WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    /** So long that no busy machine ends it. */
    private static final Duration LONG = Duration.ofSeconds(5);

    private final CheckProgram program = new CheckProgram();
    private final ManualTime time = new ManualTime();
    private final HttpClient client = JoinCheck.newClient();
    private final CheckPolicy always = CheckPolicy.of(program.url()).withWhen(When.ALWAYS).withTimeout(LONG);

    @AfterEach
    void close() {
        program.close();
        client.shutdownNow();
    }

    private JoinCheck check(CheckPolicy policy) {
        return new JoinCheck(policy, List.of(SECRET), client, time);
    }

    private static Verdict ask(JoinCheck check) {
        CompletionStage<Verdict> asked = check.ask(SALE, () -> VISITOR, 25);
        return asked == null ? new Verdict.Allow() : asked.toCompletableFuture().join();
    }

    @Test
    void theQuestionNamesTheVisitorAndIsSignedAsWebhooksAre() {
        assertThat(ask(check(always))).isEqualTo(new Verdict.Allow());
        CheckProgram.Question question = program.questions.getFirst();
        JsonNode json = question.json();
        assertThat(json).isEqualTo(JsonMapper.shared().readTree("""
                {"room":"sale","address":"203.0.113.7","networkPlaces":25,"method":"GET","host":"shop.example",
                 "path":"/tickets/12","headers":{"cf-bot-score":"3","user-agent":"Mozilla"}}"""));
        assertThat(new WebhookSignature(question.head().get(0), question.head().get(1), question.head().get(2))
                .verify(question.body().getBytes(StandardCharsets.UTF_8), List.of(SECRET), time.now()))
                .isEqualTo(WebhookSignature.Verdict.VALID);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"verdict\":\"allow\"}|0", "{\"verdict\":\"refuse\",\"why\":\"x\"}|-1",
            "{\"verdict\":\"slow\"}|30", "{\"verdict\":\"slow\",\"seconds\":600}|600"})
    void anAnswerIsAVerdict(String answer, long seconds) {
        program.answers(answer);
        assertThat(ask(check(always))).isEqualTo(seconds == 0
                ? new Verdict.Allow()
                : seconds < 0 ? new Verdict.Refuse() : new Verdict.Slow(Duration.ofSeconds(seconds)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"500|{\"verdict\":\"allow\"}", "204|{}", "200|no JSON", "200|{}",
            "200|{\"verdict\":\"slow\",\"seconds\":601}", "200|{\"verdict\":\"slow\",\"seconds\":\"5\"}",
            "200|{\"verdict\":\"ALLOW\"}", "302|{\"verdict\":\"allow\"}"})
    void anyOtherAnswerIsNoVerdict(int status, String answer) {
        program.answers(status, answer);
        assertThat(ask(check(always))).isEqualTo(new Verdict.Failed(true));
        assertThat(ask(check(always.withOnFailure(OnFailure.REFUSE)))).isEqualTo(new Verdict.Failed(false));
    }

    @Test
    void aLongAnswerIsNoVerdict() {
        program.answers("{\"verdict\":\"allow\",\"more\":\"" + "x".repeat(5_000) + "\"}");
        assertThat(ask(check(always))).isEqualTo(new Verdict.Failed(true));
    }

    @Test
    void visitorsOfNetworksThatAreNotCrowdedAreNotAskedAbout() {
        JoinCheck crowded = check(CheckPolicy.of(program.url()).withTimeout(LONG));
        assertThat(crowded.ask(SALE, () -> VISITOR, 19)).isNull();
        assertThat(program.questions).isEmpty();
        assertThat(crowded.ask(SALE, () -> VISITOR, 20)).isNotNull()
                .satisfies(asked -> asked.toCompletableFuture().join());
        assertThat(program.questions).hasSize(1);
    }

    @Test
    void aProgramThatHangsCostsItsTimeoutAndAfterFiveOfThemNothing() {
        program.hangs();
        JoinCheck check = check(always.withTimeout(Duration.ofMillis(10)));
        for (int n = 0; n < CheckBreaker.FAILURES; n++) {
            assertThat(ask(check)).isEqualTo(new Verdict.Failed(true));
        }
        int asked = program.questions.size();
        CompletionStage<Verdict> next = check.ask(SALE, () -> VISITOR, 0);
        assertThat(next).isNotNull();
        assertThat(next.toCompletableFuture()).as("at once").isCompletedWithValue(new Verdict.Failed(true));
        assertThat(program.questions.size()).isLessThanOrEqualTo(Math.max(asked, CheckBreaker.FAILURES));
    }

    @Test
    void aProgramThatCameBackIsAskedAgainWithinTenSeconds() {
        JoinCheck check = check(always);
        program.answers(500, "");
        for (int n = 0; n < CheckBreaker.FAILURES + 3; n++) {
            ask(check);
        }
        assertThat(program.questions).hasSize(CheckBreaker.FAILURES);
        time.advance(Duration.ofSeconds(10));
        ask(check);
        ask(check);
        assertThat(program.questions).as("one for each ten seconds").hasSize(CheckBreaker.FAILURES + 1);
        program.answers("{\"verdict\":\"refuse\"}");
        time.advance(Duration.ofSeconds(10));
        assertThat(Stream.generate(() -> ask(check)).limit(3)).containsOnly(new Verdict.Refuse());
    }

    @Test
    void questionsBeyondTheBoundAreNotAsked() {
        program.hangs();
        JoinCheck check = check(always.withAtOnce(3));
        List<CompletionStage<Verdict>> asked = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            asked.add(check.ask(SALE, () -> VISITOR, 0));
        }
        CompletionStage<Verdict> beyond = check.ask(SALE, () -> VISITOR, 0);
        assertThat(beyond).isNotNull();
        assertThat(beyond.toCompletableFuture()).isCompletedWithValue(new Verdict.Failed(true));
        assertThat(asked).noneMatch(each -> each.toCompletableFuture().isDone());
        program.close();
        asked.forEach(each -> each.toCompletableFuture().join());
    }

    /** @param said what a peer says before it says no more, and waits until the connection is closed */
    @ParameterizedTest
    @ValueSource(strings = {"", "HT", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"verdict\"",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"ver\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n{"})
    void anAnswerThatStopsInTheMiddleIsNoVerdictAndKeepsNoConnection(String said) throws Exception {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        try (ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket caller = peer.accept()) {
                    caller.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
                    while (caller.getInputStream().read() >= 0) {
                        // the question
                    }
                    end.complete(-1);
                } catch (IOException _) {
                    end.complete(-1);
                }
            });
            JoinCheck check = check(CheckPolicy.of(URI.create("http://127.0.0.1:" + peer.getLocalPort()))
                    .withWhen(When.ALWAYS).withAtOnce(1).withTimeout(Duration.ofMillis(200)));
            assertThat(ask(check)).isEqualTo(new Verdict.Failed(true));
            assertThat(end).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    void aNameThatDoesNotResolveIsNoVerdict() {
        assertThat(ask(check(CheckPolicy.of(URI.create("http://nobody.invalid/")).withWhen(When.ALWAYS))))
                .isEqualTo(new Verdict.Failed(true));
    }

    @Test
    void aClosedClientIsNoVerdict() {
        client.shutdownNow();
        assertThat(ask(check(always))).isEqualTo(new Verdict.Failed(true));
    }

    @ParameterizedTest
    @CsvSource({"ftp://a/", "http://user:password@a/", "http://a/#b", "/check"})
    void anAddressThatCannotBeAskedIsRefusedWithoutShowingIt(String url) {
        assertThatThrownBy(() -> CheckPolicy.of(URI.create(url))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use http:// or https://").hasMessageNotContaining("password");
    }

    @Test
    void whatIsShownHasNoQueryAndNoHeaders() {
        assertThat(always.toString()).contains("/check").doesNotContain("secret");
        assertThat(VISITOR.toString()).doesNotContain("Mozilla");
        assertThatThrownBy(() -> always.withTimeout(Duration.ofSeconds(6))).hasMessageContaining("10 ms to 5 s");
        assertThatThrownBy(() -> always.withHeaders(List.of("a b"))).hasMessageContaining("user-agent");
    }
}
