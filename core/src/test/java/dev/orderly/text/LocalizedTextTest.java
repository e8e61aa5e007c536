package dev.orderly.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalizedTextTest {
    private static final LocalizedText TEXT = LocalizedText.of(Map.of("default", "Back at 9", "de", "Um 9",
            "pt-BR", "Às 9", "zh-Hant", "九點", "fi", "Klo 9"));

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            de,          Um 9,      de
            de-AT,       Um 9,      de
            fr de,       Um 9,      de
            fi-FI fr,    Klo 9,     fi
            pt,          Às 9,      pt-BR
            pt-pt,       Às 9,      pt-BR
            zh-hant-tw,  九點,       zh-Hant
            zh,          九點,       zh-Hant
            fr,          Back at 9, -
            '',          Back at 9, -
            d,           Back at 9, -
            """)
    void aReaderGetsTheLanguageThenItsBaseThenAnotherVariantThenTheDefault(String wanted, String text,
            String language) {
        List<String> ranges = wanted.isEmpty()
                ? List.of()
                : List.of(wanted.toLowerCase(java.util.Locale.ROOT)
                        .split(" "));

        assertThat(TEXT.choose(ranges)).isEqualTo(new ChosenText(text, language));
    }

    @Test
    void withoutADefaultEnglishServesAllOthersAndWithoutEnglishTheFirst() {
        assertThat(LocalizedText.of(Map.of("de", "a", "en", "b")).choose(List.of("fr")).text()).isEqualTo("b");
        assertThat(LocalizedText.of(Map.of("fi", "c", "de", "a")).choose(List.of("fr")).text()).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xx", "english", "e", "de_DE", "de-", "-de", "123", "de DE", "und", "", "\0"})
    void anUnknownLanguageIsRefusedWithAnExample(String tag) {
        assertThatThrownBy(() -> LocalizedText.of(Map.of(tag, "a"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no known language: use a BCP 47 tag, such as de, en or pt-BR");
    }

    @Test
    void otherFaultsNameTheLanguageAndTheRule() {
        assertThatThrownBy(() -> LocalizedText.of(Map.of("de", " "))).hasMessageContaining("for de is empty");
        assertThatThrownBy(() -> LocalizedText.of(Map.of("de", "a\0"))).hasMessageContaining("for de has U+0000 at 2");
        assertThatThrownBy(() -> LocalizedText.of(Map.of("pt-br", "a", "pt-BR", "b")))
                .hasMessageContaining("pt-BR has two texts");
        assertThatThrownBy(() -> LocalizedText.of(Map.of())).hasMessageContaining("has no language");
        assertThatThrownBy(() -> LocalizedText.of(Map.of("de", "abc")).atMost("The message", 2))
                .hasMessage("The message for de has 3 characters: use at most 2");
        Map<String, String> many = IntStream.rangeClosed(0, LocalizedText.LANGUAGES_MAX).boxed()
                .collect(Collectors.toMap(n -> "de-" + (100 + n), _ -> "a"));
        assertThatThrownBy(() -> LocalizedText.of(many)).hasMessageContaining("has 41 languages: use at most 40");
    }

    @Test
    void theStoredFormIsReadAgain() {
        for (String plain : List.of("", "Back at noon", "{\"de\":\"x\"}", "\u001e", "\u001e{\"de\":\"x\"}",
                "\u001e{")) {
            assertThat(LocalizedText.ofStored(LocalizedText.of(plain).stored())).isEqualTo(LocalizedText.of(plain));
        }
        assertThat(LocalizedText.of("Back at noon").stored()).as("as earlier versions wrote it")
                .isEqualTo("Back at noon");
        assertThat(LocalizedText.ofStored(TEXT.stored())).isEqualTo(TEXT);
    }

    @Test
    void tagsHaveOneSpellingAndTextsOneOrder() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("default", "d");
        given.put("ZH-hant", "z");
        given.put("DE", "a");

        assertThat(LocalizedText.of(given).texts().keySet()).containsExactly("de", "zh-Hant", "default");
        assertThat(LocalizedText.of(given)).hasToString("de: a | zh-Hant: z | default: d");
    }
}
