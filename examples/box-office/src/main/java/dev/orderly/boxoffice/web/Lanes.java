package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.shop.Order;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Stage;
import dev.orderly.boxoffice.web.Rush.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The crowd as a picture: a row for each customer, a square for each order. */
final class Lanes {
    private final Shop shop;
    private final Rush rush;

    Lanes(Shop shop, Rush rush) {
        this.shop = shop;
        this.rush = rush;
    }

    /** A summary for screen readers. It changes at every quarter only, to avoid chatter. */
    String summary() {
        int through = through();
        int all = Rush.CUSTOMERS * Rush.ORDERS;
        return rush.lanes().isEmpty() ? "" : through * 4 / all * 25 + " percent of the crowd’s orders are through.";
    }

    Html html() {
        List<Lane> lanes = rush.lanes();
        if (lanes.isEmpty()) {
            return Html.NONE;
        }
        long overtaken = shop.paidOutOfOrder();
        return Html.of("""
                <p class="tally"><strong>{}</strong> of 1,000 through · <strong>{}</strong> overtook an earlier order of
                the same customer</p>
                <ul class="legend" aria-label="Colours"><li><i class="wait"></i> waiting</li>
                <li><i class="run"></i> at the bank</li><li><i class="trouble"></i> to be retried</li>
                <li><i class="done"></i> paid</li><li><i class="none"></i> sold out</li></ul>
                <ol class="lanes">{}</ol>""", String.format(Locale.ROOT, "%,d", through()), overtaken,
                Html.join(lanes.stream().map(this::lane).toList()));
    }

    private Html lane(Lane lane) {
        List<Html> cells = new ArrayList<>();
        int paid = 0;
        for (var checkout : lane.checkouts()) {
            String tone = tone(stage(checkout.order()));
            paid += tone.equals("done") ? 1 : 0;
            cells.add(new Html("<i class=\"" + tone + "\"></i>"));
        }
        String first = lane.checkouts().getFirst().name();
        return Html.of("<li role=\"img\" aria-label=\"{}: {} of {} paid\">{}</li>", first, paid, Rush.ORDERS,
                Html.join(cells));
    }

    private int through() {
        return (int) rush.lanes().stream().flatMap(lane -> lane.checkouts().stream()).map(c -> stage(c.order()))
                .filter(stage -> stage.isPaid() || stage.isOver()).count();
    }

    private Stage stage(String order) {
        return shop.order(order).map(Order::stage).orElse(Stage.RECEIVED);
    }

    private static String tone(Stage stage) {
        return switch (stage) {
            case RECEIVED, APPROVAL -> "wait";
            case CHARGING -> "run";
            case CHARGE_FAILED -> "trouble";
            case SOLD_OUT, DECLINED -> "none";
            case PAID, MAIL_FAILED, UNDELIVERABLE, SENT -> "done";
        };
    }
}
