package dev.orderly.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "e\u0301\u00e9", "\ud83c\udfab\uffff"})
    void wholeCharactersAreEncodedUnchanged(String text) {
        assertThat(Utf8.encode("The text", text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void halfASurrogatePairIsRefusedWithItsIndexAndTheRemedy() {
        for (String text : new String[]{"ab\ud83c", "ab\udfab", "ab\ud83cc", "ab\udfab\ud83c"}) {
            assertThatThrownBy(() -> Utf8.encode("The live message", text)).isInstanceOf(
                    IllegalArgumentException.class).hasMessage(
                            "The live message has half a surrogate pair at 3: use"
                                    + " whole Unicode characters, or send bytes");
        }
    }
}
