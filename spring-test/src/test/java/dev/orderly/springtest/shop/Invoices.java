package dev.orderly.springtest.shop;

import dev.orderly.springtest.shop.MailServer.Mail;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@Component
public class Invoices {
    private final MailServer server;

    Invoices(MailServer server) {
        this.server = server;
    }

    @ApplicationModuleListener
    void on(OrderPlaced event) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("outside a transaction");
        }
        server.send(new Mail(event.customer(), "Invoice " + event.order()));
    }
}
