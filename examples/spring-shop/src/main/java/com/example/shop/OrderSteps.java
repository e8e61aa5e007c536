package com.example.shop;

import com.example.shop.StepView.State;
import dev.orderly.job.Job;
import dev.orderly.job.OnDead;
import dev.orderly.job.Unprocessable;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.JobHandler.Retry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Runs the steps of orders: those of one order one after the other, in the order in which they were pushed. */
@Component
class OrderSteps {
    /** Attempts until a step is a dead letter. */
    static final int ATTEMPTS = 3;
    /** The event that the staff sends for a large order: {@code true} or {@code false}. */
    static final String APPROVAL = "approval";
    private static final Duration APPROVED_WITHIN = Duration.ofDays(7);
    private static final Duration COMMIT = Duration.ofMillis(200);
    private static final int COMMITS = 20;

    private final Orders orders;
    private final Suppliers suppliers;

    OrderSteps(Orders orders, Suppliers suppliers) {
        this.orders = orders;
        this.suppliers = suppliers;
    }

    /** A step that fails is tried again. After the last attempt the order halts: nothing is sent that is not paid. */
    @JobHandler(value = "orders.fifo", timeout = "1m", onDead = OnDead.HALT,
            retry = @Retry(attempts = ATTEMPTS, base = "2s"))
    void run(OrderStep step, Job<?> job) throws Exception {
        Optional<Order> order = orders.find(step.order());
        if (order.isEmpty()) {
            awaitCommit(job);
            return;
        }
        if (step.step() == OrderStep.Step.PAY && order.get().product().isLarge() && !isApproved(step, job)) {
            return; // the job waits for the event; nothing is held but its group
        }
        Suppliers.Progress progress = (percent, note) -> report(step, job, State.RUNNING, percent, note);
        String key = job.stepKey("supplier");
        try {
            // a retry after this asks the supplier no second time
            String result = job.step("supplier", String.class, () -> switch (step.step()) {
                case RESERVE -> suppliers.reserve(key, order.get().product(), progress);
                case PAY -> suppliers.charge(key, order.get(), progress);
                case SHIP -> suppliers.ship(key, progress);
            });
            report(step, job, State.DONE, 100, result);
        } catch (Suppliers.Refused e) {
            boolean last = job.failures() + 1 >= ATTEMPTS;
            report(step, job, last ? State.STOPPED : State.REFUSED, 0, e.getMessage()
                    + (last ? " Our staff looks into it." : " We try again in a moment."));
            throw e;
        }
    }

    /** Whether the staff has approved the order; false while the job awaits the answer. */
    private boolean isApproved(OrderStep step, Job<?> job) {
        Optional<Boolean> answer = job.await(APPROVAL, Boolean.class, APPROVED_WITHIN);
        if (answer.isEmpty()) {
            report(step, job, State.AWAITING, 0, "Our staff looks at your order first.");
        } else if (!answer.get()) {
            report(step, job, State.STOPPED, 0, "Our staff does not take this order, and calls you.");
            throw new Unprocessable("The order was not approved");
        }
        return answer.isPresent();
    }

    /** Tells the staff (the dashboard), the table from which the page is made, and the customer's open pages. */
    private void report(OrderStep step, Job<?> job, State state, int percent, String note) {
        job.progress(percent, 100, note);
        orders.update(step.order(), new StepView(step.step(), state, percent, note));
        job.send(Map.of("order", step.order()));
    }

    /**
     * On the embedded store the job exists before its order is committed, and stays if the checkout is rolled back. On
     * PostgreSQL this never happens.
     */
    private static void awaitCommit(Job<?> job) {
        if (job.attempt() < COMMITS) {
            job.snooze(COMMIT);
        } else {
            job.discard("The checkout of this order was rolled back");
        }
    }
}
