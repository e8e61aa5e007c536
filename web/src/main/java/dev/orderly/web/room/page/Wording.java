package dev.orderly.web.room.page;

import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.web.page.Language;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sentences that contain numbers. The page's script uses the same words; a test compares them. */
final class Wording {
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;
    private static final long DAY = 86_400;
    /** The longest wait that is shown in minutes. */
    private static final long MINUTES_UP_TO = 90 * MINUTE;
    /** A longer wait is rounded outwards to five minutes, since the last digit would suggest a false precision. */
    private static final long EXACT_MINUTES = 20;

    private Wording() {}

    static String wait(Language language, @Nullable ShownWait estimate) {
        if (estimate == null) {
            return language.text("unknown");
        }
        long low = estimate.low().toSeconds();
        Duration end = estimate.high();
        if (low >= DAY) {
            return language.text("overDay");
        }
        if (end == null) {
            return language.text(low < HOUR ? "unknown" : "overHour");
        }
        long high = end.toSeconds();
        if (high < MINUTE) {
            return language.text("soon");
        }
        return high > MINUTES_UP_TO
                ? range(language, "hours", atLeastOne(low / HOUR), Math.ceilDiv(high, HOUR))
                : minutes(language, atLeastOne(low / MINUTE), Math.ceilDiv(high, MINUTE));
    }

    /** How well waits were estimated lately; null if that is unknown, or no range is shown. */
    static @Nullable String kept(Language language, @Nullable ShownWait estimate) {
        return estimate == null || estimate.kept() == null || estimate.high() == null
                ? null
                : language.text("kept").replace("{n}", language.number(estimate.kept()));
    }

    /** The people ahead, around a placeholder for their number. */
    static String ahead(Language language, PeopleAhead ahead) {
        String sentence = language.text("ahead", ahead.number());
        return ahead.isKnown() ? sentence : sentence.replace("{n}", language.text("atMost"));
    }

    static @Nullable String rate(Language language, ShownLimits.@Nullable Rate rate) {
        if (rate == null) {
            return null;
        }
        return rate.perMinute() >= 1
                ? language.counted("perMinute", rate.perMinute())
                : language.counted("perHour", Math.max(1, rate.perHour()));
    }

    static @Nullable String capacity(Language language, @Nullable Long capacity) {
        return capacity == null ? null : language.counted("capacity", capacity);
    }

    private static String minutes(Language language, long low, long high) {
        return high > EXACT_MINUTES
                ? range(language, "minutes", low < 10 ? low : low - low % 5, Math.ceilDiv(high, 5L) * 5)
                : range(language, "minutes", low, high);
    }

    private static String range(Language language, String key, long low, long high) {
        return low < high
                ? language.text(key + "Range", high).replace("{low}", language.number(low)).replace("{high}",
                        language.number(high))
                : language.counted(key, high);
    }

    private static long atLeastOne(long n) {
        return Math.max(1, n);
    }
}
