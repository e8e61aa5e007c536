package dev.orderly.spring.transaction;

import dev.orderly.job.Job;
import dev.orderly.job.transaction.AmbientTransaction;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.spring.config.OrderlyProperties.Foreign;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of Spring on the calling thread, as far as it is one of the data source that holds the jobs.
 * Thread-safe.
 *
 * <p>As a listener of transaction managers it sees each transaction begin and end. The difference matters after the
 * commit: resources are still bound there, and work on them is lost or committed by chance, so a push in a callback
 * after the commit is a transaction of its own.
 */
public final class JoinedTransactions implements AmbientTransaction, TransactionExecutionListener {
    private final Own own;
    private final Foreign foreign;

    /** The data source of the jobs, if Spring's transactions can be on it. */
    private record Own(@Nullable DataSource key, Optional<CallersTransaction> joined) {}

    /** @param dataSource the data source of the jobs' database; null if the store shares none */
    public JoinedTransactions(@Nullable DataSource dataSource, Foreign foreign) {
        DataSource target = dataSource instanceof TransactionAwareDataSourceProxy proxy
                ? proxy.getTargetDataSource()
                : dataSource;
        this.own = target == null
                ? new Own(null, Optional.empty())
                : new Own(target, Optional.of(new CallersTransaction.OfDataSource(
                        new TransactionAwareDataSourceProxy(target))));
        this.foreign = foreign;
    }

    /** A transaction on this thread, from its begin to its end. */
    private final class Open implements TransactionSynchronization {
        final boolean ours;
        boolean committed;
        private final List<Runnable> afterCommit = new ArrayList<>();

        Open(boolean ours) {
            this.ours = ours;
            TransactionSynchronizationManager.bindResource(JoinedTransactions.this, this);
            TransactionSynchronizationManager.registerSynchronization(this);
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResourceIfPossible(JoinedTransactions.this);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(JoinedTransactions.this, this);
        }

        @Override
        public void afterCommit() {
            committed = true;
            afterCommit.forEach(Runnable::run);
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResourceIfPossible(JoinedTransactions.this);
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null && TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive()
                && !TransactionSynchronizationManager.hasResource(this)) {
            var _ = new Open(isBound());
        }
    }

    /** Whether the store shares a data source with the application, so that pushes can be part of its transactions. */
    public boolean canJoin() {
        return own.joined.isPresent();
    }

    /**
     * Completes a job in the transaction of this thread, if that is one of the data source that holds the jobs. A
     * transaction that only reads, or that is marked for rollback, cannot contain the end of a job; the job then ends
     * after the transaction.
     */
    public void complete(Job<?> job) {
        if (isOpen() && !TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                && !TransactionAspectSupport.currentTransactionStatus().isRollbackOnly()) {
            job.completeIn(bound());
        }
    }

    /** Whether the transaction of this thread, if any, is one that pushes are part of. */
    public boolean isOpen() {
        return isActive() && isOurs();
    }

    /**
     * @throws IllegalStateException if the transaction of this thread is of another database, and such pushes are
     *     refused; or if it is read-only
     */
    @Override
    public Optional<CallersTransaction> current() {
        if (!isActive()) {
            return Optional.empty();
        }
        if (!isOurs()) {
            if (foreign == Foreign.REFUSE) {
                throw new IllegalStateException("A transaction is open on this thread, and the store of the jobs cannot"
                        + " be part of it: push after its commit, as @TransactionalEventListener does; or keep the jobs"
                        + " in the PostgreSQL database of this transaction; or set orderly.transactions.foreign:"
                        + " push-at-once, by which the job stays if the transaction is rolled back");
            }
            return Optional.empty();
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("The transaction of this thread is read-only, and a push is part of it:"
                    + " remove readOnly = true");
        }
        return own.joined;
    }

    @Override
    public void afterCommit(Runnable action) {
        if (isActive()) {
            Open open = open();
            (open == null ? new Open(isBound()) : open).afterCommit.add(action);
        }
    }

    /** Whether a transaction is open that has neither been committed nor rolled back. */
    private boolean isActive() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) { // as after the completion
            return false;
        }
        Open open = open();
        return open == null || !open.committed;
    }

    private boolean isOurs() {
        Open open = open();
        return open == null ? isBound() : open.ours;
    }

    private boolean isBound() {
        return own.key != null && TransactionSynchronizationManager.getResource(own.key) instanceof ConnectionHolder;
    }

    private @Nullable Open open() {
        return (Open) TransactionSynchronizationManager.getResource(this);
    }

    /** The data source as it is within a transaction of this thread. */
    DataSource bound() {
        return own.joined.map(transaction -> ((CallersTransaction.OfDataSource) transaction).dataSource())
                .orElseThrow();
    }
}
