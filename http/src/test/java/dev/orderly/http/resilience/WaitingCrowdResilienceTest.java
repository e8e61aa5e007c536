package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.room.RoomNode;
import dev.orderly.web.browser.Guest;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Visitors who wait open whatever the edge gives them. */
@Timeout(150)
class WaitingCrowdResilienceTest {
    private final RoomNode node = new RoomNode(RoomNode.ONE_INSIDE);

    @AfterEach
    void close() {
        node.close();
    }

    private HttpResponse<InputStream> stream(Guest guest) {
        return node.client().sendAsync(node.at("/.orderly/rooms/sale/events").header("Cookie", guest.jar()).GET()
                .build(), BodyHandlers.ofInputStream()).join();
    }

    @Test
    void aPlaceInLineHasAFewEventStreamsAndBeyondThemItsPageAsks() throws Exception {
        Guest inside = Guest.inside(node);
        Guest waiting = new Guest(node);
        waiting.get("/tickets/");
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            HttpResponse<InputStream> stream = stream(waiting);
            assertThat(stream.statusCode()).isEqualTo(200);
            open.add(stream.body());
        }

        HttpResponse<InputStream> refused = stream(waiting);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8)).contains("4 event streams");
        assertThat(waiting.call("GET", "ticket").statusCode()).isEqualTo(200);
        assertThat(inside.get("/tickets/").statusCode()).isEqualTo(200);
        open.getFirst().close();
        await().atMost(Duration.ofSeconds(60)).until(() -> stream(waiting).statusCode() == 200);
    }
}
