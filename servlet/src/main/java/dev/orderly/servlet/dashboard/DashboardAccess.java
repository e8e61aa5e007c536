package dev.orderly.servlet.dashboard;

import dev.orderly.access.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Function;

/**
 * Who may see the dashboard, as the security of the application knows it.
 *
 * @param role the role of the sender of a request; empty if the sender may not enter
 * @param name the name for the audit log
 */
public record DashboardAccess(Function<HttpServletRequest, Optional<Role>> role,
        Function<HttpServletRequest, String> name) {
    /** Nobody. */
    public static final DashboardAccess CLOSED = byRole(_ -> Optional.empty());

    /** Viewers have the names of the container's principals in the audit log. */
    public static DashboardAccess byRole(Function<HttpServletRequest, Optional<Role>> role) {
        return new DashboardAccess(role, DashboardAccess::principal);
    }

    private static String principal(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? "unknown" : principal.getName();
    }
}
