package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.shop.Card;
import dev.orderly.boxoffice.shop.Checkout;
import dev.orderly.boxoffice.shop.Show;
import java.util.Arrays;
import java.util.Map;

/**
 * The submitted order form.
 *
 * @param problems field to sentence; empty if the order can be taken
 * @param clicks 2 for the button that orders twice, else 1
 */
record TicketForm(String order, int tickets, String name, String mail, Card card, int clicks,
        Map<String, String> problems) {
    static TicketForm empty(String order) {
        return new TicketForm(order, 2, "", "", Card.ANY, 1, Map.of());
    }

    static TicketForm of(Request request) {
        String order = request.field("order");
        int tickets = request.field("tickets").matches("[1-9]") ? Integer.parseInt(request.field("tickets")) : 0;
        String name = request.field("name");
        String mail = request.field("mail");
        Card card = Arrays.stream(Card.values()).filter(known -> known.name().equals(request.field("card")))
                .findFirst().orElse(Card.ANY);
        int clicks = request.field("clicks").equals("2") ? 2 : 1;
        return new TicketForm(order, tickets, name, mail, card, clicks,
                Checkout.problems(order, tickets, name, mail));
    }

    Checkout checkout(Show show) {
        return new Checkout(order, show.id(), tickets, name, mail, card);
    }
}
