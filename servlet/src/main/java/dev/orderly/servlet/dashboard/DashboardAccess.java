package dev.orderly.servlet.dashboard;

import dev.orderly.access.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Who may see the dashboard, as the security of the application knows it. Applications begin with {@link #byRole}.
 *
 * @param role the role of the sender of a request; empty if the sender may not enter
 * @param name the name for the audit log
 */
public record DashboardAccess(Function<HttpServletRequest, Optional<Role>> role,
        Function<HttpServletRequest, String> name) {
    public DashboardAccess {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(name, "name");
    }

    /** Nobody. */
    public static final DashboardAccess CLOSED = byRole(_ -> Optional.empty());

    /** Viewers have the names of the container's principals in the audit log. */
    public static DashboardAccess byRole(Function<HttpServletRequest, Optional<Role>> role) {
        return new DashboardAccess(role, DashboardAccess::principal);
    }

    /** The same with other names in the audit log. */
    public DashboardAccess withName(Function<HttpServletRequest, String> value) {
        Objects.requireNonNull(value, "value");
        return new DashboardAccess(role, value);
    }

    private static String principal(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? "unknown" : principal.getName();
    }
}
