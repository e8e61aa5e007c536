package dev.orderly.servlet.dashboard;

import dev.orderly.dashboard.room.WaitingPreviews;
import dev.orderly.dashboard.room.WaitingPreviews.WaitingPreview;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.Rooms;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.page.SamplePages;
import dev.orderly.web.room.page.WaitingPage;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The waiting pages of an application's rooms, for its dashboard. */
public final class RoomPreviews {
    private RoomPreviews() {}

    /** @param gated the rooms of the filter; others have no preview */
    public static WaitingPreviews of(Rooms rooms, Collection<GatedRoom> gated) {
        Objects.requireNonNull(rooms, "rooms");
        Map<RoomName, WaitingPage> pages = gated.stream()
                .collect(Collectors.toMap(room -> room.room().name(), GatedRoom::page));
        SamplePages samples = new SamplePages(RoomEngine.of(rooms), room -> Optional.ofNullable(pages.get(room)));
        return new WaitingPreviews(SamplePages.states(), SamplePages.languages(),
                (room, state, language) -> samples.page(room, state, language)
                        .map(page -> new WaitingPreview(page.html(), page.contentSecurityPolicy())));
    }
}
