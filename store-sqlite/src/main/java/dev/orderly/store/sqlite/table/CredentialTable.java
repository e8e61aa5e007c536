package dev.orderly.store.sqlite.table;

import dev.orderly.access.AccessToken;
import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialStore.Created;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.store.sql.AccessRows;
import dev.orderly.store.sql.ColumnCodecs;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Statements on tables {@code token} and {@code session}. They are rare, so each is prepared when it runs. */
public final class CredentialTable {
    private final Connection connection;

    CredentialTable(Connection connection) {
        this.connection = connection;
    }

    public Created create(StoredToken stored) throws SQLException {
        AccessToken token = stored.token();
        long tokens = 0;
        try (PreparedStatement query = connection.prepareStatement("SELECT name, hash FROM token");
                ResultSet rows = query.executeQuery()) {
            for (; rows.next(); tokens++) {
                if (rows.getString(1).equals(token.name().value())) {
                    return rows.getString(2).equals(stored.hash()) ? Created.CREATED : Created.NAME_TAKEN;
                }
            }
        }
        if (tokens >= CredentialStore.TOKENS_MAX) {
            return Created.FULL;
        }
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO token(" + AccessRows.TOKEN + ") VALUES(?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, token.name().value());
            insert.setString(2, stored.hash());
            insert.setString(3, token.role().text());
            insert.setString(4, AccessRows.queues(token));
            insert.setLong(5, token.created().toEpochMilli());
            ColumnCodecs.moment(insert, 6, token.ends());
            ColumnCodecs.moment(insert, 7, stored.lastUsed());
            insert.executeUpdate();
        }
        return Created.CREATED;
    }

    public boolean revoke(TokenName name) throws SQLException {
        update("DELETE FROM session WHERE token = ?", name.value());
        return update("DELETE FROM token WHERE name = ?", name.value()) > 0;
    }

    public Credentials read() throws SQLException {
        List<StoredToken> tokens = new ArrayList<>();
        List<LoginSession> sessions = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement("SELECT " + AccessRows.TOKEN + " FROM token ORDER BY name");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                tokens.add(AccessRows.token(rows));
            }
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT " + AccessRows.SESSION + " FROM session");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                sessions.add(AccessRows.session(rows));
            }
        }
        return new Credentials(tokens, sessions);
    }

    public void used(CredentialUses uses) throws SQLException {
        for (Map.Entry<TokenName, Instant> use : uses.tokens().entrySet()) {
            update("UPDATE token SET used = max(coalesce(used, 0), ?) WHERE name = ?", use.getValue().toEpochMilli(),
                    use.getKey().value());
        }
        for (Map.Entry<String, Instant> use : uses.sessions().entrySet()) {
            update("UPDATE session SET seen = max(seen, ?) WHERE hash = ?", use.getValue().toEpochMilli(),
                    use.getKey());
        }
    }

    public boolean open(LoginSession session) throws SQLException {
        update("DELETE FROM session WHERE hash IN (SELECT hash FROM session ORDER BY seen DESC LIMIT -1 OFFSET ?)",
                CredentialStore.SESSIONS_MAX - 1);
        return update("INSERT INTO session(" + AccessRows.SESSION + ") SELECT ?, name, ?, ? FROM token WHERE name = ?",
                session.hash(), session.opened().toEpochMilli(), session.lastSeen().toEpochMilli(),
                session.token().value()) > 0;
    }

    public boolean close(String hash) throws SQLException {
        return update("DELETE FROM session WHERE hash = ?", hash) > 0;
    }

    public int expire(Instant opened, Instant lastSeen) throws SQLException {
        return update("DELETE FROM session WHERE opened < ? OR seen < ?", opened.toEpochMilli(),
                lastSeen.toEpochMilli());
    }

    private int update(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
