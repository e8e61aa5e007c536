package dev.orderly.http.message;

import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of clients read as text. What is not text in its character set is refused with 400: with a replacement in its place
 * two different texts would become one.
 */
public final class StrictText {
    private static final int CHUNK = 4_096;

    private StrictText() {}

    /**
     * The text of bytes.
     *
     * @param what they are, to begin a sentence with
     * @throws Refusal 400 if they are no text in this character set
     */
    public static String decode(String what, byte[] bytes, Charset charset) {
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw notText(what, charset);
        }
    }

    /** As {@link #decode}, for bytes whose text is read elsewhere. */
    public static void check(String what, byte[] bytes, Charset charset) {
        CharsetDecoder decoder = charset.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(Math.clamp(bytes.length, 1, CHUNK));
        CoderResult result;
        do {
            result = decoder.decode(in, out.clear(), true);
        } while (result.isOverflow());
        if (result.isError()) {
            throw notText(what, charset);
        }
    }

    /**
     * A name or value of a query or form, as HTML forms are encoded: percent signs, and {@code +} for a blank.
     *
     * @param what it is part of, to begin a sentence with, such as {@code "The query"}
     * @param malformed the kind of refusal if it is not percent-encoded
     * @throws Refusal if it is not percent-encoded, and 400 if what is encoded is no text in this character set
     */
    public static String formDecoded(String what, String encoded, Charset charset, ProblemType malformed) {
        boolean plain = true;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c <= ' ' || c > '~') {
                throw notText(what, charset);
            }
            plain &= c != '%' && c != '+';
        }
        return plain ? encoded : decode(what, octets(what, encoded, malformed), charset);
    }

    private static byte[] octets(String what, String encoded, ProblemType malformed) {
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c != '%') {
                bytes.put((byte) (c == '+' ? ' ' : c));
                continue;
            }
            int high = i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(encoded.charAt(i + 2), 16);
            if (low < 0) {
                throw new Refusal(malformed, what + " is not percent-encoded: encode % as %25");
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        byte[] exact = new byte[bytes.flip().remaining()];
        bytes.get(exact);
        return exact;
    }

    private static Refusal notText(String what, Charset charset) {
        String remedy = charset.equals(StandardCharsets.UTF_8)
                ? "encode the text in UTF-8"
                : "encode the text so, or in UTF-8";
        return new Refusal(ProblemType.BAD_REQUEST, what + " has bytes that are no text in " + charset + ": " + remedy
                + ", and percent-encode it where that is the rule");
    }
}
