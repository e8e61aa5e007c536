package dev.orderly.springtest;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions that change nothing, and whose callbacks are those of any other: a joined one is part of the outer one,
 * and a new one suspends it. Thread-safe.
 */
@SuppressWarnings("serial") // not serialized
final class TransactionsWithoutDatabase extends AbstractPlatformTransactionManager {
    /** A transaction of this thread. */
    private static final class Transaction {
        boolean rollbackOnly;
    }

    /** The view of one participant. */
    private final class Participant implements SmartTransactionObject {
        @Override
        public boolean isRollbackOnly() {
            return current().rollbackOnly;
        }
    }

    private Transaction current() {
        return (Transaction) Objects.requireNonNull(TransactionSynchronizationManager.getResource(this));
    }

    @Override
    protected Object doGetTransaction() {
        return new Participant();
    }

    @Override
    protected boolean isExistingTransaction(Object participant) {
        return TransactionSynchronizationManager.hasResource(this);
    }

    @Override
    protected void doBegin(Object participant, TransactionDefinition definition) {
        TransactionSynchronizationManager.bindResource(this, new Transaction());
    }

    @Override
    protected Object doSuspend(Object participant) {
        return TransactionSynchronizationManager.unbindResource(this);
    }

    @Override
    protected void doResume(@Nullable Object participant, Object suspended) {
        TransactionSynchronizationManager.bindResource(this, suspended);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        // nothing to store
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        // nothing to undo
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        current().rollbackOnly = true;
    }

    @Override
    protected void doCleanupAfterCompletion(Object participant) {
        TransactionSynchronizationManager.unbindResource(this);
    }
}
