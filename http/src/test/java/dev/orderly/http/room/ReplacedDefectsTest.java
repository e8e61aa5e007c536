package dev.orderly.http.room;

import static dev.orderly.web.browser.Guest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.web.browser.Guest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The defects of the replaced system, a test for each. */
class ReplacedDefectsTest extends EdgeRoomTest {
    @Test
    void anotherCookieBeforeTheTokenDoesNoHarm() {
        inside();
        Guest waiting = guest();
        int place = json(waiting.get("/tickets/")).path("place").asInt();
        String ours = waiting.jar();

        for (String jar : List.of("other=1; " + ours, "; =; x; " + ours, ours + "; orderly_t_sale=forged",
                "orderly_t_sale=forged; " + ours, "a=\"b; " + ours)) {
            HttpResponse<String> answer = node.send(node.at("/tickets/").header("Cookie", jar).GET());
            assertThat(json(answer).path("place").asInt()).as(jar).isEqualTo(place);
        }
    }

    @Test
    void admittedAndWaitingRequestsMakeNoStoreCall() {
        Guest first = inside();
        Guest waiting = guest();
        waiting.get("/tickets/");
        node.store.failNext(Call.ROOM_JOIN, Fault.BEFORE, 100);
        node.store.failNext(Call.ROOM_ADMIT, Fault.BEFORE, 100);
        node.store.failNext(Call.ROOM_RENEW, Fault.BEFORE, 100);

        for (int i = 0; i < 20; i++) {
            assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);
            assertThat(json(waiting.get("/tickets/")).path("cause").asString()).doesNotStartWith("store-");
        }
    }

    @Test
    void aClientWithoutCookiesTakesFewPlacesAndHoldsNoneForLong() {
        node.close();
        node = new RoomNode(RoomOptions.of(new Limits(50, null))
                .withAddresses(new AddressLimits(new Rate(10, Duration.ofMinutes(1)), null, null)));

        for (int i = 0; i < 10; i++) {
            assertThat(guest().get("/tickets/").statusCode()).isEqualTo(200);
        }
        HttpResponse<String> refused = guest().get("/tickets/");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(guest().page("/tickets/", "en").statusCode()).isEqualTo(429);
        node.pass(1);
        assertThat(node.room().state().load().active()).isEqualTo(10);
        node.pass(60);
        assertThat(node.room().state().load().active()).isZero();
    }

    @Test
    void theLineMovesWithoutRequests() {
        Guest first = inside();
        Guest silent = guest();
        silent.get("/tickets/");
        first.call("DELETE", "ticket");

        node.pass(2);

        assertThat(node.room().state().line().cursor()).isEqualTo(2);
    }

    @Test
    void aVisitorAtTheCursorEnters() {
        Guest first = inside();
        Guest second = guest();
        second.get("/tickets/");
        first.call("DELETE", "ticket");
        node.pass(2);
        assertThat(node.room().state().line().cursor()).isEqualTo(json(second.call("GET", "cursor")).path("length")
                .asLong());

        assertThat(second.get("/tickets/").statusCode()).isEqualTo(200);
    }
}
