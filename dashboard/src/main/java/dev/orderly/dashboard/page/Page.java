package dev.orderly.dashboard.page;

import java.util.List;

/**
 * A page for one request: a record with the values that its template shows.
 *
 * <p>The template declares {@code @param} {@code Layout layout} and the record as {@code page}.
 */
public interface Page {
    /** The heading, and the first part of the window's title. */
    String title();

    /** The pages above this one, from the outermost on; none for the page of a section. */
    default List<Link> trail() {
        return List.of();
    }

    /** The template, such as {@code queue/queues.jte}. */
    String template();
}
