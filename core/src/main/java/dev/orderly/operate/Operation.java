package dev.orderly.operate;

import dev.orderly.access.Identity;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for: an operation of the table, and what it will do.
 *
 * @param <T> the result
 */
public record Operation<T>(OperationSpec spec, Preparation<T> preparation) {
    /** An operation on what only the server around the engine knows; the parameters are those of the change. */
    public static <T> Operation<T> of(OperationSpec spec, String object, @Nullable String before, Supplier<T> change,
            Function<? super T, @Nullable String> after) {
        return new Operation<>(spec, (_, _) -> new PreparedChange<>(object, before, change, after));
    }

    /** The first half of an operation: finds what is to be changed, and changes nothing yet. */
    @FunctionalInterface
    public interface Preparation<T> {
        /**
         * @param who makes the change
         * @throws OperationRefusedException if there is nothing to change
         */
        PreparedChange<T> of(Targets targets, Identity who);
    }
}
