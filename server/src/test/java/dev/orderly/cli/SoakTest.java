package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.server.ProgramProcess;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a node and its database hold under an even load, from minute to minute: nothing grows without end. A run of
 * hours is a command, whose figures are in {@code target/soak.txt}. The dedupe ids of the load are kept for a day, and
 * are left out.
 */
class SoakTest {
    private static final double MINUTES = Double.parseDouble(System.getProperty("orderly.soak.minutes", "0.05"));
    private static final String RATE = System.getProperty("orderly.soak.rate", "50");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Ended jobs are kept for this long, so that their rows stop growing within a short run. */
    private static final String KEEP = "{ done: 1m }";
    /** Minutes from which on a run is long enough to compare its parts; a shorter one shows that the command works. */
    private static final double LONG = 5;
    /** Figures of the first third of a run, that of a program which is still warming up, count as no measure. */
    private static final int THIRDS = 3;

    @TempDir
    private Path folder = Path.of("");
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Map<String, Double>> samples = new CopyOnWriteArrayList<>();

    @Test
    @Tag("slow")
    void nothingGrowsUnderAnEvenLoad() throws Exception {
        String listen = "127.0.0.1:" + FreePort.find();
        int admin = FreePort.find();
        int metrics = FreePort.find();
        StringWriter queues = new StringWriter();
        assertThat(run(queues, "--listen", listen, "--print-queues")).isZero();
        try (PostgresServer postgres = PostgresServer.start()) {
            Path file = Files.writeString(folder.resolve("node.yaml"), """
                    store: "%s"
                    secret-file: "%s"
                    edge: { port: 0, host: 127.0.0.1, warm-up: 0s, drain: 0s }
                    admin: { port: %d }
                    metrics: { port: %d }
                    keep: %s
                    %s""".formatted(postgres.address(), folder.resolve("secret"), admin, metrics, KEEP, queues));
            try (ChildProcess node = ChildProcess.start(
                    ProgramProcess.command(List.of("-Xmx256m", "-XX:+UseSerialGC"), "dev.orderly.cli.Main", "serve",
                            "--config", file.toString()),
                    builder -> builder.redirectError(folder.resolve("node.log").toFile()))) {
                assertThat(node.out().lines().anyMatch(line -> line.startsWith("edge"))).isTrue();
                Duration every = Duration.ofMillis(Math.round(MINUTES * 60_000 / 30));
                BackgroundLoop sampler = new BackgroundLoop("samples", Time.system(), () -> {
                    samples.add(sample(metrics, postgres.url()));
                    return every;
                });
                sampler.start();
                StringWriter out = new StringWriter();
                int exit = run(out, "--config", file.toString(), "--listen", listen, "--minutes",
                        String.valueOf(MINUTES), "--rate", RATE, "--out", folder.resolve("trial").toString());
                sampler.stop(PATIENCE);
                assertThat(exit).as(out.toString()).isZero();
            }
        }
        report();
        assertThat(samples).hasSizeGreaterThan(THIRDS)
                .allSatisfy(each -> assertThat(figure(each, "heap")).isPositive());
        if (MINUTES < LONG) {
            return;
        }
        int third = samples.size() / THIRDS;
        List<Map<String, Double>> middle = samples.subList(third, 2 * third);
        List<Map<String, Double>> last = samples.subList(2 * third, samples.size());
        for (String figure : List.of("heap", "handles", "threads", "rows dead", "tables")) {
            assertThat(lowest(last, figure)).as("%s: %s", figure, samples)
                    .isLessThanOrEqualTo(highest(middle, figure) * 1.2);
        }
    }

    private int run(StringWriter out, String... arguments) {
        List<String> line = new ArrayList<>(List.of("verify-cluster"));
        line.addAll(List.of(arguments));
        return Main.run(TestTerminal.of(out, new StringWriter(), Map.of()), line.toArray(String[]::new));
    }

    private static double figure(Map<String, Double> sample, String name) {
        return Objects.requireNonNull(sample.get(name), name);
    }

    private static double lowest(List<Map<String, Double>> part, String figure) {
        return part.stream().mapToDouble(each -> figure(each, figure)).min().orElseThrow();
    }

    private static double highest(List<Map<String, Double>> part, String figure) {
        return part.stream().mapToDouble(each -> figure(each, figure)).max().orElseThrow();
    }

    private Map<String, Double> sample(int metrics, String url) {
        try {
            String page = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics + "/metrics"))
                    .build(), HttpResponse.BodyHandlers.ofString()).body();
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("heap", sum(page, "jvm_memory_used_bytes{area=\"heap\""));
            figures.put("handles", sum(page, "process_files_open_files"));
            figures.put("threads", sum(page, "jvm_threads_live_threads"));
            figures.put("rows dead", sum(page, "orderly_store_rows_dead"));
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT sum(pg_total_relation_size(oid)),"
                            + " pg_current_wal_lsn() - '0/0' FROM pg_class WHERE relkind = 'r'"
                            + " AND relnamespace = 'orderly_store'::regnamespace AND relname <> 'recent'")) {
                row.next();
                figures.put("tables", row.getDouble(1));
                figures.put("log", row.getDouble(2));
            }
            return figures;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double sum(String page, String name) {
        return page.lines().filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    private void report() throws IOException {
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, "%s minutes, %s pushes a second%n", MINUTES,
                RATE));
        for (Map<String, Double> each : samples) {
            table.append(String.format(Locale.ROOT, "heap %.0f MB, handles %.0f, threads %.0f, dead rows %.0f,"
                    + " tables %.1f MB, log %.1f MB%n", figure(each, "heap") / 1e6, figure(each, "handles"),
                    figure(each, "threads"), figure(each, "rows dead"), figure(each, "tables") / 1e6,
                    figure(each, "log") / 1e6));
        }
        Files.writeString(Path.of("target", "soak.txt"), table);
    }
}
