package dev.orderly.dashboard.room;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.room.RoomName;
import java.util.List;

/** The waiting page of a room in one state, language and width. */
public record PreviewPage(RoomName room, WaitingPreviews previews, String state, String language, String width)
        implements Page {
    /** The widths, as classes of the frame. */
    public static final List<String> WIDTHS = List.of("desktop", "tablet", "phone");

    @Override
    public String title() {
        return "Waiting page of " + room;
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Rooms", "/rooms"), new Link(String.valueOf(room), "/rooms/" + room));
    }

    @Override
    public String template() {
        return "room/preview.jte";
    }
}
