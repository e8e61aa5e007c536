package dev.orderly.boxoffice.shop;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.OnDead;
import dev.orderly.job.Queue;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where orders are taken: the shop's queues, and what the pages push into them. Thread-safe. */
public final class Counter {
    /** In params: lets a list of jobs name the order without reading payloads, which are gone once a job is done. */
    public static final String ORDER = "order";

    /** The schedule that counts the takings. */
    public static final ScheduleName REPORT = new ScheduleName("nightly-report");

    /** Each runs one customer's orders; 64 customers are served side by side. Patient with the bank for a minute. */
    private static final QueueOptions CHECKOUT = QueueOptions.FIFO.withConcurrency(64)
            .withTimeout(Duration.ofSeconds(30)).withOnDead(OnDead.CONTINUE)
            .withRetry(new RetryPolicy(8, Duration.ofSeconds(1), 2, Duration.ofSeconds(15), 0.25));

    private static final QueueOptions MAILS = QueueOptions.STANDARD.withTimeout(Duration.ofSeconds(30))
            .withRetry(new RetryPolicy(6, Duration.ofSeconds(1), 2, Duration.ofSeconds(20), 0.25));

    private final Orderly orderly;
    private final Shop shop;
    private final FifoQueue<Checkout> checkouts;
    private final Queue<Confirmation> mails;

    /** Declares the queues and the schedule, and attaches their handlers. */
    public Counter(Orderly orderly, Shop shop, Payments payments, MailServer mailServer) {
        this.orderly = orderly;
        this.shop = shop;
        this.checkouts = orderly.fifo("checkout.fifo", Checkout.class, CHECKOUT);
        this.mails = orderly.queue("mails", Confirmation.class, MAILS);
        orderly.handle(checkouts, new CheckoutHandler(shop, payments, mails));
        orderly.handle(mails, new MailHandler(shop, mailServer));
        orderly.schedule(REPORT.value(), Timing.parse("daily at 03:00"), new NightlyReport(shop));
    }

    /**
     * Takes an order. When this returns the order is durable and will be done, whatever happens to this process.
     *
     * <p>The job is the customer's: only they may follow it, and what its handler sends goes to them.
     *
     * <p>The group is the customer: one customer's orders are charged one at a time, in the order they came, while other
     * customers go on beside them. The dedupe id is the order number: a double click, a reload or a repeated request is
     * the same job.
     *
     * @return the order as the shop knows it; another customer's, if that one used the number first
     */
    public Order take(Checkout checkout, String customer) {
        JobId job = checkouts.group(customer).user(customer).dedupe(checkout.order())
                .params(Map.of(ORDER, checkout.order()))
                .push(checkout);
        Order order = shop.place(checkout, customer, job);
        if (order.customer().equals(customer)) {
            shop.arrived(order.id());
            tell(order);
        }
        return order;
    }

    /** Corrects the address of an order whose mail is a dead letter and lets that job run again; false if it is none. */
    public boolean mend(Order order, String mail) {
        JobId job = order.mailJob();
        if (job == null || orderly.jobs().find(job).map(JobView::state).orElse(null) != JobState.DEAD) {
            return false;
        }
        shop.mended(order.id(), mail);
        tell(order);
        return orderly.jobs().redrive(mails.name(), List.of(job), 1) == 1;
    }

    /** That there is news, to the customer's other pages too. No status: that of the handler, which runs already, is newer. */
    private void tell(Order order) {
        orderly.users().to(order.customer()).send(Map.of("id", order.id()));
    }

    /** Lets every dead mail run again, as it is. */
    public int redriveMails() {
        return orderly.jobs().redrive(mails.name(), List.of(), 1_000);
    }

    /** Counts the takings now; while that is under way already, nothing more. */
    public void report() {
        orderly.schedules().run(REPORT);
    }

    public FifoQueue<Checkout> checkouts() {
        return checkouts;
    }

    public Queue<Confirmation> mails() {
        return mails;
    }
}
