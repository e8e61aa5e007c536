package dev.orderly.store.sqlite.writer;

import dev.orderly.store.sqlite.state.WriterState;
import java.sql.SQLException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * One question to the writer: what its thread does, and how that goes with other requests.
 *
 * @param weight the jobs or visitors it is about, 1 or more
 * @param takeBack undoes an answer that no caller waits for any more
 * @param <T> the answer
 */
public record WriteRequest<T>(Kind kind, int weight, Work<T> work, BiConsumer<WriterState, T> takeBack) {
    /** How a request goes with others. */
    public enum Kind {
        /** Writes; shares its transaction with others. */
        SHARED,
        /** Writes, in a transaction of its own. */
        ALONE,
        /** Changes memory at most. */
        IN_MEMORY
    }

    /** A part of a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Writes rows; changes nothing in memory that outlives a rollback. May run again after one.
         *
         * @return the step after the commit, which must not fail: changes memory and gives the answer
         * @throws SQLException if the request cannot be done; the transaction is rolled back
         */
        Supplier<T> write(WriterState desk) throws SQLException;
    }

    /** A step outside of transactions, or one whose changes to memory are taken back by a rollback. */
    @FunctionalInterface
    public interface Step<T> {
        T answer(WriterState desk) throws SQLException;
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
        return desk -> {
            T answer = step.answer(desk);
            return () -> answer;
        };
    }
}
