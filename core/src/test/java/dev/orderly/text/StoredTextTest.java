package dev.orderly.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoredTextTest {
    private static final String TICKET = "\ud83c\udfab";
    private static final String HIGH = "\ud83c";
    private static final String LOW = "\udfab";

    /** All Unicode characters but U+0000. */
    private static String everything() {
        return IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .mapToObj(Character::toString).collect(Collectors.joining());
    }

    private static String[] broken() {
        return new String[]{"\0", "a\0", HIGH, LOW, LOW + HIGH, HIGH + TICKET, TICKET + LOW, "a" + HIGH + "b",
                HIGH + "\0" + LOW};
    }

    @Test
    void everyCharacterButU0000IsAcceptedAndUnchanged() {
        String all = everything();
        assertThat(StoredText.isWhole(all)).isTrue();
        assertThat(StoredText.flaw(all)).isEmpty();
        assertThatCode(() -> StoredText.check("The group", all)).doesNotThrowAnyException();
        assertThat(StoredText.repaired(all)).isSameAs(all);
        assertThat(StoredText.isWhole("")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("broken")
    void textThatBreaksTheRuleIsRefusedAndAcceptedOnceMended(String text) {
        assertThat(StoredText.isWhole(text)).isFalse();
        assertThat(StoredText.isWhole(StoredText.repaired(text))).isTrue();
        assertThat(StoredText.repaired(text)).hasSameSizeAs(text).contains("\ufffd");
    }

    @Test
    void theErrorNamesTheTextTheIndexAndTheRule() {
        assertThat(StoredText.flaw(TICKET + "a" + LOW)).isEqualTo("half a surrogate pair at 4");
        assertThat(StoredText.flaw(HIGH + TICKET)).isEqualTo("half a surrogate pair at 1");
        assertThat(StoredText.flaw(TICKET + "\0\0")).isEqualTo("U+0000 at 3");
        assertThatThrownBy(() -> StoredText.check("The group", "ab" + HIGH)).isInstanceOf(
                IllegalArgumentException.class).hasMessage(
                        "The group has half a surrogate pair at 3: "
                                + StoredText.RULE);
    }

    @Test
    void mendingChangesNothingElse() {
        assertThat(StoredText.repaired("a\0" + TICKET + HIGH + "e\u0301")).isEqualTo(
                "a\ufffd" + TICKET + "\ufffde\u0301");
    }

    @Test
    void aCutTextEndsInDotsAfterAWholeCharacter() {
        String tickets = TICKET.repeat(20);
        for (int max = 4; max < tickets.length(); max++) {
            String cut = StoredText.repaired(tickets, max);
            assertThat(cut).endsWith("...").doesNotContain("\ufffd");
            assertThat(cut.length()).isBetween(max - 1, max);
            assertThat(StoredText.isWhole(cut)).isTrue();
        }
        assertThat(StoredText.repaired(tickets, tickets.length())).isEqualTo(tickets);
        assertThat(StoredText.repaired("a\0bcd", 4)).isEqualTo("a...");
        assertThat(StoredText.repaired("\0abcd", 4)).isEqualTo("\ufffd...");
    }

    @Test
    void acceptedTextIsTextThatEncodersAcceptWithoutU0000() {
        Random random = new Random(11);
        char[] likely = {'a', '\0', '\ud800', '\udbff', '\udc00', '\udfff', '\uffff', '\ue000', '\u0301'};
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                text.append(likely[random.nextInt(likely.length)]);
            }
            boolean admitted = isEncodable(text) && text.indexOf("\0") < 0;
            assertThat(StoredText.isWhole(text.toString())).isEqualTo(admitted);
            assertThat(isEncodable(StoredText.repaired(text.toString()))).isTrue();
        }
    }

    private static boolean isEncodable(CharSequence text) {
        try {
            StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
