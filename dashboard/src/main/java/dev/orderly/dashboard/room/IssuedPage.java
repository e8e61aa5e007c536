package dev.orderly.dashboard.room;

import dev.orderly.dashboard.page.Page;
import dev.orderly.room.RoomName;
import dev.orderly.room.invitation.IssuedInvitations;

/** Invitations that were issued just now: the only moment at which their codes are shown. */
public record IssuedPage(RoomName room, IssuedInvitations issued) implements Page {
    @Override
    public String title() {
        return "Invitations";
    }

    @Override
    public String template() {
        return "room/issued.jte";
    }

    public String file() {
        return "invitations-" + room + "-" + issued.series() + ".csv";
    }

    /** The file as an address, so that no server keeps the codes until they are fetched. */
    public String address() {
        return "data:text/csv;charset=utf-8," + issued.csv(room).replace("#", "%23").replace("\r\n", "%0D%0A");
    }
}
