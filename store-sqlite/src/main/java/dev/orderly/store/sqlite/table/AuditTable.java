package dev.orderly.store.sqlite.table;

import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.store.sql.AccessRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code audit}. They are rare, so each is prepared when it runs. */
public final class AuditTable {
    private final Connection connection;

    AuditTable(Connection connection) {
        this.connection = connection;
    }

    public long append(AuditAct act, Outcome outcome, @Nullable String after) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO audit(at, kind, name, address,"
                + " operation, object, before, after, outcome) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id")) {
            insert.setLong(1, act.at().toEpochMilli());
            insert.setString(2, act.kind().text());
            insert.setString(3, act.name());
            insert.setString(4, act.address());
            insert.setString(5, act.operation());
            insert.setString(6, act.object());
            insert.setString(7, act.before());
            insert.setString(8, after);
            insert.setString(9, outcome.text());
            try (ResultSet rows = insert.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    public void end(long id, Outcome outcome, @Nullable String after) throws SQLException {
        try (PreparedStatement update = connection
                .prepareStatement("UPDATE audit SET outcome = ?, after = ? WHERE id = ? AND outcome = 'unknown'")) {
            update.setString(1, outcome.text());
            update.setString(2, after);
            update.setLong(3, id);
            update.executeUpdate();
        }
    }

    public int prune(Instant before, long most, int limit) throws SQLException {
        try (PreparedStatement delete = connection
                .prepareStatement("DELETE FROM audit WHERE id IN (SELECT id FROM audit"
                        + " WHERE at < ? OR id <= (SELECT max(id) FROM audit) - ? ORDER BY id LIMIT ?)")) {
            delete.setLong(1, before.toEpochMilli());
            delete.setLong(2, most);
            delete.setInt(3, limit);
            return delete.executeUpdate();
        }
    }

    /** Entries on any connection. */
    public static List<AuditEntry> list(Connection connection, AuditQuery query) throws SQLException {
        AccessRows.Listing listing = AccessRows.listing(query);
        try (PreparedStatement statement = connection.prepareStatement(listing.sql())) {
            for (int i = 0; i < listing.values().size(); i++) {
                statement.setObject(i + 1, listing.values().get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<AuditEntry> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(AccessRows.entry(rows));
                }
                return found;
            }
        }
    }
}
