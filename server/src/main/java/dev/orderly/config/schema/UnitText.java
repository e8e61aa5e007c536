package dev.orderly.config.schema;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and sizes in their written form: a whole number and its unit, {@code 5m} or {@code 256KiB}. */
public final class UnitText {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,15})([A-Za-z]{1,3})");
    private static final Pattern SHARE = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.[0-9]{1,6})?%");
    /** Units in ascending order; values in milliseconds. */
    private static final Map<String, Long> TIME = ordered("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d",
            86_400_000L);
    private static final Map<String, Long> SIZE = ordered("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    private UnitText() {}

    /** A time such as {@code 250ms}, {@code 30s}, {@code 5m}, {@code 6h} or {@code 14d}; empty for anything else. */
    public static Optional<Duration> duration(String text) {
        return amount(text, TIME).map(Duration::ofMillis);
    }

    /** A size in bytes such as {@code 100B}, {@code 256KiB} or {@code 1MiB}; empty for anything else. */
    static Optional<Long> size(String text) {
        return amount(text, SIZE);
    }

    /** A share such as {@code 1%} or {@code 0.5%}, 0 to 1; empty for anything else. */
    public static Optional<Double> share(String text) {
        return Optional.of(text).filter(SHARE.asMatchPredicate())
                .map(t -> Double.parseDouble(t.substring(0, t.length() - 1)) / 100).filter(share -> share <= 1);
    }

    /** The shortest text that {@link #share} reads as this value. */
    public static String shareText(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }

    /** The shortest text that {@link #duration} reads as this value; parts of a millisecond are dropped. */
    public static String text(Duration value) {
        return text(value.toMillis(), TIME);
    }

    /** The shortest text that {@link #size} reads as this value. */
    public static String sizeText(long bytes) {
        return text(bytes, SIZE);
    }

    private static Optional<Long> amount(String text, Map<String, Long> units) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        Long unit = units.get(form.group(2));
        long number = Long.parseLong(form.group(1));
        return unit == null || number > Long.MAX_VALUE / unit ? Optional.empty() : Optional.of(number * unit);
    }

    private static String text(long amount, Map<String, Long> units) {
        String best = amount + units.keySet().iterator().next();
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (amount != 0 && amount % unit.getValue() == 0) {
                best = amount / unit.getValue() + unit.getKey();
            }
        }
        return amount == 0 && units.containsKey("s") ? "0s" : best;
    }

    private static Map<String, Long> ordered(Object... pairs) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], (Long) pairs[i + 1]);
        }
        return map;
    }
}
