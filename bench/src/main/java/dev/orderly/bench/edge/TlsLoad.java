package dev.orderly.bench.edge;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Load over TLS 1.3 by programs that cost little themselves.
 *
 * @param cores as taskset takes them
 * @param seconds of each run
 */
record TlsLoad(String cores, int seconds) {
    private static final Pattern HANDSHAKES = Pattern.compile("(\\d+) connections in \\d+ real seconds");
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern STATUS = Pattern
            .compile("status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");
    private static final int AT_ONCE = 4;

    enum Kind {
        /** Handshakes of clients that come for the first time. */
        FULL,
        /** Handshakes of clients that come back, each with one request. */
        RESUMED,
        /** Requests on 8 connections with 8 streams each. */
        HTTP_2,
        /** Requests on 64 connections. */
        HTTP_1
    }

    /** The number of handshakes or requests that were done. */
    long run(Kind kind, String url, String cookie) throws IOException, InterruptedException {
        String time = Integer.toString(Math.max(2, seconds)); // h2load does not end after less
        return switch (kind) {
            case FULL -> {
                URI at = URI.create(url);
                List<String> one = List.of("openssl", "s_time", "-tls1_3", "-new", "-time", time, "-connect",
                        at.getHost() + ":" + at.getPort());
                List<Process> running = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    running.add(start(one));
                }
                long sum = 0;
                for (Process process : running) {
                    sum += counted(process, HANDSHAKES);
                }
                yield sum;
            }
            case RESUMED -> counted(start(List.of("wrk", "-t1", "-c16", "-d" + time + "s", "-H", "Connection: close",
                    url)), REQUESTS); // wrk offers its session again on each connection
            case HTTP_2 -> counted(start(List.of("h2load", "-t1", "-c8", "-m8", "-D", time, "-H",
                    "cookie: " + cookie, "-H", "accept: application/json", url)), STATUS);
            case HTTP_1 -> counted(start(List.of("wrk", "-t1", "-c64", "-d" + time + "s", "-H", "Cookie: " + cookie,
                    "-H", "Accept: application/json", url)), REQUESTS);
        };
    }

    private Process start(List<String> command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", cores));
        pinned.addAll(command);
        return new ProcessBuilder(pinned).redirectErrorStream(true).start();
    }

    private static long counted(Process process, Pattern pattern) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        Matcher found = pattern.matcher(out);
        if (!found.find() || out.contains("Socket errors")) {
            throw new IOException("The load printed: " + out);
        }
        List<Long> counts = IntStream.rangeClosed(1, found.groupCount()).mapToObj(found::group).map(Long::valueOf)
                .filter(count -> count > 0).toList();
        if (counts.size() != 1) {
            throw new IOException("Some requests were answered with another status: " + out);
        }
        return counts.getFirst();
    }
}
