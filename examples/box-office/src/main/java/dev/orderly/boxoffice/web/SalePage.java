package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Show;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The front page: the shows on sale, and steps to try. */
final class SalePage {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEEE, d MMMM", Locale.ENGLISH);

    private SalePage() {}

    static Html page(Shop shop) {
        return Layout.page("Shows on sale", "/", Html.of("""
                <section class="hero">
                <p class="kicker">On sale now</p>
                <h1>Four nights worth queueing for</h1>
                <p class="lede">A small ticket shop in which every order is a job: stored before you see “thank you”,
                charged once however often you click, tried again when the bank is having a bad day.</p>
                </section>
                <section aria-label="Shows">
                <ul class="shows">
                {}
                </ul>
                </section>
                <section class="tries" aria-labelledby="tries">
                <h2 id="tries">Things to try</h2>
                <ol>
                <li><h3>Click twice</h3><p>The demo has a button that does it for you. The order arrives twice and is
                charged once.</p></li>
                <li><h3>Upset the bank</h3><p>Choose the card that fails. Watch the attempts, and your next order
                waiting behind.</p></li>
                <li><h3>Mistype your address</h3><p>Use one that ends in <code>.invalid</code>. The mail becomes a dead
                letter: correct it and send it again.</p></li>
                <li><h3>Send a crowd</h3><p>A hundred customers with ten orders each, all at once. It is one button,
                <a href="/behind-the-scenes">behind the scenes</a>.</p></li>
                </ol>
                </section>""", Html.join(shop.shows().stream().map(show -> card(shop, show)).toList())));
    }

    private static Html card(Shop shop, Show show) {
        return Html.of("""
                <li class="show">
                <img src="/{}.svg" alt="" width="480" height="300">
                <div class="about">
                <h2><a href="/tickets/{}">{}</a></h2>
                <p class="when"><span>{}</span> <span>{}</span></p>
                <p>{}</p>
                <p class="foot"><strong class="price">{}</strong> {}</p>
                </div>
                </li>""", show.id(), show.id(), show.title(), day(show), show.venue(), show.about(),
                Show.euros(show.cents()), left(shop, show));
    }

    static Html left(Shop shop, Show show) {
        int left = shop.seatsLeft(show);
        String text = left == 0 ? "Sold out" : String.format(Locale.ROOT, "%,d of %,d seats left", left, show.seats());
        return Html.of("<span class=\"left{}\"><meter min=\"0\" max=\"{}\" value=\"{}\" aria-hidden=\"true\"></meter>"
                + " {}</span>", left == 0 ? " gone" : "", show.seats(), left, text);
    }

    static String day(Show show) {
        return DAY.format(show.date());
    }
}
