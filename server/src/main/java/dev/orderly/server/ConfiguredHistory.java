package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.history.record.HistoryRecorder;
import dev.orderly.history.record.HistorySampler;
import dev.orderly.history.record.HistoryWriter;
import dev.orderly.job.store.JobObserver;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The record of this node's figures over time. Without a time to keep them, nothing is counted. */
final class ConfiguredHistory implements AutoCloseable {
    /** How long hours are kept by default. */
    static final Duration KEPT = Duration.ofDays(90);

    private final Duration kept;
    private final @Nullable HistoryRecorder recorder;
    private final AtomicReference<@Nullable HistoryWriter> writer = new AtomicReference<>();

    /** @param kept how long hours are kept; zero for no history */
    ConfiguredHistory(Duration kept) {
        this.kept = kept;
        this.recorder = kept.isPositive() ? new HistoryRecorder() : null;
    }

    JobObserver jobs() {
        return recorder == null ? JobObserver.NONE : recorder;
    }

    RoomObserver rooms() {
        return recorder == null ? RoomObserver.NONE : recorder;
    }

    /** Begins to write. Blocks on the clock of the store. */
    void start(Store store, Orderly orderly, RoomEngine rooms) {
        if (recorder != null) {
            HistoryWriter started = new HistoryWriter(store.history(),
                    new HistorySampler(recorder, store.jobViews(), rooms), store.clock(Time.system()),
                    orderly.nodes().getFirst().report().node(), kept);
            writer.set(started);
            started.start();
        }
    }

    /** Writes what is left. Called before the store is closed; blocks for one call. */
    @Override
    public void close() {
        HistoryWriter started = writer.getAndSet(null);
        if (started != null) {
            started.close();
        }
    }
}
