package dev.orderly.job;

import dev.orderly.user.UserId;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the key of a job is computed, once, at its push: as a param, the user, a value in a JSON payload, or a function
 * of the payload. Jobs of a queue with keys start in turns between the keys. A key has 1 to {@value #BYTES_MAX} bytes
 * in UTF-8 and no control characters; a push without one is refused. Immutable.
 *
 * {@snippet :
 * orderly.queue("exports", Export.class, options -> options.withKey(Export::tenant)
 *         .withPerKey(Limit.concurrency(2)));
 * }
 */
public final class KeyRule {
    /** The largest number of bytes of a key, in UTF-8. */
    public static final int BYTES_MAX = 256;

    private static final String PARAM = "params.";
    private static final String USER = "user";
    private static final String POINTER = "payload:";
    private static final Pattern POINTER_RULE = Pattern.compile("(/([^~/]|~[01])*)+");

    private final String text;
    private final @Nullable Function<Object, ?> value;

    private KeyRule(String text, @Nullable Function<Object, ?> value) {
        this.text = text;
        this.value = value;
    }

    /**
     * A rule as the configuration writes it: {@code params.NAME} for a param of the push, {@code user} for the user
     * that the job belongs to, or {@code payload:} with a JSON pointer (RFC 6901) to a text, number or boolean of the
     * payload, as in {@code payload:/customer/id}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static KeyRule parse(String rule) {
        Objects.requireNonNull(rule, "rule");
        boolean known = rule.equals(USER) || (rule.startsWith(PARAM) && rule.length() > PARAM.length())
                || (rule.startsWith(POINTER) && POINTER_RULE.matcher(rule.substring(POINTER.length())).matches());
        if (!known) {
            throw new IllegalArgumentException(
                    "\"" + rule + "\" is no rule for keys: use params.NAME, user, or payload:"
                            + " with a JSON pointer such as payload:/customer/id");
        }
        return new KeyRule(rule, null);
    }

    /**
     * A function of the payload. It is given the payload as a handler reads it, also of pushes over HTTP; it neither
     * blocks nor fails. The text of its result is the key, null is none.
     *
     * @param <T> the payload's type
     */
    @SuppressWarnings("unchecked")
    public static <T> KeyRule by(Function<? super T, ?> value) {
        Objects.requireNonNull(value, "value");
        return new KeyRule("a function of the payload", (Function<Object, ?>) value);
    }

    /** The name of the param that is the key; null for another rule. */
    public @Nullable String param() {
        return text.startsWith(PARAM) ? text.substring(PARAM.length()) : null;
    }

    /** The JSON pointer to the key in the payload; null for another rule. */
    public @Nullable String pointer() {
        return text.startsWith(POINTER) ? text.substring(POINTER.length()) : null;
    }

    /** Whether the {@link UserId} of the job is the key. */
    public boolean isUser() {
        return text.equals(USER);
    }

    /** The function of the payload that makes the key; null for another rule. */
    public @Nullable Function<Object, ?> function() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyRule rule && text.equals(rule.text) && Objects.equals(value, rule.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, value);
    }

    /** The rule for people: as the configuration writes it, or "a function of the payload". */
    @Override
    public String toString() {
        return text;
    }
}
