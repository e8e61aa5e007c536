package dev.orderly.spring.event.shop.billing;

import dev.orderly.Orderly;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.spring.event.shop.order.OrderChanged;
import dev.orderly.spring.event.shop.order.OrderPlaced;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@Component
public class Invoices {
    /** A call of the listener by a job. */
    public record Run(String event, JobId job) {}

    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
    private final Queue<OrderChanged> changes = new ConcurrentLinkedQueue<>();
    private final JdbcTemplate jdbc;

    private final Orderly orderly;
    private final Map<String, JobState> states = new ConcurrentHashMap<>();

    public Invoices(JdbcTemplate jdbc, Orderly orderly) {
        this.jdbc = jdbc;
        this.orderly = orderly;
    }

    public Queue<Run> runs() {
        return runs;
    }

    public Queue<OrderChanged> changes() {
        return changes;
    }

    /** The state of the job of each event right after the commit of this listener. */
    public Map<String, JobState> states() {
        return states;
    }

    @ApplicationModuleListener
    void on(OrderPlaced event) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("outside a transaction");
        }
        JobId job = Job.current().id();
        runs.add(new Run(event.id(), job));
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                states.put(event.id(), orderly.jobs().find(job).orElseThrow().state());
            }
        });
        jdbc.update("INSERT INTO invoice VALUES (?)", event.id());
        if (event.id().startsWith("fails") || (event.id().startsWith("stumbles") && Job.current().failures() == 0)) {
            throw new IllegalStateException("after the effect");
        }
    }

    @ApplicationModuleListener(id = "invoice-changes")
    void on(OrderChanged event) {
        changes.add(event);
    }

    @ApplicationModuleListener(readOnlyTransaction = true, condition = "#event.customer() == 'vip'")
    void greet(OrderPlaced event) {
        changes.add(new OrderChanged.Cancelled("greeted " + event.id()));
    }
}
