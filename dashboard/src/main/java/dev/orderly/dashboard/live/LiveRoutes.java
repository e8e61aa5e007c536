package dev.orderly.dashboard.live;

import dev.orderly.Orderly;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.live.OnlinePage;
import dev.orderly.live.OnlineUser;
import dev.orderly.live.UserConnections;
import dev.orderly.user.UserId;
import dev.orderly.web.message.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes of users who are connected. */
public final class LiveRoutes {
    private static final int PAGE = 100;

    private final PageContext context;
    private final Orderly orderly;

    public LiveRoutes(PageContext context, Orderly orderly) {
        this.context = context;
        this.orderly = orderly;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/live", Role.VIEWER, this::all),
                new DashboardRoute("GET", "/live/{user}", Role.VIEWER, this::single),
                new DashboardRoute("POST", "/live/{user}/messages", Role.OPERATOR, this::send));
    }

    private Response all(DashboardRequest request) {
        String asked = request.query("user");
        OnlinePage online = asked == null ? page(request.query("after")) : named(asked);
        List<OnlineUser> page = online.users();
        String next = page.size() < PAGE ? null : page.getLast().user().value();
        return context.page(request, new LivePage(page, online.unreachable(), next, asked, orderly.nodes()));
    }

    private OnlinePage page(@Nullable String after) {
        return orderly.users().online(after == null ? null : id(after), PAGE);
    }

    /** The user of an exact id, online or not. */
    private OnlinePage named(String text) {
        UserId user = id(text);
        UserConnections known = orderly.users().connectionsOf(user);
        return new OnlinePage(List.of(new OnlineUser(user, known.connections().size())), known.unreachable());
    }

    private Response single(DashboardRequest request) {
        UserId user = id(request.param("user"));
        return context.page(request,
                new UserPage(user.value(), orderly.users().isOnline(user), orderly.users().connectionsOf(user)));
    }

    /** Messages have no entry in the audit log, as over the API. */
    private Response send(DashboardRequest request) {
        UserId user = id(request.param("user"));
        String text = request.required("text");
        boolean online = orderly.users().isOnline(user);
        try {
            orderly.users().to(user).send(text);
        } catch (IllegalArgumentException e) {
            throw new RefusedFormException(422, "Not sent", String.valueOf(e.getMessage()));
        }
        return context.done(Notice.done("Sent to " + user).withDetail(
                online ? "It goes to all devices and tabs that are open now" : "The user is offline: nobody gets it"));
    }

    private static UserId id(String text) {
        try {
            return new UserId(text);
        } catch (IllegalArgumentException e) {
            throw new RefusedFormException(422, "No user id", String.valueOf(e.getMessage()));
        }
    }
}
