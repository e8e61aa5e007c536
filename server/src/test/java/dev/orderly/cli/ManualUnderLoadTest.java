package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.snippet.PageCommands;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.time.Time;
import dev.orderly.trial.TrialPlan;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Each command of the manual, as its page prints it, against a server under load: 50 jobs a second, and visitors in
 * front of two rooms. It ends within a bound and without a failure, and the load loses nothing, also while the server
 * starts anew. A command that is neither run nor left out with a reason is found.
 */
@Tag("slow")
class ManualUnderLoadTest {
    /** The time of a command on a machine that is busy with other builds; alone the longest takes a second. */
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    private static final Pattern ORDERLY = Pattern.compile("(?:sudo )?(?:\\./|bin/)?orderly (.*)");
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    /** The beginnings of commands that do not run here, with what they need, and the test that has it. */
    private static final Map<String, String> LEFT_OUT = Map.ofEntries(
            Map.entry("systemctl ", "systemd as root"),
            Map.entry("systemd-analyze ", "systemd"),
            Map.entry("sudo apt ", "apt as root; DebianPackageTest installs the package"),
            Map.entry("docker ", "a container engine"), Map.entry("skopeo ", "skopeo and a registry"),
            Map.entry("ctr ", "containerd"), Map.entry("kind ", "a Kubernetes cluster"),
            Map.entry("k3s ", "a Kubernetes cluster"),
            Map.entry("pg_dump ", "PostgreSQL's own program"),
            Map.entry("php ", "PHP; WorkersElsewhereTest runs the page's worker where it is installed"),
            Map.entry("sha256sum ", "the packages; InstallPageTest"),
            Map.entry("tar ", "the packages; InstallPageTest"),
            Map.entry("cd ", "the packages; InstallPageTest"),
            Map.entry("bin/orderly serve", "the packages; InstallPageTest"),
            Map.entry("./orderly serve", "a checkout; LauncherTest"),
            Map.entry("orderly serve", "a process of its own; ServeTest"),
            Map.entry("./orderly demo", "a checkout; DemoServerTest"),
            Map.entry("./mvnw ", "the build itself"), Map.entry("dist/reproduce ", "two builds of the packages"),
            Map.entry("source ", "the shell of a person; CommandTreeTest runs the script"),
            Map.entry("./orderly store copy ", "a store that no server has open; StoreCopyTest"),
            Map.entry("orderly store migrate", "PostgreSQL; StoreMigrateTest, beside nodes at work OldNodesTest"),
            Map.entry("orderly update", "nothing, it is a name in pg_stat_activity"),
            Map.entry("rm data/orderly.db*", "a server that is stopped; OperationsPageTest"),
            Map.entry("install -m 600 ", "a server that is stopped; OperationsPageTest"),
            Map.entry("cp backup.db ", "a server that may be lost; OtherProgramTest"),
            Map.entry("cp /proc/", "a file that was deleted while it was open"),
            Map.entry("ls -l /proc/", "a file that was deleted while it was open"),
            Map.entry("cp -a", "the folder of the packages"));

    /** Commands that a page names without their arguments. */
    private static final Map<String, String> COMPLETED = Map.of("orderly queue redrive", " orders --all",
            "orderly queue dead", " orders", "orderly job show", " ID", "orderly store backup", " /mnt/backups/a.db",
            "orderly config check",
            " orderly.yaml", "orderly config webhook-secret", " orderly.yaml");

    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");
    private final int edge = FreePort.find();
    private final int admin = FreePort.find();
    private final InetSocketAddress handler = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find());
    private final HttpServer site;
    private final Deque<String> delayed = new ArrayDeque<>();
    private String dead = "";
    private final List<String> report = new ArrayList<>();

    ManualUnderLoadTest() throws IOException {
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    }

    /** The site answers every request. As a worker it does every job, but fails one whose payload is a single digit. */
    @BeforeEach
    void open() throws IOException {
        site.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                boolean dies = body.length == 1;
                exchange.sendResponseHeaders(dies ? 422 : 200, -1);
            }
        });
        site.start();
        Files.createDirectory(folder.resolve("backups"));
        Files.writeString(folder.resolve("new.json"), "{}");
        file = folder.resolve("orderly.yaml");
    }

    @AfterEach
    void close() {
        site.stop(0);
    }

    private void write(String queues, String schedules) throws IOException {
        Files.writeString(file, """
                store: sqlite:data/orderly.db
                edge: { port: %d, host: 127.0.0.1, warm-up: 0s, drain: 0s, origin: "%s" }
                admin: { port: %d }
                stop-grace: 1s
                rooms:
                  sale: { match: ["/sale/**"], capacity: 100 }
                  site: { match: ["/tickets/**"], capacity: 100 }
                """.formatted(edge, origin(), admin) + schedules + trial().queues() + queues);
    }

    /** Two seconds of 50 jobs a second. */
    private TrialPlan trial() {
        return new TrialPlan(Duration.ofSeconds(2), 50, List.of(), Duration.ofSeconds(1), handler, folder, 7);
    }

    private String url() {
        return "http://127.0.0.1:" + admin;
    }

    private String origin() {
        return "http://127.0.0.1:" + site.getAddress().getPort();
    }

    @Test
    void eachCommandEndsInTimeAndTheLoadLosesNothing() throws IOException {
        String worker = "{ handler: \"" + origin() + "/jobs\" }\n";
        write("  emails: " + worker + "  orders: " + worker,
                "schedules: { daily-report: { cron: daily at 07:30, queue: orders } }\n");
        OrderlyServer server = ServerInTest.start(file);
        String token = orderly("token", "create", "load", "--role", "operator").strip();
        try (ManualLoad load = new ManualLoad(trial(), url(), token, "http://127.0.0.1:" + edge)) {
            prepare();
            PageCommands.MANUAL.forEach(page -> PageCommands.all(page).stream()
                    .filter(command -> !command.contains(" forget ")).forEach(command -> run(page, command)));
            write("  orders: " + worker, "");
            server.close();
            server = ServerInTest.start(file);
            PageCommands.of("operations.md", "forget").forEach(command -> run("operations.md", command));
            load.end();
        } finally {
            server.close();
        }
        Files.write(Path.of("target", "manual.txt"), report);
    }

    @Test
    void whatIsLeftOutIsInTheManual() {
        List<String> all = PageCommands.MANUAL.stream().flatMap(page -> PageCommands.all(page).stream()).toList();
        assertThat(LEFT_OUT.keySet()).allSatisfy(each -> assertThat(all).anyMatch(command -> command.startsWith(each)));
        assertThat(COMPLETED.keySet()).allSatisfy(each -> assertThat(all).contains(each));
    }

    /** Jobs for the commands about one: delayed, and dead. */
    private void prepare() {
        delayed.add(push("{}", "--delay", "1h"));
        delayed.add(push("{}", "--delay", "1h"));
        dead = push("1");
        await().atMost(BOUND).until(() -> orderly("job", "show", dead).contains("dead"));
    }

    private String push(String... arguments) {
        String answer = orderly(Stream.concat(Stream.of("queue", "push", "orders", "--json"), Stream.of(arguments))
                .toArray(String[]::new));
        Matcher id = ID.matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    private void run(String page, String command) {
        Optional<String> leftOut = LEFT_OUT.keySet().stream().filter(command::startsWith).findFirst();
        if (leftOut.isPresent()) {
            report.add("left out: " + command + " (needs " + LEFT_OUT.get(leftOut.get()) + ")");
            return;
        }
        long began = Time.system().nanos();
        Matcher own = ORDERLY.matcher(command + COMPLETED.getOrDefault(command, ""));
        if (own.matches()) {
            orderly(words(own.group(1)));
        } else {
            shell(page, command);
        }
        Duration time = Duration.ofNanos(Time.system().nanos() - began);
        assertThat(time).as("docs/%s: %s", page, command).isLessThan(BOUND);
        report.add(time.toMillis() + " ms: " + command);
    }

    /** The arguments of a command, with what this folder has in place of what the page names. */
    private String[] words(String command) {
        List<String> words = new ArrayList<>();
        WORD.matcher(command).results().forEach(word -> words.add(Stream.of(1, 2, 3).map(word::group)
                .filter(text -> text != null).findFirst().orElseThrow()));
        words.replaceAll(word -> switch (word) {
            case "ID" -> command.contains("run-now") || command.contains("cancel") ? delayed.remove() : dead;
            case "NAME" -> command.startsWith("room ") ? "sale" : "orders";
            case "orderly.yaml" -> file.toString();
            case "@new.json" -> "@" + folder.resolve("new.json");
            default -> word.replaceFirst("^(/mnt/backups|/var/lib/orderly)/", backups());
        });
        if (command.startsWith("init")) {
            words.addAll(List.of("--file", folder.resolve("init.yaml").toString()));
        }
        return words.toArray(String[]::new);
    }

    /** A place for each command, since no backup replaces another. */
    private String backups() {
        return folder.resolve("backups/" + report.size() + "-").toString();
    }

    private String orderly(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(Main.run(TestTerminal.of(out, err, environment()), arguments))
                .as("%s: %s%s", String.join(" ", arguments), out, err).isZero();
        return out.toString();
    }

    private Map<String, String> environment() {
        return TestTerminal.environment(url(), file);
    }

    private void shell(String page, String command) {
        String program = command.substring(0, command.indexOf(' '));
        if (ChildProcess.installed(program).isEmpty()) {
            LoggerFactory.getLogger(ManualUnderLoadTest.class).error("NOT TESTED: {} of docs/{}, which needs {}, which"
                    + " is not on the PATH", command, page, program);
            return;
        }
        String here = command.replace("127.0.0.1:8081", "127.0.0.1:" + admin).replace("127.0.0.1:8080",
                "127.0.0.1:" + edge);
        Path at = here.contains("data/") ? folder : folder.resolve("data");
        ChildProcess.Ended ended = ChildProcess.run(List.of("bash", "-euc", here),
                builder -> builder.directory(at.toFile()).redirectErrorStream(true));
        assertThat(ended.exitCode()).as("docs/%s: %s: %s", page, command, ended.out()).isZero();
    }
}
