package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.Message;
import dev.orderly.user.UserId;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Live messages over the API. */
class UserApiTest {
    private final Node node = new Node();
    private final List<Message> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        node.close();
    }

    private void connect(String user) {
        var _ = node.orderly.engines().live().connect(new UserId(user), new LiveConnection() {
            @Override
            public String id() {
                return "1";
            }

            @Override
            public String address() {
                return "127.0.0.1";
            }

            @Override
            public boolean send(Message message) {
                received.add(message);
                return true;
            }

            @Override
            public void close(CloseCode code, String reason) {
                received.clear();
            }
        }, null).orElseThrow();
    }

    @Test
    void aUserIsOnlineWithANumberOfConnections() {
        assertThat(node.get("/users/ann").text())
                .isEqualTo("{\"id\":\"ann\",\"online\":false,\"connections\":0,\"open\":[],\"unreachable\":[]}");
        connect("ann");
        connect("ann");
        assertThat(node.get("/users/ann").text()).startsWith("{\"id\":\"ann\",\"online\":true,\"connections\":2,");
        assertThat(node.get("/users/ann").json().path("open").size()).isEqualTo(2);
        connect("auth0|ö/7");
        assertThat(node.get("/users/auth0%7C%C3%B6%2F7").json().path("online").asBoolean()).isTrue();
    }

    @Test
    void aMessageReachesTheUserByItsContentType() {
        connect("ann");
        String path = "/users/ann/messages";

        assertThat(node.post(node.atApi(path), "application/json", "{\"a\": 1}").text()).isEqualTo("{\"online\":true}");
        assertThat(node.post(node.atApi(path), null, "[2]").status()).isEqualTo(202);
        assertThat(node.post(node.atApi(path), "text/plain", "grüße").status()).isEqualTo(202);
        assertThat(node.send(node.atApi(path).header("Content-Type", "text/plain; charset=iso-8859-1")
                .POST(BodyPublishers.ofByteArray(new byte[]{(byte) 0xe4}))).status()).isEqualTo(202);
        assertThat(node.post(node.atApi(path), "image/png", "...").status()).isEqualTo(202);

        assertThat(received).hasExactlyElementsOfTypes(Message.Json.class, Message.Json.class, Message.Text.class,
                Message.Text.class, Message.Bytes.class);
        assertThat(received.stream().map(message -> new String(message.bytes(), StandardCharsets.UTF_8)))
                .containsExactly("{\"a\": 1}", "[2]", "grüße", "ä", "...");
        assertThat(node.post(node.atApi("/users/bob/messages"), null, "{}").text()).isEqualTo("{\"online\":false}");
    }

    @Test
    void anInvalidMessageIsRefused() {
        String path = "/users/ann/messages";
        assertThat(node.post(node.atApi(path), null, "{").problem()).isEqualTo("malformed");
        assertThat(node.post(node.atApi(path), null, " ").problem()).isEqualTo("empty");
        assertThat(node.post(node.atApi(path), "text", "x").problem()).isEqualTo("unsupported-content");
        assertThat(node.post(node.atApi(path), "text/plain", "x".repeat(Message.MAX + 1)).problem())
                .isEqualTo("too-large");
        assertThat(node.send(node.atApi(path).header("Content-Type", "text/plain; charset=iso-8859-1")
                .POST(BodyPublishers.ofString("ä".repeat(40_000), StandardCharsets.ISO_8859_1))).problem())
                .isEqualTo("too-large");
        assertThat(node.post(node.atApi("/users/" + "x".repeat(257) + "/messages"), null, "{}").problem())
                .isEqualTo("bounds");
        assertThat(node.get("/users/a%00b").status()).isIn(400, 422);
    }
}
