package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.http.Node.Reply;
import dev.orderly.http.intake.Route;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that the public edge accepts, and its answers. */
class EdgeIntakeTest {
    private static final String JSON = "application/json";
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    private JobView job(Reply reply) {
        return node.jobs().find(JobId.parse(String.valueOf(reply.header("X-Job-Id")))).orElseThrow();
    }

    @Test
    void aPushIsAnswered202WithItsJob() {
        Reply reply = node.post(node.atEdge("/checkout/anna/o-1"), JSON, "{\"n\":1}");

        assertThat(reply.status()).isEqualTo(202);
        JobView job = job(reply);
        assertThat(reply.header("Location")).as("a job without a user has no status page").isNull();
        assertThat(reply.header("Orderly-Duplicate")).isNull();
        assertThat(reply.json()).hasToString(
                "{\"id\":\"" + job.id() + "\",\"queue\":\"checkout.fifo\",\"duplicate\":false,\"replaced\":false}");
        assertThat(job.group()).isEqualTo("anna");
        assertThat(job.params()).isEqualTo(Map.of("group", "anna", "dedupe", "o-1"));
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void aDuplicateIsAnsweredWithTheFirstJob() {
        Reply first = node.post(node.atEdge("/checkout/anna/o-1"), JSON, "1");
        Reply second = node.post(node.atEdge("/checkout/anna/o-1"), JSON, "1");

        assertThat(second.status()).isEqualTo(202);
        assertThat(second.header("X-Job-Id")).isEqualTo(first.header("X-Job-Id"));
        assertThat(second.header("Orderly-Duplicate")).isEqualTo("true");
        assertThat(second.json().path("duplicate").asBoolean()).isTrue();
    }

    @Test
    void everyAnswerHasADate() {
        for (Reply reply : List.of(node.post(node.atEdge("/mail"), JSON, "1"),
                node.post(node.atEdge("/no"), JSON, "1"))) {
            assertThat(reply.header("Date"))
                    .matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
        }
    }

    @Test
    void equalBodiesOnOtherPathsAreOtherJobs() {
        Reply plain = node.post(node.atEdge("/orders/anna"), JSON, "{\"n\":1}");
        Reply again = node.post(node.atEdge("/orders/anna"), JSON, "{\"n\":1}");
        Reply otherParams = node.post(node.atEdge("/checkout/anna/o-1"), JSON, "{\"n\":1}");
        Reply otherType = node.post(node.atEdge("/orders/anna"), "text/plain", "{\"n\":1}");

        assertThat(again.header("X-Job-Id")).as("same path and body").isEqualTo(plain.header("X-Job-Id"));
        assertThat(otherParams.header("X-Job-Id")).isNotEqualTo(plain.header("X-Job-Id"));
        assertThat(otherType.header("X-Job-Id")).isNotEqualTo(plain.header("X-Job-Id"));
    }

    @Test
    void pathValuesArePercentDecodedOnceAndASlashInsideOneStaysInside() {
        Reply reply = node.post(node.atEdge("/checkout/J%C3%BCrgen%2F%2525%20+/a%3Db"), JSON, "1");

        assertThat(job(reply).params()).isEqualTo(Map.of("group", "Jürgen/%25 +", "dedupe", "a=b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json; charset=utf-8", "application/cloudevents+json",
            "text/plain", "TEXT/Plain;charset=UTF-8", "application/octet-stream"})
    void theContentTypeIsStoredAsItWasSent(String contentType) {
        Reply reply = node.post(node.atEdge("/mail"), contentType, "{\"a\": [1, 2.50]}");

        assertThat(reply.status()).as(reply::toString).isEqualTo(202);
        assertThat(job(reply).payload()).isNotNull().satisfies(payload -> {
            assertThat(payload.contentType()).isEqualTo(contentType);
            assertThat(payload.asText()).isEqualTo("{\"a\": [1, 2.50]}");
        });
    }

    @Test
    void bytesArriveAsTheyWereSent() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Reply reply = node.send(node.atEdge("/mail").header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(all)));

        assertThat(job(reply).payload()).isNotNull().satisfies(p -> assertThat(p.bytes()).isEqualTo(all));
    }

    @Test
    void noContentTypeMeansJson() {
        Reply good = node.post(node.atEdge("/mail"), null, "[1]");
        Reply bad = node.post(node.atEdge("/mail"), null, "hello");

        assertThat(job(good).payload()).isNotNull().satisfies(p -> assertThat(p.contentType()).isEqualTo(JSON));
        assertThat(bad.status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"application/json|{\"a\":", "application/json|{} {}",
            "application/json|`   `", "application/json|{'a':1}", "application/x-www-form-urlencoded|a=%zz",
            "multipart/form-data; boundary=x|--x", "multipart/form-data|--x--",
            "multipart/form-data; boundary=x|hello"})
    void malformedContentIsRefusedWith422(String contentType, String body) {
        Reply reply = node.post(node.atEdge("/mail"), contentType, body);

        assertThat(reply.status()).as(reply::toString).isEqualTo(422);
        assertThat(reply.problem()).isEqualTo("malformed");
        assertThat(node.jobs().queues()).allSatisfy(q -> assertThat(q.view().waiting()).isZero());
    }

    @Test
    void textThatIsNotItsCharsetIsRefusedWith400() {
        Reply reply = node.send(node.atEdge("/mail").header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofByteArray(new byte[]{'a', (byte) 0xE4})));
        Reply latin = node.send(node.atEdge("/mail").header("Content-Type", "text/plain; charset=iso-8859-1")
                .POST(BodyPublishers.ofByteArray(new byte[]{'a', (byte) 0xE4})));

        assertThat(reply.problem()).isEqualTo("bad-request");
        assertThat(latin.status()).isEqualTo(202);
    }

    @Test
    void anEmptyBodyIsRefusedWith422() {
        assertThat(node.post(node.atEdge("/mail"), JSON, "").problem()).isEqualTo("empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "text/html", "garbage", "text/plain; charset=nowhere", "application/xml"})
    void unsupportedContentIs415WithTheSupportedTypes(String contentType) {
        Reply reply = node.post(node.atEdge("/mail"), contentType, "x");

        assertThat(reply.problem()).isEqualTo("unsupported-content");
        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.header("Accept-Post")).isEqualTo("application/json, application/x-www-form-urlencoded,"
                + " multipart/form-data, text/plain, application/octet-stream");
    }

    @Test
    void contentThatARouteDoesNotAcceptIs415WithTheAcceptedTypes() {
        Reply json = node.post(node.atEdge("/forms/a"), JSON, "{}");
        Reply form = node.post(node.atEdge("/forms/a"), "application/x-www-form-urlencoded", "a=1&a=%20+");

        assertThat(json.status()).isEqualTo(415);
        assertThat(json.header("Accept-Post")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(form.status()).isEqualTo(202);
    }

    @Test
    void compressedContentIs415() {
        Reply reply = node.post(node.atEdge("/mail").header("Content-Encoding", "gzip"), JSON, "{}");

        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.header("Accept-Encoding")).isEqualTo("identity");
    }

    @Test
    void anUndeclaredPathIs404AndAnotherMethodIs405WithAllow() {
        assertThat(node.send(node.atEdge("/nothing").GET()).problem()).isEqualTo("unknown-path");
        assertThat(node.post(node.atEdge("/mail/"), JSON, "{}").status()).isEqualTo(404);
        assertThat(node.post(node.atEdge("/orders//"), JSON, "{}").status()).isEqualTo(404);
        Reply get = node.send(node.atEdge("/mail").GET());
        assertThat(get.problem()).isEqualTo("method-not-allowed");
        assertThat(get.header("Allow")).isEqualTo("OPTIONS, POST");
        Reply options = node.send(node.atEdge("/forms/a").method("OPTIONS", BodyPublishers.noBody()));
        assertThat(options.status()).isEqualTo(204);
        assertThat(options.header("Allow")).isEqualTo("OPTIONS, POST");
        assertThat(options.header("Accept-Post")).isEqualTo("application/x-www-form-urlencoded");
    }

    @Test
    void aBodyOverTheQueuesLimitIs413WhetherItsLengthIsKnownOrNot() {
        Reply known = node.post(node.atEdge("/tiny"), "text/plain", "12345678901");
        Reply chunked = node.send(node.atEdge("/tiny").header("Content-Type", "text/plain").POST(BodyPublishers
                .fromPublisher(BodyPublishers.ofString("x".repeat(300_000)))));

        assertThat(known.problem()).isEqualTo("too-large");
        assertThat(known.detail()).contains("tiny").contains("10 bytes");
        assertThat(chunked.problem()).isEqualTo("too-large");
        assertThat(node.post(node.atEdge("/tiny"), "text/plain", "1234567890").status()).isEqualTo(202);
    }

    @Test
    void aFullQueueIs429WithRetryAfter() {
        for (int i = 0; i < 3; i++) {
            assertThat(node.post(node.atEdge("/tiny"), JSON, "1").status()).isEqualTo(202);
        }
        Reply reply = node.post(node.atEdge("/tiny"), JSON, "1");

        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.problem()).isEqualTo("queue-full");
        assertThat(Integer.parseInt(String.valueOf(reply.header("Retry-After")))).isBetween(1, 60);
    }

    @Test
    void anInvalidGroupIs422AndNamesTheRule() {
        Reply control = node.post(node.atEdge("/orders/a%00b"), JSON, "1");
        Reply lengthy = node.post(node.atEdge("/orders/" + "a".repeat(257)), JSON, "1");

        assertThat(control.status()).isEqualTo(422);
        assertThat(lengthy.problem()).isEqualTo("bounds");
        assertThat(lengthy.detail()).contains("group").contains("256");
    }

    @Test
    void aPathThatIsNotPercentEncodedUtf8Is400() {
        assertThat(
                RawHttp.status(node.edge.port(), "POST /orders/%C3 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"))
                .isEqualTo(400);
        assertThat(RawHttp.status(node.edge.port(), "POST /orders/%4 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"))
                .isEqualTo(400);
    }

    @Test
    void aRouteToAFifoQueueWithoutAGroupIsRefused() {
        assertThatThrownBy(() -> Route.of("/checkout", "checkout.fifo")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("checkout.fifo").hasMessageContaining("{group}");
        assertThatThrownBy(() -> Route.of("/mail/{group}", "emails")).hasMessageContaining("standard queue");
        assertThatThrownBy(() -> new Route("/mail", "emails", List.of("image/png"))).hasMessageContaining("image/png");
        assertThatThrownBy(() -> Route.of("mail", "emails")).hasMessageContaining("slash");
        assertThatThrownBy(() -> Route.of("/a/{x}/{x}", "emails")).hasMessageContaining("twice");
        assertThatThrownBy(() -> Route.of("/.orderly/x", "emails")).hasMessageContaining("reserved");
    }

    @Test
    void routesWithEqualPathsOrAnUndeclaredQueueAreRefused() {
        List<Route> same = List.of(Route.of("/m/{a}", "emails"), Route.of("/m/{b}", "emails"));
        assertThatThrownBy(
                () -> new EdgeServer(BindAddress.loopback(0), Routes.of(same, node.jobs()), HttpLimits.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("same paths");
        List<Route> undeclared = List.of(Route.of("/m", "nowhere"));
        assertThatThrownBy(() -> Routes.of(undeclared, node.jobs()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nowhere");
    }
}
