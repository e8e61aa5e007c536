package dev.orderly.web.room.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.page.Languages;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wording of waits and limits. */
class WordingTest {
    @ParameterizedTest
    @CsvSource({"0,59,less than a minute", "0,60,about 1 minute", "10,61,about 1 to 2 minutes", "180,300,about 3 to 5"
            + " minutes", "240,240,about 4 minutes", "480,1190,about 8 to 20 minutes",
            "730,1300,about 10 to 25 minutes",
            "3600,5400,about 60 to 90 minutes", "3700,5401,about 1 to 2 hours", "7200,7200,about 2 hours",
            "30000,200000,about 8 to 56 hours", "86400,90000,more than a day", "3600,,more than an hour",
            "100,,not known yet", "90000,,more than a day"})
    void aWaitIsARangeInMinutesOrHours(long low, Long high, String words) {
        ShownWait estimate = new ShownWait(Duration.ofSeconds(low), high == null ? null : Duration.ofSeconds(high));

        assertThat(Wording.wait(Languages.ENGLISH, estimate)).isEqualTo(words);
    }

    @Test
    void anUnknownWaitIsShownAsUnknown() {
        assertThat(Wording.wait(Languages.ENGLISH, null)).isEqualTo("not known yet");
    }

    @ParameterizedTest
    @CsvSource({"pl,60,około 1 minuty", "pl,120,około 2 minut", "uk,240,близько 4 хвилин", "cs,180,asi 3 minuty",
            "ar,180,نحو 3 دقائق", "ar,660,نحو 11 دقيقة", "ja,300,約 5 分", "fr,60,environ 1 minute"})
    void pluralsFollowTheLanguage(String language, long seconds, String words) {
        Duration wait = Duration.ofSeconds(seconds);

        assertThat(Wording.wait(Languages.choose(List.of(language)), new ShownWait(wait, wait))).isEqualTo(words);
    }

    @Test
    void limitsAreShownPerMinuteOrPerHour() {
        assertThat(rate(5, 15)).isEqualTo("Up to 20 visitors enter each minute.");
        assertThat(rate(1, 60)).isEqualTo("Up to 1 visitor enters each minute.");
        assertThat(rate(1, 120)).isEqualTo("Up to 30 visitors enter each hour.");
        assertThat(rate(1, 90_000)).isEqualTo("Up to 1 visitor enters each hour.");
        assertThat(Wording.capacity(Languages.ENGLISH, 2000L)).isEqualTo(
                "No more than 2,000 visitors are inside at a time.");
    }

    private static String rate(long visitors, long seconds) {
        return String
                .valueOf(Wording.rate(Languages.ENGLISH, new ShownLimits.Rate(visitors, Duration.ofSeconds(seconds))));
    }
}
