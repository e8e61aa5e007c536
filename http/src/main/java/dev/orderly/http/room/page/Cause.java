package dev.orderly.http.room.page;

import java.util.Locale;

/** Why a line moves as it does. Said to visitors in words, so that an estimate that grows is no riddle. */
public enum Cause {
    /** As before. */
    STEADY,
    /** More are let in than before. */
    FASTER,
    /** The site answers slowly or with errors. */
    SLOWER_BUSY,
    /** A job queue behind the site is to be worked off first. */
    SLOWER_BACKLOG,
    /** Visitors stay inside for longer than was to be expected. */
    SLOWER_LEAVERS,
    /** More of those before this visitor are there than was to be expected. */
    SLOWER_RETURNS,
    /** The operator lets nobody in. */
    HELD,
    /** The capacity is full: one enters as another leaves. */
    WAITS_FOR_LEAVERS,
    /** Too little was seen yet to say. */
    LEARNING,
    /** The store is in trouble, the last rate goes on. */
    STORE_TROUBLE,
    /** The store is in trouble, nobody new is let in; no place is lost. */
    STORE_PAUSED;

    private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** As it stands in JSON and events, such as {@code slower-busy}. */
    public String wire() {
        return wire;
    }
}
