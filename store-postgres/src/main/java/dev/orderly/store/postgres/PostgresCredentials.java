package dev.orderly.store.postgres;

import dev.orderly.access.AccessToken;
import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.AccessRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The port of credentials. Calls that add or delete take one lock of the transaction, so that their bounds hold and a
 * session never outlives its token; they are rare.
 */
final class PostgresCredentials implements CredentialStore {
    private final Transactions transactions;

    PostgresCredentials(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Created create(StoredToken stored) {
        AccessToken token = stored.token();
        return transactions.run(connection -> {
            lock(connection);
            String hash = new Sql(connection, "SELECT hash FROM token WHERE name = ?").with(token.name().value())
                    .first(row -> row.getString(1));
            if (hash != null) {
                return hash.equals(stored.hash()) ? Created.CREATED : Created.NAME_TAKEN;
            }
            if (new Sql(connection, "SELECT count(*) FROM token").number() >= TOKENS_MAX) {
                return Created.FULL;
            }
            new Sql(connection, "INSERT INTO token(" + AccessRows.TOKEN
                    + ") VALUES(?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1))")
                    .with(token.name().value()).with(stored.hash()).with(token.role().text())
                    .with(AccessRows.queues(token)).with(token.created().toEpochMilli()).with(millis(token.ends()))
                    .with(millis(stored.lastUsed())).update();
            return Created.CREATED;
        });
    }

    @Override
    public boolean revoke(TokenName name) {
        return transactions.run(connection -> {
            lock(connection);
            new Sql(connection, "DELETE FROM session WHERE token = ?").with(name.value()).update();
            return new Sql(connection, "DELETE FROM token WHERE name = ?").with(name.value()).update() > 0;
        });
    }

    /** Sessions are read first: a token that is created and used in between is there, and a revoked one is not. */
    @Override
    public Credentials read() {
        return transactions.run(connection -> {
            List<LoginSession> sessions = new Sql(connection, "SELECT " + AccessRows.SESSION + " FROM session")
                    .list(AccessRows::session);
            return new Credentials(new Sql(connection, "SELECT " + AccessRows.TOKEN + " FROM token ORDER BY name")
                    .list(AccessRows::token), sessions);
        });
    }

    @Override
    public void used(CredentialUses uses) {
        transactions.run(connection -> {
            for (Map.Entry<TokenName, Instant> use : new TreeMap<>(uses.tokens()).entrySet()) {
                new Sql(connection, "UPDATE token SET used = ? WHERE name = ? AND coalesce(used, 0) < ?")
                        .with(use.getValue().toEpochMilli()).with(use.getKey().value())
                        .with(use.getValue().toEpochMilli()).update();
            }
            for (Map.Entry<String, Instant> use : new TreeMap<>(uses.sessions()).entrySet()) {
                new Sql(connection, "UPDATE session SET seen = ? WHERE hash = ? AND seen < ?")
                        .with(use.getValue().toEpochMilli()).with(use.getKey()).with(use.getValue().toEpochMilli())
                        .update();
            }
            return true;
        });
    }

    @Override
    public boolean open(LoginSession session) {
        return transactions.run(connection -> {
            lock(connection);
            new Sql(connection, "DELETE FROM session WHERE hash IN (SELECT hash FROM session ORDER BY seen DESC OFFSET "
                    + (SESSIONS_MAX - 1) + ")").update();
            return new Sql(connection, "INSERT INTO session(" + AccessRows.SESSION
                    + ") SELECT ?, name, ?, ? FROM token WHERE name = ?").with(session.hash())
                    .with(session.opened().toEpochMilli()).with(session.lastSeen().toEpochMilli())
                    .with(session.token().value()).update() > 0;
        });
    }

    @Override
    public boolean close(String hash) {
        return transactions.run(connection -> new Sql(connection, "DELETE FROM session WHERE hash = ?").with(hash)
                .update() > 0);
    }

    @Override
    public int expire(Instant opened, Instant lastSeen) {
        return transactions.run(connection -> {
            lock(connection);
            return new Sql(connection, "DELETE FROM session WHERE opened < ? OR seen < ?")
                    .with(opened.toEpochMilli()).with(lastSeen.toEpochMilli()).update();
        });
    }

    private static void lock(Connection connection) throws SQLException {
        new Sql(connection, "SELECT pg_advisory_xact_lock(hashtextextended('orderly credentials ' || current_schema(),"
                + " 1866))").list(_ -> true);
    }

    private static long millis(@Nullable Instant moment) {
        return moment == null ? -1 : moment.toEpochMilli();
    }
}
