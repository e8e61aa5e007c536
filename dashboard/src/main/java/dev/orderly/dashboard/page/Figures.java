package dev.orderly.dashboard.page;

import dev.orderly.text.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Figures as texts, the same on every page. Three digits are enough to act on; the exact value stands in the title of
 * its element.
 */
public final class Figures {
    /** The text for a value that is not known, or does not exist. */
    public static final String NONE = "–";

    private static final String NARROW_SPACE = " ";
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final long KIBI = 1024;

    private Figures() {}

    /** A count: all digits up to 9,999, then three digits with k, M or G. */
    public static String count(long value) {
        if (Math.abs(value) < 10_000) {
            return exact(value);
        }
        String[] units = {"", "k", "M", "G", "T", "P", "E"};
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(3));
        int unit = (rounded.precision() - rounded.scale() - 1) / 3;
        return rounded.movePointLeft(3 * unit).toPlainString() + NARROW_SPACE + units[unit];
    }

    /** All digits of a count, in groups of three. */
    public static String exact(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A rate with one decimal below ten, none above. */
    public static String rate(double perSecond) {
        return perSecond > 0 && perSecond < 10
                ? String.format(Locale.ROOT, "%.1f", perSecond)
                : count(Math.round(perSecond));
    }

    /** The two largest units of a duration: {@code 1 h 20 min}. A negative duration is zero. */
    public static String duration(@Nullable Duration value) {
        return value == null ? NONE : DurationText.rounded(value).replaceAll("(?<=\\d) ", NARROW_SPACE);
    }

    /** The time from a moment to now, or the other way round. */
    public static String between(@Nullable Instant one, Instant other) {
        return one == null ? NONE : duration(Duration.between(one, other).abs());
    }

    /** A share of a whole in percent, without decimals; 0 of nothing is 0 %. */
    public static String percent(double part, double whole) {
        return Math.round(whole <= 0 ? 0 : 100 * part / whole) + NARROW_SPACE + "%";
    }

    /** A size in bytes, in powers of 1,024. */
    public static String bytes(long value) {
        if (value < KIBI) {
            return value + NARROW_SPACE + "B";
        }
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double size = value;
        int unit = 0;
        while (size >= KIBI && unit < units.length - 1) {
            size /= KIBI;
            unit++;
        }
        return String.format(Locale.ROOT, size < 10 ? "%.1f" : "%.0f", size) + NARROW_SPACE + units[unit];
    }

    /** A count with its noun: {@code 1 job}, {@code 2 jobs}. */
    public static String of(long count, String noun) {
        return count(count) + " " + (count == 1 ? noun : noun + "s");
    }

    /** A moment in UTC, as a page without script shows it; script replaces it by the time of the viewer's zone. */
    public static String utc(Instant moment) {
        return UTC.format(moment);
    }
}
