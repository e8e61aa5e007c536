package dev.orderly.flow;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reporter of errors after which the process cannot be relied on: the heap or the JVM itself failed, so any thread
 * may have lost any step.
 *
 * <p>A program then ends itself and is started again by its supervisor: it sets this action with {@link #onFatal}. By
 * default, as in a library, the error is logged and work goes on as far as it can. There is one action for the whole
 * process, since the heap is shared. Thread-safe.
 */
public final class FatalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final int CAUSES_MOST = 16;
    private static final AtomicReference<BiConsumer<String, Throwable>> ACTION = new AtomicReference<>(
            FatalErrors::log);

    private FatalErrors() {}

    /** Sets the action that receives each error and where it happened. The action must not allocate memory. */
    public static void onFatal(BiConsumer<String, Throwable> action) {
        ACTION.set(action);
    }

    /** Whether the error or one of its causes makes the process unreliable. A stack overflow does not. */
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
     * Reports an error if it is fatal; otherwise does nothing. Never throws.
     *
     * @param where in the words of a log line, such as "the claim loop"
     */
    @SuppressWarnings("EmptyCatch") // there is no means left to report it
    public static void report(String where, Throwable thrown) {
        try {
            if (isFatal(thrown)) {
                end(where, thrown);
            }
        } catch (Throwable _) {
            // the action failed, or the cause cannot be read
        }
    }

    /**
     * Reports a failure after which the process has to end, whatever its type: what it would do next could destroy what
     * it has acknowledged. Never throws.
     *
     * @param where as in {@link #report}
     */
    @SuppressWarnings("EmptyCatch") // there is no means left to report it
    public static void end(String where, Throwable reason) {
        try {
            ACTION.get().accept(where, reason);
        } catch (Throwable _) {
            // the action failed
        }
    }

    private static void log(String where, Throwable thrown) {
        LOG.error("This process cannot be relied on any more and should be started again: {} in {}", thrown, where);
    }
}
