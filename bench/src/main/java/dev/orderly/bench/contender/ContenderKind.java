package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import java.sql.SQLException;
import java.util.List;

/** The contenders on PostgreSQL. The order is that of the tables' columns. */
public enum ContenderKind {
    /** With no setting touched: 32 handlers. */
    ORDERLY("Orderly") {
        @Override
        Contender open(Database database) throws SQLException {
            return new OrderlyJobs(database.fresh(), 32, false);
        }
    },
    ORDERLY_1000("Orderly, 1,000 handlers") {
        @Override
        Contender open(Database database) throws SQLException {
            return new OrderlyJobs(database.fresh(), 1_000, false);
        }
    },
    DB_SCHEDULER("db-scheduler") {
        @Override
        Contender open(Database database) throws SQLException {
            return new DbScheduler(database);
        }
    },
    JOBRUNR("JobRunr") {
        @Override
        Contender open(Database database) throws SQLException {
            return new JobRunrJobs(database);
        }
    },
    TRANSACTION_OUTBOX("transaction-outbox") {
        @Override
        Contender open(Database database) throws SQLException {
            return new TransactionOutboxJobs(database);
        }
    },
    /** The reference. It can push, and has no workers. */
    BARE_INSERT("bare INSERT") {
        @Override
        Contender open(Database database) throws SQLException {
            return new BareInsert(database);
        }
    };

    /** Other job queues. */
    public static final List<ContenderKind> PEERS = List.of(DB_SCHEDULER, JOBRUNR, TRANSACTION_OUTBOX);
    /** All job queues. */
    public static final List<ContenderKind> QUEUES = List.of(ORDERLY, ORDERLY_1000, DB_SCHEDULER, JOBRUNR,
            TRANSACTION_OUTBOX);

    private final String title;

    ContenderKind(String title) {
        this.title = title;
    }

    /** The heading of its column. */
    public String title() {
        return title;
    }

    /** Opens it on empty tables. */
    abstract Contender open(Database database) throws SQLException;
}
