package dev.orderly.boxoffice.web;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.shop.Counter;
import dev.orderly.boxoffice.shop.Show;
import dev.orderly.boxoffice.shop.Takings;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.schedule.ScheduleView;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The schedule of the report, and the figures of its last run. */
final class ReportPanel {
    private static final DateTimeFormatter AT = DateTimeFormatter.ofPattern("EEEE HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final Orderly orderly;

    ReportPanel(Orderly orderly) {
        this.orderly = orderly;
    }

    Html html() {
        ScheduleView schedule = orderly.schedules().view(Counter.REPORT).orElseThrow();
        Optional<JobView> run = Optional.ofNullable(schedule.lastJob()).flatMap(orderly.jobs()::find);
        return Html.of("""
                <p class="hint">A schedule, <code>{}</code>: it runs {}, next on {}. It can be run by hand here and with
                <code>orderly schedule run {}</code>.</p>
                {}""", schedule.name(), schedule.timing().text(), at(schedule.next()), schedule.name(),
                run.map(ReportPanel::figures).orElse(Html.of("<p>It has not run yet.</p>")));
    }

    private static Html figures(JobView run) {
        Payload result = run.result();
        if (run.state() != JobState.DONE || result == null) {
            return Html.of("<p><span class=\"badge run\">The run is {}</span></p>", run.state().text());
        }
        Takings takings = JsonMapper.shared().readValue(result.bytes(), Takings.class);
        return Html.of("""
                <dl class="takings"><div><dt>Orders</dt><dd>{}</dd></div><div><dt>Paid</dt><dd>{}</dd></div>
                <div><dt>Tickets</dt><dd>{}</dd></div><div><dt>Taken in</dt><dd>{}</dd></div></dl>""", takings.orders(),
                takings.paid(), takings.tickets(), Show.euros(takings.cents()));
    }

    private static String at(@Nullable Instant next) {
        return next == null ? "no day" : AT.format(next);
    }
}
