package dev.orderly.room.gate;

import dev.orderly.Internal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** An answer that is known now, or later when the store has answered. */
@Internal(to = "dev.orderly")
public sealed interface Reply<T> {
    /** Known from memory. */
    record Now<T>(T value) implements Reply<T> {}

    /** @param value completes on a thread that must not block, and never exceptionally */
    record Later<T>(CompletionStage<T> value) implements Reply<T> {}

    /** The reply that follows from the value of this one. */
    default <U> Reply<U> then(Function<? super T, Reply<U>> next) {
        return switch (this) {
            case Now<T>(T value) -> next.apply(value);
            case Later<T>(CompletionStage<T> value) -> new Later<>(
                    value.thenCompose(known -> next.apply(known).stage()));
        };
    }

    /** This reply with another value. */
    default <U> Reply<U> map(Function<? super T, ? extends U> change) {
        return then(value -> new Now<>(change.apply(value)));
    }

    /** The value as a stage; complete if it is known now. */
    default CompletionStage<T> stage() {
        return switch (this) {
            case Now<T>(T value) -> CompletableFuture.completedStage(value);
            case Later<T>(CompletionStage<T> value) -> value;
        };
    }
}
