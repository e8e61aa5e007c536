package dev.orderly.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class VisibleTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"x\u001b[2J|x\\u001b[2J", "x\u001b]0;a\u0007b|x\\u001b]0;a\\u0007b",
            "\u009b31m|\\u009b31m", "a\u202eb\u2066c\u200fd|a\\u202eb\\u2066c\\u200fd",
            "a\u2028b\u2029c\u0085d|a\\u2028b\\u2029c\\u0085d", "a\u200bb\u2060c\ufeffd|a\\u200bb\\u2060c\\ufeffd",
            "a\udb40\udc41b|a\\udb40\\udc41b", "a\ufe0f\udb40\udd00b|a\\ufe0f\\udb40\\udd00b",
            "a\u3164b|a\\u3164b", "a\u007fb|a\\u007fb",
            "Grüße, 東京 ١ 🙂 e\u0301 \\u0041|Grüße, 東京 ١ 🙂 e\u0301 \\u0041"})
    void whatHasNoShapeIsEscapedAndNothingElse(String text, String visible) {
        assertThat(VisibleText.of(text)).isEqualTo(visible);
        assertThat(VisibleText.lines(text)).isEqualTo(visible);
        assertThat(VisibleText.of(visible)).isEqualTo(visible);
        assertThat(VisibleText.isVisible(text)).isEqualTo(text.equals(visible));
    }

    @Test
    void aTextKeepsItsLinesOnlyWhereTheyAreExpected() {
        assertThat(VisibleText.of("a\n\tb\r\n")).isEqualTo("a\\u000a\\u0009b\\u000d\\u000a");
        assertThat(VisibleText.lines("a\n\tb\r\n")).isEqualTo("a\n\tb\\u000d\n");
    }

    /** Every character, so that none is forgotten: what is left has a shape, and JSON reads the escapes back. */
    @Test
    void noCharacterWithoutAShapeIsLeftAndAnEscapedDocumentIsTheSameDocument() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT).filter(character -> {
            String text = Character.toString(character);
            String visible = VisibleText.of(text);
            return visible.codePoints().anyMatch(VisibleTextTest::isHidden)
                    || (character >= ' ' && !visible.equals(text)
                            && !JsonMapper.shared().readTree("\"" + visible + "\"").stringValue().equals(text));
        }).mapToObj(Integer::toHexString)).isEmpty();
    }

    private static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
        };
    }

    @Test
    void halvesOfPairsAreEscapedAndPairsAreNot() {
        assertThat(VisibleText.of("\ud83d\ude42\ud83d \ude42")).isEqualTo("\ud83d\ude42\\ud83d \\ude42");
    }
}
