package dev.orderly.servlet.dashboard;

import dev.orderly.Orderly;
import dev.orderly.access.Role;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.Container;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.security.Principal;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An application whose users are named by the header {@code User}, or else by the last user of the filter, with the
 * dashboard at {@code /app/internal/orderly}. A user's name begins with its role.
 */
public final class DashboardApp implements AutoCloseable {
    public static final String PATH = "/app/internal/orderly";

    final MemoryStore store = new MemoryStore();
    public final Orderly orderly = Orderly.open(store);
    final AccessControl control = new AccessControl(store.credentials(), store.audit(), Time.system(),
            AccessOptions.DEFAULT);
    private final RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
            new GateId("here"), Time.system(), new SecureRandom());
    private final Container container;

    public DashboardApp(Container.Kind kind, DashboardAccess access, @Nullable String everybody) {
        container = kind.start("/app", Container.Parts.none().filter(new Users(everybody)).servlet(
                "/internal/orderly/*", new DashboardServlet("/internal/orderly",
                        new Dashboard.Sources(orderly, rooms, control.audit()), access, Time.system())));
    }

    /** Users by the first part of their names. */
    public static DashboardAccess byName() {
        return DashboardAccess.byRole(request -> request.getUserPrincipal() == null
                ? Optional.empty()
                : Role.parse(request.getUserPrincipal().getName().split("-", 2)[0]));
    }

    public String url(String path) {
        return "http://127.0.0.1:" + container.port() + path;
    }

    public boolean isPaused(String queue) {
        return orderly.jobs().queues().stream().filter(each -> each.view().queue().value().equals(queue))
                .anyMatch(each -> each.view().paused());
    }

    private record Users(@Nullable String everybody) implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest http = (HttpServletRequest) request;
            String user = http.getHeader("User") == null ? everybody : http.getHeader("User");
            chain.doFilter(new HttpServletRequestWrapper(http) {
                @Override
                public @Nullable Principal getUserPrincipal() {
                    return user == null ? null : () -> user;
                }
            }, response);
        }
    }

    @Override
    public void close() {
        container.close();
        rooms.close();
        orderly.close();
    }
}
