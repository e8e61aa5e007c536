package dev.orderly.dashboard.job;

import dev.orderly.job.Payload;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Content as a page shows it: JSON with indents, the fields of a form, text, or bytes as hexadecimal digits.
 *
 * @param text the shown part
 * @param whole whether it is everything
 * @param readable whether the content is text, so that it can be edited
 */
public record PayloadText(String text, boolean whole, boolean readable) {
    /** The most characters of a page's content. */
    static final int SHOWN_MAX = 16_000;

    private static final int HEX_BYTES = 2_048;
    private static final int HEX_LINE = 16;

    static PayloadText of(Payload payload) {
        String type = payload.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        String text = text(payload.bytes());
        if (text == null) {
            int shown = Math.min(HEX_BYTES, payload.size());
            return new PayloadText(hex(Arrays.copyOf(payload.bytes(), shown)), shown == payload.size(), false);
        }
        String pretty = switch (type) {
            case Payload.JSON -> indented(text);
            case "application/x-www-form-urlencoded" -> fields(text);
            default -> type.endsWith("+json") ? indented(text) : text;
        };
        return pretty.length() <= SHOWN_MAX
                ? new PayloadText(pretty, true, true)
                : new PayloadText(pretty.substring(0, SHOWN_MAX), false, true);
    }

    private static @org.jspecify.annotations.Nullable String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            boolean control = text.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t');
            return control ? null : text;
        } catch (CharacterCodingException _) {
            return null;
        }
    }

    /** JSON with line breaks and indents outside of its strings; every token stays as it was written. */
    static String indented(String json) {
        StringBuilder out = new StringBuilder();
        int depth = 0;
        boolean string = false;
        for (int i = 0; i < json.length() && out.length() <= SHOWN_MAX; i++) {
            char c = json.charAt(i);
            if (string) {
                out.append(c);
                if (c == '\\' && i + 1 < json.length()) {
                    out.append(json.charAt(++i));
                }
                string = c != '"';
            } else if (!Character.isWhitespace(c)) {
                boolean closes = c == '}' || c == ']';
                boolean empty = closes && !out.isEmpty() && "{[".indexOf(out.charAt(out.length() - 1)) >= 0;
                depth -= closes ? 1 : 0;
                boolean opened = !out.isEmpty() && "{[,".indexOf(out.charAt(out.length() - 1)) >= 0;
                if ((opened || closes) && !empty) {
                    out.append('\n').repeat("  ", Math.clamp(depth, 0, 40));
                }
                out.append(c);
                if (c == ':') {
                    out.append(' ');
                }
                depth += c == '{' || c == '[' ? 1 : 0;
                string = c == '"';
            }
        }
        return out.toString();
    }

    private static String fields(String form) {
        List<String> lines = new ArrayList<>();
        for (String field : form.split("&", -1)) {
            String[] parts = field.split("=", 2);
            lines.add(decoded(parts[0]) + (parts.length == 1 ? "" : " = " + decoded(parts[1])));
        }
        return String.join("\n", lines);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return text;
        }
    }

    private static String hex(byte[] bytes) {
        HexFormat format = HexFormat.ofDelimiter(" ");
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < bytes.length; at += HEX_LINE) {
            byte[] line = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + HEX_LINE));
            out.append(String.format(Locale.ROOT, "%06x  %-47s  ", at, format.formatHex(line)));
            for (byte each : line) {
                out.append(each >= ' ' && each <= '~' ? (char) each : '.');
            }
            out.append('\n');
        }
        return out.toString();
    }
}
