package dev.orderly.web.room.page;

import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.web.page.Language;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** The visitor's line, if it is that of a tier, and what each tier gets; null without tiers. */
    static @Nullable String tiers(Language language, @Nullable String own, List<ShownLimits.Tier> tiers) {
        Stream<String> line = own == null ? Stream.of() : Stream.of(language.text("tierOwn").replace("{tier}", own));
        Stream<String> rules = tiers.stream().map(tier -> language.text("tierRule")
                .replace("{m}", language.number(tier.of())).replace("{n}", language.number(tier.number()))
                .replace("{tier}", tier.name()));
        String text = Stream.concat(line, rules).collect(Collectors.joining(" "));
        return text.isEmpty() ? null : text;
    }

    /** The moment of an opening, and from when on places are taken. */
    static String opens(Language language, ShownOpening opening) {
        String cancelled = opening.change().cancelled() == null
                ? ""
                : cancelled(language, opening.change().cancelled()) + " ";
        String opens = cancelled + language.text("opensText").replace("{time}", time(opening.opens()));
        return opening.lobby() == null
                ? opens
                : opens + " " + language.text("lobbyFrom").replace("{time}", time(opening.lobby()));
    }

    static String cancelled(Language language, ZonedDateTime time) {
        return language.text("cancelledText").replace("{time}", time(time));
    }

    /** For a page without the script that writes times in words: the time is unbroken, and from left to right. */
    static String onlyCancelled(Language language, ZonedDateTime time) {
        return language.text("cancelledText").replace("{time}",
                "\u2066" + time(time).replace('-', '\u2011') + "\u2069");
    }

    static @Nullable String instead(Language language, ShownOpening opening) {
        return opening.change().instead() == null
                ? null
                : language.text("insteadText").replace("{time}", time(opening.change().instead()));
    }

    static @Nullable String crowd(Language language, ShownOpening.@Nullable Crowd crowd) {
        return crowd == null
                ? null
                : language.text("crowdText").replace("{n}", language.number(crowd.waiting())).replace("{stock}",
                        language.number(crowd.stock()));
    }

    /** Hours, minutes and seconds. */
    static String clock(Duration span) {
        return String.format(Locale.ROOT, "%02d:%02d:%02d", span.toHours(), span.toMinutesPart(),
                span.toSecondsPart());
    }

    /**
     * A day and time with its zone, in a form that all languages read. The page's script writes it as its language
     * does: a runtime of our own has no such words.
     */
    private static String time(ZonedDateTime time) {
        return time.toLocalDate() + " " + time.toLocalTime().truncatedTo(ChronoUnit.MINUTES) + " (" + time.getZone()
                + ")";
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
