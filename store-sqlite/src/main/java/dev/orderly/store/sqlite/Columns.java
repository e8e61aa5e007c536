package dev.orderly.store.sqlite;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.Payload;
import dev.orderly.job.Progress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** How values of the domain stand in columns. */
final class Columns {
    private static final int PROGRESS_PARTS = 3;

    private Columns() {}

    static @Nullable String params(Map<String, String> params) {
        return params.isEmpty() ? null : Json.MAPPER.writeValueAsString(params);
    }

    static Map<String, String> params(@Nullable String column) {
        return column == null ? Map.of() : Json.MAPPER.readValue(column, Json.PARAMS);
    }

    static @Nullable String contentType(Payload payload) {
        return payload.contentType().equals(Payload.JSON) ? null : payload.contentType();
    }

    static Payload payload(@Nullable String contentType, byte[] bytes) {
        return new Payload(contentType == null ? Payload.JSON : contentType, bytes);
    }

    static byte[] key(DedupeKey key) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(key.high()).putLong(key.low()).array();
    }

    static DedupeKey key(byte[] column) {
        ByteBuffer bytes = ByteBuffer.wrap(column);
        return new DedupeKey(bytes.getLong(), bytes.getLong());
    }

    static @Nullable String progress(@Nullable Progress progress) {
        return progress == null ? null : progress.done() + " " + progress.total() + " " + progress.text();
    }

    static @Nullable Progress progress(@Nullable String column) {
        if (column == null) {
            return null;
        }
        String[] parts = column.split(" ", PROGRESS_PARTS);
        return new Progress(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
    }

    /** Milliseconds, rounded up: what is due at a moment is not due before it. */
    static long millis(Instant moment) {
        long millis = moment.toEpochMilli();
        return Instant.ofEpochMilli(millis).isBefore(moment) ? millis + 1 : millis;
    }

    /** Apart, so that the mapper is made when the first job with params comes, not in front of the first job. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.shared();
        static final TypeReference<Map<String, String>> PARAMS = new TypeReference<>() {
        };
    }
}
