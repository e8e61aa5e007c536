package dev.orderly.dashboard.schedule;

import dev.orderly.dashboard.page.Page;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleView;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All schedules.
 *
 * @param undeclared those that no live node declares
 */
public record ScheduleListPage(List<Line> schedules, List<ScheduleState> undeclared) implements Page {
    /** A schedule with its coming day. */
    public record Line(ScheduleView view, InstantStrip strip) {
        /** Its last run with a job; null if there was none. */
        public @Nullable PastRun last() {
            return view.runs().stream().filter(run -> run.job() != null).findFirst().orElse(null);
        }
    }

    @Override
    public String title() {
        return "Schedules";
    }

    @Override
    public String template() {
        return "schedule/schedules.jte";
    }

    /** The state of the outcome's badge. */
    public static String badge(PastRun.Outcome outcome) {
        return switch (outcome) {
            case DONE -> "good";
            case DEAD -> "bad";
            case CANCELLED, SKIPPED -> "warn";
            case UNDER_WAY -> "busy";
            case UNKNOWN -> "";
        };
    }

    /** The outcome in words. */
    public static String words(PastRun run) {
        String text = run.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return run.skips() > 1 ? text + ", " + run.skips() + " in a row" : text;
    }
}
