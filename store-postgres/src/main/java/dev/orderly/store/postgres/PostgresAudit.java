package dev.orderly.store.postgres;

import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.AccessRows;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The port of the audit log. */
final class PostgresAudit implements AuditStore {
    private final Transactions transactions;

    PostgresAudit(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public long append(AuditAct act, Outcome outcome, @Nullable String after) {
        return transactions.run(connection -> new Sql(connection, """
                INSERT INTO audit(at, kind, name, address, operation, object, before, after, outcome)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id""")
                .with(act.at().toEpochMilli()).with(act.kind().text()).with(act.name()).with(act.address())
                .with(act.operation()).with(act.object()).with(act.before()).with(after).with(outcome.text())
                .number());
    }

    @Override
    public void end(long id, Outcome outcome, @Nullable String after) {
        transactions.run(connection -> new Sql(connection,
                "UPDATE audit SET outcome = ?, after = ? WHERE id = ? AND outcome = 'unknown'")
                .with(outcome.text()).with(after).with(id).update());
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        AccessRows.Listing listing = AccessRows.listing(query);
        return transactions.run(connection -> {
            Sql statement = new Sql(connection, listing.sql());
            listing.values().forEach(statement::with);
            return statement.list(AccessRows::entry);
        });
    }

    @Override
    public int prune(Instant before, long most, int limit) {
        return transactions.run(connection -> new Sql(connection, """
                DELETE FROM audit WHERE id IN (SELECT id FROM audit
                WHERE at < ? OR id <= (SELECT max(id) FROM audit) - ? ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)""")
                .with(before.toEpochMilli()).with(most).with(limit).update());
    }
}
