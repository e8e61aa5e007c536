package dev.orderly.cli.process;

import dev.orderly.flow.FatalErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Ends the process when it cannot continue, with a line that names the cause and an exit code of its own, so that a
 * supervisor restarts it. It ends at once and without shutdown hooks, which would need memory; everything acknowledged
 * is durable.
 *
 * <p>The JVM does the same, with the same code, where it is started with {@code -XX:+ExitOnOutOfMemoryError}, as the
 * program's script does. Then no library can hide the error.
 */
public final class ProcessExit {
    /** The code of the JVM's own flag. */
    public static final int CANNOT_GO_ON = 3;
    /** Built in advance, while there is memory. */
    private static final byte[] PLAIN = line("a fatal error");

    private ProcessExit() {}

    /** From now on a fatal error, or an error that ends a thread, ends this process. */
    public static void onFatalErrors() {
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
        return ("orderly: the process cannot continue and ends with exit code " + CANNOT_GO_ON + ": " + why + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("EmptyCatch") // there is no memory to report a failure
    private static void write(byte[] text) {
        try (FileOutputStream err = new FileOutputStream(FileDescriptor.err)) {
            err.write(text);
        } catch (IOException _) {
            // the process ends in any case
        }
    }
}
