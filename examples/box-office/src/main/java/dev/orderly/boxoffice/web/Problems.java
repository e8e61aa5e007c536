package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.web.Response.Page;
import dev.orderly.boxoffice.web.Response.WrongMethod;

/** The error pages: the cause, and the remedy. */
final class Problems {
    private Problems() {}

    static Page notFound(String what) {
        return page(404, "Not found", what + " Start from the front page.");
    }

    static Page conflict(String text) {
        return page(409, "Already done", text);
    }

    static Page unreadable() {
        return page(400, "That did not arrive in one piece",
                "The form could not be read, or was longer than " + Request.BODY_MAX
                        + " bytes. Go back and try again.");
    }

    static Page foreign() {
        return page(403, "Sent from elsewhere", "Forms are taken from the shop's own pages only. Open the shop and try"
                + " again.");
    }

    static Page method(WrongMethod wrong) {
        return page(405, "Not that way", "This address takes " + wrong.allowed() + ".");
    }

    static Page broken() {
        return page(500, "Something broke", "It is our fault and has been written down. An order that was sent can be"
                + " sent again: it counts once.");
    }

    static Page busy() {
        return page(503, "One moment", "The shop cannot take this just now. Try again in a few seconds: an order that"
                + " is sent twice counts once.");
    }

    private static Page page(int status, String title, String text) {
        return new Page(status, Layout.page(title, "", Html.of("""
                <section class="narrow plain">
                <p class="kicker">Error {}</p>
                <h1>{}</h1>
                <p class="lede">{}</p>
                <p><a class="button" href="/">To the front page</a></p>
                </section>""", status, title, text)));
    }
}
