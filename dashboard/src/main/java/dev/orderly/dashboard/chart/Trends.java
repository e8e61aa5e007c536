package dev.orderly.dashboard.chart;

import dev.orderly.dashboard.page.StoreState;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistoryReader;
import dev.orderly.history.HistorySubject;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Trends of queues and rooms, each read from the store at most once in {@value #FRESH_SECONDS} s, since the history
 * grows once a minute. Thread-safe.
 */
public final class Trends {
    /** The most subjects of a list that have a trend; reading more would make the list slow. */
    public static final int LIST_MAX = 50;

    static final int FRESH_SECONDS = 20;
    private static final int KEPT_MAX = 500;

    private final HistoryReader history;
    private final StoreState store;
    private final Time time;
    private final ConcurrentHashMap<HistorySubject, Read> kept = new ConcurrentHashMap<>();

    private record Read(HourTrend trend, long end) {}

    public Trends(HistoryReader history, StoreState store, Time time) {
        this.history = history;
        this.store = store;
        this.time = time;
    }

    /** The trend of a subject; as last read, or none, while the store does not answer. May block on the store. */
    public HourTrend of(HistorySubject subject) {
        Read read = kept.get(subject);
        if (read != null && !time.reached(read.end)) {
            return read.trend;
        }
        HourTrend trend = store.fromJobs(() -> HourTrend.of(history.series(subject, HistoryRange.HOUR)))
                .orElse(read == null ? HourTrend.NONE : read.trend);
        if (kept.size() >= KEPT_MAX) {
            kept.clear();
        }
        kept.put(subject, new Read(trend, time.deadline(Duration.ofSeconds(FRESH_SECONDS))));
        return trend;
    }
}
