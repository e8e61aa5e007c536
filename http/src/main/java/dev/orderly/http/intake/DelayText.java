package dev.orderly.http.intake;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** A delay in a short form, {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d}, or in ISO-8601. */
public final class DelayText {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    private DelayText() {}

    /**
     * Parses a delay.
     *
     * @throws IllegalArgumentException naming the value and the valid forms
     */
    public static Duration parse(String text) {
        var match = SHORT.matcher(text);
        if (match.matches()) {
            long number = Long.parseLong(match.group(1));
            return switch (match.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }
        try {
            Duration delay = Duration.parse(text);
            if (!delay.isNegative()) {
                return delay;
            }
        } catch (DateTimeParseException _) {
            // reported below, as a negative delay is
        }
        throw new IllegalArgumentException("\"" + (text.length() <= 50 ? text : text.substring(0, 50) + "...")
                + "\" is not a time: use a number and ms, s, m, h or d, such as 30s, or ISO-8601, such as PT30S");
    }
}
