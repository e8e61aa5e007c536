package dev.orderly.operate;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A change that is about to be made, in the words of the audit log.
 *
 * @param object the changed thing, such as {@code queue emails}
 * @param before the state before, without payloads and secrets; null if there was none
 * @param shown the state as forms show it, which the caller saw; null for a change that needs no look before
 * @param change makes it, or throws {@link OperationRefusedException}; what goes on after the answer reports its end to
 *     the argument, on any thread
 * @param after describes the state after it
 */
public record PreparedChange<T>(String object, @Nullable String before, @Nullable String shown,
        Function<Consumer<String>, T> change, Function<? super T, @Nullable String> after) {
    /** A change of what forms show in the same words as the audit log. */
    public PreparedChange(String object, @Nullable String before, Supplier<T> change,
            Function<? super T, @Nullable String> after) {
        this(object, before, before, _ -> change.get(), after);
    }

    /** The same of what forms show in other words. */
    PreparedChange<T> shown(@Nullable String words) {
        return new PreparedChange<>(object, before, words, change, after);
    }
}
