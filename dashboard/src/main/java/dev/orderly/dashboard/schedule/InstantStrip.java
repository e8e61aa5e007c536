package dev.orderly.dashboard.schedule;

import dev.orderly.schedule.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The next instants of a schedule in the coming day, for a picture.
 *
 * @param next the first instant after which it was made; null if none comes
 * @param from begin of the day
 * @param marks places of the instants, 0 to {@value #WIDTH}; empty if there are too many to tell apart
 * @param dense whether there are
 * @param countsFromEnd whether each instant follows the end of the run before, so that one at most is known
 */
public record InstantStrip(@Nullable Instant next, Instant from, List<Integer> marks, boolean dense,
        boolean countsFromEnd) {
    /** The width of a day. */
    public static final int WIDTH = 960;

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration KEPT = Duration.ofMinutes(1);
    /** More instants of a day are one band: every quarter of an hour. */
    private static final int MARKS_MAX = 96;

    public InstantStrip {
        marks = List.copyOf(marks);
    }

    static InstantStrip of(ScheduleView view, Instant now) {
        Instant end = now.plus(DAY);
        List<Integer> marks = view.upcoming(MARKS_MAX + 1).stream().filter(instant -> instant.isBefore(end))
                .map(instant -> Math.toIntExact(
                        Math.clamp(Duration.between(now, instant).toMillis() * WIDTH / DAY.toMillis(), 0, WIDTH)))
                .toList();
        boolean dense = marks.size() > MARKS_MAX;
        return new InstantStrip(view.next(), now, dense ? List.of() : marks, dense, view.timing().countsFromEnd());
    }

    /** Whether it can be shown again. */
    boolean isCurrent(ScheduleView view, Instant now) {
        return Objects.equals(next, view.next()) && now.isBefore(from.plus(KEPT)) && !now.isBefore(from);
    }

    /** The picture in words. */
    public String text() {
        if (countsFromEnd) {
            return next == null
                    ? "The next instant follows the end of the run under way"
                    : "The next instant; the one after it follows the end of its run";
        }
        if (dense) {
            return "More than " + MARKS_MAX + " instants in the next 24 hours";
        }
        return switch (marks.size()) {
            case 0 -> "No instant in the next 24 hours";
            case 1 -> "1 instant in the next 24 hours";
            default -> marks.size() + " instants in the next 24 hours";
        };
    }
}
