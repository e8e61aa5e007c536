package dev.orderly.store.copy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How far a copy has come, kept in its target.
 *
 * @param source name and identity of the source
 * @param moment the moment of the copy
 * @param step grows with every write
 * @param kind the kind under way; null when all are copied
 * @param after position of the next page; empty for the first one
 */
record CopyMark(String source, Instant moment, long step, @Nullable CopyKind kind, String after) {
    static CopyMark read(String text) {
        JsonNode json = JsonMapper.shared().readTree(text);
        String kind = json.path("kind").asString("");
        return new CopyMark(json.path("source").asString(""), Instant.ofEpochMilli(json.path("moment").longValue()),
                json.path("step").longValue(), kind.isEmpty() ? null : CopyKind.valueOf(kind),
                json.path("after").asString(""));
    }

    String write() {
        return JsonMapper.shared().createObjectNode().put("source", source).put("moment", moment.toEpochMilli())
                .put("step", step).put("kind", kind == null ? "" : kind.name()).put("after", after).toString();
    }

    CopyMark at(@Nullable CopyKind nextKind, String position) {
        return new CopyMark(source, moment, step + 1, nextKind, position);
    }
}
