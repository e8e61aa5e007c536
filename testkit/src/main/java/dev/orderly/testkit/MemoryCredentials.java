package dev.orderly.testkit;

import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The credentials port of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
final class MemoryCredentials implements CredentialStore {
    private final MemoryTable table;
    private final Map<TokenName, StoredToken> tokens;
    private final Map<String, LoginSession> sessions;

    MemoryCredentials(MemoryTable table) {
        this(table, new TreeMap<>(), new HashMap<>());
    }

    private MemoryCredentials(MemoryTable table, Map<TokenName, StoredToken> tokens,
            Map<String, LoginSession> sessions) {
        this.table = table;
        this.tokens = tokens;
        this.sessions = sessions;
    }

    /** The credentials, for another process. */
    MemoryCredentials in(MemoryTable next) {
        return new MemoryCredentials(next, tokens, sessions);
    }

    @Override
    public Created create(StoredToken token) {
        return table.locked(() -> {
            StoredToken found = tokens.get(token.token().name());
            if (found != null) {
                return found.hash().equals(token.hash()) ? Created.CREATED : Created.NAME_TAKEN;
            }
            if (tokens.size() >= TOKENS_MAX) {
                return Created.FULL;
            }
            tokens.put(token.token().name(), token);
            return Created.CREATED;
        });
    }

    @Override
    public boolean revoke(TokenName name) {
        return table.locked(() -> {
            sessions.values().removeIf(session -> session.token().equals(name));
            return tokens.remove(name) != null;
        });
    }

    @Override
    public Credentials read() {
        return table.locked(() -> new Credentials(List.copyOf(tokens.values()), List.copyOf(sessions.values())));
    }

    @Override
    public void used(CredentialUses uses) {
        var _ = table.locked(() -> {
            uses.tokens().forEach((name, at) -> tokens.computeIfPresent(name,
                    (_, found) -> found.lastUsed() != null && !found.lastUsed().isBefore(at)
                            ? found
                            : new StoredToken(found.token(), found.hash(), at)));
            uses.sessions().forEach((hash, at) -> sessions.computeIfPresent(hash,
                    (_, found) -> found.lastSeen().isBefore(at)
                            ? new LoginSession(hash, found.token(), found.opened(), at)
                            : found));
            return true;
        });
    }

    @Override
    public boolean open(LoginSession session) {
        return table.locked(() -> {
            if (!tokens.containsKey(session.token())) {
                return false;
            }
            if (sessions.size() >= SESSIONS_MAX) {
                sessions.values().stream().min(Comparator.comparing(LoginSession::lastSeen))
                        .ifPresent(oldest -> sessions.remove(oldest.hash()));
            }
            sessions.put(session.hash(), session);
            return true;
        });
    }

    @Override
    public boolean close(String hash) {
        return table.locked(() -> sessions.remove(hash) != null);
    }

    @Override
    public int expire(Instant opened, Instant lastSeen) {
        return table.locked(() -> {
            int before = sessions.size();
            sessions.values().removeIf(session -> session.opened().isBefore(opened)
                    || session.lastSeen().isBefore(lastSeen));
            return before - sessions.size();
        });
    }
}
