package dev.orderly.web.room.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A record of requests that met a room. Called on event loops: never blocks, never throws. Thread-safe. */
public interface VisitorLog {
    /** Records nothing. */
    VisitorLog NONE = new VisitorLog() {
        @Override
        public @Nullable Instant next() {
            return null;
        }

        @Override
        public void add(VisitorEntry entry) {}
    };

    /** The moment of the next request; null if it is not recorded. Called once a request: the log may hold a sample. */
    @Nullable
    Instant next();

    /** Records a request that has ended. An entry that finds no room in memory is lost, and counted. */
    void add(VisitorEntry entry);
}
