package dev.orderly.dashboard.schedule;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.schedule.ScheduleDefinition;
import dev.orderly.schedule.ScheduleView;
import java.time.Instant;
import java.util.List;

/**
 * One schedule.
 *
 * @param definition what was made at run time under its name
 */
public record SchedulePage(ScheduleView view, InstantStrip strip, ScheduleDefinition definition) implements Page {
    private static final int UPCOMING = 8;

    @Override
    public String title() {
        return view.name().value();
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Schedules", "/schedules"));
    }

    @Override
    public String template() {
        return "schedule/schedule.jte";
    }

    /** The next instants. */
    public List<Instant> upcoming() {
        return view.upcoming(UPCOMING);
    }
}
