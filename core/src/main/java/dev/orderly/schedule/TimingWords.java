package dev.orderly.schedule;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates the plain words of {@link Timing} to cron fields. */
final class TimingWords {
    private static final Pattern STEP = Pattern.compile("every ([1-9][0-9]{0,3}) (second|minute|hour)s?");
    private static final Pattern DAYS = Pattern.compile("(.+?)(?: at ([0-9]{1,2}):([0-9]{2}))?");
    private static final Map<String, String> PLAIN = Map.of("every second", "* * * * * *", "every minute", "* * * * *",
            "every hour", "0 * * * *", "hourly", "0 * * * *");
    private static final Map<String, String> ON = Map.of("daily", "* * *", "every day", "* * *", "weekdays",
            "* * MON-FRI", "every weekday", "* * MON-FRI", "weekly", "* * MON", "every week", "* * MON", "monthly",
            "1 * *", "every month", "1 * *");
    private static final List<String> WEEK = List.of("monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
            "sunday");
    private static final int HOURS = 24;
    private static final int SIXTY = 60;

    private TimingWords() {}

    /**
     * Translates words to cron fields.
     *
     * @param words lower case, with single spaces
     * @return empty if no cron fields have the instants of these words
     * @throws IllegalArgumentException naming the fault, if only the time of day is wrong
     */
    static Optional<String> cron(String words) {
        String plain = PLAIN.get(words);
        if (plain != null) {
            return Optional.of(plain);
        }
        Matcher step = STEP.matcher(words);
        if (step.matches()) {
            return step(Integer.parseInt(step.group(1)), step.group(2));
        }
        Matcher days = DAYS.matcher(words);
        return days.matches() ? days(days) : Optional.empty();
    }

    /** Empty for a number that does not divide the next unit: no cron fields have its instants. */
    private static Optional<String> step(int every, String unit) {
        int whole = unit.equals("hour") ? HOURS : SIXTY;
        if (whole % every != 0) {
            return Optional.empty();
        }
        boolean once = every == whole;
        return Optional.of(switch (unit) {
            case "second" -> once ? "* * * * *" : "*/" + every + " * * * * *";
            case "minute" -> once ? "0 * * * *" : "*/" + every + " * * * *";
            default -> once ? "0 0 * * *" : every == 1 ? "0 * * * *" : "0 */" + every + " * * *";
        });
    }

    private static Optional<String> days(Matcher days) {
        String when = days.group(1);
        int day = when.startsWith("every ") ? WEEK.indexOf(when.substring("every ".length())) : -1;
        String on = day >= 0 ? "* * " + WEEK.get(day).substring(0, 3).toUpperCase(Locale.ROOT) : ON.get(when);
        if (on == null) {
            return Optional.empty();
        }
        int hour = days.group(2) == null ? 0 : Integer.parseInt(days.group(2));
        int minute = days.group(3) == null ? 0 : Integer.parseInt(days.group(3));
        if (hour >= HOURS || minute >= SIXTY) {
            throw new IllegalArgumentException(
                    "there is no " + days.group(2) + ":" + days.group(3) + " in a day: use 00:00 to 23:59");
        }
        return Optional.of(minute + " " + hour + " " + on);
    }
}
