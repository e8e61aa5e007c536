package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import java.sql.SQLException;
import java.util.List;

/** The contenders. The order is that of the tables' columns. */
public enum ContenderKind {
    /** With no setting touched: 32 handlers. */
    ORDERLY("Orderly", true),
    ORDERLY_1000("Orderly, 1,000 handlers", true),
    DB_SCHEDULER("db-scheduler", true),
    JOBRUNR("JobRunr", true),
    TRANSACTION_OUTBOX("transaction-outbox", true),
    GRAPHILE_WORKER("graphile-worker", false),
    PG_BOSS("pg-boss", false),
    /** On Redis, which writes to the disk once a second: a crash of the machine loses what it acknowledged last. */
    BULLMQ("BullMQ (Redis, synced once a second)", false),
    /** The reference. It can push, and has no workers. */
    BARE_INSERT("bare INSERT", true);

    /** Other job queues in Java. */
    public static final List<ContenderKind> JAVA_PEERS = List.of(DB_SCHEDULER, JOBRUNR, TRANSACTION_OUTBOX);
    /** All other job queues. */
    public static final List<ContenderKind> PEERS = List.of(DB_SCHEDULER, JOBRUNR, TRANSACTION_OUTBOX, GRAPHILE_WORKER,
            PG_BOSS, BULLMQ);

    private final String title;
    private final boolean java;

    /** @param java whether it runs in Java, rather than in Node */
    ContenderKind(String title, boolean java) {
        this.title = title;
        this.java = java;
    }

    /** The heading of its column. */
    public String title() {
        return title;
    }

    /** Whether it keeps what it acknowledged over a crash of the machine, as Orderly does. */
    public boolean isDurable() {
        return this != BULLMQ;
    }

    /** Whether it runs in Node. */
    public boolean isInNode() {
        return !java;
    }

    /** Opens it on empty tables. Not for those in Node. */
    Contender open(Database database) throws SQLException {
        return switch (this) {
            case ORDERLY -> new OrderlyJobs(database.fresh(), 32, false);
            case ORDERLY_1000 -> new OrderlyJobs(database.fresh(), 1_000, false);
            case DB_SCHEDULER -> new DbScheduler(database);
            case JOBRUNR -> new JobRunrJobs(database);
            case TRANSACTION_OUTBOX -> new TransactionOutboxJobs(database);
            case BARE_INSERT -> new BareInsert(database);
            case GRAPHILE_WORKER, PG_BOSS, BULLMQ -> throw new IllegalStateException(title + " runs in Node");
        };
    }
}
