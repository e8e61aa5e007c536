package dev.orderly.web.path;

import dev.orderly.Internal;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** Paths of this site as links, for texts that a request brings. */
@Internal(to = "dev.orderly")
public final class SitePath {
    /** A second slash begins a host, and browsers read a backslash as a slash. */
    private static final Pattern ON_SITE = Pattern.compile("/(?![/\\\\])[\\x21-\\x7e&&[^\\\\]]{0,2000}");

    private SitePath() {}

    /** The path and query, if no browser takes it for another site; else empty. */
    public static Optional<String> of(String text) {
        Objects.requireNonNull(text, "text");
        return ON_SITE.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }
}
