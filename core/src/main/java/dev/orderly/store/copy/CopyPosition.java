package dev.orderly.store.copy;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** A position of {@link CopyPort#read}: the parts of the key of the last record, texts and whole numbers. */
public record CopyPosition(List<Object> parts) {
    /** The position before all records. */
    public static final CopyPosition START = new CopyPosition(List.of());

    public CopyPosition {
        parts = List.copyOf(parts);
    }

    public static CopyPosition behind(Object... parts) {
        return new CopyPosition(List.of(parts));
    }

    /** The position that {@link #toString} wrote. */
    public static CopyPosition of(String text) {
        if (text.isEmpty()) {
            return START;
        }
        List<Object> parts = new ArrayList<>();
        for (JsonNode each : JsonMapper.shared().readTree(text)) {
            parts.add(each.isString() ? each.stringValue() : (Object) each.longValue());
        }
        return new CopyPosition(parts);
    }

    /** A part that is a text; empty at the start. */
    public String text(int part) {
        return parts.isEmpty() ? "" : (String) parts.get(part);
    }

    /** A part that is a number; {@code first} at the start. */
    public long number(int part, long first) {
        return parts.isEmpty() ? first : ((Number) parts.get(part)).longValue();
    }

    @Override
    public String toString() {
        if (parts.isEmpty()) {
            return "";
        }
        ArrayNode array = JsonMapper.shared().createArrayNode();
        for (Object part : parts) {
            if (part instanceof String text) {
                array.add(text);
            } else {
                array.add(((Number) part).longValue());
            }
        }
        return array.toString();
    }
}
