package dev.orderly.springtest.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.orderly.springtest.AutoConfigureOrderlyEvents;
import dev.orderly.springtest.OrderlyTest;
import dev.orderly.springtest.shop.MailServer.Mail;
import dev.orderly.testkit.harness.OrderlyHarness;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** Events in a slice. The first test is the example of docs/spring.md. */
@OrderlyTest
@AutoConfigureOrderlyEvents
class InvoicesTest {
    private static final OrderPlaced PLACED = new OrderPlaced("7", "ada@example.com");

    @MockitoBean
    MailServer server;
    @Autowired
    ApplicationEventPublisher events;
    @Autowired
    TransactionTemplate transaction;
    @Autowired
    OrderlyHarness harness;
    @Autowired
    Parcels parcels;
    @Autowired
    PlatformTransactionManager manager;

    @Test
    void anInvoiceIsSentForEachOrder() {
        transaction.executeWithoutResult(_ -> events.publishEvent(new OrderPlaced("7", "ada@example.com")));
        harness.drain();
        verify(server).send(new Mail("ada@example.com", "Invoice 7"));
    }

    @Test
    void anEventIsAJobThatIsTriedAgain() {
        doThrow(new IllegalStateException("busy")).doNothing().when(server).send(any());
        transaction.executeWithoutResult(_ -> {
            events.publishEvent(PLACED);
            assertThat(harness.pushed()).isEmpty();
        });
        assertThat(harness.pushed()).singleElement()
                .matches(job -> job.queue().value().equals("event.invoices.on.OrderPlaced"));
        harness.advance(Duration.ofMinutes(10));
        verify(server, times(2)).send(any());
    }

    @Test
    void aRolledBackEventIsNoJobWhoeverRollsItBack() {
        transaction.executeWithoutResult(status -> {
            events.publishEvent(PLACED);
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> transaction.executeWithoutResult(_ -> {
            events.publishEvent(PLACED);
            transaction.executeWithoutResult(joined -> joined.setRollbackOnly());
        })).isInstanceOf(UnexpectedRollbackException.class);
        assertThat(harness.pushed()).isEmpty();
    }

    @Test
    void anInnerTransactionCommitsItsEventByItself() {
        TransactionTemplate inner = new TransactionTemplate(manager);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        transaction.executeWithoutResult(status -> {
            inner.executeWithoutResult(_ -> events.publishEvent(PLACED));
            assertThat(harness.pushed()).hasSize(1);
            events.publishEvent(PLACED);
            status.setRollbackOnly();
        });
        assertThat(harness.pushed()).hasSize(1);
    }

    @Test
    void anExternalizedEventIsAJobOfItsQueue() {
        transaction.executeWithoutResult(_ -> events.publishEvent(new ParcelReady("ada", 3)));
        harness.drain();
        assertThat(parcels.shipped).containsExactly(3);
        assertThat(harness.pushed()).singleElement().matches(job -> "ada".equals(job.group()));
    }
}
