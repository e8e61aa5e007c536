package dev.orderly.schedule;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.chrono.ChronoLocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cron expression of six fields, as local times without a zone. */
final class CronLine {
    private static final CronDefinition FIELDS = CronDefinitionBuilder.defineCron()
            .withSeconds().withValidRange(0, 59).withStrictRange().and()
            .withMinutes().withValidRange(0, 59).withStrictRange().and()
            .withHours().withValidRange(0, 23).withStrictRange().and()
            .withDayOfMonth().withValidRange(1, 31).supportsL().supportsW().supportsLW().withStrictRange().and()
            .withMonth().withValidRange(1, 12).withStrictRange().and()
            .withDayOfWeek().withValidRange(0, 7).withMondayDoWValue(1).withIntMapping(7, 0).supportsL().supportsHash()
            .and().instance();
    private static final int FIELD_COUNT = 6;
    private static final int HOUR = 2;
    private static final int DAY = 3;
    private static final int WEEKDAY = 5;
    private static final int HOURS_A_DAY = 24;

    private final List<ExecutionTime> times;
    private final boolean everyHour;

    private CronLine(List<ExecutionTime> times, boolean everyHour) {
        this.times = times;
        this.everyHour = everyHour;
    }

    /**
     * Parses a cron expression.
     *
     * @param text five fields, or six with the seconds first
     * @throws IllegalArgumentException naming the fault
     */
    static CronLine parse(String text) {
        List<String> fields = new ArrayList<>(List.of(text.toUpperCase(Locale.ROOT).replace('?', '*').split(" ")));
        if (fields.size() == FIELD_COUNT - 1) {
            fields.addFirst("0");
        }
        if (fields.size() != FIELD_COUNT) {
            throw new IllegalArgumentException("it has " + fields.size() + " fields");
        }
        List<ExecutionTime> times = either(fields).map(CronLine::times).toList();
        return new CronLine(times, isEveryHour(fields.get(HOUR)));
    }

    /** Whether an hour field matches all hours of a day, in any notation: {@code *}, a step of 1, {@code 0-23}. */
    private static boolean isEveryHour(String hours) {
        LocalDateTime midnight = LocalDate.EPOCH.atStartOfDay();
        ExecutionTime time = times(List.of("0", "0", hours, "*", "*", "*"));
        return IntStream.range(0, HOURS_A_DAY)
                .allMatch(hour -> time.isMatch(midnight.plusHours(hour).atZone(ZoneOffset.UTC)));
    }

    /** As in cron: if both a day of the month and a weekday are restricted, a match of either is enough. */
    private static Stream<List<String>> either(List<String> fields) {
        if (fields.get(DAY).startsWith("*") || fields.get(WEEKDAY).startsWith("*")) {
            return Stream.of(fields);
        }
        return Stream.of(DAY, WEEKDAY).map(field -> {
            List<String> single = new ArrayList<>(fields);
            single.set(field, "*");
            return single;
        });
    }

    private static ExecutionTime times(List<String> fields) {
        try {
            return ExecutionTime.forCron(new CronParser(FIELDS).parse(String.join(" ", fields)).validate());
        } catch (IndexOutOfBoundsException e) { // the library has no words for a field such as 5#
            throw new IllegalArgumentException("one of its fields has no end", e);
        }
    }

    /** Whether the expression matches every hour of its days. */
    boolean everyHour() {
        return everyHour;
    }

    /** The first matching time after this one, in whole seconds; empty if none comes within a lifetime. */
    Optional<LocalDateTime> next(LocalDateTime after) {
        return times.stream().flatMap(time -> time.nextExecution(after.atZone(ZoneOffset.UTC)).stream())
                .<LocalDateTime>map(found -> found.toLocalDateTime())
                .min(Comparator.comparing(it -> it, ChronoLocalDateTime::compareTo));
    }
}
