package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.web.browser.Guest;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Polls of called visitors in a room with short stays, over HTTP. */
class HeldRequestTest {
    private static final int CAPACITY = 4;

    private final RoomNode node = RoomNode.holding(
            RoomOptions.of(new Limits(CAPACITY, null)).withAddresses(AddressLimits.NONE));
    private final List<Guest> inside = new ArrayList<>();
    private final Guest waiting = new Guest(node);

    @BeforeEach
    void aFullRoomWithShortStays() {
        for (int turn = 0; turn < 8; turn++) {
            enter();
            node.pass(2);
            inside.forEach(each -> each.call("DELETE", "ticket"));
            inside.clear();
            node.pass(1);
        }
        enter();
        waiting.get("/tickets/");
        node.pass(1);
    }

    private void enter() {
        for (int n = 0; n < CAPACITY; n++) {
            Guest guest = new Guest(node);
            assertThat(guest.get("/tickets/").statusCode()).isEqualTo(200);
            inside.add(guest);
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    /** A gate knows the place of a visitor without the ticket while a request of the visitor waits. */
    private boolean isHeld() {
        VisitorId visitor = node.room().visits()
                .visitor(new ShownTokens(List.copyOf(waiting.cookies.values()), List.of()))
                .orElseThrow();
        return node.rooms.diagnose(RoomNode.SALE, new VisitorQuery.ById(visitor)).place() != null;
    }

    private CompletableFuture<HttpResponse<String>> ask(String path) {
        return node.client().sendAsync(node.at(path).header("Accept", "application/json")
                .header("Cookie", waiting.jar()).GET().build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tickets/", "/.orderly/rooms/sale/ticket"})
    void theAnswerIsThePassAsSoonAsAVisitorLeaves(String path) {
        CompletableFuture<HttpResponse<String>> answer = ask(path);
        await().atMost(Duration.ofSeconds(60)).until(this::isHeld);
        assertThat(answer).isNotDone();
        inside.removeFirst().call("DELETE", "ticket");
        node.time.advance(Duration.ofMillis(100));
        node.rooms.callUp();
        assertThat(answer.join().statusCode()).isEqualTo(200);
    }

    @Test
    void theAnswerIsThePlaceAfterFourSeconds() {
        CompletableFuture<HttpResponse<String>> answer = ask("/tickets/");
        await().atMost(Duration.ofSeconds(60)).until(this::isHeld);
        node.pass(4);
        assertThat(answer.join().statusCode()).isEqualTo(503);
        assertThat(Guest.json(answer.join()).path("poll").asInt()).isOne();
    }

    @Test
    void aClientThatGoesAwayIsHeldNoLonger() throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), node.edge.port())) {
            OutputStream out = client.getOutputStream();
            out.write(("GET /tickets/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nCookie: "
                    + waiting.jar() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            await().atMost(Duration.ofSeconds(60)).until(this::isHeld);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> !isHeld());
        inside.removeFirst().call("DELETE", "ticket");
        node.time.advance(Duration.ofMillis(100));
        node.rooms.callUp();
        node.rooms.step();
        assertThat(node.room().state().load().active()).isEqualTo(CAPACITY - 1);
    }
}
