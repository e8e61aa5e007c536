package dev.orderly.boxoffice.web;

/** What a route answers. */
sealed interface Response {
    record Page(int status, Html html) implements Response {}

    /** See Other: after a POST, so that a reload asks for the page and does not post again. */
    record Redirect(String to) implements Response {}

    /** A file that never changes while the program runs. */
    record Asset(String type, String text, String etag) implements Response {}

    /** A known address asked in a way it does not take. */
    record WrongMethod(String allowed) implements Response {}

    static Response ok(Html html) {
        return new Page(200, html);
    }
}
