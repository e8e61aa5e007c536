package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.QueueControl;
import dev.orderly.operate.Targets;
import dev.orderly.web.message.Response;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The routes of the settings of queues, which change on all nodes until they are reset. */
public final class QueueSettingsRoutes {
    private final PageContext context;
    private final Targets targets;

    public QueueSettingsRoutes(PageContext context, Targets targets) {
        this.context = context;
        this.targets = targets;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute(OperationSpec.SET_QUEUE, "/queues/{queue}/settings", this::set),
                new DashboardRoute(OperationSpec.SET_QUEUE, "/queues/{queue}/settings/reset", this::reset));
    }

    /** A field that is as configured, or empty, leaves the configured value in force. */
    private Response set(DashboardRequest request) {
        QueueStatus queue = targets.queue(request.param("queue"));
        QueueOptions declared = queue.configured();
        QueueOptions configured = declared == null ? QueueOptions.defaultsFor(queue.view().queue()) : declared;
        Long concurrency = number(request, "concurrency", configured.concurrency());
        Duration timeout = duration(request, configured.timeout());
        Long maxPending = number(request, "maxPending", configured.maxPending());
        QueueOverride next = change(request, before -> before
                .withConcurrency(concurrency == null ? null : Math.clamp(concurrency, 0, Integer.MAX_VALUE))
                .withTimeout(timeout).withMaxPending(maxPending));
        return context.done(Notice.done("Settings of " + queue.view().queue() + " are changed")
                .withDetail("On all nodes within seconds: " + next.text()));
    }

    private Response reset(DashboardRequest request) {
        change(request, _ -> QueueOverride.NONE);
        return context.done(Notice.done(request.param("queue") + " has its configured settings again"));
    }

    private QueueOverride change(DashboardRequest request, UnaryOperator<QueueOverride> change) {
        return context.run(request, QueueControl.set(request.param("queue"), change));
    }

    private static @Nullable Long number(DashboardRequest request, String field, long configured) {
        String text = request.field(field);
        try {
            Long value = text == null ? null : Long.valueOf(text);
            return value == null || value == configured ? null : value;
        } catch (NumberFormatException _) {
            throw new RefusedFormException(422, "Not changed",
                    "\"" + text + "\" is no whole number: correct the field " + field);
        }
    }

    /** In seconds, as the form asks. */
    private static @Nullable Duration duration(DashboardRequest request, Duration configured) {
        Long seconds = number(request, "timeout", configured.toSeconds());
        return seconds == null ? null : Duration.ofSeconds(Math.clamp(seconds, 0, Integer.MAX_VALUE));
    }
}
