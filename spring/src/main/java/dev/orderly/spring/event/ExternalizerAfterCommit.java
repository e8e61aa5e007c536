package dev.orderly.spring.event;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.modulith.events.core.ConditionalEventListener;
import org.springframework.transaction.event.TransactionalApplicationListenerAdapter;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Pushes externalized events right after the commit, where the store cannot be part of the transaction. Until then an
 * event is in the event publication registry, if the application has one.
 */
public final class ExternalizerAfterCommit extends TransactionalApplicationListenerAdapter<PayloadApplicationEvent<?>>
        implements
            ConditionalEventListener {
    private static final String ID = "dev.orderly.externalizer";

    private final ExternalizedEvents events;

    public ExternalizerAfterCommit(ExternalizedEvents events, BeanFactory beans) {
        Publications publications = new Publications(beans);
        super(event -> publications.push(event.getPayload(), ID, () -> events.push(event.getPayload())));
        this.events = events;
        setListenerId(ID);
    }

    @Override
    public boolean supports(Object event) {
        return events.supports(event);
    }

    @Override
    public void onApplicationEvent(PayloadApplicationEvent<?> event) {
        if (!supports(event.getPayload())) {
            return;
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive()) {
            super.onApplicationEvent(event);
        } else {
            processEvent(event);
        }
    }
}
