package dev.orderly;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A handler, a schedule or a listener that an application has registered. It holds until it is closed, or until the
 * instance is; nothing has to close it.
 *
 * {@snippet :
 * try (Registration progress = orderly.jobs().onChange(page::refresh)) {
 *     page.show();
 * }
 * }
 */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Ends the registration. What runs already goes on; does not wait for it. Idempotent, thread-safe. */
    @Override
    void close();

    /** A registration whose first close runs the action. */
    static Registration of(Runnable end) {
        Objects.requireNonNull(end, "end");
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (closed.compareAndSet(false, true)) {
                end.run();
            }
        };
    }
}
