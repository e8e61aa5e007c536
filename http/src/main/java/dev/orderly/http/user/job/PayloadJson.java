package dev.orderly.http.user.job;

import dev.orderly.http.intake.MediaType;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.job.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/** The payload or result of a job: its content as {@code json}, {@code text} or {@code base64}, or none of them. */
@Doc(name = "Payload", value = "Lists omit the content.")
public record PayloadJson(String contentType, @Doc("Bytes.") int size,
        @Doc("The content, if it is JSON.") @OmitNull @Nullable RawValue json,
        @Doc("The content, if it is text in its declared charset.") @OmitNull @Nullable String text,
        @Doc(value = "Any other content.", facets = "contentEncoding: 'base64'") @OmitNull @Nullable String base64) {
    /** @param content whether to include the content, not only its type and size */
    public static @Nullable PayloadJson of(@Nullable Payload payload, boolean content) {
        if (payload == null) {
            return null;
        }
        if (!content) {
            return new PayloadJson(payload.contentType(), payload.size(), null, null, null);
        }
        MediaType type = typeOf(payload);
        if (type.isJson() && isJson(payload.bytes())) {
            return new PayloadJson(payload.contentType(), payload.size(), new RawValue(payload.asText()), null, null);
        }
        boolean readable = type.isJson() || type.name().startsWith("text/")
                || type.name().equals("application/x-www-form-urlencoded");
        String text = readable ? text(payload.bytes(), type.charset()) : null;
        return new PayloadJson(payload.contentType(), payload.size(), null, text,
                text == null ? Base64.getEncoder().encodeToString(payload.bytes()) : null);
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
