package dev.orderly.store.sqlite.writer;

import dev.orderly.store.sqlite.state.WriterState;
import java.sql.SQLException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A request to the writer: the work of its thread, and its relation to other requests.
 *
 * @param weight number of jobs or visitors in the request, 1 or more
 * @param takeBack undoes the request if its caller no longer waits for the answer
 * @param <T> the answer
 */
public record WriteRequest<T>(Kind kind, int weight, Work<T> work, BiConsumer<WriterState, T> takeBack) {
    /** The transaction of a request. */
    public enum Kind {
        /** Writes; shares a transaction with other requests. */
        SHARED,
        /** Writes, in its own transaction. */
        ALONE,
        /** Writes nothing; may change memory. */
        IN_MEMORY
    }

    /** A part of a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Writes rows; every change to memory is undone by a rollback. May run again after a rollback.
         *
         * @return the step after the commit, which changes memory and returns the answer; it must not fail
         * @throws SQLException if the request fails; the transaction is rolled back
         */
        Supplier<T> write(WriterState state) throws SQLException;
    }

    /** Work without a step after the commit: it writes nothing, or a rollback undoes its changes to memory. */
    @FunctionalInterface
    public interface Step<T> {
        T answer(WriterState state) throws SQLException;
    }

    public static <T> WriteRequest<T> shared(int weight, Work<T> work) {
        return new WriteRequest<>(Kind.SHARED, Math.max(1, weight), work, (_, _) -> {});
    }

    public static <T> WriteRequest<T> alone(Work<T> work) {
        return new WriteRequest<>(Kind.ALONE, 1, work, (_, _) -> {});
    }

    public static <T> WriteRequest<T> inMemory(int weight, Step<T> step) {
        return new WriteRequest<>(Kind.IN_MEMORY, Math.max(1, weight), work(step), (_, _) -> {});
    }

    public static <T> WriteRequest<T> inMemory(Step<T> step, BiConsumer<WriterState, T> takeBack) {
        return new WriteRequest<>(Kind.IN_MEMORY, 1, work(step), takeBack);
    }

    public static <T> Work<T> work(Step<T> step) {
        return state -> {
            T answer = step.answer(state);
            return () -> answer;
        };
    }
}
