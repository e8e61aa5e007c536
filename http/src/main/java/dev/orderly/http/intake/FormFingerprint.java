package dev.orderly.http.intake;

import dev.orderly.job.DedupeKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A hash of the fields and files of a multipart form, in their order. Clients draw a new boundary for each attempt, so
 * the bytes of a repeated form differ from the bytes of the first, and its fields do not.
 */
final class FormFingerprint {
    private FormFingerprint() {}

    /** @param fields as {@link MultipartReader} returns them */
    static DedupeKey of(Map<String, Object> fields) {
        List<byte[]> parts = new ArrayList<>();
        fields.forEach((name, value) -> {
            parts.add(bytes(name));
            add(parts, value);
        });
        return DedupeKey.of(parts.toArray(byte[][]::new));
    }

    private static void add(List<byte[]> parts, Object value) {
        switch (value) {
            case byte[] file -> parts.add(file);
            case List<?> values -> {
                parts.add(bytes("list " + values.size()));
                values.forEach(each -> add(parts, each));
            }
            case Map<?, ?> file -> {
                parts.add(bytes("file"));
                for (String name : List.of("filename", "contentType", "bytes")) {
                    add(parts, Objects.requireNonNull(file.get(name)));
                }
            }
            default -> {
                parts.add(bytes("field"));
                parts.add(bytes(value.toString()));
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
