package dev.orderly.http.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The {@code Retry-After} header (RFC 9110, section 10.2.3): seconds, or an HTTP date. */
final class RetryAfter {
    private RetryAfter() {}

    /** The time to wait, never negative; empty if the text is invalid. */
    static Optional<Duration> parse(String text, Instant now) {
        String value = text.strip();
        if (!value.isEmpty() && value.length() <= 10 && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
        }
        try {
            Instant until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
            Duration wait = Duration.between(now, until);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
