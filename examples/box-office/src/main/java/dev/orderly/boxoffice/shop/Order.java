package dev.orderly.boxoffice.shop;

import dev.orderly.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order and its history. Immutable; the shop keeps the newest version.
 *
 * @param customer owner of the order; also the group of its checkout job
 * @param mail address for the tickets; may be corrected later
 * @param arrivals number of times the order was sent to the shop
 * @param seats null until reserved
 * @param mailJob null until the mail was pushed
 * @param history oldest first, bounded
 */
public record Order(Checkout checkout, String customer, JobId checkoutJob, String mail, int arrivals, Stage stage,
        @Nullable Seats seats, @Nullable JobId mailJob, List<Note> history) {
    private static final int HISTORY_MAX = 60;

    /** An event of the order. */
    public record Note(Instant at, String text, boolean trouble) {}

    public Order {
        history = List.copyOf(history);
    }

    static Order placed(Checkout checkout, String customer, JobId job) {
        Note note = new Note(job.pushedAt(), "Order received and stored.", false);
        return new Order(checkout, customer, job, checkout.mail(), 0, Stage.RECEIVED, null, null, List.of(note));
    }

    public String id() {
        return checkout.order();
    }

    Order at(Stage newStage, Note note) {
        return new Order(checkout, customer, checkoutJob, mail, arrivals, newStage, seats, mailJob, with(note));
    }

    Order arrived() {
        return new Order(checkout, customer, checkoutJob, mail, arrivals + 1, stage, seats, mailJob, history);
    }

    Order seated(Seats reserved) {
        return new Order(checkout, customer, checkoutJob, mail, arrivals, stage, reserved, mailJob, history);
    }

    Order mailing(JobId job) {
        return new Order(checkout, customer, checkoutJob, mail, arrivals, stage, seats, job, history);
    }

    Order corrected(String newMail, Note note) {
        return new Order(checkout, customer, checkoutJob, newMail, arrivals, Stage.PAID, seats, mailJob, with(note));
    }

    private List<Note> with(Note note) {
        List<Note> notes = new ArrayList<>(history);
        notes.add(note);
        return notes.subList(Math.max(0, notes.size() - HISTORY_MAX), notes.size());
    }
}
