package dev.orderly.http.webhook;

import dev.orderly.http.alert.Alert;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.time.Time;
import dev.orderly.web.webhook.WebhookSignature;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * A receiver of alerts: each is POSTed as JSON, signed as Standard Webhooks defines, like the webhooks of jobs.
 * Thread-safe.
 */
public final class AlertReceiver {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Webhook webhook;
    private final HttpClient client;
    private final Time time;

    /** @param client from {@link WebhookHandler#newClient} */
    public AlertReceiver(Webhook webhook, HttpClient client, Time time) {
        this.webhook = webhook;
        this.client = client;
        this.time = time;
    }

    /**
     * Delivers an alert. Blocks, at most 10 s.
     *
     * @return empty if the receiver answered 2xx; otherwise the failure, for an operator
     */
    public String deliver(Alert alert) throws InterruptedException {
        byte[] body = RecordJson.bytes(AlertJson.of(alert));
        WebhookSignature signature = WebhookSignature.sign(alert.id(), time.now(), body, webhook.secrets());
        HttpRequest.Builder request = HttpRequest.newBuilder(webhook.target()).timeout(PATIENCE)
                .header("Content-Type", "application/json").header("User-Agent", "Orderly")
                .header(WebhookSignature.ID, signature.id()).header(WebhookSignature.TIMESTAMP, signature.timestamp())
                .POST(BodyPublishers.ofByteArray(body));
        if (!webhook.secrets().isEmpty()) {
            request.header(WebhookSignature.SIGNATURE, signature.signature());
        }
        try {
            int status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
            return status >= 200 && status < 300 ? "" : webhook.shown() + " answered " + status;
        } catch (IOException e) {
            return webhook.shown() + " gave no answer: " + e;
        }
    }
}
