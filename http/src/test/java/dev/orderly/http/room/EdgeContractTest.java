package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Contract;
import dev.orderly.room.RoomMode;
import dev.orderly.room.store.RoomChange;
import dev.orderly.web.browser.Guest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers to visitors are those of the OpenAPI document. */
class EdgeContractTest extends EdgeRoomTest {
    private static void check(String schema, String answer) {
        JsonNode json = JsonMapper.shared().readTree(answer);
        assertThat(Contract.faults(schema, json)).as(answer).isEmpty();
    }

    @Test
    void theAnswersToVisitorsAreDocumented() {
        Guest first = inside();
        Guest guest = guest();
        check("RoomCursor", guest.call("GET", "cursor").body());
        check("VisitorPosition", guest.call("POST", "ticket").body());
        check("VisitorPosition", guest.call("GET", "ticket").body());
        check("VisitorPosition", guest.call("POST", "pass").body());
        check("VisitorPosition", first.call("GET", "ticket").body());
        check("Problem", guest().call("GET", "ticket").body());
        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.REJECT));
        node.pass(1);
        check("VisitorPosition", guest.call("GET", "ticket").body());
    }
}
