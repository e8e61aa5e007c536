package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Node;
import dev.orderly.http.Node.Reply;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text and JSON that some part of the program cannot hold: refused with the rule, wherever they come in. */
@Timeout(150)
class TextResilienceTest {
    private static final String JSON = "application/json";
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    /** Every way in that reads JSON. */
    private Stream<HttpRequest.Builder> ways(String contentType) {
        Stream<HttpRequest.Builder> api = Stream
                .of("/queues/emails/jobs", "/queues/emails/redrive", "/rooms/sale/message", "/rooms/sale/mode",
                        "/users/ann/messages")
                .map(node::atApi);
        return Stream.concat(Stream.of(node.atEdge("/mail")), api).map(way -> way.header("Content-Type", contentType));
    }

    private Reply post(HttpRequest.Builder way, byte[] body) {
        return node.send(way.POST(BodyPublishers.ofByteArray(body)));
    }

    private Reply batch(String line) {
        return node.post(node.atApi("/queues/checkout.fifo/jobs/batch"), "application/x-ndjson", line);
    }

    static List<String> monsters() {
        return List.of("[".repeat(501) + "]".repeat(501), "{\"a\":".repeat(501) + "1" + "}".repeat(501),
                "[".repeat(8_000), "{\"a\":" + "1".repeat(1_001) + "}", "{\"a\":1." + "1".repeat(1_001) + "}",
                "{\"a\":-" + "1".repeat(1_001) + "e1}");
    }

    @ParameterizedTest
    @MethodSource("monsters")
    void jsonThatNoReaderTakesIsRefusedWithTheRule(String json) {
        assertThat(ways(JSON).map(way -> post(way, json.getBytes(StandardCharsets.UTF_8)))).allSatisfy(reply -> {
            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.detail()).contains("nested more than 500 deep", "1,000 digits");
        });
        assertThat(batch("{\"group\":\"a\",\"payload\":" + json + "}").problem()).isEqualTo("malformed");
        assertThat(node.jobs().queues()).allSatisfy(queue -> assertThat(queue.view().waiting()).isZero());
    }

    @Test
    void aNameOfManyCharactersIsRefusedWithTheRule() {
        byte[] json = ("{\"" + "n".repeat(50_001) + "\":1}").getBytes(StandardCharsets.UTF_8);

        for (HttpRequest.Builder way : List.of(node.atEdge("/mail"), node.atApi("/queues/emails/jobs"),
                node.atApi("/users/ann/messages"))) {
            Reply reply = post(way.header("Content-Type", JSON), json);
            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.detail()).contains("50,000 characters");
        }
    }

    static Stream<byte[]> bytes() {
        return Stream.of("{\"a\":\"\u00ff\"}", "{\"a\":\"\u00c0\u0080\"}", "{\"a\":\"\u00ed\u00a0\u0080\"}",
                "{\"a\":\"\u00f5\u0080\u0080\u0080\"}", "{\"a\":\"\u00c3\"}", "\u00fe\u00ff{}")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @MethodSource("bytes")
    void bytesThatAreNoUtf8AreNoText(byte[] body) {
        assertThat(ways(JSON).map(way -> post(way, body).status())).containsOnly(400);
        assertThat(ways("text/plain").limit(2).map(way -> post(way, body).status())).containsOnly(400);
        assertThat(post(node.atApi("/queues/checkout.fifo/jobs/batch").header("Content-Type", "application/x-ndjson"),
                body).status()).isEqualTo(400);
    }

    @Test
    void jsonIsUtf8() {
        for (String charset : List.of("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
            byte[] body = "{\"a\":1}".getBytes(Charset.forName(charset));
            assertThat(ways(JSON).map(way -> post(way, body).status())).as(charset).containsOnly(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dedupe=%ff", "dedupe=%fe", "dedupe=%ed%a0%80", "dedupe=%c0%80", "user=%f5%80%80%80",
            "dedupe=a%c3"})
    void aQueryThatIsNoUtf8IsNobodysId(String query) {
        assertThat(node.post(node.atApi("/queues/emails/jobs?" + query), JSON, "{}").status()).isEqualTo(400);
    }

    @Test
    void aFormAndAPathThatAreNoUtf8AreRefused() {
        for (String form : List.of("a=%ff", "%fe=a", "a=b&c=%ed%a0%80", "a=\u00ff")) {
            assertThat(post(node.atEdge("/forms/f").header("Content-Type", "application/x-www-form-urlencoded"),
                    form.getBytes(StandardCharsets.ISO_8859_1)).status()).as(form).isEqualTo(400);
        }
        assertThat(node.post(node.atEdge("/orders/%ff"), JSON, "{}").status()).isEqualTo(400);
        assertThat(node.post(node.atEdge("/forms/f"), "application/x-www-form-urlencoded", "a=%C3%A4+b&%F0%9F%8E%AB=1")
                .status()).isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name=\"a\"\r\n\r\n\u00ff", "name=\"\u00ff\"\r\n\r\nx",
            "name=\"a\"; filename=\"\u00ff\"\r\n\r\nx"})
    void aMultipartFormThatIsNoUtf8IsRefused(String part) {
        assertThat(post(node.atEdge("/mail").header("Content-Type", "multipart/form-data; boundary=b"),
                multipart(part)).status()).isEqualTo(400);
    }

    @Test
    void theBytesOfAFileAreNoText() {
        assertThat(post(node.atEdge("/mail").header("Content-Type", "multipart/form-data; boundary=b"),
                multipart("name=\"a\"; filename=\"f\"\r\nContent-Type: image/png\r\n\r\n\u00ff\u00fe")).status())
                .isEqualTo(202);
    }

    private static byte[] multipart(String part) {
        return ("--b\r\nContent-Disposition: form-data; " + part + "\r\n--b--\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"group\":\"\\ud800\"", "\"group\":\"a\\udc00b\"", "\"group\":\"a\",\"dedupe\":\"\\ud800x\"",
                    "\"group\":\"a\",\"user\":\"\\udfff\"", "\"group\":\"a\",\"params\":{\"n\":\"\\ud83d\"}",
                    "\"group\":\"a\",\"params\":{\"n\":\"a\\u0000\"}"})
    void halfACharacterIsRefusedInALineOfABatch(String members) {
        Reply reply = batch("{\"payload\":1," + members + "}");

        assertThat(reply.problem()).isEqualTo("bounds");
        assertThat(reply.detail()).contains("whole Unicode characters, without U+0000");
        assertThat(batch("{\"payload\":1,\"group\":\"\\ud83c\\udfab\",\"params\":{\"n\":\"\\ud83c\\udfab\"}}").status())
                .isEqualTo(202);
    }

    @Test
    void halfACharacterIsNoMessageOfARoom() {
        assertThat(node.post(node.atApi("/rooms/sale/message"), JSON, "{\"text\":\"\\ud800\"}").problem())
                .isEqualTo("bounds");
        assertThat(node.post(node.atApi("/rooms/sale/message"), JSON, "{\"text\":\"a\\u0000b\"}").problem())
                .isEqualTo("bounds");
    }
}
