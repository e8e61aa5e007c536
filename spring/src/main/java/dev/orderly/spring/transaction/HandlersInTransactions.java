package dev.orderly.spring.transaction;

import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.handler.HandlerMethod;
import dev.orderly.spring.handler.TransactionalHandlers;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs handlers in transactions of Spring, and completes their jobs in the same ones. */
public final class HandlersInTransactions implements TransactionalHandlers {
    private final BeanFactory beans;
    private final @Nullable JoinedTransactions transactions;

    /**
     * @param transactions those of the store's data source. Null for a store that takes part in no transaction, as in
     *     tests: a handler runs in a transaction of the application, or in none if there is no transaction manager, and
     *     its job is completed after the commit
     */
    public HandlersInTransactions(BeanFactory beans, @Nullable JoinedTransactions transactions) {
        this.beans = beans;
        this.transactions = transactions;
    }

    @Override
    public Handler<Object> inTransaction(HandlerMethod method, Handler<Object> handler) {
        JoinedTransactions joined = transactions;
        if (joined == null && !beans.getBeanProvider(PlatformTransactionManager.class).iterator().hasNext()) {
            return handler;
        }
        PlatformTransactionManager manager = manager(method);
        if (joined != null && !Boolean.TRUE.equals(new TransactionTemplate(manager).execute(_ -> joined.isOpen()))) {
            throw new StartRefusedException(
                    method.where() + " has inTransaction = true, and the transactions of its manager "
                            + manager.getClass().getSimpleName() + " are not on the data source that holds the jobs",
                    "Name the right one: @JobHandler(inTransaction = true, transactionManager = ...).");
        }
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName(method.where());
        return (payload, job) -> {
            TransactionStatus status = manager.getTransaction(definition);
            try {
                handler.handle(payload, job);
                complete(job, status);
            } catch (Throwable e) {
                rollback(manager, status, e);
                throw e;
            }
            manager.commit(status);
        };
    }

    @Override
    public boolean isPossible() {
        return transactions == null || transactions.canJoin();
    }

    private void complete(Job<?> job, TransactionStatus status) {
        if (status.isRollbackOnly()) {
            throw new IllegalStateException("The handler has marked its transaction for rollback, which would undo its"
                    + " work: the attempt has failed");
        }
        if (transactions != null) {
            job.completeIn(transactions.bound());
        }
    }

    private static void rollback(PlatformTransactionManager manager, TransactionStatus status, Throwable failure) {
        try {
            manager.rollback(status);
        } catch (TransactionException e) { // such as a lost connection, which ends the transaction too
            failure.addSuppressed(e);
        }
    }

    private PlatformTransactionManager manager(HandlerMethod method) {
        String name = method.annotation().transactionManager();
        try {
            return name.isEmpty()
                    ? beans.getBean(PlatformTransactionManager.class)
                    : beans.getBean(name, PlatformTransactionManager.class);
        } catch (BeansException e) {
            throw new StartRefusedException(
                    method.where() + " has inTransaction = true, and its transaction manager is not"
                            + " found: " + e.getMessage(),
                    "Name a bean: @JobHandler(inTransaction = true, transactionManager ="
                            + " ...).");
        }
    }
}
