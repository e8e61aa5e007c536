package dev.orderly.servlet.dashboard;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.operate.Caller;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request, as the application identified it.
 *
 * @param role null for a sender who may not enter
 */
record DashboardCaller(@Nullable Role role, String name, String address, CsrfCookie csrf) {
    /** @param granted the role */
    Caller viewer(Role granted) {
        return new Caller(new Identity(Identity.Kind.APPLICATION, name, granted), address, csrf.token());
    }
}
