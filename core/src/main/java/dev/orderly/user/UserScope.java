package dev.orderly.user;

import java.util.Objects;
import java.util.Optional;

/**
 * The user for whom this thread works. A job pushed in the scope belongs to that user unless the push names another.
 * Handlers run in the scope of their job's user; code that answers requests opens a scope:
 *
 * {@snippet :
 * UserScope.run(new UserId(session.userId()), () -> profiles.group(session.userId()).push(profile));
 * }
 *
 * <p>Not inherited by threads that are started inside.
 */
public final class UserScope {
    private static final ScopedValue<Optional<UserId>> CURRENT = ScopedValue.newInstance();

    private UserScope() {}

    /** The user of this scope; empty outside of scopes, and in a scope without a user. */
    public static Optional<UserId> current() {
        return CURRENT.isBound() ? CURRENT.get() : Optional.empty();
    }

    /** As {@link #current()}, and outside of scopes the user of the source. */
    public static Optional<UserId> currentOr(UserSource outside) {
        return CURRENT.isBound() ? CURRENT.get() : outside.current();
    }

    public static void run(UserId user, Runnable action) {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(user, "user");
        ScopedValue.where(CURRENT, Optional.of(user)).run(action);
    }

    public static <T, X extends Throwable> T call(UserId user, ScopedValue.CallableOp<? extends T, X> action) throws X {
        Objects.requireNonNull(user, "user");
        return call(Optional.of(user), action);
    }

    /** As {@link #call(UserId, ScopedValue.CallableOp)}; an empty user hides the user of an outer scope. */
    public static <T, X extends Throwable> T call(Optional<UserId> user, ScopedValue.CallableOp<? extends T, X> action)
            throws X {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(action, "action");
        return ScopedValue.where(CURRENT, user).call(action);
    }
}
