package dev.orderly.trial;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a trial does.
 *
 * @param length for which it pushes and disturbs
 * @param rate pushes a second, of all clients together
 * @param commands against the cluster, for a shell; one runs at a time
 * @param every mean time between the end of a command and the start of the next one
 * @param listen address of the handler
 * @param folder of history, report and the output of the commands
 * @param seed of groups, of the nodes that pushes go to, and of the commands with their moments
 */
public record TrialPlan(Duration length, int rate, List<String> commands, Duration every, InetSocketAddress listen,
        Path folder, long seed) {
    public static final String FIFO = "verify.fifo";
    public static final String STANDARD = "verify";

    public TrialPlan {
        commands = List.copyOf(commands);
        if (length.compareTo(Duration.ZERO) <= 0 || every.compareTo(Duration.ZERO) <= 0 || rate < 1) {
            throw new IllegalArgumentException("A trial needs a length, a rate and a time between commands above zero");
        }
    }

    public Path history() {
        return folder.resolve("history.jsonl");
    }

    public Path edn() {
        return folder.resolve("history.edn");
    }

    public Path report() {
        return folder.resolve("report.html");
    }

    /** The file with what the commands print. */
    public Path output() {
        return folder.resolve("commands.log");
    }

    /** The queues that each node needs, as YAML. A failed attempt is retried soon, and often enough to become none. */
    public String queues() {
        String rest = ", timeout: 10s, concurrency: 16, retry: { attempts: 100, base: 100ms, max: 1s } }\n";
        String handler = "{ handler: \"http://" + listen.getHostString() + ":" + listen.getPort() + "/\"";
        return "queues:\n  " + FIFO + ": " + handler + rest + "  " + STANDARD + ": " + handler + rest;
    }
}
