package dev.orderly.http.webhook;

import dev.orderly.http.intake.MediaType;
import dev.orderly.job.JobFailure;
import dev.orderly.job.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The error of a worker, as the body of an answer or of a report says it.
 *
 * @param message one line, at most {@value #MESSAGE_MAX} characters: member {@code detail} or {@code title} of a
 *     problem (RFC 9457), {@code error} or {@code message} of another JSON object, or the first line of plain text;
 *     empty if there is none
 * @param text the body, if it is text, at most {@value JobFailure#DETAIL_MAX} characters; else its size and content
 *     type
 */
public record WorkerError(String message, String text) {
    static final int MESSAGE_MAX = 300;

    private static final List<String> MEMBERS = List.of("detail", "error", "message", "title", "reason");
    private static final WorkerError NONE = new WorkerError("", "");

    /**
     * The error in a body.
     *
     * @param contentType as sent; null for none, which counts as text
     * @param masked masks values of the job in a text
     */
    public static WorkerError of(@Nullable String contentType, byte[] body, UnaryOperator<String> masked) {
        if (body.length == 0) {
            return NONE;
        }
        MediaType type = typeOf(contentType);
        String text = type == null || !isText(type) ? null : text(body, type);
        if (type == null || text == null) {
            return new WorkerError("", body.length + " bytes of " + contentType);
        }
        String message = type.isJson() ? ofJson(text) : type.name().equals("text/html") ? "" : text;
        return new WorkerError(line(masked.apply(message)), cut(masked.apply(text), JobFailure.DETAIL_MAX));
    }

    private static @Nullable MediaType typeOf(@Nullable String contentType) {
        try {
            return MediaType.parse(contentType == null ? Payload.TEXT : contentType);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static boolean isText(MediaType type) {
        return type.isJson() || type.name().startsWith("text/") || type.name().endsWith("xml");
    }

    private static @Nullable String text(byte[] body, MediaType type) {
        try {
            return type.charset().newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }

    private static String ofJson(String text) {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(text);
        } catch (JacksonException _) {
            return text;
        }
        return json.isString() ? json.stringValue() : member(json);
    }

    /** The first member with a text; {@code error} may be an object with a message. */
    private static String member(JsonNode json) {
        for (String name : MEMBERS) {
            JsonNode member = json.path(name);
            if (member.isString() && !member.stringValue().isBlank()) {
                return member.stringValue();
            }
            if (member.isObject() && member.path("message").isString()) {
                return member.path("message").stringValue();
            }
        }
        return "";
    }

    private static String line(String text) {
        return cut(text.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse(""), MESSAGE_MAX);
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max - 3) + "...";
    }
}
