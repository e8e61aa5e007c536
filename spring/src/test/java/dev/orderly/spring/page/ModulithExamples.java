package dev.orderly.spring.page;

import dev.orderly.job.FifoQueue;
import dev.orderly.spring.JobHandler;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The examples of docs/migrate/spring-modulith.md; {@link PageExamplesTest} compares them. Never instantiated. */
@SuppressWarnings({"ClassCanBeStatic", "unused"}) // as a reader sees them, each is a class of its own
abstract class ModulithExamples {
    abstract static class Repository<T> {
        abstract void save(T value);
    }

    abstract static class Ledger {
        abstract void write(String order);
    }

    record Order(String id, String customer) {}

    record OrderPlaced(String orderId, String customer) {}

    final Repository<Order> orders;
    final Ledger invoices;
    final ApplicationEventPublisher events;
    final IncompleteEventPublications publications;

    ModulithExamples(Repository<Order> orders, Ledger invoices, ApplicationEventPublisher events,
            IncompleteEventPublications publications) {
        this.orders = orders;
        this.invoices = invoices;
        this.events = events;
        this.publications = publications;
    }

    @Service
    class Orders {
        @Transactional
        public void place(Order order) {
            orders.save(order);
            events.publishEvent(new OrderPlaced(order.id(), order.customer()));
        }
    }

    @Component
    class Invoices {
        @ApplicationModuleListener
        void on(OrderPlaced event) {
            invoices.write(event.orderId());
        }
    }

    @Externalized("invoices.fifo::#{#this.customer()}")
    record OrderBilled(String orderId, String customer) {}

    @Component
    class Bookkeeping {
        @JobHandler(value = "invoices.fifo", inTransaction = true)
        void on(OrderBilled event) {
            invoices.write(event.orderId());
        }
    }

    @Service
    class Checkout {
        private final FifoQueue<OrderBilled> billed;

        Checkout(FifoQueue<OrderBilled> billed) {
            this.billed = billed;
        }

        @Transactional
        public void bill(Order order) {
            orders.save(order);
            billed.group(order.customer()).push(new OrderBilled(order.id(), order.customer()));
        }
    }

    void resubmit() {
        publications.resubmitIncompletePublications(publication -> publication.getEvent() instanceof OrderPlaced);
    }
}
