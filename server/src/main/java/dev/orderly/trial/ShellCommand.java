package dev.orderly.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of the operator's, run by {@code sh}. */
public final class ShellCommand {
    private static final int CANNOT = 127;

    private ShellCommand() {}

    /**
     * Runs a command. Its output goes to a file, so that a process which it leaves behind holds nothing of this one.
     *
     * @param arguments that follow the command
     * @return its exit code; that of a killed process after {@code patience}, 127 without a shell
     */
    public static int run(String command, List<String> arguments, Path output, Duration patience) {
        List<String> line = new ArrayList<>(
                List.of("sh", "-c", arguments.isEmpty() ? command : command + " \"$@\"", "sh"));
        line.addAll(arguments);
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile())).start();
            process.getOutputStream().close();
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            return process.exitValue();
        } catch (IOException _) {
            return CANNOT;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return CANNOT;
        }
    }
}
