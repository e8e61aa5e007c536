package dev.orderly.spring.event;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.transaction.event.TransactionalApplicationListener;

/**
 * The listener that Spring Modulith finds for publications of an adopted listener that were incomplete before it was
 * adopted: resubmitted, they become jobs. Hears of no event that is published.
 */
final class ResubmittedPublications
        implements
            TransactionalApplicationListener<ApplicationEvent>,
            GenericApplicationListener {
    private final AdoptedListener listener;
    private final Publications publications;

    ResubmittedPublications(AdoptedListener listener, Publications publications) {
        this.listener = listener;
        this.publications = publications;
    }

    @Override
    public String getListenerId() {
        return listener.listener();
    }

    @Override
    public void processEvent(ApplicationEvent event) {
        Object published = event instanceof PayloadApplicationEvent<?> payload ? payload.getPayload() : event;
        publications.push(published, listener.listener(), () -> listener.push(published));
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        // the other listener of this method has heard of it
    }

    @Override
    public void addCallback(SynchronizationCallback callback) {
        // nothing is synchronized
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        return false;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
