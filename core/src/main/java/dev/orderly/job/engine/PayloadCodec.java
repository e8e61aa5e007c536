package dev.orderly.job.engine;

import dev.orderly.job.Payload;
import dev.orderly.job.PayloadReader;
import dev.orderly.job.Unprocessable;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts values to payloads and back. JSON by Jackson; forms and media types of readers through their fields; text
 * and bytes unchanged.
 */
final class PayloadCodec {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final JsonMapper json;
    private final List<PayloadReader> readers;

    PayloadCodec(JsonMapper json, List<PayloadReader> readers) {
        this.json = json;
        this.readers = List.copyOf(readers);
    }

    /** @throws IllegalArgumentException if Jackson cannot write the value */
    Payload encode(Object value) {
        return switch (value) {
            case Payload payload -> payload;
            case String text -> Payload.text(text);
            case byte[] bytes -> new Payload(Payload.BYTES, bytes);
            default -> {
                try {
                    yield new Payload(Payload.JSON, json.writeValueAsBytes(value));
                } catch (JacksonException e) {
                    throw new IllegalArgumentException(
                            value.getClass().getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
                }
            }
        };
    }

    JavaType typeOf(java.lang.reflect.Type type) {
        return json.constructType(type);
    }

    /** @throws Unprocessable if the payload cannot be read as the type; the message says why */
    Object decode(Payload payload, JavaType type) {
        if (type.hasRawClass(Payload.class)) {
            return payload;
        }
        if (type.hasRawClass(byte[].class)) {
            return payload.bytes();
        }
        try {
            String mediaType = mediaType(payload.contentType());
            Object value = type.hasRawClass(String.class)
                    ? text(payload, mediaType)
                    : object(payload, mediaType, type);
            if (value == null) {
                throw new Unprocessable("The payload is JSON null: push a value");
            }
            return value;
        } catch (JacksonException e) {
            throw new Unprocessable("The payload (" + payload + ") cannot be read as " + type.toCanonical() + ": "
                    + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new Unprocessable("The payload (" + payload + ") cannot be read: " + e.getMessage(), e);
        }
    }

    private Object object(Payload payload, String mediaType, JavaType type) {
        if (isJson(mediaType)) {
            return json.readValue(payload.bytes(), type);
        }
        if (mediaType.equals(FORM)) {
            return json.convertValue(form(payload), type);
        }
        for (PayloadReader reader : readers) {
            if (reader.reads(mediaType)) {
                return json.convertValue(reader.read(payload), type);
            }
        }
        if (mediaType.startsWith("text/")) {
            return json.convertValue(payload.asText(charset(payload)), type);
        }
        return json.convertValue(payload.bytes(), type);
    }

    /** The value of a JSON string; any other content as its raw text. */
    private String text(Payload payload, String mediaType) {
        String raw = payload.asText(charset(payload));
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
