package dev.orderly.bench.crowd;

import dev.orderly.Store;
import dev.orderly.bench.measure.Database;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What crowds are told over HTTP and what they get: polling and connected, with few and many absent visitors, at one
 * gate on SQLite and three on PostgreSQL in turn, alone and beside neighbours that compute.
 */
public final class CrowdBench {
    private static final long SEED = 101;
    private static final int CAPACITY = 20;
    private static final Duration STAY = Duration.ofSeconds(2);
    private static final Duration ARRIVING = Duration.ofSeconds(2);
    private static final int GATES = 3;

    private final PrintStream out;
    private final Path folder;
    private final int visitors;
    private final boolean quick;

    /** @param quick one crowd of each number of gates */
    public CrowdBench(PrintStream out, Path folder, int visitors, boolean quick) {
        this.out = out;
        this.folder = folder;
        this.visitors = visitors;
        this.quick = quick;
    }

    public void run() throws Exception {
        out.printf(Locale.ROOT, "%n%d visitors within %d s, %d inside, stays of %d s%n%n", visitors,
                ARRIVING.toSeconds(), CAPACITY, STAY.toSeconds());
        out.println("| gates | absent | waits by | busy threads | waited and entered | inside the first range"
                + " | longer than told | less than told | overtaken | use of capacity |");
        out.println("|---|---|---|---|---|---|---|---|---|---|");
        try (Database database = Database.start(folder)) {
            for (int gates : new int[]{1, GATES}) { // a program that has just started answers late, and stays look long
                play(new CrowdPlan(gates, visitors, 0, 0.5, CAPACITY, STAY, ARRIVING, 0), database);
            }
            for (int busy : quick ? new int[]{0} : new int[]{0, 8 * Runtime.getRuntime().availableProcessors()}) {
                for (int gates : new int[]{1, GATES}) {
                    for (double absent : quick ? new double[]{0.5} : new double[]{0, 0.5, 0.9}) {
                        for (double connected : quick ? new double[]{0} : new double[]{0, 1}) {
                            row(new CrowdPlan(gates, visitors, absent, connected, CAPACITY, STAY, ARRIVING, busy),
                                    database);
                        }
                    }
                }
            }
        }
    }

    private void row(CrowdPlan plan, Database database) throws Exception {
        CrowdOutcome outcome = play(plan, database);
        out.printf(Locale.ROOT, "| %d | %.0f %% | %s | %d | %s |%n", plan.gates(), plan.absent() * 100,
                plan.connected() > 0 ? "events" : "polls", plan.busy(), outcome.row());
    }

    private CrowdOutcome play(CrowdPlan plan, Database database) throws Exception {
        List<Store> stores = stores(plan, database);
        try {
            return HttpCrowd.play(plan, stores, SEED);
        } finally {
            stores.forEach(Store::close);
        }
    }

    private List<Store> stores(CrowdPlan plan, Database database) throws IOException, SQLException {
        if (plan.gates() == 1) {
            return List.of(SqliteStore.at(folder.resolve("crowd-" + plan.hashCode() + ".db")));
        }
        List<Store> stores = new ArrayList<>(List.of(database.fresh()));
        while (stores.size() < plan.gates()) {
            stores.add(PostgresStore.open(database.options()));
        }
        return stores;
    }
}
