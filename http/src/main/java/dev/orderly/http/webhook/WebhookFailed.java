package dev.orderly.http.webhook;

import org.jspecify.annotations.Nullable;

/** An attempt by webhook that failed and is worth repeating at the queue's own pace. */
final class WebhookFailed extends Exception {
    WebhookFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
