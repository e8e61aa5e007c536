package dev.orderly.spring.event;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;

/**
 * The event publication registry of Spring Modulith, if the application has one. It carries an event from the commit to
 * its push where the push cannot be part of the transaction. Thread-safe.
 */
final class Publications {
    private final ObjectProvider<EventPublicationRegistry> registry;

    Publications(BeanFactory beans) {
        this.registry = beans.getBeanProvider(EventPublicationRegistry.class);
    }

    /**
     * Pushes an event and completes its publication; of a push that throws the publication has failed.
     *
     * @param listener id of the listener that the publication is for
     */
    void push(Object event, String listener, Runnable push) {
        PublicationTargetIdentifier target = PublicationTargetIdentifier.of(listener);
        try {
            push.run();
        } catch (RuntimeException e) {
            try {
                registry.ifAvailable(known -> known.markFailed(event, target));
            } catch (RuntimeException unmarked) {
                e.addSuppressed(unmarked);
            }
            throw e;
        }
        registry.ifAvailable(known -> known.markCompleted(event, target));
    }
}
