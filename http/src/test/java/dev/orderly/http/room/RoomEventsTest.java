package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.store.RoomChange;
import dev.orderly.web.browser.Guest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The event stream of waiting visitors. */
class RoomEventsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final RoomNode node = new RoomNode(RoomNode.ONE_INSIDE);
    private final Guest first = new Guest(node);
    private final Guest waiting = new Guest(node);

    @AfterEach
    void close() {
        node.close();
    }

    /** The lines that arrive while a guest is connected. */
    private Queue<String> events(Guest guest) {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        var answer = node.client().sendAsync(node.at("/.orderly/rooms/sale/events").timeout(SOON)
                .header("Cookie", guest.jar()).GET().build(), BodyHandlers.ofLines()).join();
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        // Without these, nginx keeps events back and a CDN may compress them in blocks.
        assertThat(answer.headers().firstValue("X-Accel-Buffering")).hasValue("no");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store, no-transform");
        Thread.ofVirtual().start(() -> {
            try (Stream<String> each = answer.body()) {
                each.filter(line -> !line.isEmpty()).forEach(lines::add);
            } catch (UncheckedIOException _) {
                lines.add("cut off");
            }
            lines.add("end");
        });
        Awaitility.await().atMost(SOON).until(() -> lines.contains("retry: 2000"));
        return lines;
    }

    private void queue() {
        first.get("/tickets/");
        first.get("/tickets/");
        waiting.get("/tickets/");
    }

    private static void awaitLine(Queue<String> lines, String part) {
        Awaitility.await().atMost(SOON).until(() -> lines.stream().anyMatch(line -> line.contains(part)));
    }

    @Test
    void aConnectedVisitorReceivesThePlaceAndThenTheTurn() {
        queue();
        Queue<String> lines = events(waiting);
        node.pass(1);
        awaitLine(lines, "\"place\":2");

        first.call("DELETE", "ticket");
        node.pass(1);

        Awaitility.await().atMost(SOON).until(() -> {
            node.pass(1);
            return lines.contains("event: turn") && lines.contains("end");
        });
        assertThat(waiting.get("/tickets/").statusCode()).isEqualTo(200);
    }

    @Test
    void aMessageOfTheOperatorReachesConnectedVisitorsInTheNextRound() {
        queue();
        Queue<String> lines = events(waiting);

        node.rooms.change(RoomNode.SALE, RoomChange.Message.of("Ten minutes more"));
        node.pass(1);

        awaitLine(lines, "\"message\":\"Ten minutes more\"");
    }

    @Test
    void aVoidTicketEndsTheStreamWithAnEvent() {
        queue();
        Queue<String> lines = events(waiting);

        node.rooms.change(RoomNode.SALE, new RoomChange.NewEpoch());
        node.pass(1);

        awaitLine(lines, "event: void");
        awaitLine(lines, "end");
    }

    @Test
    void aVisitorWithoutATicketIsKeptFromReconnecting() throws IOException, InterruptedException {
        var answer = node.client().send(node.at("/.orderly/rooms/sale/events").GET().build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(204);
    }

    @Test
    void aConnectedVisitorIsPresentAndADisconnectedVisitorIsNot() {
        queue();
        Guest behind = new Guest(node);
        behind.get("/tickets/");
        events(waiting);
        node.pass(60);
        first.call("DELETE", "ticket");
        node.pass(2);

        assertThat(behind.get("/tickets/").statusCode()).as("the visitor before is connected and enters")
                .isEqualTo(503);
        assertThat(waiting.get("/tickets/").statusCode()).isEqualTo(200);
    }
}
