package dev.orderly.bench.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs the harness of the public benchmark, from a checkout of it, on Orderly. */
public final class PublicBench {
    private static final Path SCRIPT = Path.of("harness", "run.py");

    private PublicBench() {}

    /**
     * Prints what the harness prints.
     *
     * @param harness folder of its checkout
     * @param postgres folder of PostgreSQL's programs
     * @param scale factor on the durations of all phases
     * @param cases names of its cases; empty for all
     */
    public static void run(String harness, String postgres, String scale, String cases)
            throws IOException, InterruptedException {
        String adapter = String.join(" ", Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), HarnessAdapter.class.getName());
        List<String> command = new ArrayList<>(List.of("python3", SCRIPT.toString(), harness, postgres, scale,
                adapter));
        Stream.of(cases.split(",")).filter(name -> !name.isEmpty()).forEach(command::add);
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException("The harness ended with " + exit);
        }
    }
}
