package dev.orderly.access;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of an access token: 1 to 64 letters, digits, {@code _}, {@code -}, {@code .} and {@code @}, starting with a
 * letter or digit. It is shown in lists and in the audit log, and is no secret.
 */
public record TokenName(String value) implements Comparable<TokenName> {
    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}");

    /** @throws IllegalArgumentException if the name breaks the rule; the message quotes both */
    public TokenName {
        Objects.requireNonNull(value, "value");
        if (!RULE.matcher(value).matches()) {
            throw new IllegalArgumentException("\"" + (value.length() <= 80 ? value : value.substring(0, 80) + "...")
                    + "\" is not the name of a token: use 1 to 64 letters, digits, '_', '-', '.' and '@', starting with"
                    + " a letter or digit");
        }
    }

    @Override
    public int compareTo(TokenName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
