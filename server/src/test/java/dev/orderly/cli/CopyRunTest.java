package dev.orderly.cli;

import dev.orderly.store.postgres.Server;
import dev.orderly.store.redis.RedisKind;
import dev.orderly.store.sqlite.SqliteKind;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import dev.orderly.testkit.contract.job.RandomPart;
import dev.orderly.testkit.contract.room.RoomRandomPart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random commands while the data moves from store to store, between all kinds in both directions. The model of the
 * contract, which never moves, has to agree with every answer before and after each copy. The system property
 * {@value RandomRuns#SEEDS} asks for more runs.
 */
@Tag("slow")
class CopyRunTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void copiedJobsGoOnAsTheModelDoes() {
        MovingStore.Kind sqlite = new SqliteKind(folder);
        RandomPart.overCopies(List.of(sqlite, Server.Kind.OF_JOBS, Server.Kind.OF_JOBS), Duration.ofSeconds(5))
                .hold(1);
    }

    @Test
    void copiedRoomsGoOnAsTheModelDoes() {
        MovingStore.Kind sqlite = new SqliteKind(folder);
        MovingStore.Kind postgres = Server.Kind.OF_ROOMS;
        MovingStore.Kind redis = new RedisKind();
        RoomRandomPart.overCopies(List.of(sqlite, postgres, redis, sqlite, redis, postgres)).hold(1);
    }
}
