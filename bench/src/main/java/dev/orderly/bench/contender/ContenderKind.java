package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The contenders. The order is that of the tables' columns. */
public enum ContenderKind {
    /** With no setting touched: 32 handlers. */
    ORDERLY("Orderly", database -> new OrderlyJobs(database.fresh(), 32, false)),
    ORDERLY_1000("Orderly, 1,000 handlers", database -> new OrderlyJobs(database.fresh(), 1_000, false)),
    DB_SCHEDULER("db-scheduler", DbScheduler::new),
    JOBRUNR("JobRunr", JobRunrJobs::new),
    TRANSACTION_OUTBOX("transaction-outbox", TransactionOutboxJobs::new),
    GRAPHILE_WORKER("graphile-worker", null),
    PG_BOSS("pg-boss", null),
    /** On Redis, which writes to the disk once a second: what it acknowledged last is lost by a crash of the machine. */
    BULLMQ("BullMQ (Redis, synced once a second)", null),
    /** The reference. It can push, and has no workers. */
    BARE_INSERT("bare INSERT", BareInsert::new);

    /** Other job queues in Java. */
    public static final List<ContenderKind> JAVA_PEERS = List.of(DB_SCHEDULER, JOBRUNR, TRANSACTION_OUTBOX);
    /** All other job queues. */
    public static final List<ContenderKind> PEERS = List.of(DB_SCHEDULER, JOBRUNR, TRANSACTION_OUTBOX, GRAPHILE_WORKER,
            PG_BOSS, BULLMQ);

    private final String title;
    private final @Nullable Opening opening;

    private interface Opening {
        Contender open(Database database) throws SQLException;
    }

    /** @param opening opens it on empty tables; null for a contender in Node */
    ContenderKind(String title, @Nullable Opening opening) {
        this.title = title;
        this.opening = opening;
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
        return opening == null;
    }

    /** Opens it on empty tables. Not for those in Node. */
    Contender open(Database database) throws SQLException {
        return Objects.requireNonNull(opening, title).open(database);
    }
}
