package dev.orderly.cli.terminal;

import java.io.Console;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Input, output and environment of a command. What is written to it is {@linkplain VisibleWriter visible} text.
 *
 * @param interactive whether a person sees the output, so that a line may be drawn over
 */
public record Terminal(InputStream in, PrintWriter out, PrintWriter err, Map<String, String> environment,
        boolean interactive) {
    public Terminal {
        environment = Map.copyOf(environment);
        out = new PrintWriter(new VisibleWriter(out), true);
        err = new PrintWriter(new VisibleWriter(err), true);
    }

    /** The streams of the process; output is UTF-8 and flushed at the end of each line. */
    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again without a terminal
    public static Terminal system() {
        Console console = System.console();
        return new Terminal(System.in, writer(System.out), writer(System.err), System.getenv(),
                console != null && console.isTerminal());
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
