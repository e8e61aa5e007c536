package dev.orderly.springtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.springtest.shop.MailServer;
import dev.orderly.springtest.shop.Payments;
import dev.orderly.springtest.shop.Shop;
import dev.orderly.testkit.harness.OrderlyHarness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A handler with {@code inTransaction} in a slice of an application that has transactions. */
@OrderlyTest
@ContextConfiguration(classes = Shop.class)
@Import(InTransactionTest.Transactions.class)
class InTransactionTest {
    @MockitoBean
    MailServer server;

    @Autowired
    StandardQueue<String> payments;

    @Autowired
    Payments bookings;

    @Autowired
    OrderlyHarness harness;

    @Autowired
    PlatformTransactionManager manager;

    private final List<Integer> ends = new ArrayList<>();

    @TestConfiguration(proxyBeanMethods = false)
    static class Transactions {
        @Bean
        PlatformTransactionManager transactionManager() {
            return new TransactionsWithoutDatabase();
        }
    }

    @BeforeEach
    void begin() {
        bookings.booked.clear();
        bookings.then(this::observe);
    }

    private void observe() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                ends.add(status);
            }
        });
    }

    @Test
    void theHandlerRunsInATransactionThatCommitsBeforeItsJobIsDone() {
        JobId id = payments.push("ten");
        harness.drain();
        assertThat(bookings.booked).containsExactly("ten in a transaction");
        assertThat(ends).containsExactly(TransactionSynchronization.STATUS_COMMITTED);
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void anExceptionRollsBackAndTheAttemptHasFailed() {
        bookings.then(() -> {
            observe();
            if (bookings.booked.size() == 1) {
                throw new IllegalStateException("the bank is closed");
            }
        });
        JobId id = payments.push("ten");
        harness.drain();
        assertThat(ends).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
        harness.advance(Duration.ofMinutes(10));
        assertThat(ends).last().isEqualTo(TransactionSynchronization.STATUS_COMMITTED);
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
        assertThat(harness.job(id).failures()).isEqualTo(1);
    }

    @Test
    void aTransactionThatIsMarkedForRollbackFailsTheAttempt() {
        bookings.then(() -> {
            observe();
            new TransactionTemplate(manager).executeWithoutResult(TransactionStatus::setRollbackOnly);
        });
        JobId id = payments.push("ten");
        harness.drain();
        assertThat(ends).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
        assertThat(Objects.requireNonNull(harness.job(id).failure()).summary())
                .contains("marked its transaction for rollback");
    }
}
