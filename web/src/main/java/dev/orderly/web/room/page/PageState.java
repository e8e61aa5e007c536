package dev.orderly.web.room.page;

import java.time.Duration;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** The state of a visitor. */
public sealed interface PageState {
    /** In line, and the line moves. */
    record Waiting(ShownPosition position) implements PageState {}

    /** Next: few visitors are ahead, so admission follows within moments. */
    record Door(ShownPosition position) implements PageState {}

    /** May enter: the page requests its own URL again by itself. */
    record Turn() implements PageState {}

    /** In line, and the operator has paused the line. */
    record Held(ShownPosition position) implements PageState {}

    /**
     * In line, and the room has not opened yet.
     *
     * @param position without an estimate
     */
    record Lobby(ShownPosition position, ShownOpening opening) implements PageState {}

    /** Without a place: the room has not opened yet, and gives none. */
    record Opens(ShownOpening opening) implements PageState {}

    /**
     * No visitor is admitted, and no places are given.
     *
     * @param cancelled the moment of an opening that was cancelled; null for none
     */
    record Closed(@Nullable ZonedDateTime cancelled) implements PageState {
        public Closed() {
            this(null);
        }
    }

    /**
     * Too many places were requested from this network; this visitor has none.
     *
     * @param tryAgain in whole seconds, at least one
     */
    record TooMany(Duration tryAgain) implements PageState {}

    /** The room gives a place after a wait, as its check said. */
    record Slowed() implements PageState {}

    /**
     * The room gives a place after a wait, or at once for work, since the network took many.
     *
     * @param challenge the work, as JSON
     */
    record Working(String challenge) implements PageState {}

    /** The check of the room gives no place. */
    record Refused() implements PageState {}

    /** No place can be given now, because the server has a problem. */
    record Unavailable() implements PageState {}
}
