package dev.orderly.boxoffice.shop;

import dev.orderly.Orderly;
import dev.orderly.flow.Wakeup;
import dev.orderly.job.BatchedJob;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.Limit;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.schedule.Timing;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shop's work beside the sale: refunds, posters, reminders. Some of it fails on purpose and for good, so that a
 * visitor of the dashboard finds a halted group, dead letters with different errors, and delayed jobs.
 */
public final class BackOffice {
    private static final List<String> CUSTOMERS = List.of("ben", "carla", "dana", "emil", "fatima");
    private static final int REFUNDS_EACH = 4;
    private static final String EXPIRED = "dana";
    private static final List<String> TOWNS = List.of("Aarhus", "Atlantis", "Bremen", "Gdańsk", "Ghent", "Avalon",
            "Malmö", "Porto", "Quimper", "Shangri-La", "Tallinn", "Turku");
    private static final List<String> UNKNOWN = List.of("Atlantis", "Avalon", "Shangri-La");
    private static final int REMINDERS = 6;
    /** Reminders that one connection to the mail server takes. */
    private static final int REMINDERS_EACH = 50;
    /** The customer who orders most of the posters, before the others do. */
    private static final String NOISY = "grand-hotel";
    private static final int POSTERS_OF_NOISY = 8;

    private final Shop shop;
    private final Time time;
    private final FifoQueue<Refund> refunds;
    private final StandardQueue<Poster> posters;
    private final StandardQueue<Reminder> reminders;

    /** A refund of one order. */
    record Refund(String order, String customer, long cents) {}

    /** A poster to be printed for a town, as a customer has ordered it. */
    record Poster(String show, String town, int printer, String customer) {}

    /** A mail on the day before the show. */
    record Reminder(String show, String mail) {}

    /** Declares the queues and a schedule, and attaches their handlers. */
    public BackOffice(Orderly orderly, Shop shop, Time time) {
        this.shop = shop;
        this.time = time;
        this.refunds = orderly.fifo("refunds.fifo", Refund.class, BackOffice::refunds);
        this.posters = orderly.queue("posters", Poster.class, BackOffice::posters);
        this.reminders = orderly.queue("reminders", Reminder.class);
        orderly.handle(refunds, this::refund);
        orderly.handle(posters, this::print);
        orderly.handleBatch(reminders, REMINDERS_EACH, this::remind);
        orderly.schedule("seat-count", Timing.parse("every 5 minutes"), run -> run.job().result(seats()));
    }

    /** A refund of a customer fails for good: a person has to act before the customer's later refunds. */
    private static QueueOptions refunds(QueueOptions defaults) {
        return defaults.withOnDead(OnDead.HALT).withConcurrency(4).withTimeout(Duration.ofSeconds(30));
    }

    /** One printer at a time for each customer: those of one with many posters delay no other's. */
    private static QueueOptions posters(QueueOptions defaults) {
        return defaults.withKey(Poster::customer).withPerKey(Limit.concurrency(1)).withConcurrency(2)
                .withTimeout(Duration.ofSeconds(30))
                .withRetry(RetryPolicy.STANDARD.withAttempts(2).withBase(Duration.ofSeconds(1))
                        .withMax(Duration.ofSeconds(5)));
    }

    /** Pushes the work of the day. */
    public void open() {
        for (int n = 1; n <= REFUNDS_EACH; n++) {
            for (String customer : CUSTOMERS) {
                String order = customer + "-" + n;
                refunds.group(customer).user(new UserId("customer-" + customer)).params(Map.of(Counter.ORDER, order))
                        .push(new Refund(order, customer, 29_00L * n));
            }
        }
        for (int n = 0; n < TOWNS.size(); n++) {
            posters.push(new Poster("harbour", TOWNS.get(n), n % 4 + 1,
                    n < POSTERS_OF_NOISY ? NOISY : CUSTOMERS.get(n % CUSTOMERS.size())));
        }
        List<Show> shows = List.copyOf(shop.shows());
        for (int n = 0; n < REMINDERS; n++) {
            Show show = shows.get(n % shows.size());
            reminders.delay(Duration.ofHours(20L + 7L * n)).params(Map.of("show", show.id()))
                    .push(new Reminder(show.id(), CUSTOMERS.get(n % CUSTOMERS.size()) + "@example.com"));
        }
    }

    private void refund(Refund refund, Job<?> job) throws InterruptedException {
        if (refund.customer().equals(EXPIRED) && refund.order().endsWith("-2")) {
            throw new Unprocessable("The card of order " + refund.order() + " has expired: ask for another");
        }
        pause(400);
        job.result(Map.of("refunded", Show.euros(refund.cents())));
    }

    /** Sends all reminders that are due over one connection. */
    private void remind(List<BatchedJob<Reminder>> due) {
        for (BatchedJob<Reminder> reminder : due) {
            reminder.job().result("Tomorrow: " + shop.show(reminder.payload().show()).orElseThrow().title());
        }
    }

    private void print(Poster poster, Job<?> job) throws IOException, InterruptedException {
        job.progress(1, 2, "Laid out");
        pause(600);
        if (UNKNOWN.contains(poster.town())) {
            throw new Unprocessable("There is no town " + poster.town() + ": the poster has no address");
        }
        if (poster.printer() == 4) {
            throw new IOException("Printer 4 did not answer");
        }
        job.progress(2, 2, "Printed");
    }

    private Map<String, Integer> seats() {
        Map<String, Integer> left = new LinkedHashMap<>();
        shop.shows().forEach(show -> left.put(show.id(), shop.seatsLeft(show)));
        return left;
    }

    private void pause(long millis) throws InterruptedException {
        new Wakeup().await(time, time.deadline(Duration.ofMillis(millis)));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
