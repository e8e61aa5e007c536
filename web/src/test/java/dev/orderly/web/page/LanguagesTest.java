package dev.orderly.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts are complete in every language, and each visitor gets the best language. */
class LanguagesTest {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^}]*}");
    private static final Set<String> COUNTED = Languages.ENGLISH.keys().stream().filter(key -> key.contains("."))
            .map(key -> key.substring(0, key.indexOf('.'))).collect(Collectors.toCollection(TreeSet::new));

    @Test
    void seventeenLanguagesAreOffered() {
        assertThat(Languages.all()).extracting(Language::tag).containsExactly("en", "ar", "cs", "da", "de", "es", "fr",
                "it", "ja", "ko", "nl", "pl", "pt", "sv", "tr", "uk", "zh");
    }

    @ParameterizedTest
    @MethodSource("languages")
    void everyTextHasExactlyThePluralFormsOfItsLanguage(Language language) {
        Set<String> expected = new TreeSet<>();
        for (String key : Languages.ENGLISH.keys()) {
            if (!key.contains(".")) {
                expected.add(key);
            }
        }
        COUNTED.forEach(key -> language.plural().forms().forEach(form -> expected.add(key + "." + form)));

        assertThat(language.keys()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(language.keys()).allSatisfy(key -> assertThat(language.text(key)).isNotEmpty()
                .doesNotContain("<", "\""));
    }

    @ParameterizedTest
    @MethodSource("languages")
    void noPlaceholderIsMissingOrMisspelt(Language language) {
        for (String key : language.keys()) {
            int dot = key.indexOf('.');
            String english = Languages.ENGLISH.text(dot < 0 ? key : key.substring(0, dot) + ".other");
            Set<String> found = placeholders(language.text(key));
            if (isOneNumber(language, key)) {
                assertThat(placeholders(english)).as("%s of %s", key, language).containsAll(found);
            } else {
                assertThat(found).as("%s of %s", key, language).isEqualTo(placeholders(english));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void everyLanguageDefinesItsDirectionAndNumbers(Language language) {
        assertThat(language.text("dir")).isEqualTo(language.tag().equals("ar") ? "rtl" : "ltr");
        assertThat(language.text("group")).hasSize(1);
        assertThat(language.number(999)).isEqualTo("999");
        assertThat(language.number(1_234_567)).hasSize(9).containsPattern("1.234.567");
    }

    @Test
    void numbersAreGroupedByTheRulesOfTheLanguage() {
        assertThat(Languages.choose(List.of("en")).number(5318)).isEqualTo("5,318");
        assertThat(Languages.choose(List.of("de")).number(5318)).isEqualTo("5.318");
        assertThat(Languages.choose(List.of("fr")).number(5318)).isEqualTo("5\u202f318");
        assertThat(Languages.choose(List.of("es")).number(5318)).isEqualTo("5318");
        assertThat(Languages.choose(List.of("pl")).number(12_345)).isEqualTo("12\u00a0345");
    }

    @Test
    void thePreferredLanguageIsChosenAndOtherwiseEnglish() {
        assertThat(Languages.choose(List.of("pt-PT,pt;q=0.9")).tag()).isEqualTo("pt");
        assertThat(Languages.choose(List.of("xx")).tag()).isEqualTo("en");
    }

    static List<Language> languages() {
        return Languages.all();
    }

    /** Whether a form serves one number, which it may write in words; the number of people is shown as a number. */
    private static boolean isOneNumber(Language language, String key) {
        String form = key.substring(key.indexOf('.') + 1);
        return key.contains(".") && !key.startsWith("ahead.")
                && IntStream.range(0, 200).filter(n -> language.plural().form(n).equals(form)).count() == 1;
    }

    private static Set<String> placeholders(String text) {
        return PLACEHOLDER.matcher(text).results().map(found -> found.group()).collect(Collectors.toCollection(
                TreeSet::new));
    }
}
