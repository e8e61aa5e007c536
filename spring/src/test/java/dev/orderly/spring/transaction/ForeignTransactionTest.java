package dev.orderly.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyTransactionAutoConfiguration;
import dev.orderly.testkit.MemoryStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Pushes inside a transaction that the store cannot be part of, as on a SQLite file. */
class ForeignTransactionTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class,
                    OrderlyTransactionAutoConfiguration.class))
            .withBean(Store.class, MemoryStore::new).withBean(OtherDatabase.class);

    /** Transactions of something else. */
    static class OtherDatabase extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return "transaction";
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Test
    void aPushInAnotherDatabasesTransactionIsRefusedWithTheRemediesAndTheirFirstOneWorks() {
        application.run(context -> {
            StandardQueue<String> queue = context.getBean(Orderly.class).queue("notes", String.class);
            TransactionTemplate template = new TransactionTemplate(context.getBean(OtherDatabase.class));
            Queue<JobId> after = new ConcurrentLinkedQueue<>();
            template.executeWithoutResult(_ -> {
                assertThatThrownBy(() -> queue.push("inside")).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("push after its commit").hasMessageContaining("push-at-once");
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        after.add(queue.push("after"));
                    }
                });
            });
            assertThat(after).hasSize(1);
            assertThat(context.getBean(Orderly.class).jobs().find(after.element())).isPresent();
        });
    }

    @Test
    void byTheSettingTheJobIsStoredAtOnceAndStaysAfterARollback() {
        application.withPropertyValues("orderly.transactions.foreign=push-at-once").run(context -> {
            StandardQueue<String> queue = context.getBean(Orderly.class).queue("notes", String.class);
            JobId id = new TransactionTemplate(context.getBean(OtherDatabase.class)).execute(status -> {
                status.setRollbackOnly();
                return queue.push("inside");
            });
            assertThat(context.getBean(Orderly.class).jobs().find(id)).isPresent();
        });
    }

    @Test
    void switchedOffEveryPushIsATransactionOfItsOwn() {
        application.withPropertyValues("orderly.transactions.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(JoinedTransactions.class);
            StandardQueue<String> queue = context.getBean(Orderly.class).queue("notes", String.class);
            JobId id = new TransactionTemplate(context.getBean(OtherDatabase.class)).execute(_ -> queue.push("in"));
            assertThat(context.getBean(Orderly.class).jobs().find(id)).isPresent();
        });
    }
}
