package dev.orderly.http.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.listener.HttpLimits;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Message;
import dev.orderly.user.UserId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Event streams of live messages. */
class LiveEventsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final LiveNode node = new LiveNode(LiveOptions.DEFAULT.withConnectionsPerUser(2), HttpLimits.DEFAULT);

    @AfterEach
    void close() {
        node.close();
    }

    /** The lines of the stream; at last "end". */
    private List<String> listen(String token) {
        List<String> lines = new CopyOnWriteArrayList<>();
        HttpResponse<Stream<String>> answer = node.client.sendAsync(node.at("/.orderly/live")
                .header("Accept", "text/event-stream").header("Authorization", "Bearer " + token).timeout(SOON)
                .GET().build(), BodyHandlers.ofLines()).join();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store, no-transform");
        Thread.ofVirtual().start(() -> {
            try (Stream<String> each = answer.body()) {
                each.filter(line -> !line.isEmpty()).forEach(lines::add);
            } catch (UncheckedIOException _) {
                lines.add("cut off");
            }
            lines.add("end");
        });
        await().atMost(SOON).until(() -> lines.contains("retry: 2000"));
        return lines;
    }

    private int status(String... headers) throws IOException, InterruptedException {
        return node.client.send(node.at("/.orderly/live").header("Accept", "text/event-stream").headers(headers).GET()
                .build(), BodyHandlers.ofString()).statusCode();
    }

    @Test
    void aStreamReceivesJsonTextOfSeveralLinesAndBytes() {
        List<String> lines = listen(node.token("ann"));
        await().atMost(SOON).until(() -> node.users().isOnline(new UserId("ann")));

        node.users().to(new UserId("ann")).send(Map.of("seat", 7));
        node.users().to(new UserId("ann")).send("one\r\ntwo\nthree\rdata: four");
        node.users().to(new UserId("bob")).send("not for ann");
        byte[] most = new byte[Message.MAX];
        node.users().to(new UserId("ann")).send(most);

        String base64 = "data: " + Base64.getEncoder().encodeToString(most);
        await().atMost(SOON).until(() -> lines.contains(base64));
        assertThat(lines).containsExactly("retry: 2000", "event: message", "data: {\"seat\":7}", "event: message",
                "data: one", "data: two", "data: three", "data: data: four", "event: bytes", base64);
    }

    @Test
    void concurrentStreamsBeyondTheLimitAreRefusedNotBegunAndEnded() {
        List<CompletableFuture<HttpResponse<InputStream>>> asked = IntStream.range(0, 20)
                .mapToObj(_ -> node.client.sendAsync(node.at("/.orderly/live").header("Accept", "text/event-stream")
                        .header("Authorization", "Bearer " + node.token("ann")).GET().build(),
                        BodyHandlers.ofInputStream()))
                .toList();
        Map<Integer, Long> statuses = asked.stream()
                .collect(Collectors.groupingBy(answer -> answer.join().statusCode(), Collectors.counting()));
        assertThat(statuses).isEqualTo(Map.of(200, 2L, 429, 18L));
    }

    @Test
    void aStreamWithoutAUserIsRefused() throws IOException, InterruptedException {
        assertThat(status("Authorization", "Bearer x.y.z")).isEqualTo(401);
        assertThat(status("Cookie", "session=x.y.z")).isEqualTo(401);
        assertThat(status("Cookie", "session=" + node.token("ann"), "Origin", "https://evil.example.com"))
                .isEqualTo(401);
    }

    @Test
    void streamsCountAmongTheUsersConnections() throws IOException, InterruptedException {
        listen(node.token("ann"));
        List<String> second = listen(node.token("ann"));
        await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 2);

        assertThat(status("Authorization", "Bearer " + node.token("ann"))).isEqualTo(429);
        node.orderly.stop();
        await().atMost(SOON).until(() -> second.contains("end"));
        await().atMost(SOON).until(() -> !node.users().isOnline(new UserId("ann")));
    }

    @Test
    void aStreamIsKeptAliveByCommentsAndEndsWithItsToken() {
        List<String> lines = listen(node.token("ann"));
        await().atMost(SOON).until(() -> node.users().isOnline(new UserId("ann")));

        node.time.advance(Duration.ofSeconds(26));
        await().atMost(SOON).until(() -> lines.contains(":"));
        node.time.advance(Duration.ofHours(1));
        await().atMost(SOON).until(() -> lines.contains("end"));
        await().atMost(SOON).until(() -> !node.users().isOnline(new UserId("ann")));
    }

    @Test
    void aServerThatStopsEndsTheStream() {
        List<String> lines = listen(node.token("ann"));

        node.edge.close();

        await().atMost(SOON).until(() -> lines.contains("end"));
        assertThat(lines).doesNotContain("cut off");
    }
}
