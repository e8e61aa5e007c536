package dev.orderly.boxoffice.shop;

import dev.orderly.Orderly;
import dev.orderly.job.EventResult;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The shop's queues, and the pushes of its pages. Thread-safe. */
public final class Counter {
    /** A param, so that a list of jobs names the order without reading payloads, which done jobs no longer have. */
    public static final String ORDER = "order";

    /** The schedule that counts the takings. */
    public static final ScheduleName REPORT = new ScheduleName("nightly-report");

    private final Orderly orderly;
    private final Shop shop;
    private final FifoQueue<Checkout> checkouts;
    private final StandardQueue<Confirmation> mails;

    /** Declares the queues and the schedule, and attaches their handlers. */
    public Counter(Orderly orderly, Shop shop, Payments payments, MailServer mailServer) {
        this.orderly = orderly;
        this.shop = shop;
        this.checkouts = orderly.fifo("checkout.fifo", Checkout.class, Counter::checkouts);
        this.mails = orderly.queue("mails", Confirmation.class, Counter::mails);
        orderly.handle(checkouts, new CheckoutHandler(shop, payments, mails));
        orderly.handle(mails, new MailHandler(shop, mailServer));
        orderly.schedule(REPORT.value(), Timing.parse("daily at 03:00"), new NightlyReport(shop));
    }

    /**
     * Each group is one customer's orders; 64 customers are served side by side. Retries of the bank go on for a
     * minute. An order that breaks a rule of the form is dead at once: no other version of the shop would accept it.
     */
    private static QueueOptions checkouts(QueueOptions defaults) {
        return defaults.withConcurrency(64).withTimeout(Duration.ofSeconds(30)).withUnreadableFor(Duration.ZERO)
                .withRetry(RetryPolicy.FIFO.withBase(Duration.ofSeconds(1)).withFactor(2)
                        .withMax(Duration.ofSeconds(15)));
    }

    private static QueueOptions mails(QueueOptions defaults) {
        return defaults.withTimeout(Duration.ofSeconds(30))
                .withRetry(RetryPolicy.STANDARD.withAttempts(6).withBase(Duration.ofSeconds(1)).withFactor(2)
                        .withMax(Duration.ofSeconds(20)));
    }

    /**
     * Takes an order. When this returns the order is durable and will be handled, even if this process dies.
     *
     * <p>The job belongs to the customer: only that customer may follow it, and receives its handler's messages.
     *
     * <p>The group is the customer: one customer's orders are charged one at a time, in order, while other customers
     * are served in parallel. The dedupe id is the order number: a double click, a reload or a repeated request is the
     * same job.
     *
     * @return the order in the shop's records; another customer's order if that customer used the number first
     */
    public Order take(Checkout checkout, String customer) {
        JobId job = checkouts.group(customer).user(new UserId(customer)).dedupe(checkout.order())
                .params(Map.of(ORDER, checkout.order()))
                .push(checkout);
        Order order = shop.place(checkout, customer, job);
        if (order.customer().equals(customer)) {
            shop.arrived(order.id());
            notifyPages(order);
        }
        return order;
    }

    /** Answers the checkout of a large order; false if it waits for no answer, or not any more. */
    public boolean answer(Order order, Approval answer) {
        return order.stage() == Stage.APPROVAL
                && orderly.jobs().event(order.checkoutJob(), Approval.EVENT, answer) == EventResult.ACCEPTED;
    }

    /**
     * Corrects the address of an order whose mail is a dead letter and redrives that job; false if there is no such
     * job.
     */
    public boolean correct(Order order, String mail) {
        JobId job = order.mailJob();
        if (job == null || orderly.jobs().find(job).map(JobView::state).orElse(null) != JobState.DEAD) {
            return false;
        }
        shop.corrected(order.id(), mail);
        notifyPages(order);
        return orderly.jobs().redrive(mails.name(), List.of(job), 1) == 1;
    }

    /**
     * Notifies the customer's other pages of a change. Without a status, because the handler already runs and its
     * status is newer.
     */
    private void notifyPages(Order order) {
        orderly.users().to(new UserId(order.customer())).send(Map.of("id", order.id()));
    }

    /** Redrives every dead mail unchanged. */
    public int redriveMails() {
        return orderly.jobs().redriveAll(mails.name(), 1_000);
    }

    /** Counts the takings now, unless the report is already running. */
    public void report() {
        orderly.schedules().run(REPORT);
    }

    public FifoQueue<Checkout> checkouts() {
        return checkouts;
    }

    public StandardQueue<Confirmation> mails() {
        return mails;
    }
}
