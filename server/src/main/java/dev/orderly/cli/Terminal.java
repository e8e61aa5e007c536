package dev.orderly.cli;

import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Input, output and environment of a command. */
record Terminal(InputStream in, PrintWriter out, PrintWriter err, Map<String, String> environment) {
    Terminal {
        environment = Map.copyOf(environment);
    }

    /** The streams of the process; output is UTF-8 and flushed at the end of each line. */
    static Terminal system() {
        return new Terminal(System.in, writer(System.out), writer(System.err), System.getenv());
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
