package dev.orderly.spring.schedule;

import dev.orderly.schedule.Timing;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/** The timings of Orderly that have the instants of a schedule of Spring. */
final class AdoptedTiming {
    private static final Map<String, String> MACROS = Map.of("@yearly", "0 0 0 1 1 *", "@annually", "0 0 0 1 1 *",
            "@monthly", "0 0 0 1 * *", "@weekly", "0 0 0 * * 0", "@daily", "0 0 0 * * *", "@midnight", "0 0 0 * * *",
            "@hourly", "0 0 * * * *");
    private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");
    /** Instants that both readings of an expression are compared by. */
    private static final int COMPARED = 60;

    private AdoptedTiming() {}

    /**
     * The timing of a cron expression.
     *
     * @throws IllegalArgumentException if Orderly has no timing of the same instants; the message says why
     */
    static Timing cron(String expression, ZoneId zone) {
        CronExpression spring = CronExpression.parse(expression);
        String fields = MACROS.getOrDefault(expression.strip().toLowerCase(Locale.ROOT), expression);
        if (!isSame(spring, Timing.parse(fields, ZoneOffset.UTC))) { // without changes of clocks
            throw new IllegalArgumentException("Spring reads \"" + expression + "\" as other instants than cron"
                    + " does, as where both a day of the month and a weekday are restricted");
        }
        return Timing.parse(fields, zone);
    }

    private static boolean isSame(CronExpression spring, Timing timing) {
        @Nullable
        ZonedDateTime theirs = SINCE.atZone(ZoneOffset.UTC);
        Optional<Instant> ours = Optional.of(SINCE);
        for (int n = 0; n < COMPARED && theirs != null && ours.isPresent(); n++) {
            theirs = spring.next(theirs);
            ours = ours.flatMap(timing::next);
            if (!Optional.ofNullable(theirs).map(ZonedDateTime::toInstant).equals(ours)) {
                return false;
            }
        }
        return true;
    }
}
