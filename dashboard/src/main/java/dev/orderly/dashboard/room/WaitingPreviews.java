package dev.orderly.dashboard.room;

import dev.orderly.room.RoomName;
import java.util.List;
import java.util.Optional;

/**
 * The waiting pages of rooms as visitors get them, rendered by the server that mounts the dashboard.
 *
 * @param states the states of a visitor that have a page, 1 or more
 * @param languages the tags of the languages, in lower case; empty if there are no previews
 * @param renderer must be thread-safe
 */
public record WaitingPreviews(List<String> states, List<String> languages, Renderer renderer) {
    /** A server without waiting pages. */
    public static final WaitingPreviews NONE = new WaitingPreviews(List.of("waiting"), List.of(),
            (_, _, _) -> Optional.empty());

    /** Renders the page of a room with sample figures. */
    public interface Renderer {
        /** @return empty for an unknown room, state or language */
        Optional<WaitingPreview> page(RoomName room, String state, String language);
    }

    /**
     * A rendered page.
     *
     * @param contentSecurityPolicy the header it needs, which lets a page of the dashboard frame it
     */
    public record WaitingPreview(String html, String contentSecurityPolicy) {}
}
