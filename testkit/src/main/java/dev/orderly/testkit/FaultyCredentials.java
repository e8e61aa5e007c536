package dev.orderly.testkit;

import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.testkit.FaultyStore.Call;
import java.time.Instant;

/** The credentials port of a {@link FaultyStore}. */
record FaultyCredentials(CredentialStore credentials, FaultyStore faults) implements CredentialStore {
    @Override
    public Created create(StoredToken token) {
        return faults.call(Call.CREDENTIAL_CREATE, () -> credentials.create(token));
    }

    @Override
    public boolean revoke(TokenName name) {
        return faults.call(Call.CREDENTIAL_REVOKE, () -> credentials.revoke(name));
    }

    @Override
    public Credentials read() {
        return faults.call(Call.CREDENTIAL_READ, credentials::read);
    }

    @Override
    public void used(CredentialUses uses) {
        faults.call(Call.CREDENTIAL_USE, () -> {
            credentials.used(uses);
            return true;
        });
    }

    @Override
    public boolean open(LoginSession session) {
        return faults.call(Call.SESSION_OPEN, () -> credentials.open(session));
    }

    @Override
    public boolean close(String hash) {
        return faults.call(Call.SESSION_CLOSE, () -> credentials.close(hash));
    }

    @Override
    public int expire(Instant opened, Instant lastSeen) {
        return faults.call(Call.SESSION_EXPIRE, () -> credentials.expire(opened, lastSeen));
    }
}
