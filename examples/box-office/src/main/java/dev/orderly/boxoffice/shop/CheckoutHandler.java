package dev.orderly.boxoffice.shop;

import dev.orderly.boxoffice.shop.Payments.Receipt;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.TimedOut;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Runs one checkout: seats, payment, then a mail.
 *
 * <p>A job may run more than once: its process may die after the payment and before its report to Orderly. So each step
 * can be repeated safely: seats are reserved by order number, the charge is a step that is kept with the job, and calls
 * the bank with the order number, the mail is pushed with the order number as its dedupe id.
 *
 * <p>A large order waits for an approval first. Nothing is held meanwhile, and no handler: the job runs again when the
 * answer is there, or the time is over.
 *
 * <p>A live message reaches every page that the customer has open, at once. It is a hint: the page asks the shop for
 * the current state. Progress and result are stored for later.
 */
final class CheckoutHandler implements Handler<Checkout> {
    private static final int STEPS = 3;
    /** The number of tickets from which on an order needs an approval. */
    private static final int LARGE = 5;
    /** The longest wait for it. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final Shop shop;
    private final Payments payments;
    private final StandardQueue<Confirmation> mails;

    CheckoutHandler(Shop shop, Payments payments, StandardQueue<Confirmation> mails) {
        this.shop = shop;
        this.payments = payments;
        this.mails = mails;
    }

    @Override
    public void handle(Checkout checkout, Job<Checkout> job) throws Exception {
        Order order = shop.place(checkout, job.groupId().orElseThrow(), job.id());
        if (!order.checkoutJob().equals(job.id())) {
            // The number was used before: by another customer, or by this one more than five minutes ago.
            job.discard("Order " + order.id() + " is the job " + order.checkoutJob() + " already");
            return;
        }
        if (order.mailJob() != null || order.stage() == Stage.SOLD_OUT || order.stage() == Stage.DECLINED) {
            return; // an earlier run of this job completed the order
        }
        if (checkout.tickets() >= LARGE && !isApproved(order, job)) {
            return;
        }
        Optional<Seats> seats = shop.reserve(order);
        if (seats.isEmpty()) {
            // Not a failure: a retry would not help, and no operator has to act. The job is done.
            shop.note(order.id(), Stage.SOLD_OUT, "Too few seats were left. Nothing was charged.");
            job.send(Map.of("id", order.id(), "status", "sold out"));
            return;
        }
        job.progress(1, STEPS, "Your seats are held");
        if (!order.stage().isPaid()) {
            pay(order, job);
        }
        job.progress(2, STEPS, "Paid");
        job.send(Map.of("id", order.id(), "status", "packaging"));
        JobId mail = mails.dedupe(order.id()).params(Map.of(Counter.ORDER, order.id()))
                .push(new Confirmation(order.id()));
        shop.mailing(order.id(), mail);
        job.progress(STEPS, STEPS, "The tickets go to the mail");
        job.result(seats.get().toString());
    }

    /** Whether the box office has said yes. Without an answer the job waits; a no, or none in time, ends the order. */
    private boolean isApproved(Order order, Job<?> job) {
        String declined;
        try {
            Optional<Approval> answer = job.await(Approval.EVENT, Approval.class, PATIENCE);
            if (answer.isEmpty()) {
                shop.note(order.id(), Stage.APPROVAL, LARGE + " tickets or more: the box office has a look.");
                job.send(Map.of("id", order.id(), "status", "waiting for an approval"));
                return false;
            }
            if (answer.get().ok()) {
                return true;
            }
            declined = "The box office has declined the order. Nothing was charged.";
        } catch (TimedOut e) {
            declined = "Nobody has approved the order in time. Nothing was charged.";
        }
        shop.note(order.id(), Stage.DECLINED, declined);
        job.send(Map.of("id", order.id(), "status", "declined"));
        return false;
    }

    private void pay(Order order, Job<?> job) throws Exception {
        Checkout checkout = order.checkout();
        long cents = shop.show(checkout.show()).orElseThrow().cents() * checkout.tickets();
        shop.note(order.id(), Stage.CHARGING, "Charging " + Show.euros(cents) + ", attempt " + job.attempt() + ".");
        job.send(Map.of("id", order.id(), "status", "preparing"));
        try {
            Receipt receipt = job.step("charge", Receipt.class,
                    () -> payments.charge(order.id(), cents, checkout.cardOrAny()));
            shop.paid(order, "Paid, receipt " + receipt.number() + (receipt.repeated()
                    ? ". An earlier attempt had got through, so nothing was charged again."
                    : "."));
        } catch (IOException e) {
            // Recorded for the buyer, then rethrown: Orderly retries, and this customer's later orders wait for the
            // retry.
            shop.trouble(order.id(), Stage.CHARGE_FAILED, e.getMessage() + ".");
            job.send(Map.of("id", order.id(), "status", "waiting for the bank"));
            throw e;
        }
    }
}
