package dev.orderly.user;

import java.util.Optional;

/**
 * Whose request or job this thread works on. What is pushed meanwhile belongs to that user unless the push says
 * otherwise. Handlers run in the scope of their job's user; code that answers requests opens one:
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

    /** The user of this scope; empty outside, and for nobody. */
    public static Optional<UserId> current() {
        return CURRENT.isBound() ? CURRENT.get() : Optional.empty();
    }

    public static void run(UserId user, Runnable action) {
        ScopedValue.where(CURRENT, Optional.of(user)).run(action);
    }

    public static <T, X extends Throwable> T call(UserId user, ScopedValue.CallableOp<? extends T, X> action) throws X {
        return call(Optional.of(user), action);
    }

    /** As {@link #call(UserId, ScopedValue.CallableOp)}; empty for nobody, whoever an outer scope belongs to. */
    public static <T, X extends Throwable> T call(Optional<UserId> user, ScopedValue.CallableOp<? extends T, X> action)
            throws X {
        return ScopedValue.where(CURRENT, user).call(action);
    }
}
