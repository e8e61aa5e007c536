package dev.orderly.about;

import org.jspecify.annotations.Nullable;

/**
 * A value of the configuration in force. Secrets are masked.
 *
 * @param key its path, such as {@code queues.emails.timeout}
 * @param value in the notation of the configuration; for a default that depends on other things its description
 * @param place where the source has it, such as {@code line 12}, a variable, or the identity behind a change; empty for
 *     a default
 * @param pending the value after a restart; null if the value stays
 */
public record ConfigValue(String key, String value, Source source, String place, @Nullable String pending) {
    /** Where a value comes from. */
    public enum Source {
        FILE, VARIABLE, OPTION, DEFAULT,
        /** An operator has changed it while the server runs. */
        OPERATOR
    }

    /** A value that stays after a restart. */
    public ConfigValue(String key, String value, Source source, String place) {
        this(key, value, source, place, null);
    }

    /** The value with another in place of it after a restart. */
    public ConfigValue withPending(String next) {
        return new ConfigValue(key, value, source, place, next);
    }
}
