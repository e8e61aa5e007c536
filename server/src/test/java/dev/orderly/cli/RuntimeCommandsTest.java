package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that change or show what a server does while it runs. */
class RuntimeCommandsTest {
    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");
    private @Nullable OrderlyServer server;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1 }
                admin: { port: 0 }
                queues: { emails: { concurrency: 4 } }
                schedules:
                  digest: { cron: daily at 07:30, queue: emails }
                  cleanup: { cron: every 7 minutes after the end, queue: emails }
                stop-grace: 1s
                """);
        server = started();
    }

    private OrderlyServer started() {
        return ServerInTest.start(file);
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void settingsOfAQueueAreSetKeptOverARestartShownWithTheirSourceAndReset() {
        assertThat(run("queue", "set", "emails", "--concurrency", "9", "--timeout", "30s")).isZero();
        assertThat(out.toString()).containsPattern("concurrency +9 +4").containsPattern("timeout +30 s +5 min");
        stop();
        server = started();
        assertThat(run("config", "show", "queues.emails")).isZero();
        assertThat(out.toString()).containsPattern("queues.emails.concurrency +9 +operator local ")
                .containsPattern("queues.emails.max-pending +10000000 +default").doesNotContain("edge.port");
        assertThat(run("queue", "set", "emails", "--concurrency", "default")).isZero();
        assertThat(out.toString()).containsPattern("concurrency +4 +4").containsPattern("timeout +30 s +5 min");
        assertThat(run("queue", "set", "emails", "--reset")).isZero();
        assertThat(out.toString()).containsPattern("timeout +5 min +5 min");
        assertThat(run("queue", "set", "emails")).isEqualTo(Main.WRONG);
        assertThat(run("queue", "set", "emails", "--concurrency", "many")).isEqualTo(Main.WRONG);
        assertThat(run("queue", "set", "emails", "--concurrency", "0")).isEqualTo(Main.FAILED);
    }

    @Test
    void aScheduleIsMadeAtRunTimeKeptOverARestartAndRemoved() {
        assertThat(run("schedule", "set", "tenant-7", "--cron", "daily at 07:30", "--zone", "Europe/Berlin", "--jitter",
                "10m", "--queue", "emails", "--payload", "{\"tenant\":7}")).isZero();
        assertThat(out.toString()).contains("Schedule tenant-7 fires on all nodes within seconds");
        stop();
        server = started();
        assertThat(run("schedule", "show", "tenant-7")).isZero();
        assertThat(out.toString()).contains("daily at 07:30 (Europe/Berlin) into queue emails, up to 10 min after each"
                + " instant", "Made by ", "orderly schedule forget tenant-7");
        assertThat(run("schedule", "set", "digest", "--cron", "hourly", "--queue", "emails")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("is declared by the configuration or the program");
        assertThat(run("schedule", "set", "x", "--cron", "hourly", "--queue", "emails", "--payload", "{"))
                .isEqualTo(Main.WRONG);
        assertThat(run("schedule", "forget", "tenant-7")).isZero();
        assertThat(run("schedule", "show", "tenant-7")).isEqualTo(Main.FAILED);
    }

    @Test
    void whatWasTakenOutOfTheConfigurationIsForgotten() throws IOException {
        assertThat(run("schedule", "run", "digest")).isZero();
        assertThat(run("queue", "set", "emails", "--concurrency", "9")).isZero();
        assertThat(run("queue", "forget", "emails")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Queue emails is not forgotten", "1 waiting", "Live nodes declare it");
        assertThat(run("schedule", "forget", "digest")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Schedule digest is not forgotten", "take it out");
        stop();
        String with = Files.readString(file);
        Files.writeString(file, with.replaceAll("queues: .*", "queues: { other: {} }")
                .replaceAll("(?s)schedules:.*stop-grace", "stop-grace"));
        server = started();
        assertThat(run("queue", "forget", "emails")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("It holds jobs (1 waiting)", "orderly bulk cancel --queue emails");
        assertThat(run("bulk", "cancel", "--queue", "emails", "--state", "waiting")).isZero();
        assertThat(run("queue", "forget", "emails")).isZero();
        assertThat(out.toString()).contains("Queue emails is forgotten.");
        assertThat(run("schedule", "forget", "digest")).isZero();
        assertThat(out.toString()).contains("Schedule digest is forgotten.");
        out.getBuffer().setLength(0);
        assertThat(run("queue", "list")).isZero();
        assertThat(run("schedule", "list")).isZero();
        assertThat(out.toString()).contains("other").doesNotContain("emails", "digest");
        stop();
        Files.writeString(file, with);
        server = started();
        assertThat(run("config", "show", "queues.emails")).isZero();
        assertThat(out.toString()).containsPattern("queues.emails.concurrency +4 ");
    }

    @Test
    void aReloadIsShownWithItsLinesAndWhatNeedsARestartStaysAsItWas() throws IOException {
        Files.writeString(file, Files.readString(file).replace("concurrency: 4", "concurrency: 6")
                .replace("stop-grace: 1s", "stop-grace: 2s"));
        assertThat(run("config", "reload")).isZero();
        out.getBuffer().setLength(0);
        assertThat(run("config", "show")).isZero();
        assertThat(out.toString()).containsPattern("queues.emails.concurrency +6 +file line 4 +-")
                .containsPattern("stop-grace +1s +file line 8 +2s").containsPattern("keep.done +1d +default");
    }

    @Test
    void aScheduleThatCountsFromTheEndSaysSoWhileARunIsUnderWay() {
        assertThat(run("schedule", "run", "cleanup")).isZero();
        assertThat(run("schedule", "list")).isZero();
        assertThat(run("schedule", "show", "cleanup")).isZero();
        assertThat(run("schedule", "pause", "cleanup")).isZero();
        assertThat(run("schedule", "resume", "cleanup")).isZero();
        assertThat(out.toString()).contains("every 7 minutes after the end", "after the run",
                "Next: after the end of the run under way", "fires again, next after the end of the run under way");
    }

    @Test
    void aScheduleIsPausedShownAndResumed() {
        assertThat(run("schedule", "run", "digest")).isZero();
        assertThat(run("schedule", "pause", "digest")).isZero();
        assertThat(run("schedule", "list")).isZero();
        assertThat(out.toString()).contains("is paused; resume it with").containsPattern("digest .* paused ");
        assertThat(run("schedule", "show", "digest")).isZero();
        assertThat(out.toString()).containsPattern("Paused by local .* at 20")
                .containsPattern("by hand +20.* under-way");
        assertThat(run("schedule", "resume", "digest")).isZero();
        assertThat(out.toString()).contains("fires again, next at 20");
        assertThat(run("schedule", "pause", "nowhere")).isEqualTo(Main.FAILED);
    }

    @Test
    void aNodeIsDrainedAndResumedAndTheServerTellsAboutItself() {
        assertThat(run("node", "list")).isZero();
        String node = out.toString().lines().skip(1).findFirst().orElseThrow().split(" ", -1)[0];
        assertThat(run("node", "drain", node)).isZero();
        assertThat(out.toString()).contains("claims no more jobs; 0 still run");
        assertThat(run("status")).isZero();
        assertThat(run("node", "list")).isZero();
        assertThat(out.toString()).containsPattern(node + " .* draining ");
        assertThat(run("node", "resume", node)).isZero();
        assertThat(out.toString()).contains("claims jobs again");
        assertThat(run("node", "drain", "nobody")).isEqualTo(Main.FAILED);
        assertThat(run("about")).isZero();
        assertThat(out.toString()).containsPattern("store: kind +SQLite")
                .containsPattern("store: file size +\\d+ bytes")
                .containsPattern("listener admin +127.0.0.1:\\d+").containsPattern("check store +ok");
    }

    private int run(String... arguments) {
        String url = "http://127.0.0.1:" + Objects.requireNonNull(server).adminPort();
        return Main.run(TestTerminal.of(out, err, TestTerminal.environment(url, file)), arguments);
    }
}
