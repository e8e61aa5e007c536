package dev.orderly.http.user.job;

import dev.orderly.http.intake.MediaType;
import dev.orderly.job.JobProgress;
import dev.orderly.job.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** JSON of parts of a job, shared by all APIs that show jobs. */
public final class JobJsonParts {
    private JobJsonParts() {}

    /** The progress; null if the handler has reported none. */
    public static @Nullable ObjectNode progress(@Nullable JobProgress progress) {
        return progress == null
                ? null
                : JsonMapper.shared().createObjectNode().put("done", progress.done()).put("total", progress.total())
                        .put("text", progress.text());
    }

    /** @param content whether to include the content, not only its type and size */
    public static @Nullable ObjectNode payload(@Nullable Payload payload, boolean content) {
        if (payload == null) {
            return null;
        }
        ObjectNode json = JsonMapper.shared().createObjectNode().put("contentType", payload.contentType()).put("size",
                payload.size());
        if (content) {
            content(json, payload);
        }
        return json;
    }

    /** Content as {@code json} or {@code text} if it matches its content type, as {@code base64} otherwise. */
    private static void content(ObjectNode json, Payload payload) {
        MediaType type = typeOf(payload);
        if (type.isJson() && isJson(payload.bytes())) {
            json.putRawValue("json", new RawValue(payload.asText()));
            return;
        }
        boolean readable = type.isJson() || type.name().startsWith("text/")
                || type.name().equals("application/x-www-form-urlencoded");
        String text = readable ? text(payload.bytes(), type.charset()) : null;
        if (text != null) {
            json.put("text", text);
        } else {
            json.put("base64", payload.bytes());
        }
    }

    private static MediaType typeOf(Payload payload) {
        try {
            return MediaType.parse(payload.contentType());
        } catch (IllegalArgumentException _) {
            return MediaType.parse(Payload.BYTES);
        }
    }

    /** Whether the bytes are one JSON value in UTF-8, which can be embedded in another document. */
    private static boolean isJson(byte[] bytes) {
        String text = text(bytes, StandardCharsets.UTF_8);
        if (text == null) {
            return false;
        }
        try (JsonParser parser = JsonMapper.shared().createParser(text)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null;
        } catch (JacksonException _) {
            return false;
        }
    }

    private static @Nullable String text(byte[] bytes, Charset charset) {
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }
}
