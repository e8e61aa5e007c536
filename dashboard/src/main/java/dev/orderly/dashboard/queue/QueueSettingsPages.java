package dev.orderly.dashboard.queue;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.settings.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The routes of the settings of queues, which change on all nodes until they are reset. */
public final class QueueSettingsPages {
    private final PageContext context;
    private final JobClient jobs;
    private final QueueSettings settings;

    public QueueSettingsPages(PageContext context, JobClient jobs, QueueSettings settings) {
        this.context = context;
        this.jobs = jobs;
        this.settings = settings;
    }

    public List<Route> routes() {
        return List.of(new Route("POST", "/queues/{queue}/settings", Role.OPERATOR, this::set),
                new Route("POST", "/queues/{queue}/settings/reset", Role.OPERATOR, this::reset));
    }

    /** A field that is as configured, or empty, leaves the configured value in force. */
    private DashboardResponse set(DashboardRequest request) {
        QueueName queue = queue(request);
        QueueOptions configured = jobs.options(queue).isPresent() ? configured(queue) : QueueOptions.defaultsFor(queue);
        Long concurrency = number(request, "concurrency", configured.concurrency());
        Duration timeout = duration(request, configured.timeout());
        Long maxPending = number(request, "maxPending", configured.maxPending());
        QueueOverride next = change(request, queue, before -> before
                .withConcurrency(concurrency == null ? null : (int) Math.clamp(concurrency, 0, Integer.MAX_VALUE))
                .withTimeout(timeout).withMaxPending(maxPending));
        return context.done(Notice.done("Settings of " + queue + " are changed")
                .withDetail("On all nodes within seconds: " + next.text()));
    }

    private DashboardResponse reset(DashboardRequest request) {
        QueueName queue = queue(request);
        change(request, queue, _ -> QueueOverride.NONE);
        return context.done(Notice.done(queue + " has its configured settings again"));
    }

    private QueueOverride change(DashboardRequest request, QueueName queue, UnaryOperator<QueueOverride> change) {
        String object = "queue " + queue;
        String before = settings.of(queue).text();
        context.checkSeen(request, object, before);
        try {
            var _ = change.apply(QueueOverride.NONE); // a value out of its bounds is no failed change
            return context.change(request, "queueSettings", object, before,
                    () -> settings.change(queue, change, request.viewer().identity().toString()), QueueOverride::text);
        } catch (IllegalArgumentException e) {
            throw new Refused(422, "Not changed", String.valueOf(e.getMessage()));
        }
    }

    private QueueOptions configured(QueueName queue) {
        return jobs.queues().stream().filter(status -> status.view().queue().equals(queue))
                .map(status -> status.configured()).findFirst().orElseThrow();
    }

    private static @Nullable Long number(DashboardRequest request, String field, long configured) {
        String text = request.field(field);
        try {
            Long value = text == null ? null : Long.valueOf(text);
            return value == null || value == configured ? null : value;
        } catch (NumberFormatException _) {
            throw new Refused(422, "Not changed", "\"" + text + "\" is no whole number: correct the field " + field);
        }
    }

    /** In seconds, as the form asks. */
    private static @Nullable Duration duration(DashboardRequest request, Duration configured) {
        Long seconds = number(request, "timeout", configured.toSeconds());
        return seconds == null ? null : Duration.ofSeconds(Math.clamp(seconds, 0, Integer.MAX_VALUE));
    }

    private QueueName queue(DashboardRequest request) {
        String name = request.param("queue");
        return jobs.queues().stream().map(status -> status.view().queue())
                .filter(queue -> queue.value().equals(name)).findFirst()
                .orElseThrow(() -> Refused.unknown("Queue " + name, "find the right name in the list of queues"));
    }
}
