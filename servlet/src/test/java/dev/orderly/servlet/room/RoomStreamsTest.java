package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.WaitingStreams;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The event streams of waiting visitors in a container. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class RoomStreamsTest {
    private static final int STREAMS = 60;

    private final WaitingStreams streams = new WaitingStreams(WaitingStreams.Limits.DEFAULT.withStreams(STREAMS)
            .withPerAddress(STREAMS).withPerTicket(2));
    private final RoomApp app;
    private final Guest first;

    RoomStreamsTest(Container.Kind kind) {
        app = new RoomApp(kind, "", RoomFilterOptions.defaults().withStreams(streams), RoomMatch.of("/tickets/**"));
        first = Guest.inside(app);
    }

    @AfterEach
    void close() {
        app.close();
    }

    /** The lines that arrive while a guest is connected. */
    private Queue<String> events(Guest guest) {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        HttpResponse<Stream<String>> answer = app.client().sendAsync(app.at("/.orderly/rooms/sale/events")
                .header("Cookie", guest.jar()).GET().build(), BodyHandlers.ofLines()).join();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValueSatisfying(
                type -> assertThat(type).startsWith("text/event-stream"));
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
        await().until(() -> lines.contains("retry: 2000"));
        return lines;
    }

    private Guest waiting() {
        Guest guest = new Guest(app);
        guest.get("/tickets/");
        return guest;
    }

    @Test
    void aConnectedVisitorReceivesThePlaceAndThenTheTurn() {
        Guest waiting = waiting();
        Queue<String> lines = events(waiting);
        app.pass(1);
        await().until(() -> lines.stream().anyMatch(line -> line.contains("\"place\":2")));

        first.call("DELETE", "ticket");
        await().until(() -> {
            app.pass(1);
            return lines.contains("event: turn") && lines.contains("end");
        });

        assertThat(waiting.get("/tickets/").statusCode()).isEqualTo(200);
        await().until(() -> streams.open() == 0);
    }

    @Test
    void moreStreamsThanThreadsLeaveTheApplicationFreeAndAreBounded() {
        List<Queue<String>> all = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            all.add(events(waiting()));
        }
        Guest last = waiting();

        assertThat(first.get("/tickets/b").statusCode()).isEqualTo(200);
        assertThat(last.call("GET", "events").statusCode()).isIn(429, 503);
        app.pass(1);
        await().until(() -> all.stream().allMatch(lines -> lines.stream().anyMatch(line -> line.contains("place"))));
        assertThat(first.get("/tickets/b").statusCode()).isEqualTo(200);
    }

    @Test
    void aPlaceHasFewStreamsAndAVisitorWithoutTicketNone() {
        Guest waiting = waiting();
        events(waiting);
        events(waiting);

        assertThat(waiting.call("GET", "events").statusCode()).isEqualTo(429);
        assertThat(new Guest(app).call("GET", "events").statusCode()).isEqualTo(204);
    }

    @Test
    void concurrentStreamsBeyondTheLimitAreRefusedNotBegunAndEnded() {
        Guest waiting = waiting();
        List<CompletableFuture<HttpResponse<InputStream>>> asked = IntStream.range(0, 20)
                .mapToObj(_ -> app.client().sendAsync(app.at("/.orderly/rooms/sale/events")
                        .header("Cookie", waiting.jar()).GET().build(), BodyHandlers.ofInputStream()))
                .toList();
        Map<Integer, Long> statuses = asked.stream()
                .collect(Collectors.groupingBy(answer -> answer.join().statusCode(), Collectors.counting()));
        assertThat(statuses).isEqualTo(Map.of(200, 2L, 429, 18L));
    }
}
