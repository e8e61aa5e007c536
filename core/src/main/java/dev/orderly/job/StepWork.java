package dev.orderly.job;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** The work of a step of a job, see {@link Job#step(String, Class, Call)}: what a handler must not do twice. */
public final class StepWork {
    private StepWork() {}

    /**
     * Work with a value.
     *
     * @param <T> its value; null is kept too
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object, E extends Exception> {
        T run() throws E;
    }

    /**
     * Work without a value.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface Action<E extends Exception> {
        void run() throws E;
    }

    /**
     * Work with a value in a transaction of the store's database, see {@link Job#step(String, Class, TransactionCall)}.
     *
     * @param <T> its value; null is kept too
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface TransactionCall<T extends @Nullable Object, E extends Exception> {
        T run(Connection connection) throws E;
    }

    /**
     * Work without a value in such a transaction.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface TransactionAction<E extends Exception> {
        void run(Connection connection) throws E;
    }
}
