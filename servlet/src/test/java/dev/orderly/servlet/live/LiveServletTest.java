package dev.orderly.servlet.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.servlet.Container;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Live connections of an application whose users are named by the header {@code User}. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class LiveServletTest {
    private static final UserId ANN = new UserId("ann");

    private final Orderly orderly = Orderly.open(new MemoryStore());
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Container container;

    LiveServletTest(Container.Kind kind) {
        container = kind.start("/app",
                Container.Parts.none().servlet("/.orderly/live",
                        new LiveServlet(orderly,
                                request -> Optional.ofNullable(request.getHeader("User")).map(UserId::new),
                                Time.system())));
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        container.close();
        orderly.close();
    }

    /** The texts that a socket receives, and at last its close code. */
    private static final class Heard implements WebSocket.Listener {
        final Queue<String> texts = new ConcurrentLinkedQueue<>();
        private final StringBuilder part = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                texts.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            texts.add("closed " + code);
            return null;
        }
    }

    private WebSocket connect(String user, Heard heard, String origin) {
        return client.newWebSocketBuilder().header("User", user).header("Origin", origin)
                .buildAsync(URI.create("ws://127.0.0.1:" + container.port() + "/app/.orderly/live"), heard).join();
    }

    private String here() {
        return "http://127.0.0.1:" + container.port();
    }

    @Test
    void messagesPassInBothDirectionsAndPresenceFollowsTheConnection() {
        orderly.users().onMessage(message -> message.connection().send(
                message.user() + " said " + message.text()));
        Heard heard = new Heard();
        WebSocket socket = connect("ann", heard, here());
        await().until(() -> heard.texts.contains("{\"orderly\":\"ready\"}"));
        await().until(() -> orderly.users().isOnline(ANN));

        socket.sendText("hello", true).join();
        await().until(() -> heard.texts.contains("ann said hello"));
        IntStream.range(0, 200).forEach(i -> orderly.users().to(ANN).send("message " + i));
        await().until(() -> heard.texts.contains("message 199"));
        assertThat(heard.texts.stream().filter(text -> text.startsWith("message")).toList())
                .containsExactlyElementsOf(IntStream.range(0, 200).mapToObj(i -> "message " + i).toList());

        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().until(() -> !orderly.users().isOnline(ANN));
        await().until(() -> orderly.engines().live().connections() == 0);
    }

    @Test
    void anEventStreamReceivesTheSameMessages() {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        HttpResponse<Stream<String>> answer = client.sendAsync(at("ann").header("Accept", "text/event-stream").build(),
                BodyHandlers.ofLines()).join();
        assertThat(answer.statusCode()).isEqualTo(200);
        Thread.ofVirtual().start(() -> {
            try (Stream<String> each = answer.body()) {
                each.forEach(lines::add);
            } catch (UncheckedIOException _) {
                lines.add("cut off");
            }
        });
        await().until(() -> orderly.users().isOnline(ANN));

        orderly.users().to(ANN).send("grüße");

        await().until(() -> lines.contains("data: grüße"));
    }

    private HttpRequest.Builder at(@Nullable String user) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(here() + "/app/.orderly/live"));
        return user == null ? request : request.header("User", user);
    }

    @Test
    void nobodyConnectsWithoutAUserAndNoPageOfAnotherSite() throws Exception {
        HttpResponse<String> nobody = client.send(at(null).header("Accept", "text/event-stream").build(),
                BodyHandlers.ofString());
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(client.send(at("ann").build(), BodyHandlers.ofString()).statusCode()).isEqualTo(400);
        assertThatThrownBy(() -> connect("ann", new Heard(), "https://elsewhere.example"))
                .isInstanceOf(CompletionException.class).cause().isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(403));
        assertThat(orderly.engines().live().connections()).isZero();
    }

    @Test
    void theContainerEndsAMessageThatIsTooLarge() {
        Heard heard = new Heard();
        WebSocket socket = connect("ann", heard, here());
        await().until(() -> heard.texts.contains("{\"orderly\":\"ready\"}"));

        var _ = socket.sendText("x".repeat(70_000), true);

        await().until(() -> heard.texts.contains("closed 1009"));
        await().until(() -> orderly.engines().live().connections() == 0);
    }
}
