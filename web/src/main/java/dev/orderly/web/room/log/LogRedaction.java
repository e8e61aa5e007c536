package dev.orderly.web.room.log;

import dev.orderly.Internal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * URLs and names of programs without secrets. A value is replaced if its name says that it is a secret, or if it looks
 * like a token: parts of a JWT, a long run of hexadecimal digits, or a long mixture of digits and letters.
 *
 * <p>Errs on the side of replacing. Not guaranteed: that a short secret below a harmless name, such as
 * {@code ?word=rosebud}, is found.
 */
@Internal(to = "dev.orderly")
public final class LogRedaction {
    static final String REDACTED = "[redacted]";

    private static final int TARGET_MAX = 2_048;
    private static final int OPAQUE_VALUE = 20;
    private static final int OPAQUE_SEGMENT = 32;
    private static final Pattern WORD_END = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");
    private static final Pattern JWT = Pattern.compile("eyJ[A-Za-z0-9_-]{5,}(\\.[A-Za-z0-9_-]*)*");
    private static final Pattern OPAQUE = Pattern.compile("[A-Za-z0-9_~+/=.%-]+");
    private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]{32,}");
    private static final Set<String> SECRET_WORDS = Set.of("auth", "authorization", "bearer", "code", "cookie",
            "credential", "credentials", "jwt", "key", "nonce", "otp", "pass", "pin", "pwd", "sid", "sig",
            "signature", "ticket");
    private static final String[] SECRET_PARTS = {"token", "secret", "passw", "passphrase", "apikey", "session",
            "signature"};

    private LogRedaction() {}

    /** Host, path and query without secrets, at most 2,048 characters. */
    public static String ofTarget(String host, String path, @Nullable String query) {
        StringBuilder target = new StringBuilder(host);
        String[] segments = cut(path).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            target.append(i == 0 ? "" : "/").append(segment(segments[i]));
        }
        if (query != null) {
            target.append('?').append(pairs(cut(query), "&"));
        }
        return cut(target.toString());
    }

    static String ofText(String text) {
        StringBuilder kept = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            kept.append(kept.isEmpty() ? "" : " ").append(isOpaque(word, OPAQUE_SEGMENT) ? REDACTED : word);
        }
        return JWT.matcher(kept).replaceAll(REDACTED);
    }

    private static String cut(String text) {
        return text.length() <= TARGET_MAX ? text : text.substring(0, TARGET_MAX);
    }

    /** A segment may have parameters of its own, such as {@code ;jsessionid=}. */
    private static String segment(String segment) {
        int semicolon = segment.indexOf(';');
        String name = semicolon < 0 ? segment : segment.substring(0, semicolon);
        String shown = isOpaque(name, OPAQUE_SEGMENT) || JWT.matcher(name).find() ? REDACTED : name;
        return semicolon < 0 ? shown : shown + ";" + pairs(segment.substring(semicolon + 1), ";");
    }

    private static String pairs(String text, String separator) {
        StringBuilder shown = new StringBuilder();
        for (String pair : text.split(separator, -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? "" : pair.substring(0, equals);
            String value = pair.substring(equals + 1);
            shown.append(shown.isEmpty() ? "" : separator);
            if (isOpaque(name, OPAQUE_VALUE) || JWT.matcher(pair).find()) {
                shown.append(REDACTED);
            } else if (isSecret(name) || isOpaque(value, OPAQUE_VALUE)) {
                shown.append(name).append(equals < 0 ? "" : "=").append(REDACTED);
            } else {
                shown.append(pair);
            }
        }
        return shown.toString();
    }

    private static boolean isSecret(String spelled) {
        String name = decoded(spelled);
        String lower = name.toLowerCase(Locale.ROOT);
        for (String part : SECRET_PARTS) {
            if (lower.contains(part)) {
                return true;
            }
        }
        for (String word : WORD_END.split(name, -1)) {
            if (SECRET_WORDS.contains(word.toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    private static String decoded(String spelled) {
        try {
            return spelled.indexOf('%') < 0 ? spelled : URLDecoder.decode(spelled, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return "secret"; // what cannot be read may be one
        }
    }

    /** Whether a text of at least this length mixes digits with letters of both cases, or is one hexadecimal number. */
    private static boolean isOpaque(String text, int least) {
        if (text.length() < least || !OPAQUE.matcher(text).matches()) {
            return false;
        }
        boolean mixed = text.chars().anyMatch(Character::isDigit) && text.chars().anyMatch(Character::isUpperCase)
                && text.chars().anyMatch(Character::isLowerCase);
        return mixed || HEX.matcher(text).matches();
    }
}
