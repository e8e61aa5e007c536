package dev.orderly.store.sqlite;

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
record Request<T>(Kind kind, int weight, Work<T> work, BiConsumer<Desk, T> takeBack) {
    /** How a request goes with others. */
    enum Kind {
        /** Writes; shares its transaction with others. */
        SHARED,
        /** Writes, in a transaction of its own. */
        ALONE,
        /** Changes memory at most. */
        IN_MEMORY
    }

    /** A part of a transaction. */
    @FunctionalInterface
    interface Work<T> {
        /**
         * Writes rows; changes nothing in memory that outlives a rollback. May run again after one.
         *
         * @return the step after the commit, which must not fail: changes memory and gives the answer
         * @throws SQLException if the request cannot be done; the transaction is rolled back
         */
        Supplier<T> write(Desk desk) throws SQLException;
    }

    /** A step outside of transactions, or one whose changes to memory are taken back by a rollback. */
    @FunctionalInterface
    interface Step<T> {
        T answer(Desk desk) throws SQLException;
    }

    static <T> Request<T> shared(int weight, Work<T> work) {
        return new Request<>(Kind.SHARED, Math.max(1, weight), work, (_, _) -> {});
    }

    static <T> Request<T> alone(Work<T> work) {
        return new Request<>(Kind.ALONE, 1, work, (_, _) -> {});
    }

    static <T> Request<T> inMemory(int weight, Step<T> step) {
        return new Request<>(Kind.IN_MEMORY, Math.max(1, weight), work(step), (_, _) -> {});
    }

    static <T> Request<T> inMemory(Step<T> step, BiConsumer<Desk, T> takeBack) {
        return new Request<>(Kind.IN_MEMORY, 1, work(step), takeBack);
    }

    static <T> Work<T> work(Step<T> step) {
        return desk -> {
            T answer = step.answer(desk);
            return () -> answer;
        };
    }
}
