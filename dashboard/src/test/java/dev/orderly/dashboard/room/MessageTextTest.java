package dev.orderly.dashboard.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.operate.RoomControl;
import dev.orderly.text.LocalizedText;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageTextTest {
    @Test
    void aMessageInSeveralLanguagesIsEditedAsOneTextAndReadBack() {
        LocalizedText message = LocalizedText.of(Map.of("default", "Soon.\nReally.", "de", "Bald.", "pt-BR", "Logo."));
        assertThat(MessageText.of(message)).isEqualTo("Soon.\nReally.\n[de] Bald.\n[pt-BR] Logo.");
        assertThat(MessageText.parse(MessageText.of(message).replace("\n", "\r\n"))).isEqualTo(message);
        assertThat(RoomControl.words(message)).isEqualTo("Soon. Really. [de] Bald. [pt-BR] Logo.");
    }

    @Test
    void anEmptyTextIsNoMessageAndBracketsWithinALineAreText() {
        assertThat(MessageText.parse(" \r\n")).isNull();
        assertThat(MessageText.parse("see [a] below")).isEqualTo(LocalizedText.of("see [a] below"));
        assertThat(MessageText.parse("[de] Bald.")).isEqualTo(LocalizedText.of(Map.of("de", "Bald.")));
    }

    @Test
    void aLanguageWithoutATextOrWithTwoIsRefused() {
        for (String text : new String[]{"[de]", "[de] a\n[de] b", "[klingon-x] a"}) {
            assertThatThrownBy(() -> MessageText.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
