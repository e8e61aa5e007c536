package dev.orderly.http.acme;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An authority issued no certificate. The message names the authority, its reason and a remedy. */
final class IssuanceException extends Exception {
    private final @Nullable Instant retryAt;

    /** @param retryAt the authority's wish; null for none */
    IssuanceException(String message, @Nullable Instant retryAt, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAt = retryAt;
    }

    Optional<Instant> retryAt() {
        return Optional.ofNullable(retryAt);
    }
}
