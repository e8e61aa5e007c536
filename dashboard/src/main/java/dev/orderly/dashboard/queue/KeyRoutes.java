package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.KeyView;
import dev.orderly.operate.KeyControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The routes of single keys and groups; a field of the form names the key, which may have any characters. */
public final class KeyRoutes {
    private static final String BASE = "/queues/{queue}/keys";

    private final PageContext context;

    public KeyRoutes(PageContext context) {
        this.context = context;
    }

    public List<DashboardRoute> routes() {
        return List.of(
                new DashboardRoute(OperationSpec.PAUSE_KEY, BASE + "/pause", request -> pause(request, true)),
                new DashboardRoute(OperationSpec.RESUME_KEY, BASE + "/resume", request -> pause(request, false)),
                new DashboardRoute(OperationSpec.SET_KEY, BASE + "/bounds", this::bounds),
                new DashboardRoute(OperationSpec.SET_KEY, BASE + "/bounds/reset",
                        request -> set(request, _ -> LimitOverride.NONE)));
    }

    private static String key(DashboardRequest request) {
        return Objects.requireNonNullElse(request.field("key"), "");
    }

    private Response pause(DashboardRequest request, boolean paused) {
        context.run(request, KeyControl.pause(request.param("queue"), key(request), paused));
        return context.done(Notice.done(key(request) + (paused ? " is paused" : " goes on"))
                .withDetail(paused ? "No job of it starts on any node; jobs that run go on to their end" : null));
    }

    /** An empty field leaves the bound of each key in force. */
    private Response bounds(DashboardRequest request) {
        return set(request, LimitRoutes.bounds(request));
    }

    private Response set(DashboardRequest request, UnaryOperator<LimitOverride> change) {
        KeyView view = context.run(request, KeyControl.bounds(request.param("queue"), key(request), change));
        return context.done(Notice.done("The bounds of key " + view.key() + " are changed")
                .withDetail("From the next claim on: " + view.settings().bounds().text()));
    }
}
