package dev.orderly.http.room.page;

import java.util.Locale;

/** The reason for the pace of a line, shown to visitors in words so that a growing estimate is explained. */
public enum WaitReason {
    /** The pace is unchanged. */
    STEADY,
    /** More visitors are admitted than before. */
    FASTER,
    /** The site answers slowly or with errors. */
    SLOWER_BUSY,
    /** A job queue behind the site has a backlog that is worked off first. */
    SLOWER_BACKLOG,
    /** Visitors stay inside longer than expected. */
    SLOWER_LEAVERS,
    /** More visitors with lower places are present than expected. */
    SLOWER_RETURNS,
    /** The operator admits no visitors. */
    HELD,
    /** The capacity is full: one visitor enters as another leaves. */
    WAITS_FOR_LEAVERS,
    /** There is too little data for a cause. */
    LEARNING,
    /** The store is out of reach; admission continues at the last rate. */
    STORE_TROUBLE,
    /** The store is out of reach; no new visitors are admitted, and no place is lost. */
    STORE_PAUSED;

    private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name in JSON and events, such as {@code slower-busy}. */
    public String wire() {
        return wire;
    }
}
