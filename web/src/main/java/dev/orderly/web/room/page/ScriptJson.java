package dev.orderly.web.room.page;

import org.jspecify.annotations.Nullable;

/**
 * Writes JSON that is safe inside a {@code <script>} element: it contains no {@code <} that could end the element,
 * which a library's defaults do not guarantee.
 */
final class ScriptJson {
    private ScriptJson() {}

    static StringBuilder name(StringBuilder out, String name) {
        if (out.charAt(out.length() - 1) != '{') {
            out.append(',');
        }
        return quote(out, name).append(':');
    }

    static void text(StringBuilder out, String name, @Nullable String value) {
        name(out, name);
        if (value == null) {
            out.append("null");
        } else {
            quote(out, value);
        }
    }

    private static StringBuilder quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
                out.append("\\u").append(String.format("%04x", (int) c));
            } else if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else {
                out.append(c);
            }
        }
        return out.append('"');
    }
}
