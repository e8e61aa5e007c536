package dev.orderly.http.access;

import dev.orderly.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * The identities that may use an operation.
 *
 * @param role the least of viewer, operator and admin; null for everybody, without a credential
 * @param worker whether workers may use it too, for their own queues
 */
public record LeastRole(@Nullable Role role, boolean worker) {
    /** Everybody, without a credential. */
    public static final LeastRole NONE = new LeastRole(null, true);
    public static final LeastRole VIEWER = new LeastRole(Role.VIEWER, false);
    public static final LeastRole OPERATOR = new LeastRole(Role.OPERATOR, false);
    public static final LeastRole ADMIN = new LeastRole(Role.ADMIN, false);

    /** @throws IllegalArgumentException if the role is the worker's, which is beside the others */
    public LeastRole {
        if (role == Role.WORKER) {
            throw new IllegalArgumentException(
                    "The least role is worker: name the least of the others, and orWorker()");
        }
    }

    /** This role, or a worker. */
    public LeastRole orWorker() {
        return new LeastRole(role, true);
    }

    public boolean isPublic() {
        return role == null;
    }

    public boolean allows(Role given) {
        return role == null || given.includes(role) || (worker && given == Role.WORKER);
    }

    /** The form in the OpenAPI document: {@code none}, {@code viewer}, {@code operator or worker}. */
    public String text() {
        return role == null ? "none" : role.text() + (worker ? " or worker" : "");
    }
}
