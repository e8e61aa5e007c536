package dev.orderly.dashboard.exchange;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * The identity that looks at a page.
 *
 * @param address of the client, for the audit log
 * @param csrf the token that changes need in the header {@code X-CSRF-Token}; null if the identity has no session.
 *     Checked by the server that mounts the dashboard
 */
public record Viewer(Identity identity, String address, @Nullable String csrf) {
    /** Whether the viewer's role includes the role that an operation needs. */
    public boolean may(Role least) {
        return identity.role().includes(least);
    }

    /** As {@link #may}, for templates: whether controls of operators are shown. */
    public boolean operates() {
        return may(Role.OPERATOR);
    }

    /** As {@link #may}, for templates: whether controls of administrators are shown. */
    public boolean administers() {
        return may(Role.ADMIN);
    }
}
