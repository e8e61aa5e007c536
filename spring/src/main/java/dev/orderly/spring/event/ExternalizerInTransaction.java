package dev.orderly.spring.event;

import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.modulith.events.core.ConditionalEventListener;

/** Pushes externalized events in the transaction that publishes them. */
public final class ExternalizerInTransaction
        implements
            ApplicationListener<PayloadApplicationEvent<?>>,
            ConditionalEventListener {
    private final ExternalizedEvents events;

    public ExternalizerInTransaction(ExternalizedEvents events) {
        this.events = events;
    }

    @Override
    public boolean supports(Object event) {
        return events.supports(event);
    }

    @Override
    public void onApplicationEvent(PayloadApplicationEvent<?> event) {
        if (supports(event.getPayload())) {
            events.push(event.getPayload());
        }
    }
}
