package dev.orderly.boxoffice.web;

import java.util.List;

/** The frame of all pages. */
final class Layout {
    private record Link(String href, String text) {}

    private static final List<Link> LINKS = List.of(new Link("/", "Shows"), new Link("/orders", "Your orders"),
            new Link("/behind-the-scenes", "Behind the scenes"));

    /** The script's connection state and latest message. For pages that show the visitor's own orders. */
    static final Html PULSE = Html.of("<p class=\"pulse\" id=\"pulse\" hidden></p>");

    private Layout() {}

    /** @param here address of this page among the links; empty if it is not among them */
    static Html page(String title, String here, Html main) {
        return page(title, here, Html.NONE, main);
    }

    /**
     * A page that changes: with script its live parts are replaced when something happens; without script the whole
     * page reloads every other second.
     *
     * @param moving whether the page is expected to change by itself
     */
    static Html livePage(String title, String here, boolean moving, Html main) {
        return page(title, here, Html.of("""
                {}<script src="/live.js" type="module"></script>""", Html.when(moving, Html.of("""
                <noscript><meta http-equiv="refresh" content="2"></noscript>
                """))), main);
    }

    private static Html page(String title, String here, Html head, Html main) {
        List<Html> links = LINKS.stream().map(link -> Html.of("<li><a href=\"{}\"{}>{}</a></li>", link.href(),
                Html.when(link.href().equals(here), Html.of(" aria-current=\"page\"")), link.text())).toList();
        return Html.of("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>{} · The Box Office</title>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml">
                <link rel="stylesheet" href="/style.css">
                {}
                </head>
                <body>
                <a class="skip" href="#main">Skip to the content</a>
                <header class="top">
                <a class="brand" href="/"><img src="/favicon.svg" alt="" width="34" height="34"> The Box Office</a>
                <nav aria-label="Main"><ul>{}</ul></nav>
                </header>
                <main id="main">
                {}
                </main>
                <footer>
                <p>A demo of <strong>Orderly</strong>. No money moves and no mail leaves. The shop keeps its orders in
                memory and forgets them when it stops; the jobs are in Orderly’s store.</p>
                </footer>
                </body>
                </html>
                """, title, head, Html.join(links), main);
    }
}
