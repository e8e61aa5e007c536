package dev.orderly.text;

import dev.orderly.Internal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as bytes. Half a surrogate pair is refused, whereas {@link String#getBytes} replaces it by {@code ?}. */
@Internal(to = "dev.orderly")
public final class Utf8 {
    private Utf8() {}

    /**
     * Encodes a text, which may contain U+0000.
     *
     * @param what the text's role, as the start of a sentence, such as {@code "The live message"}
     * @throws IllegalArgumentException naming the role, the index and the rule, if it has half a surrogate pair
     */
    public static byte[] encode(String what, String text) {
        CharBuffer characters = CharBuffer.wrap(text);
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(characters);
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(what + " has half a surrogate pair at " + (characters.position() + 1)
                    + ": use whole Unicode characters, or send bytes", e);
        }
    }
}
