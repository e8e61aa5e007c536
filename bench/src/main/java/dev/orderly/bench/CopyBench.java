package dev.orderly.bench;

import dev.orderly.Store;
import dev.orderly.bench.measure.Database;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.store.copy.StoreCopy;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Copies of waiting jobs, a third of them in groups, from SQLite to PostgreSQL and back: jobs a second. */
final class CopyBench {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final int CALL = 1_000;
    private static final int GROUPS = 10_000;

    private final PrintStream out;
    private final Path folder;
    private final int jobs;

    CopyBench(PrintStream out, Path folder, int jobs) {
        this.out = out;
        this.folder = folder;
        this.jobs = jobs;
    }

    void run() throws Exception {
        try (Database database = Database.start(folder)) {
            try (Store laptop = SqliteStore.at(folder.resolve("laptop.db"))) {
                push(laptop);
                try (Store cluster = database.fresh()) {
                    copy("SQLite to PostgreSQL", laptop, cluster);
                }
            }
            try (Store cluster = PostgresStore.open(database.options());
                    Store back = SqliteStore.at(folder.resolve("back.db"))) {
                copy("PostgreSQL to SQLite", cluster, back);
            }
        }
    }

    private void push(Store store) {
        byte[] body = new byte[200];
        Payload payload = new Payload(Payload.BYTES, body);
        for (int n = 0; n < jobs; n += CALL) {
            List<NewJob> some = new ArrayList<>(CALL);
            for (int k = n; k < n + CALL; k++) {
                boolean grouped = k % 3 == 0;
                some.add(new NewJob(grouped ? ORDERS : MAIL, grouped ? "group " + k / 3 % GROUPS : null,
                        Priority.NORMAL, null, payload, Map.of(), null, null, null));
            }
            store.jobs().push(some, Time.system().now());
        }
    }

    private void copy(String what, Store source, Store target) {
        long begin = Time.system().nanos();
        Phases phases = new Phases();
        CopyResult result = new StoreCopy(source.copying(), target.copying(), phases).run(source.name(),
                Time.system().now());
        long end = Time.system().nanos();
        if (!(result instanceof CopyResult.Compared compared && compared.equal())) {
            throw new IllegalStateException("The copy failed: " + result);
        }
        out.printf(Locale.ROOT, "%s, %d jobs: copied %.0f/s, with the comparison %.0f/s; heap %d MiB%n", what, jobs,
                jobs / ((phases.copied - begin) / 1e9), jobs / ((end - begin) / 1e9), heap() >> 20);
    }

    private static long heap() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** The moment at which the last record was written. */
    private static final class Phases implements StoreCopy.Progress {
        private long copied;

        @Override
        public void copied(CopyKind kind, int records) {
            copied = Time.system().nanos();
        }

        @Override
        public void read(CopyKind kind, int records) {}
    }
}
