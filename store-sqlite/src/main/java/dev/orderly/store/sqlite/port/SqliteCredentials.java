package dev.orderly.store.sqlite.port;

import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.store.sqlite.table.CredentialTable;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;

/**
 * The port of credentials. Reads are requests to the writer too: a caller that occupies both readers with long lists
 * keeps no request from being verified.
 */
public final class SqliteCredentials implements CredentialStore {
    private final RequestQueue requests;

    public SqliteCredentials(RequestQueue requests) {
        this.requests = requests;
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(CredentialTable table) throws SQLException;
    }

    private <T> T ask(Work<T> work) {
        return requests.ask(WriteRequest.shared(1, WriteRequest.work(state -> work.on(state.tables.credentials))));
    }

    @Override
    public Created create(StoredToken token) {
        return ask(table -> table.create(token));
    }

    @Override
    public boolean revoke(TokenName name) {
        return ask(table -> table.revoke(name));
    }

    @Override
    public Credentials read() {
        return ask(CredentialTable::read);
    }

    @Override
    public void used(CredentialUses uses) {
        ask(table -> {
            table.used(uses);
            return true;
        });
    }

    @Override
    public boolean open(LoginSession session) {
        return ask(table -> table.open(session));
    }

    @Override
    public boolean close(String hash) {
        return ask(table -> table.close(hash));
    }

    @Override
    public int expire(Instant opened, Instant lastSeen) {
        return ask(table -> table.expire(opened, lastSeen));
    }
}
