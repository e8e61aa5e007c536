package dev.orderly.http.observe;

import org.jspecify.annotations.Nullable;

/** The metrics of this process as a scraper reads them. Thread-safe. */
@FunctionalInterface
public interface MetricsPage {
    /**
     * A page.
     *
     * @param contentType names the format
     */
    record Page(String contentType, String text) {}

    /**
     * The metrics now. May block for some seconds, not longer.
     *
     * @param accept the header of the scraper, which may ask for OpenMetrics; null for none
     */
    Page scrape(@Nullable String accept);
}
