package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.orderly.testkit.contract.input.RandomRuns;
import dev.orderly.testkit.jobsim.BrokenJobPromise;
import dev.orderly.testkit.jobsim.JobSimulation;
import dev.orderly.testkit.jobsim.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The simulation of jobs on SQLite: a file of its own for each history, on a disk that is full at times. */
@Tag("slow")
class SqliteSimulationTest {
    private static final int FIXED_SEEDS = 4;
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.orderly");

    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    private Path folder;
    private final FullDisk disk;

    SqliteSimulationTest() throws SQLException {
        disk = new FullDisk();
    }

    /**
     * A new file, which each history copies. Its job ids, by whose hashes the engine walks its maps, are the same in
     * each process.
     */
    @BeforeEach
    void prepare() throws SQLException {
        SqliteStore.at(template()).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + template());
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE meta SET value = 7 WHERE name = 'salt'")).isOne();
        }
    }

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    private Path template() {
        return folder.resolve("template.db");
    }

    @Test
    void everyPromiseHoldsWhateverMeets() {
        new RandomRuns<Step>(JobSimulation::stepsOnDisk, steps -> {
            try {
                run(steps);
                return null;
            } catch (BrokenJobPromise e) {
                return e;
            }
        }).hold(FIXED_SEEDS);
    }

    @Test
    void theSameSeedIsTheSameHistory() {
        List<Step> steps = JobSimulation.stepsOnDisk(2);
        assertThat(run(steps).trace()).isEqualTo(run(steps).trace());
        assertThat(disk.refused()).as("writes to a full disk").isPositive();
    }

    private JobSimulation.Result run(List<Step> steps) {
        Path file = folder.resolve("run" + FILES.incrementAndGet() + ".db");
        List<SqliteStore> opened = new ArrayList<>();
        try {
            Files.copy(template(), file);
            return JobSimulation.run(steps, time -> {
                opened.add(disk.open(file, time));
                return opened.getFirst();
            }, disk::leave);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            disk.leave(Step.DiskRoom.ALL);
            opened.forEach(SqliteStore::close);
        }
    }
}
