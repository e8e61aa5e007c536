package dev.orderly.boxoffice.web;

/** The answer of a route. */
sealed interface Response {
    record Page(int status, Html html) implements Response {}

    /** See Other: after a POST, so that a reload requests the page and does not post again. */
    record Redirect(String to) implements Response {}

    /** A file that never changes while the program runs. */
    record Asset(String type, String text, String etag) implements Response {}

    /** A known address with a method that it does not accept. */
    record WrongMethod(String allowed) implements Response {}

    static Response ok(Html html) {
        return new Page(200, html);
    }
}
