package dev.orderly.http.room.page;

import java.time.Duration;

/** How things stand with a visitor. */
public sealed interface PageState {
    /** In line, and the line moves. */
    record Waiting(Standing standing) implements PageState {}

    /** Called: few are before, the visitor enters any moment. */
    record Door(Standing standing) implements PageState {}

    /** May enter: the page asks for its own address again by itself. */
    record Turn() implements PageState {}

    /** In line, and the operator has paused it. */
    record Held(Standing standing) implements PageState {}

    /** Nobody is taken, and no places are given. */
    record Closed() implements PageState {}

    /**
     * Too many places were asked for from this network; this visitor has none.
     *
     * @param tryAgain in whole seconds, at least one
     */
    record TooMany(Duration tryAgain) implements PageState {}

    /** No place can be given now, because of trouble of ours. */
    record Unavailable() implements PageState {}
}
