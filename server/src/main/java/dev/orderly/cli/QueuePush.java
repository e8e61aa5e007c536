package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Pushes one job. */
@Command(name = "push", description = "Push one job and print its id once it is durable.", footer = {
        "  orderly queue push emails '{\"to\":\"ada@example.org\"}' --delay 30s",
        "  orderly queue push checkout.fifo @order.json --group user-7 --dedupe order-42",
        "  date | orderly queue push notes - --content-type text/plain"})
final class QueuePush implements Callable<Integer> {
    /** More than any queue accepts, so that a wrong file does not fill the memory. */
    private static final int CONTENT_MAX = 2 << 20;

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue.")
    private String queue = "";
    @Parameters(index = "1", arity = "0..1", paramLabel = "JSON|@FILE|-", defaultValue = "-",
            description = "The payload itself, a file with it, or - (the default) for standard input.")
    private String content = "-";
    @Option(names = "--group", paramLabel = "G", description = "The group; a FIFO queue needs one.")
    private @Nullable String group;
    @Option(names = "--dedupe", paramLabel = "ID", description = "A second push with this id is the same job.")
    private @Nullable String dedupe;
    @Option(names = "--unique", paramLabel = "KEY",
            description = "If a job of this key waits, it is the answer; while one runs, one next job is stored.")
    private @Nullable String unique;
    @Option(names = "--expires", paramLabel = "TIME",
            description = "Ends the job if no attempt has started within this time, such as 2m.")
    private @Nullable String expires;
    @Option(names = "--attempts", paramLabel = "N", description = "The number of attempts; the queue's if not given.")
    private @Nullable Integer attempts;
    @Option(names = "--timeout", paramLabel = "TIME",
            description = "The longest time of one attempt; the queue's if not given.")
    private @Nullable String timeout;
    @Option(names = "--debounce", paramLabel = "KEY",
            description = "If a job of this key waits, its payload is replaced, and it is put off by --delay.")
    private @Nullable String debounce;
    @Option(names = "--at-most", paramLabel = "TIME",
            description = "The longest time by which pushes of --debounce put the job off, such as 1m.")
    private @Nullable String atMost;
    @Option(names = "--dedupe-for", paramLabel = "TIME",
            description = "The time for which --dedupe is kept, such as 1h; five minutes if not given.")
    private @Nullable String dedupeFor;
    @Option(names = "--cost", paramLabel = "N",
            description = "The tokens of each rate that a start takes, and the turns of its key; 1 if not given.")
    private @Nullable Integer cost;
    @Option(names = "--batch", paramLabel = "B", description = "The open batch that the job is a member of.")
    private @Nullable String batch;
    @Option(names = "--delay", paramLabel = "TIME", description = "Earliest start from now, such as 30s.")
    private @Nullable String delay;
    @Option(names = "--priority", paramLabel = "N", description = "1 (urgent) to 4 (low); 3 if not given.")
    private @Nullable Integer priority;
    @Option(names = "--content-type", paramLabel = "TYPE", description = "application/json if not given.")
    private String contentType = "application/json";
    @Mixin
    private ApiOptions server = new ApiOptions();

    QueuePush(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> query = new LinkedHashMap<>();
        put(query, "group", group);
        put(query, "dedupe", dedupe);
        put(query, "unique", unique);
        put(query, "delay", delay);
        put(query, "expires", expires);
        put(query, "attempts", attempts);
        put(query, "timeout", timeout);
        put(query, "priority", priority);
        put(query, "debounce", debounce);
        put(query, "at-most", atMost);
        put(query, "dedupe-for", dedupeFor);
        put(query, "cost", cost);
        put(query, "batch", batch);
        byte[] payload = content(content, terminal);
        try (ApiClient api = server.client(terminal.environment())) {
            JsonNode answer = api.post(QueueCommand.BASE + "/" + ApiClient.encoded(queue) + "/jobs", query, payload,
                    Map.of("Content-Type", contentType));
            server.show(answer, terminal, shown -> {
                terminal.out().println(TextTable.text(shown, "id"));
                if (answer.path("duplicate").asBoolean(false)) {
                    terminal.err().println("This job is there already; no job was added.");
                }
                if (answer.path("replaced").asBoolean(false)) {
                    terminal.err().println("This job waited; it has the new payload.");
                }
            });
        }
        return Main.OK;
    }

    private static void put(Map<String, String> query, String name, @Nullable Object value) {
        if (value != null) {
            query.put(name, value.toString());
        }
    }

    /** The content of an argument: the argument itself, the file behind its @, or standard input for -. */
    static byte[] content(String content, Terminal terminal) {
        try {
            if (content.equals("-")) {
                return bounded("Standard input", terminal.in().readNBytes(CONTENT_MAX + 1));
            }
            if (content.startsWith("@")) {
                try (var in = Files.newInputStream(Path.of(content.substring(1)))) {
                    return bounded("File " + content.substring(1), in.readNBytes(CONTENT_MAX + 1));
                }
            }
            return content.getBytes(StandardCharsets.UTF_8);
        } catch (IOException | java.nio.file.InvalidPathException e) {
            throw new CommandFailedException("The payload cannot be read (" + e + "): check the path behind the @", e);
        }
    }

    private static byte[] bounded(String what, byte[] bytes) {
        if (bytes.length > CONTENT_MAX) {
            throw new CommandFailedException(
                    what + " has more than " + CONTENT_MAX + " bytes: store it elsewhere and push a reference",
                    null);
        }
        return bytes;
    }
}
