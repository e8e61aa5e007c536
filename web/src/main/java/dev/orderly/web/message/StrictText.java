package dev.orderly.web.message;

import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Strict decoding of clients' bytes to text. Bytes that are not text in their character set are refused with 400: a
 * replacement character would make two different texts equal.
 */
public final class StrictText {
    private static final int CHUNK = 4_096;

    private StrictText() {}

    /**
     * Decodes bytes.
     *
     * @param subject name of the bytes, at the start of the error message
     * @throws ProblemException 400 if they are no text in this character set
     */
    public static String decode(String subject, byte[] bytes, Charset charset) {
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw notText(subject, charset);
        }
    }

    /** Checks bytes as {@link #decode} does, without keeping the text. */
    public static void check(String subject, byte[] bytes, Charset charset) {
        CharsetDecoder decoder = charset.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(Math.clamp(bytes.length, 1, CHUNK));
        CoderResult result;
        do {
            result = decoder.decode(in, out.clear(), true);
        } while (result.isOverflow());
        if (result.isError()) {
            throw notText(subject, charset);
        }
    }

    /**
     * Decodes a name or value of a query or form in the encoding of HTML forms: percent signs, and {@code +} for a
     * blank.
     *
     * @param subject the encoded whole, at the start of the error message, such as {@code "The query"}
     * @param malformed the kind of refusal if it is not percent-encoded
     * @throws ProblemException if it is not percent-encoded; 400 if the decoded bytes are no text in this character set
     */
    public static String formDecoded(String subject, String encoded, Charset charset, ProblemType malformed) {
        boolean plain = true;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c <= ' ' || c > '~') {
                throw notText(subject, charset);
            }
            plain &= c != '%' && c != '+';
        }
        return plain ? encoded : decode(subject, octets(subject, encoded, malformed), charset);
    }

    private static byte[] octets(String subject, String encoded, ProblemType malformed) {
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
                throw new ProblemException(malformed, subject + " is not percent-encoded: encode % as %25");
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        byte[] exact = new byte[bytes.flip().remaining()];
        bytes.get(exact);
        return exact;
    }

    private static ProblemException notText(String subject, Charset charset) {
        String remedy = charset.equals(StandardCharsets.UTF_8)
                ? "encode the text in UTF-8"
                : "encode the text so, or in UTF-8";
        return new ProblemException(ProblemType.BAD_REQUEST,
                subject + " has bytes that are no text in " + charset + ": "
                        + remedy + ", and percent-encode it where that is the rule");
    }
}
