package dev.orderly.bench.contender;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.bench.measure.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * transaction-outbox: tasks run at once where they are scheduled, on 50 threads behind a queue of its default size,
 * which blocks when it is full; one background thread flushes until nothing is left, then twice a second. Its own
 * choice of threads is one for each core but one, and its own flush one a minute.
 */
final class TransactionOutboxJobs implements Contender {
    private static final int THREADS = 50;
    private static final int QUEUE = 16_384;
    private static final Duration FLUSH_PAUSE = Duration.ofMillis(500);
    /** For tasks that are scheduled before the start, as if by a node that is gone: its default is two minutes. */
    private static final Duration DUE_AFTER = Duration.ofMillis(500);

    private final HikariDataSource pool;
    private final TransactionManager transactions;
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(THREADS, THREADS, 0, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE), TransactionOutboxJobs::putWhenFull);
    private final Thread flusher = Thread.ofPlatform().name("flush").unstarted(this::flush);
    private final TransactionOutbox running;
    private volatile TransactionOutbox pushing;
    private volatile Consumer<String> handler = _ -> {};

    /** What a task calls. */
    public interface Work {
        void run(String payload);
    }

    TransactionOutboxJobs(Database database) throws SQLException {
        // A connection for each thread, for the flusher and for callers.
        pool = database.freshPool(THREADS + 10);
        transactions = TransactionManager.fromDataSource(pool);
        Persistor persistor = Persistor.forDialect(Dialect.POSTGRESQL_9);
        Work work = payload -> handler.accept(payload);
        pushing = TransactionOutbox.builder().transactionManager(transactions).persistor(persistor)
                .submitter((_, _) -> {}).attemptFrequency(DUE_AFTER).build();
        running = TransactionOutbox.builder().transactionManager(transactions).persistor(persistor)
                .instantiator(Instantiator.using(_ -> work)).submitter(Submitter.withExecutor(executor)).build();
    }

    @Override
    public void push(String payload) {
        transactions.inTransaction(() -> pushing.schedule(Work.class).run(payload));
    }

    @Override
    public void pushAll(List<String> payloads) {
        transactions.inTransaction(() -> payloads.forEach(pushing.schedule(Work.class)::run));
    }

    @Override
    public void start(Consumer<String> by) {
        handler = by;
        pushing = running;
        flusher.start();
    }

    @Override
    public void close() {
        flusher.interrupt();
        executor.shutdown();
        try {
            if (!executor.awaitTermination(2, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        pool.close();
    }

    private void flush() {
        try {
            while (!executor.isShutdown()) {
                if (!running.flush()) {
                    Thread.currentThread().join(FLUSH_PAUSE);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void putWhenFull(Runnable task, ThreadPoolExecutor executor) {
        try {
            executor.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException(e);
        }
    }
}
