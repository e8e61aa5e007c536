package dev.orderly.flow;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where errors are reported after which a process cannot be relied on: the heap or the JVM itself gave out, so any thread
 * may have lost any step.
 *
 * <p>A program ends itself then and is started again by its supervisor: it says so by {@link #onFatal}. Without that, as
 * in a library, the error is logged and work goes on as far as it can. One for the whole process, since the heap is.
 * Thread-safe.
 */
public final class FatalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final int CAUSES_MOST = 16;
    private static final AtomicReference<BiConsumer<String, Throwable>> ACTION = new AtomicReference<>(
            FatalErrors::log);

    private FatalErrors() {}

    /** Has the action take what is reported from now on, with where it happened; it must not need memory. */
    public static void onFatal(BiConsumer<String, Throwable> action) {
        ACTION.set(action);
    }

    /** Whether it, or a cause of it, means that the process cannot be relied on; an overflow of a stack does not. */
    public static boolean isFatal(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MOST; depth++) {
            if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Takes note of whatever was caught; does nothing unless that is fatal. Never throws.
     *
     * @param where in the words of a log line, such as "the claim loop"
     */
    @SuppressWarnings("EmptyCatch") // nothing is left to report with
    public static void report(String where, Throwable thrown) {
        try {
            if (isFatal(thrown)) {
                ACTION.get().accept(where, thrown);
            }
        } catch (Throwable _) {
            // of the action, or a cause that cannot be asked for
        }
    }

    private static void log(String where, Throwable thrown) {
        LOG.error("This process cannot be relied on any more and should be started again: {} in {}", thrown, where);
    }
}
