package dev.orderly.http.user.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that follows a job, and the lines that it received. */
final class Followed implements AutoCloseable {
    static final String ENDED = "<ended>";

    final List<String> lines = new CopyOnWriteArrayList<>();
    private final HttpResponse<InputStream> answer;

    private Followed(HttpResponse<InputStream> answer) {
        this.answer = answer;
        Thread.ofVirtual().start(() -> {
            try (Stream<String> each = new BufferedReader(new InputStreamReader(answer.body(),
                    StandardCharsets.UTF_8)).lines()) {
                each.forEach(lines::add);
            } catch (UncheckedIOException _) {
                // closed by the test, or by the other side
            }
            lines.add(ENDED);
        });
    }

    static Followed open(JobNode node, HttpRequest.Builder request) {
        var answer = node.client.sendAsync(request.header("Accept", "text/event-stream").build(),
                BodyHandlers.ofInputStream()).join();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store, no-transform");
        return new Followed(answer);
    }

    /** The job's states that were sent, in order. */
    List<JsonNode> received() {
        return lines.stream().filter(line -> line.startsWith("data: ")).map(line -> line.substring(6))
                .map(JsonMapper.shared()::readTree).toList();
    }

    JsonNode awaitReceived(Predicate<JsonNode> wanted) {
        Awaitility.await().atMost(JobNode.SOON).until(() -> received().stream().anyMatch(wanted));
        return received().stream().filter(wanted).findFirst().orElseThrow();
    }

    void awaitLine(String line) {
        Awaitility.await().atMost(JobNode.SOON).untilAsserted(() -> assertThat(lines).contains(line));
    }

    @Override
    public void close() {
        try {
            answer.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
