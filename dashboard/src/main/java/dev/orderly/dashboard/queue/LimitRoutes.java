package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.operate.LimitControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Response;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The routes of the bounds of limits, which change on all nodes until they are reset. */
public final class LimitRoutes {
    private static final String BASE = "/limits/{limit}";

    private final PageContext context;

    public LimitRoutes(PageContext context) {
        this.context = context;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute(OperationSpec.SET_LIMIT, BASE + "/bounds", this::set),
                new DashboardRoute(OperationSpec.SET_LIMIT, BASE + "/bounds/reset", this::reset));
    }

    /** An empty field leaves the declared bound in force. */
    private Response set(DashboardRequest request) {
        LimitOverride next = change(request, bounds(request));
        return context.done(Notice.done("Limit " + request.param("limit") + " is changed")
                .withDetail("On all nodes within seconds: " + next.text()));
    }

    /** The bounds of a form. */
    static UnaryOperator<LimitOverride> bounds(DashboardRequest request) {
        Integer concurrency = number(request, "concurrency");
        Integer starts = number(request, "starts");
        Integer seconds = number(request, "period");
        if ((starts == null) != (seconds == null)) {
            throw new RefusedFormException(422, "Not changed",
                    "A rate has a number of starts and a time: fill in both fields, or none");
        }
        return before -> before.withConcurrency(concurrency).withRate(starts,
                seconds == null ? null : Duration.ofSeconds(seconds));
    }

    private Response reset(DashboardRequest request) {
        change(request, _ -> LimitOverride.NONE);
        return context.done(Notice.done("Limit " + request.param("limit") + " has its declared bounds again"));
    }

    private LimitOverride change(DashboardRequest request, UnaryOperator<LimitOverride> change) {
        return context.run(request, LimitControl.set(request.param("limit"), change));
    }

    private static @Nullable Integer number(DashboardRequest request, String field) {
        String text = request.field(field);
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException _) {
            throw new RefusedFormException(422, "Not changed",
                    "\"" + text + "\" is no whole number: correct the field " + field);
        }
    }
}
