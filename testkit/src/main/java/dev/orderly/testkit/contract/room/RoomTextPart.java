package dev.orderly.testkit.contract.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.contract.input.SampleTexts;
import java.util.ArrayList;
import java.util.List;
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
            assertThat(trial().change(new RoomChange.Message(message)).message()).isEqualTo(message);
            assertThat(trial().state().message()).isEqualTo(message);
        }
        trial().crash();
        assertThat(trial().state().message()).isEqualTo(messages.getLast());
    }

    @Test
    default void roomsAreListedInTheOrderOfTheirNames() {
        List<RoomName> names = Stream.of("b", "a-b", "a_b", "ab", "a1", "a", "10", "9").map(RoomName::new).toList();
        names.forEach(name -> trial().rooms().change(name, new RoomChange.Mode(RoomMode.HOLD), trial().now()));
        assertThat(trial().rooms().rooms(trial().now()).stream().map(RoomState::room))
                .containsExactlyElementsOf(names.stream().sorted().toList());
    }
}
