package dev.orderly.room;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a room that depend on the time of the day. An entry holds from its time until the time of the next entry,
 * at most until the end of the day; before the first entry of a day the room's own limits hold.
 *
 * <p>Times are those of a wall clock in one time zone. Where daylight saving time skips an entry's time, the entry
 * holds from the end of the gap; where an hour occurs twice, its entries occur twice.
 */
public final class LimitTimetable {
    /** A timetable without entries: the room's own limits always hold. */
    public static final LimitTimetable NONE = new LimitTimetable(ZoneId.of("UTC"), List.of());
    /** The greatest number of entries. */
    public static final int MOST = 200;

    private final ZoneId zone;
    private final List<Entry> entries;

    /**
     * The beginning of an entry, by the wall clock.
     *
     * @param day the only day on which the entry holds; null for each day
     */
    public record From(@Nullable LocalDate day, LocalTime time) {
        private static final Pattern FORM = Pattern.compile(
                "(?:(\\d{4}-\\d\\d-\\d\\d)[T ])?(\\d\\d:\\d\\d(?::\\d\\d)?)");

        public From {
            Objects.requireNonNull(time, "time");
        }

        /**
         * The form of the configuration: {@code 10:15}, or {@code 2027-03-01T10:15} for one day; with seconds or
         * without.
         *
         * @throws IllegalArgumentException for any other text
         */
        public static From parse(String text) {
            Matcher form = FORM.matcher(Objects.requireNonNull(text, "text"));
            try {
                if (form.matches()) {
                    return new From(form.group(1) == null ? null : LocalDate.parse(form.group(1)),
                            LocalTime.parse(form.group(2)));
                }
            } catch (DateTimeException _) {
                // no such time, such as 25:00
            }
            throw new IllegalArgumentException("\"" + text + "\" is no time: use a time such as 10:15, or a day with it"
                    + " such as 2027-03-01T10:15");
        }

        private boolean isOf(LocalDate date) {
            return day == null || day.equals(date);
        }

        /** The form of the configuration. */
        @Override
        public String toString() {
            return day == null ? time.toString() : day + "T" + time;
        }
    }

    /**
     * Limits from a time on.
     *
     * @param limits the capacity, the rate, or both; what is null stays as the room has it
     */
    public record Entry(From from, Limits limits) {
        /** @throws IllegalArgumentException if the entry has neither limit */
        public Entry {
            Objects.requireNonNull(from, "from");
            if (limits.equals(Limits.NONE)) {
                throw new IllegalArgumentException("The limits from " + from + " name neither capacity nor rate: name"
                        + " one, or remove the entry");
            }
        }

        private Limits over(Limits own) {
            return new Limits(limits.capacity() == null ? own.capacity() : limits.capacity(),
                    limits.rate() == null ? own.rate() : limits.rate());
        }
    }

    /**
     * A change of limits by the clock.
     *
     * @param at the moment of the change
     * @param limits the limits from then on
     */
    public record Change(Instant at, Limits limits) {
        public Change {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(limits, "limits");
        }
    }

    /**
     * @param zone the time zone of all entries
     * @param entries up to {@link #MOST}, in any order; an entry of one day takes precedence over an entry of each day
     *     at the same time
     * @throws IllegalArgumentException if two entries begin at the same time, or there are too many
     */
    public LimitTimetable(ZoneId zone, List<Entry> entries) {
        this.zone = Objects.requireNonNull(zone, "zone");
        this.entries = entries.stream()
                .sorted(Comparator.comparing((Entry entry) -> entry.from.time).thenComparing(entry -> entry.from.day,
                        Comparator.nullsFirst(Comparator.naturalOrder())))
                .toList();
        if (entries.size() > MOST) {
            throw new IllegalArgumentException("A timetable of " + entries.size() + " entries: use at most " + MOST);
        }
        Set<From> begun = new HashSet<>();
        this.entries.stream().map(Entry::from).filter(from -> !begun.add(from)).findFirst().ifPresent(from -> {
            throw new IllegalArgumentException("Two entries begin at " + from + ": remove one");
        });
    }

    public ZoneId zone() {
        return zone;
    }

    /** The entries by their times. */
    public List<Entry> entries() {
        return entries;
    }

    /**
     * The limits at a moment.
     *
     * @param own the room's own limits
     */
    public Limits at(Limits own, Instant now) {
        Objects.requireNonNull(own, "own");
        ZonedDateTime local = Objects.requireNonNull(now, "now").atZone(zone);
        return entries.stream()
                .filter(entry -> entry.from.isOf(local.toLocalDate()) && !entry.from.time.isAfter(local.toLocalTime()))
                .reduce((_, later) -> later).map(entry -> entry.over(own)).orElse(own);
    }

    /**
     * The next change after a moment; empty if the limits stay as they are.
     *
     * @param own the room's own limits
     */
    public Optional<Change> next(Limits own, Instant now) {
        Limits before = at(own, now);
        LocalDate today = now.atZone(zone).toLocalDate();
        List<LocalDate> days = new ArrayList<>(List.of(today, today.plusDays(1)));
        for (Entry entry : entries) {
            LocalDate day = entry.from.day;
            if (day != null && !day.isBefore(today)) {
                days.add(day);
            }
        }
        return days.stream().flatMap(day -> Stream.concat(
                Stream.of(day.plusDays(1).atStartOfDay()),
                entries.stream().map(Entry::from).filter(from -> from.isOf(day))
                        .map(from -> LocalDateTime.of(day, from.time))))
                .map(time -> time.atZone(zone).toInstant()).filter(time -> time.isAfter(now)).sorted().distinct()
                .map(time -> new Change(time, at(own, time))).filter(change -> !change.limits.equals(before))
                .findFirst();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LimitTimetable table && zone.equals(table.zone) && entries.equals(table.entries);
    }

    @Override
    public int hashCode() {
        return Objects.hash(zone, entries);
    }

    @Override
    public String toString() {
        return entries + " " + zone;
    }
}
