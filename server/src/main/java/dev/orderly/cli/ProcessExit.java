package dev.orderly.cli;

import dev.orderly.flow.FatalErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Ends the process when it cannot go on, with a line that says why and an exit code of its own, so that a supervisor
 * starts it again. At once and without shutdown hooks: those need the memory there is not, and what was acknowledged is
 * durable.
 *
 * <p>The JVM does the same, by the same code, where it is started with {@code -XX:+ExitOnOutOfMemoryError}, as the
 * program's own script does: then no library can keep the error to itself.
 */
final class ProcessExit {
    /** That of the JVM's own flag. */
    static final int CANNOT_GO_ON = 3;
    /** Made in time. */
    private static final byte[] PLAIN = line("an error after which nothing can be relied on");

    private ProcessExit() {}

    /** From now on fatal errors, and whatever ends a thread by one, end this process. */
    static void onFatalErrors() {
        FatalErrors.onFatal((where, thrown) -> end(where, thrown));
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            FatalErrors.report("thread " + thread.getName(), thrown);
            thrown.printStackTrace();
        });
    }

    private static void end(String where, Throwable thrown) {
        try {
            write(reason(where, thrown));
        } finally {
            Runtime.getRuntime().halt(CANNOT_GO_ON);
        }
    }

    private static byte[] reason(String where, Throwable thrown) {
        try {
            return line(thrown + " in " + where);
        } catch (Throwable _) {
            return PLAIN;
        }
    }

    private static byte[] line(String why) {
        return ("orderly: the process cannot go on and ends with exit code " + CANNOT_GO_ON + ": " + why + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("EmptyCatch") // there is nobody left to tell
    private static void write(byte[] text) {
        try (FileOutputStream err = new FileOutputStream(FileDescriptor.err)) {
            err.write(text);
        } catch (IOException _) {
            // it ends all the same
        }
    }
}
