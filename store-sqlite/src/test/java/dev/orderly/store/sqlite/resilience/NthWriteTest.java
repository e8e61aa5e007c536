package dev.orderly.store.sqlite.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.store.sqlite.Places;
import dev.orderly.store.sqlite.PowerLossDisk;
import dev.orderly.store.sqlite.PowerLossDisk.Refusal;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import dev.orderly.testkit.contract.job.JobTrial;
import dev.orderly.testkit.contract.job.NthCallPart;
import dev.orderly.testkit.contract.room.RoomNthCallPart;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every write, truncation and sync of the database and its log may fail. A life of jobs and one of a room, with every
 * operation that is repeated after a failure, are led again and again: once on a whole disk, then on one that fails one
 * of them, from the first to the last of the close. Each failed call is repeated, the store works again by
 * itself, and each life ends as the one on the whole disk; also as the next process finds it after a power failure.
 */
@Tag("slow")
class NthWriteTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void whicheverWriteFailsTheJobsEndAsIfNoneHadFailed() throws SQLException {
        each(disk -> {
            AtomicReference<SqliteStore> store = new AtomicReference<>();
            JobTrial trial = new JobTrial(time -> {
                store.set(disk.open(time));
                return store.get();
            }, UnaryOperator.identity(), Duration.ofSeconds(60));
            trial.begin();
            return new Life(store.get(), () -> NthCallPart.led(trial), NthCallPart.EXPECTED);
        });
    }

    @Test
    void whicheverWriteFailsTheRoomEndsAsIfNoneHadFailed() throws SQLException {
        each(disk -> {
            SqliteStore store = disk.open();
            return new Life(store, () -> RoomNthCallPart.led(store), RoomNthCallPart.EXPECTED);
        });
    }

    /** @param lead leads the life, and returns how a store tells its end */
    private record Life(SqliteStore store, Supplier<Function<Store, Object>> lead, Object expected) {}

    private void each(Function<PowerLossDisk, Life> begin) throws SQLException {
        long operations = lead(begin, new Refused(Integer.MAX_VALUE, Refusal.ERROR));
        assertThat(operations).as("writes, truncations and syncs").isGreaterThan(50);
        new RandomRuns<>(seed -> Refused.each(operations, seed), refusals -> failure(begin, refusals)).hold(1);
    }

    /** @param operation the write, truncation or sync that fails */
    private record Refused(long operation, Refusal how) {
        /** Each third operation; three seeds are all operations, nine seeds all of them in all three ways. */
        static List<Refused> each(long operations, long seed) {
            Refusal[] kinds = Refusal.values();
            return LongStream.range(0, operations).filter(operation -> operation % 3 == seed % 3)
                    .mapToObj(operation -> new Refused(operation, kinds[(int) ((operation + seed) / 3 % kinds.length)]))
                    .toList();
        }
    }

    private @Nullable Throwable failure(Function<PowerLossDisk, Life> begin, List<Refused> refusals) {
        try {
            for (Refused refused : refusals) {
                lead(begin, refused);
            }
            return null;
        } catch (SQLException | RuntimeException | AssertionError e) {
            return e;
        }
    }

    /** @return the number of operations, to the end of the close */
    private long lead(Function<PowerLossDisk, Life> begin, Refused refused) throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(Places.fresh(folder), new Random(refused.operation));
        Life life = begin.apply(disk);
        long begun = disk.operations();
        Function<Store, Object> ended;
        Path cut;
        try (SqliteStore store = life.store) {
            disk.refuse(begun + refused.operation, refused.how);
            ended = life.lead.get();
            assertThat(ended.apply(store)).as("after %s", refused).isEqualTo(life.expected);
            cut = disk.afterPowerFailure(folder);
        }
        long operations = disk.operations() - begun;
        for (Path left : List.of(cut, disk.afterPowerFailure(folder))) {
            try (SqliteStore next = SqliteStore.at(left)) {
                assertThat(Places.integrity(left)).isEqualTo("ok");
                assertThat(ended.apply(next)).as("after %s and a power failure", refused)
                        .isEqualTo(life.expected);
            }
        }
        return operations;
    }
}
