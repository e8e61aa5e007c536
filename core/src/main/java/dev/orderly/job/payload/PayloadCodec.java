package dev.orderly.job.payload;

import dev.orderly.Internal;
import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts values to payloads and back. JSON by Jackson; forms and media types of readers through their fields; text
 * and bytes unchanged. Reads strictly, as {@link StrictReading} says. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class PayloadCodec {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final JsonMapper json;
    private final ObjectWriter whole;
    private final JsonMapper reading;
    private final JsonMapper refusing;
    private final List<PayloadReader> readers;

    public PayloadCodec(JsonMapper json, List<PayloadReader> readers) {
        Objects.requireNonNull(readers, "readers");
        this.json = json;
        this.whole = json.writer().with(SerializationFeature.FAIL_ON_EMPTY_BEANS);
        this.reading = StrictReading.of(json);
        this.refusing = reading.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
        this.readers = List.copyOf(readers);
    }

    /** @throws IllegalArgumentException if a kind is missing */
    public PayloadFormat format(PayloadTypes<?> types) {
        return new PayloadFormat(types, this);
    }

    /** @throws IllegalArgumentException if Jackson cannot write the value */
    public Payload encode(Object value) {
        Objects.requireNonNull(value, "value");
        return switch (value) {
            case Payload payload -> payload;
            case String text -> Payload.text(text);
            case byte[] bytes -> new Payload(Payload.BYTES, bytes.clone()); // the caller may change it after the push
            default -> json(Payload.JSON, value);
        };
    }

    /** @throws IllegalArgumentException if Jackson cannot write the value */
    Payload json(String contentType, Object value) {
        try {
            return new Payload(contentType, bytes(value));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    value.getClass().getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Fields that Jackson does not see would be lost in silence: it writes an object without properties as {}. */
    private byte[] bytes(Object value) {
        try {
            return whole.writeValueAsBytes(value);
        } catch (InvalidDefinitionException e) {
            byte[] written = json.writeValueAsBytes(value);
            Class<?> empty = e.getType() == null ? Object.class : e.getType().getRawClass();
            if (hasFields(empty)) {
                throw new IllegalArgumentException(value.getClass().getName() + " cannot be written as JSON: "
                        + empty.getName() + " has fields, and none that Jackson sees; make it a record, or give it"
                        + " getters or public fields", e);
            }
            return written;
        }
    }

    private static boolean hasFields(Class<?> type) {
        return type != Object.class && (Stream.of(type.getDeclaredFields())
                .anyMatch(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
                || (type.getSuperclass() != null && hasFields(type.getSuperclass())));
    }

    /** As {@link PayloadFormat#valueAt}. */
    Optional<String> valueAt(Payload payload, String pointer) {
        if (!isJson(mediaType(payload.contentType()))) {
            return Optional.empty();
        }
        try {
            JsonNode found = json.readTree(payload.bytes()).at(pointer);
            return found.isValueNode() && !found.isNull() ? Optional.of(found.asString()) : Optional.empty();
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    JavaType typeOf(Type type) {
        return reading.constructType(type);
    }

    /** As {@link PayloadFormat#decode}, after the kind is known. */
    Object decode(Payload payload, JavaType type, PayloadFormat format, PayloadChanges changes) {
        Object value;
        try {
            String mediaType = mediaType(payload.contentType());
            if (type.hasRawClass(String.class)) {
                value = text(payload, mediaType);
            } else if (isJson(mediaType)) {
                value = ofJson(payload, type, format, changes);
            } else {
                value = converted(content(payload, mediaType), type, format, changes);
            }
        } catch (JacksonException e) {
            throw refusal(payload, type, e);
        }
        if (value == null) {
            throw new Unprocessable("The payload is JSON null: push a value");
        }
        return value;
    }

    private Object ofJson(Payload payload, JavaType type, PayloadFormat format, PayloadChanges changes) {
        JsonMapper mapper = mapper(format);
        return format.changes().isEmpty() && changes.isEmpty()
                ? mapper.readValue(payload.bytes(), type)
                : changed(mapper.readTree(payload.bytes()), type, format, changes);
    }

    private Object converted(Object content, JavaType type, PayloadFormat format, PayloadChanges changes) {
        try {
            return format.changes().isEmpty() && changes.isEmpty()
                    ? mapper(format).convertValue(content, type)
                    : changed(mapper(format).valueToTree(content), type, format, changes);
        } catch (IllegalArgumentException e) {
            throw new UnreadablePayloadException(
                    "The payload cannot be read as " + type.toCanonical() + ": " + e.getMessage(),
                    e);
        }
    }

    private Object changed(JsonNode payload, JavaType type, PayloadFormat format, PayloadChanges changes) {
        JsonNode present;
        try {
            present = changes.apply(format.changes().apply(payload, json), json);
        } catch (RuntimeException e) { // code of the application
            throw new UnreadablePayloadException("The payload cannot be changed for " + type.toCanonical() + ": " + e,
                    e);
        }
        return mapper(format).treeToValue(present, type);
    }

    private JsonMapper mapper(PayloadFormat format) {
        return format.refusesUnknown() ? refusing : reading;
    }

    /** Whether another version may read the payload: not if it is no JSON at all. */
    private RuntimeException refusal(Payload payload, JavaType type, JacksonException e) {
        if (isJson(mediaType(payload.contentType())) && !isWellFormed(payload)) {
            return new Unprocessable("The payload (" + payload + ") is not JSON: " + e.getOriginalMessage(), e);
        }
        return new UnreadablePayloadException(
                "The payload (" + payload + ") cannot be read as " + type.toCanonical() + ": "
                        + e.getOriginalMessage() + at(e),
                e);
    }

    private static String at(JacksonException e) {
        String path = e.getPathReference();
        return path == null || path.isEmpty() || path.equals("UNKNOWN") ? "" : " (at " + path + ")";
    }

    private boolean isWellFormed(Payload payload) {
        try (JsonParser parser = json.createParser(payload.bytes())) {
            int tokens = 0;
            while (parser.nextToken() != null) {
                tokens++;
            }
            return tokens > 0;
        } catch (JacksonException _) {
            return false;
        }
    }

    /**
     * The content of a payload that is not JSON.
     *
     * @throws Unprocessable if it is malformed
     */
    private Object content(Payload payload, String mediaType) {
        try {
            if (mediaType.equals(FORM)) {
                return form(payload);
            }
            for (PayloadReader reader : readers) {
                if (reader.reads(mediaType)) {
                    return reader.read(payload);
                }
            }
            return mediaType.startsWith("text/") ? payload.asText(charset(payload)) : payload.bytes();
        } catch (IllegalArgumentException e) {
            throw new Unprocessable("The payload (" + payload + ") cannot be read: " + e.getMessage(), e);
        }
    }

    /** The value of a JSON string; any other content as its raw text. */
    private String text(Payload payload, String mediaType) {
        String raw;
        try {
            raw = payload.asText(charset(payload));
        } catch (IllegalArgumentException e) {
            throw new Unprocessable("The payload (" + payload + ") cannot be read: " + e.getMessage(), e);
        }
        boolean quoted = isJson(mediaType) && raw.stripLeading().startsWith("\"");
        return quoted ? json.readValue(raw, String.class) : raw;
    }

    static boolean isJson(String mediaType) {
        return mediaType.equals(Payload.JSON) || mediaType.endsWith("+json");
    }

    /** The media type without its parameters, in lower case. */
    static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    private static Charset charset(Payload payload) {
        for (String part : payload.contentType().split(";", -1)) {
            String parameter = part.strip();
            if (parameter.regionMatches(true, 0, "charset=", 0, 8)) {
                return Charset.forName(parameter.substring(8).replace("\"", ""));
            }
        }
        return StandardCharsets.UTF_8;
    }

    /** Fields in their order; a repeated field becomes a list. */
    private static Map<String, Object> form(Payload payload) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Charset charset = charset(payload);
        for (String pair : payload.asText(StandardCharsets.ISO_8859_1).split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), charset);
            String value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), charset);
            fields.merge(name, value, PayloadCodec::joined);
        }
        return fields;
    }

    private static Object joined(Object before, Object value) {
        List<Object> all = new ArrayList<>(before instanceof List<?> list ? list : List.of(before));
        all.add(value);
        return all;
    }
}
