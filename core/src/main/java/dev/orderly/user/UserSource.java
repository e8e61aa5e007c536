package dev.orderly.user;

import java.util.Optional;

/**
 * The user whom a framework has authenticated for the calling thread. Asked by each push outside of every
 * {@link UserScope}. Thread-safe; does not block.
 */
@FunctionalInterface
public interface UserSource {
    /** No framework: a push outside of scopes belongs to no user unless it names one. */
    UserSource NONE = Optional::empty;

    /** The user; empty for none. */
    Optional<UserId> current();
}
