package dev.orderly.user;

import dev.orderly.text.StoredText;
import org.jspecify.annotations.Nullable;

/**
 * The id of an authenticated user: the {@code sub} of the user's token. Jobs carry only the id, as the user's profile
 * may change between a push and its run.
 *
 * @param value 1 to {@value #MAX} characters, no control characters, valid as {@link StoredText}
 */
public record UserId(String value) implements Comparable<UserId> {
    public static final int MAX = 256;

    /** @throws IllegalArgumentException naming the rule */
    public UserId {
        if (value.isEmpty() || value.length() > MAX || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("A user id has " + value.length()
                    + " characters or control characters among them: use 1 to " + MAX + " characters, no control ones");
        }
        StoredText.check("The user id", value);
    }

    /** The user of a column as {@link #column} writes it; null for null. */
    public static @Nullable UserId ofStored(@Nullable String column) {
        return column == null ? null : new UserId(column);
    }

    /** The column of a user; null for null. */
    public static @Nullable String column(@Nullable UserId user) {
        return user == null ? null : user.value;
    }

    @Override
    public int compareTo(UserId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
