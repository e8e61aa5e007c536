package dev.orderly.boxoffice.shop;

import dev.orderly.boxoffice.shop.Order.Note;
import dev.orderly.job.JobId;
import dev.orderly.job.Unprocessable;
import dev.orderly.time.Time;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The shop's own records: shows, seats, orders. In memory, which is enough for a demo; a real shop has a database here.
 * The jobs are in Orderly's store. Thread-safe.
 */
public final class Shop {
    /** Upper bound of orders, since they are in memory. */
    public static final int ORDERS_MAX = 100_000;

    private final Time time;
    private final Map<String, Show> shows;
    private final Map<String, SeatPlan> halls;
    private final ConcurrentMap<String, Order> orders = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, JobId> lastPaid = new ConcurrentHashMap<>();
    private final AtomicLong outOfOrder = new AtomicLong();

    public Shop(Time time) {
        this.time = time;
        this.shows = Show.season(LocalDate.ofInstant(time.now(), ZoneOffset.UTC)).stream()
                .collect(Collectors.toMap(Show::id, show -> show, (a, _) -> a, LinkedHashMap::new));
        this.halls = shows.values().stream().collect(Collectors.toMap(Show::id, show -> new SeatPlan(show.seats())));
    }

    public Collection<Show> shows() {
        return shows.values();
    }

    public Optional<Show> show(String id) {
        return Optional.ofNullable(shows.get(id));
    }

    public int seatsLeft(Show show) {
        return hall(show).left();
    }

    public Optional<Order> order(String id) {
        return Optional.ofNullable(orders.get(id));
    }

    /** The orders of one customer, newest first. */
    public List<Order> ordersOf(String customer) {
        return orders.values().stream().filter(order -> order.customer().equals(customer))
                .sorted(Comparator.comparing(Order::checkoutJob).reversed()).toList();
    }

    public boolean isFull() {
        return orders.size() >= ORDERS_MAX;
    }

    /** Number of payments that overtook an earlier order of the same customer. Orderly keeps it at zero. */
    public long paidOutOfOrder() {
        return outOfOrder.get();
    }

    /** The takings so far. */
    Takings takings() {
        List<Order> paid = orders.values().stream().filter(order -> order.stage().isPaid()).toList();
        long cents = paid.stream().map(Order::checkout)
                .mapToLong(one -> one.tickets() * Objects.requireNonNull(shows.get(one.show())).cents()).sum();
        return new Takings(orders.size(), paid.size(), paid.stream().mapToLong(one -> one.checkout().tickets()).sum(),
                cents);
    }

    /**
     * Records the order unless it is known. The page that pushed the job and the handler that runs it both call this,
     * since either may come first.
     *
     * @throws Unprocessable if there is no such show, or no memory for another order
     */
    Order place(Checkout checkout, String customer, JobId job) {
        if (!shows.containsKey(checkout.show())) {
            throw new Unprocessable("There is no show " + checkout.show() + ": use one of " + shows.keySet());
        }
        if (isFull() && !orders.containsKey(checkout.order())) {
            throw new Unprocessable("The shop keeps " + ORDERS_MAX + " orders in memory and has no room for another");
        }
        return orders.computeIfAbsent(checkout.order(), _ -> Order.placed(checkout, customer, job));
    }

    void arrived(String order) {
        change(order, Order::arrived);
    }

    /** Seats for the order, the same on each call; empty if too few are left. */
    Optional<Seats> reserve(Order order) {
        Checkout checkout = order.checkout();
        Optional<Seats> seats = Objects.requireNonNull(halls.get(checkout.show())).reserve(order.id(),
                checkout.tickets());
        seats.ifPresent(reserved -> change(order.id(), known -> known.seated(reserved)));
        return seats;
    }

    void paid(Order order, String text) {
        note(order.id(), Stage.PAID, text);
        JobId last = lastPaid.merge(order.customer(), order.checkoutJob(), (a, b) -> a.compareTo(b) > 0 ? a : b);
        if (!last.equals(order.checkoutJob())) {
            outOfOrder.incrementAndGet();
        }
    }

    void mailing(String order, JobId job) {
        change(order, known -> known.mailing(job));
    }

    void corrected(String order, String mail) {
        change(order,
                known -> known.corrected(mail, new Note(time.now(), "Address corrected to " + mail + ".", false)));
    }

    void note(String order, Stage stage, String text) {
        change(order, known -> known.at(stage, new Note(time.now(), text, false)));
    }

    void trouble(String order, Stage stage, String text) {
        change(order, known -> known.at(stage, new Note(time.now(), text, true)));
    }

    private void change(String order, UnaryOperator<Order> step) {
        orders.computeIfPresent(order, (_, known) -> step.apply(known));
    }

    private SeatPlan hall(Show show) {
        return Objects.requireNonNull(halls.get(show.id()));
    }
}
