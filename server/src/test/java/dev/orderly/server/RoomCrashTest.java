package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A real server process with a room in front of an origin, killed with {@code kill -9} and started again. */
@Tag("slow")
class RoomCrashTest {
    @TempDir
    private Path folder = Path.of("");
    private final HttpServer origin;
    private final Queue<String> reached = new ConcurrentLinkedQueue<>();

    RoomCrashTest() throws IOException {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin.createContext("/", exchange -> {
            try (exchange) {
                reached.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("Orderly-Room") + " "
                        + exchange.getRequestHeaders().getFirst("Cookie"));
                byte[] body = "inside".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        origin.start();
    }

    @AfterEach
    void stop() {
        origin.stop(0);
    }

    @Test
    void aKilledServerKeepsPlacesAndPassesAndADepartureAdmitsTheNextVisitor() throws IOException {
        Path config = config();
        Path log = folder.resolve("log");
        try (Guest inside = new Guest();
                Guest second = new Guest();
                Guest third = new Guest();
                Guest former = new Guest()) {
            try (ServerProcess server = ServerProcess.start(config, log)) {
                assertThat(inside.get(server.edge().resolve("/tickets")).body()).isEqualTo("inside");
                assertThat(place(former.get(server.edge().resolve("/tickets")))).isEqualTo(2);
                move(server, former, second);
                assertThat(place(third.get(server.edge().resolve("/tickets")))).isEqualTo(3);
                server.kill();
            }
            try (ServerProcess server = ServerProcess.start(config, log)) {
                URI tickets = server.edge().resolve("/tickets");
                assertThat(inside.get(tickets).statusCode()).as("the pass is valid").isEqualTo(200);
                assertThat(place(third.get(tickets))).as("the place is kept").isEqualTo(3);
                assertThat(place(second.get(tickets))).isEqualTo(2);

                assertThat(former.get(tickets).statusCode()).as("the place stays moved").isEqualTo(410);
                inside.delete(server.edge().resolve("/.orderly/rooms/sale/ticket"));
                await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(500)).until(() -> {
                    third.get(tickets);
                    return second.get(tickets).statusCode() == 200;
                });
                assertThat(third.get(tickets).statusCode()).as("one inside at a time").isEqualTo(503);
                assertThat(inside.get(tickets).statusCode()).as("the departed visitor waits again").isEqualTo(503);
            }
        }
        assertThat(reached).as("neither a waiting visitor nor a token reaches the origin").hasSize(3)
                .allMatch(request -> request.equals("/tickets sale first=1"));
        assertThat(Files.readString(log)).contains("room sale: protects /tickets/**").doesNotContain("whsec_");
    }

    private static void move(ServerProcess server, Guest from, Guest to) {
        URI room = server.edge().resolve("/.orderly/rooms/sale/");
        String link = JsonMapper.shared().readTree(from.post(room.resolve("link"), "").body()).path("link").asString();
        HttpResponse<String> taken = to.post(room.resolve("move"), "link=" + URI.create(link).getFragment());
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
        assertThat(from.get(server.edge().resolve("/tickets")).statusCode()).isEqualTo(410);
    }

    private static long place(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        return JsonMapper.shared().readTree(answer.body()).path("place").asLong();
    }

    private Path config() throws IOException {
        return Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:data/orderly.db
                edge: { host: 127.0.0.1, origin: "http://127.0.0.1:%d" }
                rooms: { sale: { match: ["/tickets/**"], capacity: 1, move: true, poll: 1s-5s } }
                """.formatted(origin.getAddress().getPort()));
    }
}
