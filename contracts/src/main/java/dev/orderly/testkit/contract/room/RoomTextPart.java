package dev.orderly.testkit.contract.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.contract.input.SampleTexts;
import dev.orderly.text.LocalizedText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Valid text is returned unchanged. */
public interface RoomTextPart extends RoomPart {
    int MESSAGE_MAX = 500;

    @Test
    default void everyMessageIsReturnedUnchanged() {
        List<String> messages = new ArrayList<>(SampleTexts.all(MESSAGE_MAX));
        messages.add(SampleTexts.longest(MESSAGE_MAX, 'x'));
        for (String message : messages) {
            LocalizedText text = LocalizedText.of(message);
            assertThat(trial().change(new RoomChange.Message(text)).message()).isEqualTo(text);
            assertThat(trial().state().message()).isEqualTo(text);
        }
        trial().crash();
        assertThat(trial().state().message()).isEqualTo(LocalizedText.of(messages.getLast()));
    }

    @Test
    default void aMessageKeepsTheTextOfEveryLanguage() {
        Map<String, String> texts = new HashMap<>(Map.of("en", "Back at \"nine\"", "de", "Um neun geht\u2019s weiter",
                "pt-BR", "\u001eVoltamos \u00e0s nove", "ar", "\u0646\u0639\u0648\u062f"));
        LocalizedText tagged = LocalizedText.of(texts);
        texts.put(LocalizedText.DEFAULT, "{\"en\": 9}");
        LocalizedText both = LocalizedText.of(texts);
        for (LocalizedText message : List.of(tagged, both, LocalizedText.of("\u001e{\"en\":\"9\"}"))) {
            assertThat(trial().change(new RoomChange.Message(message)).message()).isEqualTo(message);
            trial().crash();
            assertThat(trial().state().message()).isEqualTo(message);
        }
    }

    @Test
    default void roomsAreListedInTheOrderOfTheirNames() {
        List<RoomName> names = Stream.of("b", "a-b", "a_b", "ab", "a1", "a", "10", "9").map(RoomName::new).toList();
        names.forEach(name -> trial().rooms().change(name, new RoomChange.Mode(RoomMode.HOLD), trial().now()));
        assertThat(trial().rooms().rooms(trial().now()).stream().map(RoomState::room))
                .containsExactlyElementsOf(names.stream().sorted().toList());
    }
}
