package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.server.ProgramProcess;
import dev.orderly.snippet.PageCommands;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.contract.copy.CopyState;
import dev.orderly.testkit.contract.copy.CopyViews;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code orderly store copy}, between all kinds of stores. */
class StoreCopyTest {
    private static final int JOBS = 20_000;
    private static final PostgresServer POSTGRES = PostgresServer.start("fsync=off");

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @AfterAll
    static void stop() {
        POSTGRES.close();
    }

    @Test
    void aStoreThatMovedToTheClusterAndBackAnswersAsBefore() throws IOException {
        CopyState state = laptop("laptop.db", 21);
        Path config = Files.writeString(folder.resolve("laptop.yaml"), "store: sqlite:" + file("laptop.db") + "\n");
        try (RedisNode redis = RedisNode.start()) {
            String cluster = POSTGRES.address() + "?schema=moved";
            assertThat(run("store", "copy", config.toString(), cluster, "--rooms-to", redis.url()))
                    .as("%s", err).isZero();
            assertThat(out.toString()).contains("jobs", "equal", "Take the secret file along")
                    .doesNotContain("DIFFERENT");
            assertThat(run("store", "copy", cluster, "sqlite:" + file("back.db"), "--rooms-from", redis.url(),
                    "--json")).as("%s", err).isZero();
            assertThat(out.toString()).contains("{\"equal\":true,\"resumed\":false,");
        }
        try (Store laptop = SqliteStore.at(file("laptop.db")); Store back = SqliteStore.at(file("back.db"))) {
            new CopyViews(state).compare(laptop, back);
        }
    }

    @Test
    void theCommandsOfTheManualCopyAStore() throws IOException {
        laptop("page.db", 25);
        Path from = Files.writeString(folder.resolve("laptop.yaml"), "store: sqlite:" + file("page.db") + "\n");
        try (RedisNode redis = RedisNode.start()) {
            int copies = 0;
            for (String line : PageCommands.of("operations.md", "copy")) {
                String cluster = POSTGRES.address() + "?schema=page" + copies++;
                Path to = Files.writeString(folder.resolve("cluster.yaml"), "store: " + cluster + "\n");
                String command = line.replace("sqlite:data/orderly.db", "sqlite:" + file("page.db"))
                        .replaceFirst("postgres://\\S+", cluster).replace("laptop.yaml", from.toString())
                        .replace("cluster.yaml", to.toString()).replaceFirst("redis://\\S+", redis.url());
                if (!command.startsWith("systemctl ")) {
                    assertThat(run(command.substring("./orderly ".length()).split(" "))).as("%s: %s", line, err)
                            .isZero();
                }
            }
            assertThat(copies).isEqualTo(4);
        }
    }

    @Test
    void aClusterAnswersAsTheLaptopDid() {
        CopyState state = laptop("source.db", 22);
        String cluster = POSTGRES.address() + "?schema=whole";
        assertThat(run("store", "copy", "sqlite:" + file("source.db"), cluster)).as("%s", err).isZero();
        try (Store laptop = SqliteStore.at(file("source.db")); Store copy = PostgresStore.at(cluster)) {
            new CopyViews(state).compare(laptop, copy);
        }
    }

    @Test
    void aCommandThatWasKilledIsContinuedByTheSameCommand() throws SQLException {
        try (Store source = SqliteStore.at(file("many.db"))) {
            NewJob job = new NewJob(new QueueName("mail"), null, Priority.NORMAL, null, Payload.text("a body"),
                    Map.of(), null, null, null);
            for (int n = 0; n < JOBS; n += 1_000) {
                source.jobs().push(Collections.nCopies(1_000, job), Time.system().now());
            }
        }
        List<String> copy = List.of("store", "copy", "sqlite:" + file("many.db"), "sqlite:" + file("copy.db"));
        try (ChildProcess child = ChildProcess.start(
                ProgramProcess.command(Main.class.getName(), copy.toArray(String[]::new)),
                builder -> builder.redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile()))) {
            await().atMost(Duration.ofMinutes(1)).until(() -> !child.isAlive() || copied(file("copy.db")) > 2_000);
            child.kill();
        }
        if (copied(file("copy.db")) < JOBS) {
            assertThatThrownBy(() -> Orderly.open(SqliteStore.at(file("copy.db"))))
                    .isInstanceOf(StoreException.Unusable.class).hasMessageContaining("unfinished copy");
        }
        assertThat(run(copy.toArray(String[]::new))).as("%s", err).isIn(Main.OK, Main.FAILED);
        assertThat(copied(file("copy.db"))).isEqualTo(JOBS);
        Orderly.open(SqliteStore.at(file("copy.db"))).close();
    }

    @Test
    void whatCannotBeCopiedIsRefusedWithTheRemedy() {
        laptop("own.db", 23);
        String own = "sqlite:" + file("own.db");
        assertThat(run("store", "copy", own, own)).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("FROM and TO are the same store", "name another one");
        assertThat(run("store", "copy", "sqlite:" + file("none.db"), own)).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("There is no file");
        assertThat(run("store", "copy", "nowhere", own)).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("FROM is nowhere: use sqlite:");
        laptop("used.db", 24);
        assertThat(run("store", "copy", own, "sqlite:" + file("used.db"))).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("The target is not empty, it has queues, key settings, batches, jobs, ");
        try (Store open = SqliteStore.at(file("own.db"))) {
            assertThat(open.copying().kinds()).isNotEmpty();
            assertThat(run("store", "copy", own, "sqlite:" + file("new.db"))).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains("Another Orderly process");
        }
        try (RedisNode redis = RedisNode.start()) {
            assertThat(run("store", "copy", own, redis.url())).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains("The target keeps no queues, key settings, batches, jobs, ",
                    "name a target for the jobs");
        }
    }

    private CopyState laptop(String name, long seed) {
        try (Store store = SqliteStore.at(file(name))) {
            CopyState state = new CopyState(seed, Time.system().now());
            state.fill(store);
            return state;
        }
    }

    private static int copied(Path database) throws SQLException {
        if (Files.notExists(database)) {
            return 0;
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery("SELECT count(*) FROM sqlite_schema WHERE name = 'job'")) {
            if (tables.getInt(1) == 0) {
                return 0;
            }
            try (ResultSet jobs = statement.executeQuery("SELECT count(*) FROM job")) {
                return jobs.getInt(1);
            }
        }
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(TestTerminal.of(out, err, Map.of()), arguments);
    }
}
