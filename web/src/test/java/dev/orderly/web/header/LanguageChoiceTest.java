package dev.orderly.web.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageChoiceTest {
    private static final LanguageChoice CHOICE = new LanguageChoice(
            List.of("en", "de", "fr", "pt-BR", "zh", "zh-Hant", "sr-Latn"));

    private static String best(String... headers) {
        return CHOICE.best(List.of(headers));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "de|de", "DE-at|de", "de-CH-1996, fr|de", "fr;q=0.8, de;q=0.9|de", "fr, de|fr", "de;q=0.5, fr;q=0.5|de",
            "pt-BR|pt-BR", "PT-br|pt-BR", "pt|pt-BR", "pt-PT|pt-BR", "zh-Hant-TW|zh-Hant", "zh-TW|zh", "zh|zh",
            "sr|sr-Latn", "sr-Cyrl|sr-Latn", "da, en-GB;q=0.8, en;q=0.7|en", "da, de;q=0.1|de",
            "en-US,en;q=0.9,de;q=0.8|en",
            "de-x-private|de", "zh-a-hant|zh", "*|en", "da, *;q=0.5|en", "de;q=0.5, *;q=0.9|en",
            "de;q=0, de-AT|en", "en;q=0, *|de", "en;q=0, de;q=0, *|fr", "en;q=0|en", "da|en", "e|en", "english|en",
            "d-e|en", "-|en", "de-|de", "-de|en", "de--at|de", "fr;q=0.1;q=0.9, de;q=0.5|fr", "de;q=oops, fr|fr"})
    void theBestLanguageIsChosen(String header, String language) {
        assertThat(best(header)).isEqualTo(language);
    }

    @Test
    void withoutAPreferenceTheAnswerIsEnglish() {
        assertThat(best()).isEqualTo("en");
        assertThat(best("", " ", ",")).isEqualTo("en");
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(best("fr;q=0.5", "de")).isEqualTo("de");
    }

    @Test
    void atMostFiftyRangesCount() {
        assertThat(best("da,".repeat(49) + "de")).isEqualTo("de");
        assertThat(best("da,".repeat(50) + "de")).isEqualTo("en");
        assertThat(best("de-" + "x".repeat(40) + ", fr")).isEqualTo("fr");
        assertThat(best("de-" + "x".repeat(100) + ", fr")).isEqualTo("fr");
        assertThat(best("-a".repeat(50_000))).isEqualTo("en");
    }

    @Test
    void theChoiceEqualsTheJdksForValidHeaders() {
        List<String> offered = List.of("en", "de", "fr", "es", "zh-Hant", "zh");
        LanguageChoice choice = new LanguageChoice(offered);
        List<String> ranges = List.of("en", "en-US", "de", "de-AT", "fr-CA-x-y", "es-419", "zh-Hant-HK", "zh", "da",
                "nl-BE");
        Random random = new Random(8);
        for (int i = 0; i < 5_000; i++) {
            List<String> parts = new ArrayList<>();
            for (int n = random.nextInt(5); n >= 0; n--) {
                parts.add(ranges.get(random.nextInt(ranges.size())) + ";q=0." + (1 + random.nextInt(9)));
            }
            String header = String.join(",", parts);
            List<Locale.LanguageRange> sorted = parts.stream().map(part -> part.split(";q=", -1))
                    .map(part -> new Locale.LanguageRange(part[0], Double.parseDouble(part[1])))
                    .sorted(Comparator.comparingDouble(Locale.LanguageRange::getWeight).reversed()).toList();
            String expected = Locale.lookupTag(sorted, offered);
            assertThat(choice.best(List.of(header))).as(header)
                    .isEqualToIgnoringCase(expected == null ? "en" : expected);
        }
    }

    @Test
    void junkNeverThrowsAndYieldsAnOfferedLanguage() {
        Junk junk = new Junk(7, List.of("de", "fr", "zh-", "pt-BR", ";q=0.5", "*", ", ", "-", "en;q=0"));
        for (int i = 0; i < 50_000; i++) {
            assertThat(best(junk.next(), junk.next())).isIn("en", "de", "fr", "pt-BR", "zh", "zh-Hant", "sr-Latn");
        }
    }

    @Test
    void theDefaultMustBeOffered() {
        assertThatThrownBy(() -> new LanguageChoice(List.of("de"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[de]").hasMessageContaining("\"en\"");
    }
}
