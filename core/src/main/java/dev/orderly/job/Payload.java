package dev.orderly.job;

import dev.orderly.text.StoredText;
import dev.orderly.text.Utf8;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes and their content type: the body of a job, or its result.
 *
 * <p>The array is not copied: callers must not change it afterwards.
 *
 * @param contentType a media type with its parameters, as pushed, such as {@code application/json}
 * @param bytes the body; never empty in a job
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode below compare the content
public record Payload(String contentType, byte[] bytes) {
    /** The content type of JSON, in which typed payloads are stored. */
    public static final String JSON = "application/json";
    /** The content type of a {@code String} payload. */
    public static final String TEXT = "text/plain; charset=utf-8";
    /** The content type of a {@code byte[]} payload. */
    public static final String BYTES = "application/octet-stream";

    private static final String WHAT = "The payload";

    public Payload {
        Objects.requireNonNull(bytes, "bytes");
        if (contentType.isBlank() || contentType.length() > 200) {
            throw new IllegalArgumentException("A content type has 1 to 200 characters, not " + contentType.length());
        }
        StoredText.check("The content type", contentType);
    }

    /** @throws IllegalArgumentException if the text has an unpaired surrogate, which UTF-8 cannot express */
    public static Payload json(String json) {
        Objects.requireNonNull(json, "json");
        return new Payload(JSON, Utf8.encode(WHAT, json));
    }

    /** @throws IllegalArgumentException if the text has an unpaired surrogate, which UTF-8 cannot express */
    public static Payload text(String text) {
        Objects.requireNonNull(text, "text");
        return new Payload(TEXT, Utf8.encode(WHAT, text));
    }

    /** The length of the body in bytes. */
    public int size() {
        return bytes.length;
    }

    /** The body read as UTF-8; bytes that are not UTF-8 become replacement characters. */
    public String asText() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The body read in the given character set; malformed bytes become replacement characters. */
    public String asText(Charset charset) {
        Objects.requireNonNull(charset, "charset");
        return new String(bytes, charset);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && contentType.equals(that.contentType)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(contentType, Arrays.hashCode(bytes));
    }

    @Override
    public String toString() {
        return contentType + ", " + bytes.length + " bytes";
    }
}
