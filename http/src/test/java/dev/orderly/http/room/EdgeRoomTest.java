package dev.orderly.http.room;

import dev.orderly.web.browser.Guest;
import org.junit.jupiter.api.AfterEach;

/** The fixture of tests of one room at the edge, with a capacity of one visitor. */
abstract class EdgeRoomTest {
    RoomNode node = new RoomNode(RoomNode.ONE_INSIDE);

    @AfterEach
    void close() {
        node.close();
    }

    Guest guest() {
        return new Guest(node);
    }

    Guest inside() {
        return Guest.inside(node);
    }
}
