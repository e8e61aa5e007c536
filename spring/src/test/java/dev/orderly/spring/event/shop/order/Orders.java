package dev.orderly.spring.event.shop.order;

import java.util.List;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders {
    private final ApplicationEventPublisher events;

    public Orders(ApplicationEventPublisher events) {
        this.events = events;
    }

    /** Publishes events in one transaction, and runs something before its end. */
    @Transactional
    public void publish(List<?> all, Runnable before) {
        all.forEach(events::publishEvent);
        before.run();
    }

    public void publishWithoutTransaction(Object event) {
        events.publishEvent(event);
    }
}
