package dev.orderly.access.control;

import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.LoginSession;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The latest uses of credentials on this node, reported to the store once a minute. Thread-safe. */
final class CredentialUseLog {
    private final ConcurrentMap<TokenName, Instant> tokens = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Instant> sessions = new ConcurrentHashMap<>();
    /** The uses of the last report, which the snapshot of the credentials may not have yet. */
    private volatile Map<String, Instant> reported = Map.of();

    void used(TokenName token, Instant now) {
        tokens.merge(token, now, CredentialUseLog::later);
    }

    void used(LoginSession session, Instant now) {
        sessions.merge(session.hash(), now, CredentialUseLog::later);
    }

    /** The last use of a session that this node knows. */
    Instant lastSeen(LoginSession session) {
        Instant here = sessions.getOrDefault(session.hash(), reported.getOrDefault(session.hash(), Instant.MIN));
        return later(session.lastSeen(), here);
    }

    /** Reports all uses since the last report, in one call. A failed report is repeated with the next. */
    void report(CredentialStore store) {
        CredentialUses uses = new CredentialUses(new HashMap<>(tokens), new HashMap<>(sessions));
        if (!uses.isEmpty()) {
            store.used(uses);
            uses.tokens().forEach(tokens::remove);
            reported = uses.sessions();
            uses.sessions().forEach(sessions::remove);
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }
}
