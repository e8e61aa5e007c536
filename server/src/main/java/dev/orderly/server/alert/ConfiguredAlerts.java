package dev.orderly.server.alert;

import dev.orderly.Orderly;
import dev.orderly.config.AlertConfig;
import dev.orderly.http.alert.Observed;
import dev.orderly.http.webhook.AlertReceiver;
import dev.orderly.http.webhook.Webhook;
import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.store.KeyValueStore;
import dev.orderly.time.Time;
import dev.orderly.web.webhook.WebhookSecret;
import java.net.http.HttpClient;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** The alerts of a configuration. */
public final class ConfiguredAlerts implements AutoCloseable {
    private final HttpClient client = WebhookHandler.newClient();
    private final AlertLoop loop;

    /**
     * Alerts that are not started yet.
     *
     * @param secrets sign each alert
     * @param source observes all conditions
     */
    public ConfiguredAlerts(AlertConfig config, List<WebhookSecret> secrets, KeyValueStore store, Orderly orderly,
            Function<Instant, Observed> source) {
        AlertReceiver receiver = new AlertReceiver(new Webhook(config.url(), secrets), client, Time.system());
        SharedAlerts shared = new SharedAlerts(store, UUID.randomUUID().toString());
        this.loop = new AlertLoop(shared, source, receiver, Time.system(), orderly.jobs()::now);
    }

    public void start() {
        loop.start();
    }

    /** Lets another node take over. */
    @Override
    public void close() {
        loop.close();
        client.shutdownNow();
        client.close();
    }
}
