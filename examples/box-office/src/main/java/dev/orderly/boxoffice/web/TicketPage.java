package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.shop.Card;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Show;
import java.util.List;
import java.util.stream.IntStream;

/** One show and the form to buy tickets for it. */
final class TicketPage {
    private record Choice(Card card, String title, String text) {}

    private static final List<Choice> CARDS = List.of(
            new Choice(Card.ANY, "Any card", "Mostly works. The bank stumbles now and then, as banks do."),
            new Choice(Card.FLAKY, "A card that fails twice", "Goes through at the third attempt, all by itself."),
            new Choice(Card.SLOW, "A slow bank", "Takes a few seconds. You need not wait for it."));

    private TicketPage() {}

    static Html empty(Shop shop, Show show, String order) {
        return page(shop, show, TicketForm.empty(order));
    }

    static Html page(Shop shop, Show show, TicketForm form) {
        String title = (form.problems().isEmpty() ? "" : "Please check: ") + show.title();
        return Layout.page(title, "", Html.of("""
                <div class="buy">
                <section class="poster">
                <img src="/{}.svg" alt="" width="480" height="300">
                <h1>{}</h1>
                <p class="when"><span>{}</span> <span>{}</span></p>
                <p>{}</p>
                <p class="foot"><strong class="price">{}</strong> {}</p>
                </section>
                {}
                </div>""", show.id(), show.title(), SalePage.day(show), show.venue(), show.about(),
                Show.euros(show.cents()), SalePage.left(shop, show), form(show, form)));
    }

    /**
     * The form. The order gets its number before it is sent, not when it arrives, so that a second click, a reload or a
     * request repeated by a bad connection is distinguished from a second order.
     */
    private static Html form(Show show, TicketForm form) {
        return Html.of(
                """
                        <form class="card" method="post" action="/tickets/{}" novalidate>
                        {}
                        <input type="hidden" name="order" value="{}">
                        <div class="field"><label for="tickets">Tickets</label>
                        <select id="tickets" name="tickets"{}>{}</select>{}</div>
                        <div class="field"><label for="name">Name on the ticket</label>
                        <input id="name" name="name" value="{}" maxlength="80" autocomplete="name" required{}>{}</div>
                        <div class="field"><label for="mail">Send the tickets to</label>
                        <input id="mail" name="mail" type="email" value="{}" maxlength="160" autocomplete="email"
                        inputmode="email" required{}>{}
                        <p class="hint" id="mail-hint">Nothing is sent. Ends in <code>.invalid</code>? Then it bounces.</p></div>
                        <fieldset><legend>Pay with</legend>{}</fieldset>
                        <p class="actions"><button class="button" name="clicks" value="1">Buy tickets</button>
                        <button class="button quiet" name="clicks" value="2">Demo: click twice</button></p>
                        <p class="hint">Order {}. Sent once or ten times, it is charged once: the second button is here to
                        show that, a real shop has none.</p>
                        </form>""",
                show.id(), summary(form), form.order(), invalid(form, "tickets"), counts(form),
                problem(form, "tickets"), form.name(), invalid(form, "name"), problem(form, "name"), form.mail(),
                describedMail(form), problem(form, "mail"), cards(form), form.order());
    }

    private static Html summary(TicketForm form) {
        List<Html> lines = form.problems().entrySet().stream().map(entry -> entry.getKey().equals("order")
                ? Html.of("<li>{}</li>", entry.getValue())
                : Html.of("<li><a href=\"#{}\">{}</a></li>", entry.getKey(), entry.getValue())).toList();
        return Html.when(!lines.isEmpty(),
                Html.of("""
                        <div class="problems" role="alert" tabindex="-1" autofocus><p><strong>The order was not sent.</strong></p><ul>{}</ul></div>""",
                        Html.join(lines)));
    }

    private static Html counts(TicketForm form) {
        return Html.join(IntStream.rangeClosed(1, Show.TICKETS_MAX).mapToObj(count -> Html.of(
                "<option{}>{}</option>", Html.when(count == form.tickets(), Html.of(" selected")), count)).toList());
    }

    private static Html cards(TicketForm form) {
        return Html.join(CARDS.stream().map(choice -> Html.of("""
                <label class="choice"><input type="radio" name="card" value="{}"{}>
                <span><strong>{}</strong> <span class="hint">{}</span></span></label>""", choice.card(),
                Html.when(choice.card() == form.card(), Html.of(" checked")), choice.title(), choice.text())).toList());
    }

    private static Html invalid(TicketForm form, String field) {
        return Html.when(form.problems().containsKey(field),
                Html.of(" aria-invalid=\"true\" aria-describedby=\"{}-problem\"", field));
    }

    private static Html describedMail(TicketForm form) {
        return form.problems().containsKey("mail")
                ? Html.of(" aria-invalid=\"true\" aria-describedby=\"mail-problem mail-hint\"")
                : Html.of(" aria-describedby=\"mail-hint\"");
    }

    private static Html problem(TicketForm form, String field) {
        String text = form.problems().get(field);
        return text == null ? Html.NONE : Html.of("<p class=\"problem\" id=\"{}-problem\">{}</p>", field, text);
    }
}
