package dev.orderly.http.room;

import org.junit.jupiter.api.AfterEach;

/** Tests of one room at the edge, in which one visitor may be. */
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
