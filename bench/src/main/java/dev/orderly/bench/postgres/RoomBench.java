package dev.orderly.bench.postgres;

import dev.orderly.VisitorStore;
import dev.orderly.bench.measure.Database;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.redis.RedisStore;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rooms of one and of four gates on PostgreSQL and on Redis, each gate with connections of its own. */
final class RoomBench {
    private final PrintStream out;

    RoomBench(PrintStream out) {
        this.out = out;
    }

    @FunctionalInterface
    private interface Opening {
        VisitorStore open() throws Exception;
    }

    void run(Database database) throws Exception {
        out.printf(Locale.ROOT, "%n%-40s %12s %22s %12s %22s%n", "rooms, 256 a call, 100,000 waiting", "joins/s",
                "joins/s behind them", "claims/s", "sync ms: median, most");
        for (int gates : List.of(1, 4)) {
            try (PostgresStore first = database.fresh()) {
                measure("postgres, gates " + gates, gates, first, () -> PostgresStore.open(database.options()));
            }
        }
        for (int gates : List.of(1, 4)) {
            try (RedisNode node = RedisNode.start("appendfsync everysec");
                    RedisStore first = RedisStore.at(node.url())) {
                measure("redis, gates " + gates + ", everysec", gates, first, () -> RedisStore.at(node.url()));
            }
        }
    }

    private void measure(String name, int gates, VisitorStore first, Opening opening) throws Exception {
        List<VisitorStore> opened = new ArrayList<>();
        try {
            List<RoomRuns.Gate> all = new ArrayList<>(List.of(new RoomRuns.Gate(0, first.rooms())));
            while (all.size() < gates) {
                VisitorStore store = opening.open();
                opened.add(store);
                all.add(new RoomRuns.Gate(all.size(), store.rooms()));
            }
            RoomRuns runs = new RoomRuns(first.clock(Time.system()), all);
            double joins = runs.fill();
            double behind = runs.join();
            double[] syncs = runs.syncs();
            double claims = runs.claim();
            out.printf(Locale.ROOT, "  %-38s %,12.0f %,22.0f %,12.0f %22s%n", name, joins, behind, claims,
                    "%.2f, %.2f".formatted(syncs[syncs.length / 2], syncs[syncs.length - 1]));
            out.flush();
        } finally {
            for (VisitorStore store : opened) {
                store.close();
            }
        }
    }
}
