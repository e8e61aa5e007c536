package dev.orderly.bench.edge;

import dev.orderly.bench.edge.TlsLoad.Kind;
import dev.orderly.bench.report.MarkdownTable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
 * The gateway with TLS against nginx with the same certificate and key, each pinned to core 0, with load and origin
 * (another nginx) on core 1. What counts is work per second of processor time, so that the load need not be faster than
 * nginx. Contenders take turns in each round. Needs
 * {@code nginx}, {@code openssl}, {@code wrk}, {@code h2load} and {@code taskset} on the path.
 */
public final class TlsBench {
    /** Rounds without nginx, in which the JIT compiles. */
    private static final int WARM = 8;
    private static final String ANSWER = "x".repeat(1_024);

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final TlsLoad load;
    private final Settings settings;

    /**
     * Settings of a run.
     *
     * @param runs names of the table's rows to be measured; empty for all
     * @param java options for the measured JVM, with blanks between them; empty for none
     */
    public record Settings(int rounds, int seconds, List<String> runs, String java) {}

    public TlsBench(PrintStream out, Path folder, Settings settings) {
        this.out = out;
        this.folder = folder;
        this.rounds = settings.rounds();
        this.load = new TlsLoad("1", settings.seconds());
        this.settings = settings;
    }

    /** One kind of work, done by nginx and by the gateway. */
    private record Work(Kind kind, String nginx, String orderly, String cookie) {}

    /** Work per second of processor time, of both and as a ratio. */
    public void run() throws IOException, InterruptedException {
        MarkdownTable table = new MarkdownTable(List.of("edge with TLS, 1 KiB", "nginx, per core-second",
                "Orderly, per core-second", "ratio"));
        try (Site site = new Site()) {
            Map<String, Work> works = site.works();
            Map<String, double[]> ratios = new LinkedHashMap<>();
            Map<String, double[]> nginx = new LinkedHashMap<>();
            Map<String, double[]> orderly = new LinkedHashMap<>();
            for (int round = -WARM; round < rounds; round++) {
                for (Map.Entry<String, Work> each : works.entrySet()) {
                    Work work = each.getValue();
                    double ours = measured(site.edge, work.kind, work.orderly, work.cookie);
                    if (round >= 0) {
                        double theirs = measured(site.nginx, work.kind, work.nginx, "a=b");
                        put(nginx, each.getKey(), round, theirs);
                        put(orderly, each.getKey(), round, ours);
                        put(ratios, each.getKey(), round, ours / theirs);
                    }
                }
            }
            ratios.forEach((name, values) -> table.row(List.of(name, rate(nginx.getOrDefault(name, values)),
                    rate(orderly.getOrDefault(name, values)), MarkdownTable.ratio(median(values)))));
        }
        table.print(out);
    }

    private void put(Map<String, double[]> all, String name, int round, double value) {
        all.computeIfAbsent(name, _ -> new double[rounds])[round] = value;
    }

    private double measured(PinnedProcess subject, Kind kind, String url, String cookie)
            throws IOException, InterruptedException {
        double before = subject.cpuSeconds();
        long done = load.run(kind, url, cookie);
        return done / (subject.cpuSeconds() - before);
    }

    private static String rate(double[] values) {
        Arrays.sort(values);
        return MarkdownTable.rate(median(values), values[0], values[values.length - 1]);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** All processes: the origin, nginx, and the edge, each of the latter with a plain port and one with TLS. */
    private final class Site implements AutoCloseable {
        private final int originPort = freePort();
        private final int nginxPlain = freePort();
        private final int nginxTls = freePort();
        private final PinnedProcess origin;
        private final PinnedProcess nginx;
        private final PinnedProcess edge;
        private final int plain;
        private final int tls;
        private final WaitingVisitors ahead;

        Site() throws IOException, InterruptedException {
            Path certificate = folder.resolve("bench.pem");
            Path key = folder.resolve("bench.key");
            new ProcessBuilder("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-keyout", key.toString(), "-out", certificate.toString(), "-days", "30", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            origin = nginx("1", "origin", "server { listen 127.0.0.1:" + originPort + "; location / { return 200 '"
                    + ANSWER + "'; } }");
            nginx = nginx("0", "tls", """
                    upstream origin { server 127.0.0.1:%d; keepalive 256; keepalive_requests 1000000000; }
                    server {
                      listen 127.0.0.1:%d;
                      listen 127.0.0.1:%d ssl http2;
                      ssl_certificate %s; ssl_certificate_key %s; ssl_protocols TLSv1.2 TLSv1.3;
                      location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }
                      location = /static { return 200 '%s'; }
                      location = /short { return 200 '{}'; }
                    }
                    """.formatted(originPort, nginxPlain, nginxTls, certificate, key, ANSWER));
            edge = PinnedProcess.node("0", settings.java(), EdgeProcess.class, "http://127.0.0.1:" + originPort,
                    Files.createTempDirectory(folder, "edge").toString(), "4096", certificate.toString(),
                    key.toString());
            tls = (int) edge.printed("tls");
            plain = (int) edge.printed("port");
            ahead = new WaitingVisitors(plain, "/.orderly/rooms/full");
        }

        Map<String, Work> works() throws IOException, InterruptedException {
            cookies("/full/");
            ahead.connect(10); // the front of the line asks the store, visitors behind it do not
            String ticket = cookies("/full/");
            String ours = "https://localhost:" + tls;
            String theirs = "https://localhost:" + nginxTls;
            Map<String, Work> all = new LinkedHashMap<>();
            all.put("full: full handshakes", new Work(Kind.FULL, theirs, ours, ""));
            all.put("resumed: resumed handshakes, each with a request", new Work(Kind.RESUMED, theirs + "/short",
                    ours + "/.orderly/rooms/full/cursor", ""));
            all.put("h2: HTTP/2, proxied", new Work(Kind.HTTP_2, theirs + "/", ours + "/", "a=b"));
            all.put("h2-waiting: HTTP/2, waiting answer, nginx a static one", new Work(Kind.HTTP_2,
                    theirs + "/static", ours + "/full/", ticket));
            all.put("http1: HTTP/1.1 over TLS, proxied", new Work(Kind.HTTP_1, theirs + "/", ours + "/", "a=b"));
            all.put("plain: HTTP/1.1 plain, proxied", new Work(Kind.HTTP_1,
                    "http://127.0.0.1:" + nginxPlain + "/", "http://127.0.0.1:" + plain + "/", "a=b"));
            if (!settings.runs().isEmpty()) {
                all.keySet().removeIf(name -> !settings.runs().contains(name.substring(0, name.indexOf(':'))));
            }
            return all;
        }

        private String cookies(String path) throws IOException, InterruptedException {
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + plain + path)).build(),
                        BodyHandlers.discarding()).headers().allValues("Set-Cookie").stream()
                        .map(cookie -> cookie.substring(0, cookie.indexOf(';'))).collect(Collectors.joining("; "));
            }
        }

        private PinnedProcess nginx(String core, String name, String servers) throws IOException {
            Path config = folder.resolve(name + ".conf");
            Files.writeString(config, String.format(Locale.ROOT, """
                    daemon off; master_process off; pid %1$s/%2$s.pid; error_log /dev/null;
                    events { worker_connections 4096; }
                    http {
                      access_log off; keepalive_requests 1000000000;
                      client_body_temp_path %1$s/b; proxy_temp_path %1$s/p; fastcgi_temp_path %1$s/f;
                      uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
                      %3$s
                    }
                    """, folder, name, servers));
            return PinnedProcess.start(core, List.of("nginx", "-c", config.toString()));
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
