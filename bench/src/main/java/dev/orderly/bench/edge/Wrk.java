package dev.orderly.bench.edge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load generator wrk.
 *
 * @param cores as taskset takes them
 */
record Wrk(String cores, int threads, Path folder) {
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern LATENCY = Pattern.compile("\\s+(50|99)%\\s+([0-9.]+)(us|ms|s)");

    /** Requests a second, and latencies in milliseconds. */
    record Result(double perSecond, double p50, double p99) {}

    /** As fast as the connections allow. */
    Result full(String url, String cookie, int connections, int seconds) throws IOException, InterruptedException {
        return run(url, List.of("-H", "Cookie: " + cookie), connections, seconds);
    }

    /** About {@code rate} requests a second: each connection rests between two of them. */
    Result paced(String url, String cookie, int connections, double rate, int seconds)
            throws IOException, InterruptedException {
        Path script = folder.resolve("paced.lua");
        long rest = Math.max(1, Math.round(connections * 1_000 / rate));
        Files.writeString(script, String.format(Locale.ROOT,
                "math.randomseed(7)%nfunction delay() return math.random(0, %d) end%n", 2 * rest));
        return run(url, List.of("-H", "Cookie: " + cookie, "-s", script.toString()), connections, seconds);
    }

    private Result run(String url, List<String> more, int connections, int seconds)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cores, "wrk", "-t" + threads, "-c"
                + connections, "-d" + seconds + "s", "--latency", "-H", "Accept: application/json"));
        command.addAll(more);
        command.add(url);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        Matcher rate = RATE.matcher(out);
        if (!rate.find() || out.contains("Socket errors")) {
            throw new IOException("wrk printed: " + out);
        }
        double p50 = 0;
        double p99 = 0;
        for (Matcher latency = LATENCY.matcher(out); latency.find();) {
            double millis = Double.parseDouble(latency.group(2)) * switch (latency.group(3)) {
                case "us" -> 0.001;
                case "ms" -> 1;
                default -> 1_000;
            };
            if (latency.group(1).equals("50")) {
                p50 = millis;
            } else {
                p99 = millis;
            }
        }
        return new Result(Double.parseDouble(rate.group(1)), p50, p99);
    }
}
