package dev.orderly.web.room.page;

import dev.orderly.text.ChosenText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The view of one visitor at one moment.
 *
 * @param rule the limits in force, as shown to visitors with a place
 * @param message of the operator, plain text in the reader's language, at most {@value #MESSAGE_MAX} characters; null
 *     if there is none
 * @param refresh the interval at which a page without script, or without events, asks again; 1 s to 1 h, in whole
 *   seconds
 * @param move the address of the form that makes a link to the place for another device; null if there is none
 * @param invitation the address of the page that takes the code of an invitation; null if there is none
 */
public record PageView(PageState state, ShownLimits rule, @Nullable ChosenText message, Duration refresh,
        @Nullable String move, @Nullable String invitation) {
    /** The maximum length of a message, in characters. */
    public static final int MESSAGE_MAX = 1000;

    /** A page of a place that cannot be moved, in a room without invitations. */
    public PageView(PageState state, ShownLimits rule, @Nullable ChosenText message, Duration refresh) {
        this(state, rule, message, refresh, null, null);
    }

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public PageView {
        if (message != null && message.text().length() > MESSAGE_MAX) {
            throw new IllegalArgumentException(
                    "The message has " + message.text().length() + " characters: use at most "
                            + MESSAGE_MAX);
        }
        if (refresh.toSeconds() < 1 || refresh.toSeconds() > 3600) {
            throw new IllegalArgumentException("The page is to refresh after " + refresh + ": use 1 s to 1 h");
        }
    }
}
