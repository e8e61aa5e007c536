package dev.orderly.dashboard.server;

import dev.orderly.about.ConfigValue;
import dev.orderly.about.ServerFacts;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Locale;

/** The routes of the configuration and of facts about the server. */
public final class ServerRoutes {
    private final PageContext context;
    private final ServerFacts facts;

    public ServerRoutes(PageContext context, ServerFacts facts) {
        this.context = context;
        this.facts = facts;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/config", Role.OPERATOR, this::config),
                new DashboardRoute("GET", "/about", Role.VIEWER,
                        request -> context.page(request, new AboutPage(facts.about()))));
    }

    private Response config(DashboardRequest request) {
        String asked = request.query("q");
        String part = asked == null ? "" : asked.toLowerCase(Locale.ROOT);
        boolean own = "own".equals(request.query("show"));
        return context.page(request, new ConfigPage(facts.config().stream()
                .filter(value -> value.key().toLowerCase(Locale.ROOT).contains(part)
                        || value.value().toLowerCase(Locale.ROOT).contains(part))
                .filter(value -> !own || value.source() != ConfigValue.Source.DEFAULT).toList(),
                asked == null ? "" : asked, own));
    }
}
