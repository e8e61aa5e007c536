package dev.orderly.http.webhook;

import dev.orderly.http.alert.Alert;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
        byte[] body = json(alert);
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

    /** The body: type and time as Standard Webhooks recommends, and the data. */
    static byte[] json(Alert alert) {
        String phase = alert.phase().name().toLowerCase(Locale.ROOT);
        ObjectNode json = JsonMapper.shared().createObjectNode().put("type", alert.kind().wire())
                .put("timestamp", alert.at().toString());
        json.putObject("data").put("id", alert.id()).put("phase", phase).put("subject", alert.subject())
                .put("detail", alert.detail()).put("count", alert.count()).put("since", alert.since().toString());
        return JsonMapper.shared().writeValueAsBytes(json);
    }
}
