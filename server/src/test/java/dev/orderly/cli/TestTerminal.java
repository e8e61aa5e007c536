package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Terminals of tests, which nobody watches: their output goes to writers that the test reads. */
final class TestTerminal {
    private TestTerminal() {}

    /** A terminal without input. */
    static Terminal of(StringWriter out, StringWriter err, Map<String, String> environment) {
        return of("", out, err, environment);
    }

    static Terminal of(String input, StringWriter out, StringWriter err, Map<String, String> environment) {
        return new Terminal(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out, true),
                new PrintWriter(err, true), environment, false);
    }

    /** The variables that lead commands to the API at this address, and to a configuration. */
    static Map<String, String> environment(String url, Path config) {
        return Map.of("ORDERLY_URL", url, "ORDERLY_CONFIG", config.toString());
    }
}
