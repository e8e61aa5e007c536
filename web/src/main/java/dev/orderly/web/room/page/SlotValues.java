package dev.orderly.web.room.page;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of one page, ready for output: escaped, in UTF-8. */
final class SlotValues {
    private static final byte[] NOTHING = new byte[0];

    private final Map<TemplateSlot, byte[]> values = new EnumMap<>(TemplateSlot.class);

    /** Sets a value, escaped for HTML element content and quoted attributes; an empty value is the same as null. */
    void put(TemplateSlot slot, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            String finished = slot == TemplateSlot.NOW ? value : escaped(value);
            values.put(slot, finished.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The slots that have a value, as a copy. */
    Set<TemplateSlot> present() {
        return EnumSet.copyOf(values.keySet());
    }

    byte[] get(TemplateSlot slot) {
        return values.getOrDefault(slot, NOTHING);
    }

    private static String escaped(String text) {
        int at = 0;
        while (at < text.length() && !special(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'",
                "&#39;");
    }

    private static boolean special(char c) {
        return c == '&' || c == '<' || c == '>' || c == '"' || c == '\'';
    }
}
