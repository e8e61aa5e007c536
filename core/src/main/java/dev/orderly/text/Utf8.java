package dev.orderly.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as bytes. Half a surrogate pair has no bytes: it is refused, where {@link String#getBytes} writes a {@code ?}. */
public final class Utf8 {
    private Utf8() {}

    /**
     * The bytes of a text; U+0000 may be in it.
     *
     * @param what it is, to begin a sentence with, such as {@code "The live message"}
     * @throws IllegalArgumentException naming what it is, the place and the rule, if it has half a surrogate pair
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
