package dev.orderly.trial;

import com.sun.net.httpserver.Headers;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The check that a request to the handler is from a node of the cluster.
 *
 * @param secrets of the cluster; without any, each request counts as signed
 */
public record TrialSignatures(List<WebhookSecret> secrets) {
    /** A node that was paused may send a request that it signed long before. */
    private static final Duration AT_ANY_TIME = ChronoUnit.FOREVER.getDuration();

    public TrialSignatures {
        secrets = List.copyOf(secrets);
    }

    public boolean isChecked() {
        return !secrets.isEmpty();
    }

    boolean isSigned(Headers headers, byte[] body) {
        WebhookSignature signature = new WebhookSignature(text(headers, WebhookSignature.ID),
                text(headers, WebhookSignature.TIMESTAMP), text(headers, WebhookSignature.SIGNATURE));
        return !isChecked() || signature.verify(body, secrets, Instant.EPOCH,
                AT_ANY_TIME) == WebhookSignature.Verdict.VALID;
    }

    private static String text(Headers headers, String name) {
        return String.valueOf(headers.getFirst(name));
    }
}
