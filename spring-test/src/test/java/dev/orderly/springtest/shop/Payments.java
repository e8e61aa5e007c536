package dev.orderly.springtest.shop;

import dev.orderly.spring.JobHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Books payments exactly once, on PostgreSQL. */
@Component
public class Payments {
    public final List<String> booked = new CopyOnWriteArrayList<>();
    private Runnable then = () -> {};

    /** Sets what happens after a booking, within its transaction if there is one. */
    public void then(Runnable next) {
        then = next;
    }

    @JobHandler(value = "payments", inTransaction = true)
    public void book(String payment) {
        booked.add(payment + (TransactionSynchronizationManager.isActualTransactionActive() ? " in" : " without")
                + " a transaction");
        then.run();
    }
}
