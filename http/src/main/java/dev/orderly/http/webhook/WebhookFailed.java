package dev.orderly.http.webhook;

import org.jspecify.annotations.Nullable;

/** A failed attempt by webhook, to be retried with the queue's own backoff. */
final class WebhookFailed extends Exception {
    WebhookFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
