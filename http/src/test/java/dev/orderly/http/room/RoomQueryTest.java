package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.BypassRule;
import dev.orderly.web.room.RoomMatch;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A room over one parameter of a path, with a bypass rule on another. */
class RoomQueryTest {
    private final RoomNode node = new RoomNode(RoomNode.ONE_INSIDE, new RoomMatch(List.of(),
            List.of(RequestPattern.parse("/shop/**?event=42")), List.of(BypassRule.ofPath("/shop/**?preview=yes"))),
            TrustedProxies.NONE);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void fill() throws Exception {
        assertThat(status("/shop?event=42")).isEqualTo(200);
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        node.close();
    }

    private int status(String path) throws IOException, InterruptedException {
        HttpRequest request = node.at(path).build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Test
    void onlyRequestsWithTheParameterWait() throws Exception {
        assertThat(status("/shop?event=42")).isEqualTo(503);
        assertThat(status("/shop/seats?day=1&event=%34%32")).isEqualTo(503);
        assertThat(status("/shop?event=41")).isEqualTo(200);
        assertThat(status("/shop")).isEqualTo(200);
    }

    @Test
    void noSpellingOfTheQueryLeadsAroundTheRoom() throws Exception {
        for (String query : List.of("event=1&event=42", "event=42&event=1", "Event=42", "x=1;event=42",
                "event=42&x=%ff")) {
            assertThat(status("/shop?" + query)).as(query).isEqualTo(503);
        }
    }

    @Test
    void aBypassOnTheQueryNeedsItsParameterOnce() throws Exception {
        assertThat(status("/shop?event=42&preview=yes")).isEqualTo(200);
        assertThat(status("/shop?event=42&preview=no&preview=yes")).isEqualTo(503);
        assertThat(status("/shop?event=42&preview=YES")).isEqualTo(503);
    }
}
