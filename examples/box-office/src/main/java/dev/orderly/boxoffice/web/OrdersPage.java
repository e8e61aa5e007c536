package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.shop.Order;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Show;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The orders of one customer. */
final class OrdersPage {
    private static final DateTimeFormatter PLACED = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm 'UTC'",
            Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private OrdersPage() {}

    static Html page(Shop shop, String customer) {
        List<Order> orders = shop.ordersOf(customer);
        boolean moving = orders.stream().anyMatch(order -> !order.stage().isOver());
        Html list = orders.isEmpty()
                ? Html.of("<p class=\"lede\">None yet. <a href=\"/\">Choose a show</a> and come back.</p>")
                : Html.of("<ul class=\"orders\">{}</ul>",
                        Html.join(orders.stream().map(order -> line(shop, order)).toList()));
        return Layout.livePage("Your orders", "/orders", moving, Html.of("""
                <section class="narrow">
                <h1>Your orders</h1>
                {}
                <p class="hint">Newest first. They are charged in the order you placed them.</p>
                <div id="list" data-live="{}">{}</div>
                </section>""", Layout.PULSE, moving ? "on" : "off", list));
    }

    private static Html line(Shop shop, Order order) {
        Show show = shop.show(order.checkout().show()).orElseThrow();
        Instant placed = order.checkoutJob().pushedAt();
        return Html.of("""
                <li class="card"><div><a href="/orders/{}">{}</a>
                <span class="hint">{} · {}</span></div>{}
                <p class="hint">Order <span class="number">{}</span>, <time datetime="{}">{}</time></p></li>""",
                order.id(), show.title(), tickets(order), Show.euros(show.cents() * order.checkout().tickets()),
                badge(order), order.id(), placed, PLACED.format(placed));
    }

    private static String tickets(Order order) {
        int tickets = order.checkout().tickets();
        return tickets == 1 ? "1 ticket" : tickets + " tickets";
    }

    static Html badge(Order order) {
        return Html.of("<span class=\"badge {}\">{}</span>", tone(order), order.stage().text());
    }

    /** The colour of a stage, in addition to its text. */
    static String tone(Order order) {
        return switch (order.stage()) {
            case RECEIVED, APPROVAL -> "wait";
            case CHARGING -> "run";
            case CHARGE_FAILED, MAIL_FAILED -> "trouble";
            case UNDELIVERABLE -> "dead";
            case SOLD_OUT, DECLINED -> "none";
            case PAID -> "paid";
            case SENT -> "done";
        };
    }
}
