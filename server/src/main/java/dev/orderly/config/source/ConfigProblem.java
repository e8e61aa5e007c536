package dev.orderly.config.source;

import dev.orderly.text.VisibleText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A problem of the configuration with its remedy. Safe to print: {@link #at} masks possible secrets.
 *
 * @param key its path, such as {@code queues.emails.timeout}; empty for the file as a whole
 * @param origin the place of the value; null where something is missing
 * @param value the given value; null where there is none
 * @param rule the violated rule
 * @param remedy how to satisfy the rule
 */
public record ConfigProblem(String key, @Nullable ValueOrigin origin, @Nullable String value, String rule,
        String remedy) {
    private static final Pattern USER_INFO = Pattern.compile("//[^/@\\s]*@");
    private static final Pattern QUERY = Pattern.compile("\\?.*", Pattern.DOTALL);
    private static final int SHOWN = 80;

    public static ConfigProblem at(String key, ValueOrigin origin, @Nullable String value, String rule, String remedy) {
        return new ConfigProblem(key, origin, value == null ? null : shown(value), rule, remedy);
    }

    public static ConfigProblem missing(String key, String rule, String remedy) {
        return new ConfigProblem(key, null, null, rule, remedy);
    }

    /** A value without user info and query of an address, in one line. */
    public static String masked(String value) {
        String masked = USER_INFO.matcher(value).replaceAll("//***@");
        if (masked.contains("://")) {
            masked = QUERY.matcher(masked).replaceAll("?***");
        }
        return VisibleText.of(masked);
    }

    /** A value in printable form: {@link #masked}, and of bounded length. */
    public static String shown(String value) {
        String line = masked(value);
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
    }

    @Override
    public String toString() {
        String what = value == null ? key : key.isEmpty() ? "\"" + value + "\"" : key + " = \"" + value + "\"";
        String where = origin == null ? "" : origin.toString();
        String head = where.isEmpty() || what.isEmpty() ? where + what : where + ": " + what;
        return (head.isEmpty() ? "" : head + "\n    ") + rule + "\n    " + remedy;
    }
}
