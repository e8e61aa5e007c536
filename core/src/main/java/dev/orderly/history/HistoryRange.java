package dev.orderly.history;

import dev.orderly.Internal;
import dev.orderly.history.HistoryStore.Scale;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A range of time that is shown as points of one length. */
@Internal(to = "dev.orderly")
public enum HistoryRange {
    /** The last hour by minutes. */
    HOUR(Scale.MINUTE, Duration.ofMinutes(1), 60),
    /** The last 24 hours by five minutes. */
    DAY(Scale.MINUTE, Duration.ofMinutes(5), 288),
    /** The last 30 days by hours. */
    MONTH(Scale.HOUR, Duration.ofHours(1), 720);

    private final Scale scale;
    private final Duration step;
    private final int points;

    HistoryRange(Scale scale, Duration step, int points) {
        this.scale = scale;
        this.step = step;
        this.points = points;
    }

    /** The range of this name, as {@link #text} gives it. */
    public static Optional<HistoryRange> parse(String text) {
        Objects.requireNonNull(text, "text");
        return Stream.of(values()).filter(range -> range.text().equals(text)).findFirst();
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scale whose spans the points are made of. */
    public Scale scale() {
        return scale;
    }

    /** The length of a point. */
    public Duration step() {
        return step;
    }

    /** The number of points. */
    public int points() {
        return points;
    }

    /** The end of the last point: the last whole step that is over. */
    public Instant end(Instant now) {
        return Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), step.toSeconds()) * step.toSeconds());
    }

    /** The begin of the first point. */
    public Instant begin(Instant now) {
        return end(now).minus(step.multipliedBy(points));
    }
}
