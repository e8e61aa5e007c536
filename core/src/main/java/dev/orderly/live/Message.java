package dev.orderly.live;

import dev.orderly.text.Utf8;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One message, encoded once for all its receivers. At most {@link #MAX} bytes. The array is not copied: nobody may
 * change it after the message is made.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface Message {
    /** The maximum size of a message in bytes, in both directions. */
    int MAX = 64 << 10;

    byte[] bytes();

    /** A JSON document in UTF-8. */
    record Json(byte[] bytes) implements Message {
        public Json {
            check(bytes);
        }
    }

    /** Text in UTF-8. */
    record Text(byte[] bytes) implements Message {
        public Text {
            check(bytes);
        }
    }

    /** Arbitrary bytes. */
    record Bytes(byte[] bytes) implements Message {
        public Bytes {
            check(bytes);
        }
    }

    /**
     * Encodes a value: a string is text, a byte array is bytes, a message is itself, anything else becomes JSON. JSON
     * writes half a surrogate pair as an escape, so a string that may contain half a pair is sent inside a JSON value.
     *
     * @throws IllegalArgumentException if it is a string with half a surrogate pair, cannot be written as JSON, or is
     *   larger
     *   than {@link #MAX}
     */
    static Message of(Object value, JsonMapper json) {
        Objects.requireNonNull(json, "json");
        Objects.requireNonNull(value, "value");
        return switch (value) {
            case Message message -> message;
            case String text -> new Text(Utf8.encode("The live message", text));
            case byte[] bytes -> new Bytes(bytes.clone()); // the caller may change it before it is sent
            default -> {
                try {
                    yield new Json(json.writeValueAsBytes(value));
                } catch (JacksonException e) {
                    throw new IllegalArgumentException(
                            value.getClass().getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
                }
            }
        };
    }

    /** An error message of the server itself, for a person. */
    static Message error(String text) {
        Objects.requireNonNull(text, "text");
        return new Json(JsonMapper.shared()
                .writeValueAsBytes(JsonMapper.shared().createObjectNode().put("error", text)));
    }

    /** A text message of a client: JSON if it is one object or array, else text. */
    static Message ofText(byte[] utf8) {
        return isDocument(utf8) ? new Json(utf8) : new Text(utf8);
    }

    private static boolean isDocument(byte[] utf8) {
        int first = 0;
        while (first < utf8.length && utf8[first] <= ' ' && utf8[first] >= 0) {
            first++;
        }
        if (first == utf8.length || (utf8[first] != '{' && utf8[first] != '[')) {
            return false;
        }
        try {
            JsonNode node = JsonMapper.shared().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(utf8);
            return node.isContainer();
        } catch (JacksonException _) {
            return false;
        }
    }

    private static void check(byte[] bytes) {
        if (bytes.length > MAX) {
            throw new IllegalArgumentException(
                    "A live message of " + bytes.length + " bytes is too large: send at most "
                            + MAX + " bytes, such as the address of a larger document");
        }
    }
}
