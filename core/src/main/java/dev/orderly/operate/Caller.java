package dev.orderly.operate;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * The identified sender of a request.
 *
 * @param address the client's address, behind trusted proxies too
 * @param csrf the token that changes of a session need; null without a session. Checked by the server that serves the
 *     request
 */
public record Caller(Identity identity, String address, @Nullable String csrf) {
    /** Whether the caller's role includes the role that an operation needs. */
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

    /** The caller at a page, which the audit log names behind the address. */
    public Caller at(String page) {
        return new Caller(identity, address + " " + page, csrf);
    }
}
