package dev.orderly.dashboard.room;

import dev.orderly.dashboard.overview.RoomSummary;
import dev.orderly.dashboard.page.Page;
import java.util.List;

/** All rooms of this node. */
public record RoomListPage(List<RoomSummary> rooms) implements Page {
    @Override
    public String title() {
        return "Rooms";
    }

    @Override
    public String template() {
        return "room/rooms.jte";
    }
}
