package dev.orderly.schedule;

import dev.orderly.job.DedupeKey;
import dev.orderly.text.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which a schedule is due, from a cron expression or plain words, in a time zone. In whole seconds.
 *
 * <p>Cron has five fields (minute, hour, day of the month, month, weekday) or six with the seconds first. Each is
 * {@code *}, a value, a range {@code 1-5}, a list {@code 1,15} or a step {@code *}{@code /10}; months and weekdays have
 * names too, Sunday is 0 and 7; {@code ?} is {@code *}. {@code L} is the last day of the month, {@code LW} its last
 * workday, {@code 15W} the workday nearest to the 15th, {@code MON#2} the second Monday, {@code 5L} the last Friday. If
 * both a day of the month and a weekday are restricted, a match of either is enough.
 *
 * <p>Words, in either case: {@code every second|minute|hour}, {@code every N seconds|minutes|hours}, {@code hourly},
 * {@code never}, and with or without {@code at HH:MM} (default: midnight) {@code daily}, {@code every day},
 * {@code weekdays}, {@code every weekday}, {@code weekly} and {@code every week} (on Monday), {@code monthly} and
 * {@code every month} (on the first), {@code every monday} and so on.
 *
 * <p>{@code every N …} with an N that divides the minute, hour or day is cron in words. With another N, and with
 * {@code from 2026-03-01 08:00} behind it, it is an interval: its instants are that far apart, whatever clocks do, from
 * that local time on, by default from the beginning of 1970 in UTC. With {@code after the end} behind it, an instant is
 * that long after the end of the run before, see {@link #countsFromEnd}.
 *
 * <p>When clocks change, a timing of every hour (its hour field matches all hours) follows elapsed time. Any other
 * timing follows local time: a time in the skipped hour is due once, at the first moment after it, and a time in the
 * repeated hour is due once, the first time.
 *
 * <p>A timing may have a {@link #withJitter jitter}: runs then begin up to that much after their instants.
 *
 * <p>A value: equal if text, zone and jitter are. Thread-safe.
 */
public final class Timing {
    private static final int MAX = 200;
    private static final String NEVER = "never";
    private static final Duration JITTER_MAX = Duration.ofDays(7);

    private final String text;
    private final ZoneId zone;
    private final @Nullable CronLine cron;
    private final @Nullable Interval interval;
    private final Duration jitter;

    private Timing(String text, ZoneId zone, @Nullable CronLine cron, @Nullable Interval interval, Duration jitter) {
        this.text = text;
        this.zone = zone;
        this.cron = cron;
        this.interval = interval;
        this.jitter = jitter;
    }

    /**
     * The timing {@code every N seconds|minutes|hours}, in UTC.
     *
     * @param interval in whole seconds, at least one
     */
    public static Timing every(Duration interval) {
        return parse(Interval.words(interval, false));
    }

    /**
     * The timing {@code every N seconds|minutes|hours after the end}, see {@link #countsFromEnd}.
     *
     * @param interval in whole seconds, at least one
     */
    public static Timing afterTheEnd(Duration interval) {
        return parse(Interval.words(interval, true));
    }

    /** As {@link #parse(String, ZoneId)}, in UTC. */
    public static Timing parse(String text) {
        return parse(text, ZoneId.of("UTC"));
    }

    /**
     * Parses cron fields or words.
     *
     * @param text at most 200 characters
     * @throws IllegalArgumentException naming the text, the fault, and examples
     */
    public static Timing parse(String text, ZoneId zone) {
        Objects.requireNonNull(zone, "zone");
        String clean = text.strip().replaceAll("\\s+", " ");
        if (clean.length() > MAX) {
            throw wrong(clean.substring(0, MAX / 4) + "...", "it is longer than " + MAX + " characters");
        }
        String words = clean.toLowerCase(Locale.ROOT);
        if (words.equals(NEVER)) {
            return new Timing(NEVER, zone, null, null, Duration.ZERO);
        }
        try {
            boolean isWords = !words.isEmpty() && Character.isLetter(words.charAt(0));
            return isWords ? ofWords(words, zone) : new Timing(clean, zone, CronLine.parse(clean), null, Duration.ZERO);
        } catch (IllegalArgumentException e) {
            throw wrong(clean, String.valueOf(e.getMessage()));
        }
    }

    private static Timing ofWords(String words, ZoneId zone) {
        Optional<String> fields = TimingWords.cron(words);
        if (fields.isPresent()) {
            return new Timing(words, zone, CronLine.parse(fields.get()), null, Duration.ZERO);
        }
        return Interval.parse(words, zone).map(interval -> new Timing(words, zone, null, interval, Duration.ZERO))
                .orElseThrow(() -> new IllegalArgumentException("these words are no known timing"));
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("\"" + text + "\" is not a timing (" + why + "): use five cron fields such"
                + " as \"0 7 * * *\", six with the seconds first, or words such as \"every 15 minutes\","
                + " \"every 7 minutes after the end\", \"daily at 07:30\", \"every monday at 10:00\" or \"never\"");
    }

    /** The text as written, with single spaces between words. */
    public String text() {
        return text;
    }

    public ZoneId zone() {
        return zone;
    }

    /**
     * The same timing with a jitter: each run begins between its instant and so much later, by an offset that depends
     * on the schedule's name and the instant only. So schedules of one instant spread, and each run has the same moment
     * on all nodes.
     *
     * @param value zero for none; at most 7 days, and below the shortest time between two instants
     * @throws IllegalArgumentException if it is negative, not in whole milliseconds, or too long
     */
    public Timing withJitter(Duration value) {
        Objects.requireNonNull(value, "value");
        if (value.isNegative() || value.compareTo(JITTER_MAX) > 0
                || !value.equals(value.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("A jitter of " + DurationText.of(value) + ": use zero to "
                    + DurationText.of(JITTER_MAX) + ", in whole milliseconds");
        }
        Duration shortest = shortest(Instant.EPOCH, value.plusMillis(1));
        if (value.compareTo(shortest) >= 0) {
            throw new IllegalArgumentException("A jitter of " + DurationText.of(value) + " of \"" + text
                    + "\", whose instants are " + DurationText.of(shortest) + " apart: use less than that");
        }
        return new Timing(text, zone, cron, interval, value);
    }

    /** The longest time by which a run begins after its instant; zero for none. */
    public Duration jitter() {
        return jitter;
    }

    /** The moment at which the run of an instant begins: the instant, and an offset within the jitter. */
    Instant startOf(ScheduleName schedule, Instant instant) {
        if (jitter.isZero()) {
            return instant;
        }
        DedupeKey hash = DedupeKey.of(schedule.value().getBytes(StandardCharsets.UTF_8),
                instant.toString().getBytes(StandardCharsets.UTF_8));
        return instant.plusMillis(Math.floorMod(hash.high(), jitter.toMillis() + 1));
    }

    /** The last instant after the first moment whose run begins at the second moment or before; empty for none. */
    Optional<Instant> latestStarted(ScheduleName schedule, Instant after, Instant until) {
        Optional<Instant> last = latest(after, until);
        return last.isEmpty() || !startOf(schedule, last.get()).isAfter(until)
                ? last
                : latest(after, until.minus(jitter)); // instants are further apart than the jitter
    }

    /**
     * The shortest time between two of the next 100 instants, at most {@code most}; this most for a timing that counts
     * from the end, since no instant waits for the run before.
     */
    Duration shortest(Instant from, Duration most) {
        int examined = countsFromEnd() ? 0 : 100;
        Duration shortest = most;
        Instant before = next(from).orElse(null);
        for (int n = 0; n < examined && before != null; n++) {
            Instant after = next(before).orElse(null);
            if (after != null) {
                Duration between = Duration.between(before, after);
                shortest = between.compareTo(shortest) < 0 ? between : shortest;
            }
            before = after;
        }
        return shortest;
    }

    /**
     * Whether instants depend on the runs: each is the interval after the end of the run before it, which was of an
     * instant or by hand. Such a timing has one next instant, and none while a run is under way.
     */
    public boolean countsFromEnd() {
        return interval != null && interval.origin() == null;
    }

    /**
     * The first instant strictly after this moment; empty for {@code never}, and for a date that never comes. For a
     * timing that {@link #countsFromEnd counts from the end}, the instant that follows a run which ended at this
     * moment.
     */
    public Optional<Instant> next(Instant after) {
        if (interval != null) {
            return Optional.of(interval.next(after));
        }
        Instant from = after.truncatedTo(ChronoUnit.SECONDS);
        return cron == null ? Optional.empty() : cron.everyHour() ? elapsed(cron, from) : onTheWall(cron, from);
    }

    /** The last instant after the first moment and not after the second; empty if there is none. */
    public Optional<Instant> latest(Instant after, Instant until) {
        Objects.requireNonNull(until, "until");
        Optional<Instant> first = next(after).filter(found -> !found.isAfter(until));
        if (first.isEmpty() || countsFromEnd()) {
            return first;
        }
        long before = after.getEpochSecond();
        long past = until.getEpochSecond();
        while (past - before > 1) {
            long middle = before + (past - before) / 2;
            if (next(Instant.ofEpochSecond(middle)).filter(found -> !found.isAfter(until)).isPresent()) {
                before = middle;
            } else {
                past = middle;
            }
        }
        return next(Instant.ofEpochSecond(before));
    }

    /** The first moment after this one at which local time matches, counting a repeated hour twice. */
    private Optional<Instant> elapsed(CronLine line, Instant after) {
        ZoneRules rules = zone.getRules();
        Instant from = after;
        ZoneOffset offset = rules.getOffset(from);
        LocalDateTime local = LocalDateTime.ofInstant(from, offset);
        while (true) {
            Optional<LocalDateTime> found = line.next(local);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Instant instant = found.get().toInstant(offset);
            ZoneOffsetTransition change = rules.nextTransition(from);
            if (change == null || instant.isBefore(change.getInstant())) {
                return Optional.of(instant);
            }
            from = change.getInstant();
            offset = change.getOffsetAfter();
            local = change.getDateTimeAfter().minusSeconds(1);
        }
    }

    /** The first moment after this one of a time that matches, counting each local time once. */
    private Optional<Instant> onTheWall(CronLine line, Instant after) {
        ZoneOffset offset = zone.getRules().getOffset(after);
        LocalDateTime local = LocalDateTime.ofInstant(after, offset);
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change != null && change.isOverlap() && offset.equals(change.getOffsetAfter())) {
            local = change.getDateTimeBefore().minusSeconds(1); // times in the repeated hour were due before
        }
        for (Optional<LocalDateTime> found = line.next(local); found.isPresent(); found = line.next(found.get())) {
            Instant instant = momentOf(found.get());
            if (instant.isAfter(after)) {
                return Optional.of(instant);
            }
        }
        return Optional.empty();
    }

    private Instant momentOf(LocalDateTime local) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change == null) {
            return local.toInstant(zone.getRules().getOffset(local));
        }
        return change.isGap() ? change.getInstant() : local.toInstant(change.getOffsetBefore());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Timing that && text.equals(that.text) && zone.equals(that.zone)
                && jitter.equals(that.jitter);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, zone, jitter);
    }

    /** Text and zone, and a jitter behind them: the form that stores keep. */
    @Override
    public String toString() {
        return text + " " + zone + (jitter.isZero() ? "" : " jitter " + jitter);
    }
}
