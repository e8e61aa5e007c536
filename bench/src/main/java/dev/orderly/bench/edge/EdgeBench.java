package dev.orderly.bench.edge;

import dev.orderly.bench.report.MarkdownTable;
import dev.orderly.testkit.server.Nginx;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The gateway against nginx, each pinned to core 0, with load and origin (another nginx) on core 1. Contenders take
 * turns in each round; the first two rounds, in which the JIT compiles, are not counted. Needs {@code nginx},
 * {@code wrk} and {@code taskset} on the path.
 */
public final class EdgeBench {
    private static final int CONNECTIONS = 64;
    private static final int WAITING_VISITORS = 10_000;
    private static final int CROWD_RATE = 1_000;
    /** Uncounted rounds where load and origin leave the edge only a part of its core: the JIT takes longer. */
    private static final int WARM_TOGETHER = 4;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final int seconds;
    private final Wrk wrk;
    private final MarkdownTable table = new MarkdownTable(List.of("edge, 64 connections, 1 KiB", "requests a second",
            "µs CPU each", "beside", "ratio"));
    /** By cores. */
    private final Map<String, Long> leastShares = new LinkedHashMap<>();

    public EdgeBench(PrintStream out, Path folder, int rounds, int seconds) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
        this.seconds = seconds;
        this.wrk = new Wrk("1", 1, folder);
    }

    /** The cores of the processes, as taskset takes them. */
    private record Placement(String edge, String origin, Wrk load) {}

    private record Contender(PinnedProcess subject, String url, String cookie) {}

    /** Rates, ratios, processor time a request, and latency at half load. */
    public void rates() throws IOException, InterruptedException {
        try (Site site = new Site()) {
            Map<String, Contender> contenders = site.contenders();
            Map<String, double[]> rates = new LinkedHashMap<>();
            Map<String, double[]> micros = new LinkedHashMap<>();
            contenders.keySet().forEach(name -> {
                rates.put(name, new double[rounds]);
                micros.put(name, new double[rounds]);
            });
            for (int round = -2; round < rounds; round++) {
                for (Map.Entry<String, Contender> each : contenders.entrySet()) {
                    Contender contender = each.getValue();
                    double before = contender.subject().cpuSeconds();
                    double rate = wrk.full(contender.url(), contender.cookie(), CONNECTIONS, seconds).perSecond();
                    double cpu = contender.subject().cpuSeconds() - before;
                    if (round >= 0) {
                        value(rates, each.getKey())[round] = rate;
                        value(micros, each.getKey())[round] = cpu * 1e6 / (rate * seconds);
                    }
                }
            }
            add(rates, micros);
            halfLoad(contenders, median(value(rates, "admitted, orderly")) / 2);
        }
    }

    /**
     * The edge on one core against two. Load and origin share the cores with the edge, so everything runs on core 0
     * first, then on both: if the edge used one core of two, the second run would be far below twice the first.
     */
    public void cores() throws IOException, InterruptedException {
        Map<String, Double> one = rates(new Placement("0", "0", new Wrk("0", 1, folder)), Map.of());
        rates(new Placement("0,1", "0,1", new Wrk("0,1", 2, folder)), one);
    }

    /** The median rates of the edge's contenders, printed beside the rates of another placement. */
    private Map<String, Double> rates(Placement placement, Map<String, Double> other)
            throws IOException, InterruptedException {
        Map<String, Double> medians = new LinkedHashMap<>();
        try (Site site = new Site(2 * WAITING_VISITORS, placement)) {
            for (Map.Entry<String, Contender> each : site.contenders().entrySet()) {
                Contender contender = each.getValue();
                if (contender.subject() == site.edge) {
                    double[] rates = new double[rounds];
                    double[] micros = new double[rounds];
                    for (int round = rounds == 1 ? -WARM_TOGETHER / 2 : -WARM_TOGETHER; round < rounds; round++) {
                        double before = contender.subject().cpuSeconds();
                        double rate = placement.load().full(contender.url(), contender.cookie(), CONNECTIONS, seconds)
                                .perSecond();
                        if (round >= 0) {
                            rates[round] = rate;
                            micros[round] = (contender.subject().cpuSeconds() - before) * 1e6 / (rate * seconds);
                        }
                    }
                    medians.put(each.getKey(), median(rates));
                    Arrays.sort(rates);
                    row(each.getKey() + ", all on cores " + placement.edge(), rates, median(micros), "on core 0",
                            other.getOrDefault(each.getKey(), median(rates)));
                }
            }
            leastShares.put(placement.edge(), site.edge.leastLoopShare());
        }
        return medians;
    }

    /** Live heap that 10,000 connected waiting visitors add. */
    public void connected() throws IOException, InterruptedException {
        try (Site site = new Site()) {
            long before = site.edge.ask("heap");
            try (WaitingVisitors crowd = new WaitingVisitors(site.edgePort, "/.orderly/rooms/full")) {
                crowd.connect(WAITING_VISITORS);
                long after = site.edge.ask("heap");
                out.printf(Locale.ROOT, "%d connected visitors: %.1f KiB of live heap each%n", WAITING_VISITORS,
                        (after - before) / 1024.0 / WAITING_VISITORS);
            }
        }
    }

    /**
     * Time of an answer to an admitted visitor, alone and beside a waiting crowd: half of it connected by events, half
     * with an idle kept connection. Needs twice as many file handles as visitors.
     */
    public void crowd(int visitors) throws IOException, InterruptedException {
        try (Site site = new Site(visitors + 2 * CONNECTIONS + 100)) {
            Contender admitted = value(site.contenders(), "admitted, orderly");
            double[] empty = latencies(admitted);
            try (WaitingVisitors crowd = new WaitingVisitors(site.edgePort, "/.orderly/rooms/full")) {
                crowd.connect(visitors / 2);
                crowd.ask(visitors - visitors / 2);
                double[] crowded = latencies(admitted);
                out.printf(Locale.ROOT,
                        "admitted at %d requests/s: p99 %.2f ms alone, %.2f ms with %d waiting, ratio %.2f%n",
                        CROWD_RATE, median(empty), median(crowded), visitors, median(crowded) / median(empty));
            }
        }
    }

    /** The p99 of each round; the first two rounds, in which the JIT compiles, are not counted. */
    private double[] latencies(Contender contender) throws IOException, InterruptedException {
        double[] found = new double[rounds];
        for (int round = -2; round < rounds; round++) {
            Wrk.Result result = wrk.paced(contender.url(), contender.cookie(), CONNECTIONS, CROWD_RATE, seconds);
            if (round >= 0) {
                found[round] = result.p99();
            }
        }
        return found;
    }

    private void halfLoad(Map<String, Contender> contenders, double rate) throws IOException, InterruptedException {
        MarkdownTable latencies = new MarkdownTable(List.of(
                "latency at half of the admitted path's capacity", "requests a second", "p50 ms", "p99 ms"));
        for (String name : List.of("proxy, nginx", "proxy, orderly without rooms", "admitted, orderly")) {
            Contender contender = contenders.get(name);
            if (contender != null) {
                Wrk.Result result = wrk.paced(contender.url(), contender.cookie(), CONNECTIONS, rate, 2 * seconds);
                latencies.row(List.of(name, MarkdownTable.rate(result.perSecond()), MarkdownTable.ratio(result.p50()),
                        MarkdownTable.ratio(result.p99())));
            }
        }
        latencies.print(out);
    }

    private void add(Map<String, double[]> rates, Map<String, double[]> micros) {
        rates.forEach((name, values) -> {
            Arrays.sort(values);
            double[] cpu = value(micros, name);
            Arrays.sort(cpu);
            String reference = name.startsWith("waiting") ? "static, nginx" : "proxy, nginx";
            row(name, values, median(cpu), reference, median(value(rates, reference)));
        });
    }

    /** @param sorted rates */
    private void row(String name, double[] sorted, double micros, String reference, double other) {
        table.row(List.of(name, MarkdownTable.rate(median(sorted), sorted[0], sorted[rounds - 1]),
                String.format(Locale.ROOT, "%.1f", micros), reference,
                MarkdownTable.ratio(median(sorted) / other)));
    }

    /** Prints the rates that were measured so far. */
    public void print() {
        table.print(out);
        leastShares.forEach((cores, share) -> out.printf(Locale.ROOT,
                "%nOn cores %s an event loop had at least %d %% of the work of all.%n", cores, share));
    }

    private static <T> T value(Map<String, T> map, String name) {
        T found = map.get(name);
        if (found == null) {
            throw new IllegalArgumentException("There is no contender " + name);
        }
        return found;
    }

    private static double median(double[] sorted) {
        double[] copy = sorted.clone();
        Arrays.sort(copy);
        return copy[copy.length / 2];
    }

    /** All processes: the origin, nginx in two roles, and the edge. */
    private final class Site implements AutoCloseable {
        private final int originPort = freePort();
        private final int nginxPort = freePort();
        private final PinnedProcess origin;
        private final PinnedProcess nginx;
        final PinnedProcess edge;
        final int edgePort;
        private final WaitingVisitors ahead;

        Site() throws IOException {
            this(2 * WAITING_VISITORS);
        }

        /** @param connections connection limit of the edge */
        Site(int connections) throws IOException {
            this(connections, new Placement("0", "1", wrk));
        }

        Site(int connections, Placement placement) throws IOException {
            origin = nginx("origin", placement.origin(), originPort, "return 200 '" + "x".repeat(1_024) + "';");
            nginx = nginx("proxy", placement.edge(), nginxPort, "return 200 '" + "x".repeat(1_024) + "';");
            edge = PinnedProcess.node(placement.edge(), EdgeProcess.class, "http://127.0.0.1:" + originPort,
                    Files.createTempDirectory(folder, "edge").toString(), Integer.toString(connections));
            edgePort = (int) edge.printed("port");
            ahead = new WaitingVisitors(edgePort, "/.orderly/rooms/full");
        }

        Map<String, Contender> contenders() throws IOException, InterruptedException {
            String pass = cookies("/wide/", 2);
            cookies("/full/", 2);
            ahead.connect(10); // the front of the line asks the store, visitors behind it do not
            String ticket = cookies("/full/", 1);
            Map<String, Contender> all = new LinkedHashMap<>();
            String edgeUrl = "http://127.0.0.1:" + edgePort;
            String nginxUrl = "http://127.0.0.1:" + nginxPort;
            all.put("static, nginx", new Contender(nginx, nginxUrl + "/static", "a=b"));
            all.put("waiting JSON, orderly", new Contender(edge, edgeUrl + "/full/", ticket));
            all.put("proxy, nginx", new Contender(nginx, nginxUrl + "/", "a=b"));
            all.put("proxy, orderly without rooms", new Contender(edge, edgeUrl + "/", "a=b"));
            all.put("admitted, orderly", new Contender(edge, edgeUrl + "/wide/", pass));
            return all;
        }

        /** The cookies after {@code requests} requests of one visitor. */
        private String cookies(String path, int requests) throws IOException, InterruptedException {
            String cookies = "";
            try (HttpClient client = HttpClient.newHttpClient()) {
                for (int i = 0; i < requests; i++) {
                    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edgePort
                            + path));
                    HttpResponse<Void> answer = client.send(cookies.isEmpty()
                            ? request.build()
                            : request.header("Cookie", cookies).build(), BodyHandlers.discarding());
                    String given = answer.headers().allValues("Set-Cookie").stream()
                            .map(cookie -> cookie.substring(0, cookie.indexOf(';'))).collect(Collectors.joining("; "));
                    cookies = given.isEmpty() ? cookies : given;
                }
            }
            return cookies;
        }

        private PinnedProcess nginx(String name, String core, int port, String answer) throws IOException {
            String pages = name.equals("origin")
                    ? answer
                    : "proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection \"\";";
            return PinnedProcess.start(core, Nginx.command("nginx", folder, name, """
                    keepalive_requests 1000000000;
                    upstream origin { server 127.0.0.1:%d; keepalive 256; keepalive_requests 1000000000; }
                    server {
                      listen 127.0.0.1:%d;
                      location / { %s }
                      location = /static { %s }
                    }
                    """.formatted(originPort, port, pages, answer)));
        }

        @Override
        public void close() throws IOException {
            ahead.close();
            edge.close();
            nginx.close();
            origin.close();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
