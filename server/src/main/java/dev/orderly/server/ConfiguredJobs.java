package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.config.Config;
import dev.orderly.config.QueueConfig;
import dev.orderly.config.ScheduleConfig;
import dev.orderly.config.WorkerReports;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.api.AttemptEndpoints;
import dev.orderly.http.intake.EventLinks;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.http.webhook.BatchWebhookHandler;
import dev.orderly.http.webhook.Webhook;
import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.present.Redaction;
import dev.orderly.time.Time;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues and schedules of a configuration, declared at an engine. Closed after the engine has stopped. */
final class ConfiguredJobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredJobs.class);

    private final Orderly orderly;
    private final Redaction redaction;
    private final Supplier<Secrets> secrets;
    private final AttemptTokens tokens = new AttemptTokens(List.of());
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable HttpClient webhooks;

    /**
     * The jobs of a server.
     *
     * @param redaction masks values of jobs in the words of their workers
     * @param secrets read when the first queue with a handler is declared
     */
    ConfiguredJobs(Orderly orderly, Redaction redaction, Supplier<Secrets> secrets) {
        this.redaction = redaction;
        this.orderly = orderly;
        this.secrets = secrets;
    }

    /** Declares the limits, with their bounds of now, and the queues that are new. */
    void declareQueues(Config.Jobs jobs) {
        jobs.limits().forEach((name, limit) -> orderly.limit(name.value(), limit));
        jobs.queues().stream().filter(queue -> orderly.jobs().options(queue.name()).isEmpty()).forEach(this::declare);
    }

    /** Changes the options of declared queues. */
    void changeQueues(List<QueueConfig> queues) {
        queues.forEach(queue -> orderly.engines().jobs().change(queue.name(), queue.options()));
    }

    private void declare(QueueConfig config) {
        String name = config.name().value();
        JobQueue<Payload> queue = config.name().isFifo()
                ? orderly.engines().jobs().fifo(name, Payload.class, config.options())
                : orderly.engines().jobs().queue(name, Payload.class, config.options());
        if (config.handler() == null) {
            LOG.warn("Queue {} has no handler: its jobs wait until one is configured", name);
        } else {
            Secrets known = secrets.get();
            tokens.use(known.attempts());
            if (config.isPulled()) {
                orderly.engines().jobs().pull(queue);
            } else {
                Webhook webhook = new Webhook(config.handler(), known.webhooks());
                if (config.batch() > 1 && queue instanceof StandardQueue<Payload> standard) {
                    orderly.handleBatch(standard, config.batch(),
                            new BatchWebhookHandler(webhook, tokens, redaction, this::client, Time.system()));
                } else {
                    orderly.handle(queue, new WebhookHandler(webhook, tokens, redaction, this::client, Time.system()));
                }
            }
        }
    }

    /**
     * The client of webhooks, which this object closes. Made by the first call, since it reads the JDK's authorities: a
     * tenth of the time of a start.
     */
    HttpClient client() {
        making.lock();
        try {
            HttpClient client = webhooks;
            if (client == null) {
                client = WebhookHandler.newClient();
                webhooks = client;
            }
            return client;
        } finally {
            making.unlock();
        }
    }

    /** The tokens of attempts. */
    AttemptTokens tokens() {
        return tokens;
    }

    /**
     * The handlers of the edge, with reports of workers and links of events as the configuration says.
     */
    EdgeHandlers withReports(Config config, EdgeHandlers others) {
        EdgeHandlers reported = config.jobs().reports() == WorkerReports.ACCEPTED
                ? others.withReports(new AttemptEndpoints(orderly.engines().jobs(), tokens, redaction, "/.orderly"))
                : others;
        return config.jobs().publicUrl() == null
                ? reported
                : reported.withEvents(new EventLinks(orderly.engines().jobs(), config.site().trusted(), Time.system()));
    }

    /** Declares the schedules that are new. */
    void declareSchedules(List<ScheduleConfig> schedules) {
        schedules.stream().filter(schedule -> !orderly.schedules().isDeclared(schedule.name())).forEach(this::declare);
    }

    private void declare(ScheduleConfig config) {
        PushRequest job = PushRequest.of(config.queue().value(), config.payload()).withGroup(config.group());
        orderly.engines().schedules().declare(config.name(), config.timing(), job);
    }

    @Override
    public void close() {
        HttpClient client = webhooks;
        if (client != null) {
            client.shutdownNow();
            client.close();
        }
    }
}
