package dev.orderly.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.history.HistorySubject;
import dev.orderly.job.QueueName;
import dev.orderly.room.RoomName;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history that a server leaves in its store. */
class HistoryServeTest {
    private static final HistorySubject HELD = HistorySubject.of(new QueueName("held"));
    private static final HistorySubject SALE = HistorySubject.of(new RoomName("sale"));

    @TempDir
    private Path folder;

    @Test
    void aServerThatStopsHasWrittenWhatHappenedInItsQueuesAndRooms() throws Exception {
        serve("");
        HistoryFigures queue = recorded(HELD);
        assertThat(queue.sum(HistoryFigure.PUSHED)).isEqualTo(2);
        HistoryFigures room = recorded(SALE);
        assertThat(room.sum(HistoryFigure.ARRIVALS)).isEqualTo(2);
        assertThat(room.sum(HistoryFigure.ADMITTED)).isEqualTo(1);
        assertThat(room.peak(HistoryFigure.CAPACITY)).hasValue(1);
    }

    @Test
    void withoutATimeToKeepItNothingIsRecorded() throws Exception {
        serve("keep: { history: 0s }");
        assertThat(recorded(HELD).isEmpty()).isTrue();
        assertThat(recorded(SALE).isEmpty()).isTrue();
    }

    /** Serves two pushes and two visitors. */
    private void serve(String keep) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, warm-up: 0s }
                admin: { port: 0 }
                queues: { held: {} }
                routes: [ { post: /held, queue: held }, { post: /tickets/a, queue: held } ]
                rooms: { sale: { match: ["/tickets/**"], capacity: 1 } }
                %s
                """.formatted(keep));
        try (OrderlyServer server = ServerInTest.start(file);
                HttpClient client = HttpClient.newHttpClient()) {
            for (String path : new String[]{"/held", "/tickets/a", "/tickets/a"}) {
                client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.edgePort() + path))
                        .timeout(Duration.ofMinutes(1)).header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.discarding());
            }
        }
    }

    private HistoryFigures recorded(HistorySubject subject) {
        Instant now = Time.system().now();
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            return store.history().read(subject, Scale.MINUTE, now.minusSeconds(3_600), now.plusSeconds(60)).values()
                    .stream().reduce(HistoryFigures.NONE, HistoryFigures::plus);
        }
    }
}
