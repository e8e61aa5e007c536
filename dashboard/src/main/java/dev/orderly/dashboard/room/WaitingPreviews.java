package dev.orderly.dashboard.room;

import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.room.RoomName;
import java.util.List;
import java.util.Optional;

/** The waiting pages of rooms as visitors get them, rendered by the server that mounts the dashboard. */
public interface WaitingPreviews {
    /** A server without waiting pages. */
    WaitingPreviews NONE = new WaitingPreviews() {
        @Override
        public List<String> states() {
            return List.of("waiting");
        }

        @Override
        public List<String> languages() {
            return List.of();
        }

        @Override
        public Optional<DashboardResponse> page(RoomName room, String state, String language) {
            return Optional.empty();
        }
    };

    /** The states of a visitor that have a page, 1 or more. */
    List<String> states();

    /** The tags of the languages, in lower case; empty if there are no previews. */
    List<String> languages();

    /**
     * The page with sample values, and with headers that let a page of the dashboard frame it.
     *
     * @return empty for an unknown room, state or language
     */
    Optional<DashboardResponse> page(RoomName room, String state, String language);
}
