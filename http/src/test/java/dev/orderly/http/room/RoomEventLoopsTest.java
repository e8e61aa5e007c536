package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.RawHttp;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.store.RoomChange;
import dev.orderly.web.browser.Guest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A room behind an edge with several event loops. */
@Timeout(150)
class RoomEventLoopsTest {
    private static final int LOOPS = 4;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.withCapacity(Capacity.DEFAULT.withEventLoops(LOOPS));

    private final RoomNode node = new RoomNode(RoomOptions.of(new Limits(3, null)).withAddresses(AddressLimits.NONE),
            LIMITS);
    private final List<RawHttp> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(RawHttp::close);
        node.close();
    }

    /** The lines of an event stream on a connection of its own. */
    private Queue<String> events(Guest guest) {
        RawHttp raw = new RawHttp(node.edge.port());
        open.add(raw);
        raw.send("GET /.orderly/rooms/sale/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + guest.jar() + "\r\n\r\n");
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        Thread.ofVirtual().start(() -> {
            // Between two events there are at most two empty lines; at the end of the connection each line is empty.
            for (int empty = 0; empty < 3;) {
                String line = raw.line();
                empty = line.isEmpty() ? empty + 1 : 0;
                lines.add(line);
            }
        });
        await().atMost(SOON).until(() -> !lines.isEmpty());
        return lines;
    }

    private static boolean has(Queue<String> lines, String part) {
        return lines.stream().anyMatch(line -> line.contains(part));
    }

    @Test
    void aRushOverAllLoopsLetsInExactlyAsManyAsThereIsRoomFor() throws Exception {
        CountDownLatch together = new CountDownLatch(24);
        List<Future<Integer>> answers;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = IntStream.range(0, 24).mapToObj(_ -> threads.submit(() -> {
                together.countDown();
                together.await();
                return RawHttp.status(node.edge.port(), "GET /tickets/ HTTP/1.1\r\nHost: x\r\n\r\n");
            })).toList();
        }
        List<Integer> statuses = answers.stream().map(Future::resultNow).toList();
        assertThat(statuses).filteredOn(status -> status == 200).hasSize(3);
        assertThat(statuses).filteredOn(status -> status == 503).hasSize(21);
        assertThat(node.reached).hasSize(3);
    }

    @Test
    void everyLoopWakesItsConnectedVisitors() {
        List<Guest> inside = IntStream.range(0, 3).mapToObj(_ -> Guest.inside(node)).toList();
        List<Guest> waiting = IntStream.range(0, 2 * LOOPS).mapToObj(_ -> new Guest(node)).toList();
        waiting.forEach(guest -> guest.get("/tickets/"));
        List<Queue<String>> streams = waiting.stream().map(this::events).toList();
        node.pass(1);
        await().atMost(SOON).until(() -> streams.stream().allMatch(lines -> has(lines, "event: place")));

        node.rooms.change(RoomNode.SALE, RoomChange.Message.of("Ten minutes more"));
        await().atMost(SOON).until(() -> {
            node.pass(1);
            return streams.stream().allMatch(lines -> has(lines, "Ten minutes more"));
        });

        inside.forEach(guest -> guest.call("DELETE", "ticket"));
        await().atMost(SOON).until(() -> {
            node.pass(1);
            return streams.stream().filter(lines -> has(lines, "event: turn")).count() == 3;
        });
    }

    @Test
    void theEventStreamsOfATicketAreCountedOverAllLoops() {
        IntStream.range(0, 3).forEach(_ -> Guest.inside(node));
        Guest waiting = new Guest(node);
        waiting.get("/tickets/");
        List<Queue<String>> streams = IntStream.range(0, 2 * LOOPS).mapToObj(_ -> events(waiting)).toList();
        assertThat(streams).filteredOn(lines -> has(lines, " 200 ")).hasSize(4);
        assertThat(streams).filteredOn(lines -> has(lines, " 429 ")).hasSize(2 * LOOPS - 4);
    }
}
