package dev.orderly.web.header;

import java.util.Locale;
import java.util.Set;

/** The headers of answers by which caches decide, those of content delivery networks too. */
public final class CacheHeaders {
    private static final Set<String> NAMES = Set.of("cache-control", "expires", "pragma", "age", "x-accel-expires",
            "edge-control");
    /** Such as {@code CDN-Cache-Control} (RFC 9213) and {@code Cloudflare-CDN-Cache-Control}. */
    private static final String TARGETED = "-cache-control";
    private static final String SURROGATE = "surrogate-";

    private CacheHeaders() {}

    /** Whether a header tells caches what to keep, or for how long. */
    public static boolean isOne(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NAMES.contains(lower) || lower.endsWith(TARGETED) || lower.startsWith(SURROGATE);
    }
}
