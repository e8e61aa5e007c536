package dev.orderly.http.intake;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A content type, as defined by RFC 9110 section 8.3.
 *
 * @param text as sent, 1 to {@value #MAX} printable ASCII characters
 * @param name type and subtype in lower case
 * @param charset the named charset, UTF-8 by default
 */
public record MediaType(String text, String name, Charset charset) {
    static final int MAX = 200;

    private static final String TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
    private static final String VALUE = "(?:" + TOKEN + "|\"(?:[^\"\\\\]|\\\\.)*\")";
    private static final Pattern WHOLE = Pattern.compile(
            "(" + TOKEN + "/" + TOKEN + ")((?:\\s*;\\s*(?:" + TOKEN + "=" + VALUE + ")?)*)");
    private static final Pattern PARAMETER = Pattern.compile(";\\s*(" + TOKEN + ")=(" + VALUE + ")");

    /** @throws IllegalArgumentException naming the fault */
    public static MediaType parse(String text) {
        if (text.length() > MAX || !text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException("The content type is not 1 to " + MAX + " printable ASCII characters");
        }
        var whole = WHOLE.matcher(text);
        if (!whole.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a content type");
        }
        return new MediaType(text, whole.group(1).toLowerCase(Locale.ROOT), charset(text));
    }

    /** Whether the content is one JSON text. */
    public boolean isJson() {
        return name.equals(ContentTypes.JSON) || (name.startsWith("application/") && name.endsWith("+json"));
    }

    /** The value of a parameter, without its quotes. */
    Optional<String> parameter(String wanted) {
        return parameter(text, wanted);
    }

    private static Charset charset(String text) {
        Optional<String> named = parameter(text, "charset");
        try {
            return named.map(Charset::forName).orElse(StandardCharsets.UTF_8);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException("Charset " + named.orElse("") + " is not supported here", e);
        }
    }

    private static Optional<String> parameter(String text, String wanted) {
        var parameter = PARAMETER.matcher(text);
        while (parameter.find()) {
            if (parameter.group(1).equalsIgnoreCase(wanted)) {
                String value = parameter.group(2);
                return Optional.of(value.startsWith("\"")
                        ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1")
                        : value);
            }
        }
        return Optional.empty();
    }
}
