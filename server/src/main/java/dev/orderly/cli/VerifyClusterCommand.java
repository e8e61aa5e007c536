package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.schema.UnitText;
import dev.orderly.server.Secrets;
import dev.orderly.server.StartFailedException;
import dev.orderly.time.Time;
import dev.orderly.trial.ClusterTrial;
import dev.orderly.trial.ClusterTrial.NodeFailure;
import dev.orderly.trial.ShellCommand;
import dev.orderly.trial.TrialNode;
import dev.orderly.trial.TrialPlan;
import dev.orderly.trial.TrialReport;
import dev.orderly.trial.TrialResult;
import dev.orderly.trial.TrialSignatures;
import dev.orderly.web.webhook.WebhookSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Disturbs the operator's own nodes while jobs run, and records what happens for a referee. */
@Command(name = "verify-cluster",
        description = {"Push jobs over all nodes of a cluster, disturb it by commands of yours, and record what happens"
                + " for a referee that shares no code with Orderly (docs/referee.py).",
                "Use nodes of a test: whatever --kill says is done to them."},
        footer = {"  orderly verify-cluster --print-queues",
                "  orderly verify-cluster --config node1.yaml --node http://127.0.0.1:8082 --minutes 10"
                        + " --kill 'kill -9 $(cat node1.pid)' --kill './pause node2 40s'"
                        + " --referee 'python3 referee.py'"})
final class VerifyClusterCommand implements Callable<Integer> {
    private static final int RATE_MAX = 5_000;
    private static final double MINUTES_MAX = 1_440;
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** The variable with which receivers of webhooks get their secrets, as the manual has it. */
    private static final String WEBHOOK_SECRET = "WEBHOOK_SECRET";
    private static final Duration JUDGEMENT = Duration.ofMinutes(10);

    private final Terminal terminal;

    @Option(names = "--node", paramLabel = "URL",
            description = "The API of another node of the cluster; may be repeated.")
    private List<String> others = new ArrayList<>();
    @Option(names = "--kill", paramLabel = "COMMAND", description = "A command for sh that disturbs the cluster and"
            + " lets it come back: it kills, pauses or cuts. May be repeated; one at a time runs, chosen at random.")
    private List<String> commands = new ArrayList<>();
    @Option(names = "--every", paramLabel = "TIME", defaultValue = "20s",
            description = "The mean time between disturbances; ${DEFAULT-VALUE} if not given.")
    private String every = "20s";
    @Option(names = "--minutes", paramLabel = "N", defaultValue = "10",
            description = "The length, such as 10 or 0.5; ${DEFAULT-VALUE} if not given. Up to two more follow, in"
                    + " which all must end.")
    private double minutes = 10;
    @Option(names = "--rate", paramLabel = "N", defaultValue = "50",
            description = "Pushes a second, 1 to 5000; ${DEFAULT-VALUE} if not given.")
    private int rate = 50;
    @Option(names = "--listen", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:9950",
            description = "The address at which nodes call this command's handler; ${DEFAULT-VALUE} if not given.")
    private String listen = "127.0.0.1:9950";
    @Option(names = "--out", paramLabel = "FOLDER", defaultValue = "verify-cluster",
            description = "The folder for history and report; ${DEFAULT-VALUE} if not given.")
    private Path folder = Path.of("verify-cluster");
    @Option(names = "--referee", paramLabel = "COMMAND",
            description = "The command that judges the history, whose file becomes its last argument.")
    private @Nullable String referee;
    @Option(names = "--seed", paramLabel = "N",
            description = "Repeat the choices of an earlier trial, whose report and history name its seed: groups,"
                    + " nodes, commands and their moments.")
    private @Nullable Long seed;
    @Option(names = "--print-queues", description = "Print the queues that each node's configuration needs, and end.")
    private boolean printQueues;
    @Mixin
    private ApiOptions server = new ApiOptions();

    VerifyClusterCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A node of the cluster behind its API. */
    record ApiNode(ApiClient api) implements TrialNode {
        @Override
        public String address() {
            return api.base();
        }

        @Override
        public JsonNode push(String queue, Map<String, String> query, byte[] payload) {
            return answer(() -> api.post(path(queue) + "/jobs", query, payload,
                    Map.of("Content-Type", "application/json")));
        }

        @Override
        public JsonNode queue(String name) {
            return answer(() -> api.get(path(name), Map.of()));
        }

        private static String path(String queue) {
            return QueueCommand.BASE + "/" + ApiClient.encoded(queue);
        }

        private static JsonNode answer(Supplier<JsonNode> request) {
            try {
                return request.get();
            } catch (CommandFailedException e) {
                throw new NodeFailure(e);
            }
        }
    }

    @Override
    public Integer call() {
        TrialPlan plan = plan();
        if (printQueues) {
            terminal.out().print(plan.queues());
            terminal.out().flush();
            return Main.OK;
        }
        List<ApiClient> clients = server.clients(others, terminal.environment(), ANSWER);
        try {
            List<TrialNode> nodes = clients.stream().<TrialNode>map(ApiNode::new).toList();
            nodes.forEach(node -> check(node, plan));
            Files.createDirectories(folder);
            if (Files.exists(plan.history())) {
                throw wrong(plan.history() + " is there, of an earlier trial: name another folder with --out");
            }
            TrialSignatures signatures = signatures();
            String trial = Long.toString(new SplittableRandom().nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
            return judged(plan, signatures, new ClusterTrial(plan, nodes, signatures, trial, Time.system()).run());
        } catch (IOException | UncheckedIOException e) {
            throw new CommandFailedException("The trial has ended without a result (" + e + "): see that " + folder
                    + " is writable and that --listen " + listen + " is a free address of this machine", e);
        } finally {
            clients.forEach(ApiClient::close);
        }
    }

    private TrialPlan plan() {
        if (!(minutes > 0 && minutes <= MINUTES_MAX)) {
            throw wrong("--minutes is " + minutes + ": use more than 0, at most 1440");
        }
        if (rate < 1 || rate > RATE_MAX) {
            throw wrong("--rate is " + rate + ": use 1 to " + RATE_MAX);
        }
        Duration between = UnitText.duration(every).filter(value -> value.toMillis() >= 100)
                .orElseThrow(() -> wrong("--every is " + every + ": use a time of 100ms or more, such as 20s"));
        int colon = listen.lastIndexOf(':');
        try {
            return new TrialPlan(Duration.ofMillis(Math.max(1, Math.round(minutes * 60_000))), rate, commands, between,
                    new InetSocketAddress(listen.substring(0, Math.max(0, colon)),
                            Integer.parseInt(listen.substring(colon + 1))),
                    folder, seed == null ? new SplittableRandom().nextLong(Long.MAX_VALUE) : seed);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(Main.WRONG, "--listen is " + listen
                    + ": use an address of this machine that the nodes reach, such as 10.0.0.5:9950", e);
        }
    }

    /** Checks by the secrets of webhooks: from the variable that receivers read, else from the configuration. */
    private TrialSignatures signatures() {
        String given = terminal.environment().get(WEBHOOK_SECRET);
        Path config = server.config();
        try {
            if (given != null) {
                return new TrialSignatures(
                        Arrays.stream(given.strip().split("\\s+")).map(WebhookSecret::parse).toList());
            }
            if (config == null) {
                return new TrialSignatures(List.of());
            }
            Path secrets = ConfigOption.read(new ConfigFile(config, terminal.environment()), config).secretFile();
            String variable = terminal.environment().get(Secrets.VARIABLE);
            return new TrialSignatures(variable == null && Files.notExists(secrets)
                    ? List.of()
                    : Secrets.read(variable, secrets, false).webhooks());
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(Main.WRONG, "Variable " + WEBHOOK_SECRET + ": " + e.getMessage()
                    + ": set it to what orderly config webhook-secret prints", e);
        } catch (StartFailedException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Jobs of an earlier trial would run among those of this one. */
    private static void check(TrialNode node, TrialPlan plan) {
        for (String name : List.of(TrialPlan.FIFO, TrialPlan.STANDARD)) {
            JsonNode queue;
            try {
                queue = node.queue(name);
            } catch (NodeFailure e) {
                throw new CommandFailedException("Queue " + name + " of " + node.address() + ": " + e.getMessage()
                        + "\nEach node needs these queues in its configuration:\n\n" + plan.queues(), e);
            }
            if (!queue.path("handled").asBoolean(false)) {
                throw new CommandFailedException("Queue " + name + " of " + node.address() + " has no handler: each"
                        + " node needs these queues in its configuration:\n\n" + plan.queues(), null);
            }
            if (ClusterTrial.pending(queue) + queue.at("/jobs/dead").asLong(0) > 0) {
                throw new CommandFailedException("Queue " + name + " of " + node.address() + " has jobs already: let"
                        + " them end, and delete its dead letters", null);
            }
        }
    }

    private int judged(TrialPlan plan, TrialSignatures signatures, TrialResult result) throws IOException {
        String verdict = "The history was not judged: run python3 referee.py " + plan.history();
        int exit = 0;
        if (referee != null) {
            Path said = folder.resolve("verdict.txt");
            exit = ShellCommand.run(referee, List.of(plan.history().toString()), said, JUDGEMENT);
            verdict = Files.readString(said).strip() + (exit == 0 ? "" : "\nThe referee ended with " + exit + ".");
        }
        Files.writeString(plan.report(), TrialReport.html(result, verdict));
        String words = verdict;
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        TrialReport.facts(result).forEach(answer::put);
        answer.put("seed", plan.seed()).put("signatures checked", signatures.isChecked());
        answer.put("verdict", words).put("report", plan.report().toString());
        server.show(answer, terminal, _ -> {
            TextTable facts = new TextTable("", "");
            TrialReport.facts(result).forEach(facts::row);
            facts.print(terminal.out());
            terminal.out().println();
            terminal.out().println(words);
            terminal.out().println("Seed: " + plan.seed());
            terminal.out().println("Report: " + plan.report());
        });
        if (!signatures.isChecked()) {
            terminal.err().println("No signature was checked: give --config, or the variable " + WEBHOOK_SECRET);
        }
        if (result.failedCommands() > 0) {
            terminal.err().println(result.failedCommands() + " commands of --kill failed, so the cluster was disturbed"
                    + " less than asked: see " + plan.output());
        }
        if (!result.drained()) {
            terminal.err().println("Not everything ended within two minutes after the last push: see "
                    + plan.report());
        }
        return exit == 0 && result.drained() ? Main.OK : Main.FAILED;
    }

    private static CommandFailedException wrong(String message) {
        return new CommandFailedException(Main.WRONG, message, null);
    }
}
