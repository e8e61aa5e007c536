package dev.orderly.http.api;

import dev.orderly.http.intake.MediaType;
import dev.orderly.job.Failure;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Progress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Jobs as JSON. The sequence number is a string: it has 63 bits, and many readers keep 53 of a number. */
final class JobJson {
    private JobJson() {}

    /** With what is in payload and result. */
    static ObjectNode whole(JobView job) {
        return job(job, true);
    }

    /** Without content, for lists. */
    static ObjectNode brief(JobView job) {
        return job(job, false);
    }

    private static ObjectNode job(JobView job, boolean content) {
        ObjectNode json = JsonText.object().put("id", job.id().toString()).put("queue", job.queue().value())
                .put("group", job.group()).put("sequence", Long.toString(job.id().sequence()))
                .put("priority", job.priority().number()).put("state", job.state().text())
                .put("attempt", job.attempt()).put("failures", job.failures())
                .put("pushedAt", job.pushedAt().toString()).put("dueAt", text(job.dueAt()))
                .put("endedAt", text(job.endedAt())).put("user", job.user());
        ObjectNode params = json.putObject("params");
        job.params().forEach(params::put);
        json.set("payload", payload(job.payload(), content));
        json.set("failure", failure(job.failure()));
        json.set("progress", progress(job.progress()));
        json.set("result", payload(job.result(), content));
        return json.put("reason", job.reason());
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static @Nullable ObjectNode failure(@Nullable Failure failure) {
        return failure == null
                ? null
                : JsonText.object().put("summary", failure.summary()).put("detail", failure.detail());
    }

    private static @Nullable ObjectNode progress(@Nullable Progress progress) {
        return progress == null
                ? null
                : JsonText.object().put("done", progress.done()).put("total", progress.total())
                        .put("text", progress.text());
    }

    private static @Nullable ObjectNode payload(@Nullable Payload payload, boolean content) {
        if (payload == null) {
            return null;
        }
        ObjectNode json = JsonText.object().put("contentType", payload.contentType()).put("size", payload.size());
        if (content) {
            content(json, payload);
        }
        return json;
    }

    /** As {@code json} or {@code text} if it is what its content type says, as {@code base64} otherwise. */
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

    /** One JSON value in UTF-8, so that it can stand inside another. */
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
